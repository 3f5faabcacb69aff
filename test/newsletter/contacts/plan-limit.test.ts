import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { requireRoomFor, roomFor } from '../../../src/newsletter/contacts/plan-limit.ts'
import { newProject, sharedStore, write } from '../../support/shared-store.ts'

test.each([
  [{ contacts: 3, contact_limit: 10 }, 4, 4],
  [{ contacts: 3, contact_limit: 10 }, 8, 7],
  [{ contacts: 10, contact_limit: 10 }, 1, 0],
  // The plan was made smaller.
  [{ contacts: 12, contact_limit: 10 }, 1, 0],
])('With %j, %i new contacts find room for %i.', (usage, wanted, room) => {
  expect(roomFor(usage, wanted)).toBe(room)
})

test('All wanted contacts must find room, in the plan of the project or else in that of all.', async () => {
  const [own, usual] = [await newProject({ contact_limit: 5 }), await newProject()]
  await write((tx) =>
    tx.run(sql`
      UPDATE project_usage SET rows = 2 WHERE project_id IN (${own}, ${usual}) AND kind = 'contacts'`),
  )
  const { db } = await sharedStore()
  await requireRoomFor(db, own, 3, 100)
  await requireRoomFor(db, usual, 98, 100)
  const refusal = (limit: number, room: number) => ({
    ...{ code: 'PLAN_LIMIT_EXCEEDED', details: { limit }, message: expect.stringContaining(`room for ${room} more`) },
  })
  await expect(requireRoomFor(db, own, 4, 100)).rejects.toMatchObject(refusal(5, 3))
  await expect(requireRoomFor(db, usual, 99, 100)).rejects.toMatchObject(refusal(100, 98))
})
