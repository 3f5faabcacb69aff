import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { listsOfCampaign } from '../../../src/newsletter/campaigns/unsubscribe.ts'
import { createWorld } from '../../support/world.ts'
import { addList, draft } from './support.ts'

test('The link of a message is about the lists of its campaign that exist, or else about everything.', async () => {
  const world = await createWorld()
  const { store } = world.service.runtime
  const [news, fair] = [await addList(world, 'News'), await addList(world, 'Fair')]
  const include = [news, fair].map((id) => ({ type: 'list', id }))
  const { id } = await draft(world, { audience_spec: { include } })
  const all = await draft(world, { audience_spec: { include: [...include, { type: 'all' }] } })
  const listsOf = (campaign_id: number) => listsOfCampaign(store.db, world.project.id, campaign_id)
  const deleteList = (list_id: number) => store.write((tx) => tx.run(sql`DELETE FROM lists WHERE id = ${list_id}`))
  expect(await listsOf(id)).toEqual([
    { id: fair, name: 'Fair' },
    { id: news, name: 'News' },
  ])
  await deleteList(fair)
  expect([await listsOf(id), await listsOf(all.id)]).toEqual([[{ id: news, name: 'News' }], null])
  await deleteList(news)
  expect(await listsOf(id)).toBeNull()
  await world.close()
})
