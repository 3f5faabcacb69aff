import { expect, test } from 'bun:test'
import { roomFor } from '../../../src/newsletter/contacts/plan-limit.ts'

test.each([
  [{ contacts: 3, contact_limit: 10 }, 4, 4],
  [{ contacts: 3, contact_limit: 10 }, 8, 7],
  [{ contacts: 10, contact_limit: 10 }, 1, 0],
  // The plan was made smaller.
  [{ contacts: 12, contact_limit: 10 }, 1, 0],
])('With %j, %i new contacts find room for %i.', (usage, wanted, room) => {
  expect(roomFor(usage, wanted)).toBe(room)
})
