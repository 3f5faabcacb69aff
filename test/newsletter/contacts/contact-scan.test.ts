import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { countWithSample, idRanges } from '../../../src/newsletter/contacts/contact-scan.ts'
import { createWorld } from '../../support/world.ts'
import { newContact, newProject, sharedStore } from '../../support/shared-store.ts'
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

test.each([
  [1, 1, 100_000],
  [100_000, 1, 100_000],
  [100_001, 2, 100_000],
  [3_200_000, 32, 100_000],
  [3_200_033, 32, 100_002],
])('%d ids are read in %d ranges of %d that leave none out.', async (ids, count, size) => {
  const project = await newProject()
  const first = await newContact(project, 'first@example.com')
  const last = first + ids - 1
  if (last > first) await newContact(project, 'last@example.com', { id: last })
  const store = await sharedStore()
  const ranges = await idRanges(store.db, project)
  expect((await countWithSample(store, project, sql`true`, 0)).count).toBe(last > first ? 2 : 1)
  expect([ranges.length, ranges[0]!.after, ranges.at(-1)!.upto >= last]).toEqual([count, first - 1, true])
  // The last id of a range begins no other.
  const { upto: edge } = ranges[0]!
  if (edge < last) {
    await newContact(project, 'edge@example.com', { id: edge })
    expect((await countWithSample(store, project, sql`true`, 0)).count).toBe(edge === first ? 2 : 3)
  }
  for (const [at, { after, upto }] of ranges.entries())
    expect([upto - after, after]).toEqual([size, ranges[at - 1]?.upto ?? first - 1])
})

test('A project without contacts has no ranges.', async () => {
  expect(await idRanges((await sharedStore()).db, await newProject())).toEqual([])
})
