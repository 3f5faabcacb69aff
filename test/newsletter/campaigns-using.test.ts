import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { audienceNames, campaignsUsing } from '../../src/newsletter/campaigns-using.ts'
import { CAMPAIGN_STATUSES, campaigns, type CampaignStatus } from '../../src/store/tables/delivery.ts'
import { createWorld, type World } from '../support/world.ts'
import { addList, draft } from './campaigns/support.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

const store = () => world.service.runtime.store
const setStatus = (id: number, status: CampaignStatus) =>
  store().write((tx) => tx.update(campaigns).set({ status }).where(eq(campaigns.id, id)))
const using = (list_id: number, drafts: boolean, project_id = world.project.id) =>
  campaignsUsing(store().db, project_id, audienceNames('list', list_id), { drafts })

test('A list is in use by the campaigns that include or exclude it and may still send.', async () => {
  const [list_id, other_list] = [await addList(world, 'One'), await addList(world, 'Two')]
  const including = await draft(world, { audience_spec: { include: [{ type: 'list', id: list_id }] } })
  const excluding = await draft(world, {
    audience_spec: { include: [{ type: 'all' }], exclude: [{ type: 'list', id: list_id }] },
  })
  await draft(world, { audience_spec: { include: [{ type: 'list', id: other_list }] } })
  expect(await using(list_id, true)).toEqual([including.id, excluding.id])
  expect(await using(list_id, true, world.other.id)).toEqual([])

  for (const status of CAMPAIGN_STATUSES) {
    await setStatus(including.id, status)
    await setStatus(excluding.id, status)
    const open = ['scheduled', 'preparing', 'sending', 'paused'].includes(status)
    const all = [including.id, excluding.id]
    expect([status, await using(list_id, false)]).toEqual([status, open ? all : []])
    expect([status, await using(list_id, true)]).toEqual([status, open || status === 'draft' ? all : []])
  }
})

test('A deleted campaign and a segment with the id of the list use nothing.', async () => {
  const list_id = await addList(world, 'Three')
  const { id } = await draft(world, { audience_spec: { include: [{ type: 'list', id: list_id }] } })
  expect(
    await campaignsUsing(store().db, world.project.id, audienceNames('segment', list_id), { drafts: true }),
  ).toEqual([])
  await world.ok('campaigns/delete', { campaign_id: id })
  expect(await using(list_id, true)).toEqual([])
})
