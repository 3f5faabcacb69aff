import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { countWithSample, idRanges } from '../../../src/newsletter/contacts/contact-scan.ts'
import { createWorld } from '../../support/world.ts'
import { addPeople } from '../campaigns/support.ts'

test('A sample that spans two ranges of ids has no more contacts than asked for, and the count has all.', async () => {
  const world = await createWorld()
  const { store } = world.service.runtime
  const ids = await addPeople(
    world,
    ['ada', 'bo', 'cy', 'di'].map((name) => ({ email: `${name}@example.com` })),
  )
  await store.write((tx) => tx.run(sql`UPDATE contacts SET id = id + 300000 WHERE id > ${ids[1]}`))
  expect(await idRanges(store.db, world.project.id)).toHaveLength(4)
  expect(await countWithSample(store, world.project.id, sql`true`, 3)).toEqual({
    count: 4,
    ids: [ids[0]!, ids[1]!, ids[2]! + 300_000],
  })
  await world.close()
})
