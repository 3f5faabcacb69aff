import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type SQL, sql } from 'drizzle-orm'
import { hasSameAddress, inAnyOf, maySend, stillEligible } from '../../../src/newsletter/outbox/eligibility.ts'
import { createWorld, type World } from '../../support/world.ts'

let world: World
let contact_id: number
const list_ids: number[] = []
beforeAll(async () => {
  world = await createWorld()
  for (const name of ['Tides', 'Storms']) list_ids.push((await world.ok('lists/create', { name })).list.id)
  const { contact } = await world.ok('contacts/upsert', { email: 'Ada@example.com', list_ids, consent_text: 'Yes' })
  contact_id = contact.id
})
afterAll(() => world.close())

const run = (statement: SQL) => world.service.runtime.store.write((tx) => tx.run(statement))
const holds = async (condition: SQL): Promise<boolean> =>
  (
    await world.service.runtime.store.db.all(sql`
    SELECT 1 FROM contacts contact WHERE contact.id = ${contact_id} AND ${condition}`)
  ).length === 1
const audience = (...ids: number[]) => ({
  include: ids.map((id) => ({ type: 'list' as const, id })),
  exclude: [],
  segments: new Map(),
})
const setMembership = (list_id: number, status: string) =>
  run(sql`UPDATE memberships SET status = ${status} WHERE contact_id = ${contact_id} AND list_id = ${list_id}`)

test.each(['pending', 'unsubscribed'])('A contact gets nothing once its membership is %s.', async (status) => {
  const [list_id = 0] = list_ids
  expect(await holds(stillEligible(audience(list_id)))).toBe(true)
  await setMembership(list_id, status)
  expect(await holds(stillEligible(audience(list_id)))).toBe(false)
  // Another list of the same audience still includes the contact.
  expect(await holds(stillEligible(audience(...list_ids)))).toBe(true)
  await setMembership(list_id, 'subscribed')
})

test("Only the project's own suppressions stop a message.", async () => {
  const suppress = (project_id: number) =>
    run(
      sql`
        INSERT INTO suppressions (project_id, email, email_key, reason, created_at)
        VALUES (${project_id}, 'ada@example.com', 'ada@example.com', 'manual', 1)`,
    )
  await suppress(world.other.id)
  expect(await holds(maySend())).toBe(true)
  await suppress(world.project.id)
  expect(await holds(maySend())).toBe(false)
  await run(sql`DELETE FROM suppressions`)
})

test('Consent belongs to the address that the message was made for, whatever its case.', async () => {
  const isFor = (email: string) =>
    holds(sql`EXISTS (SELECT 1 FROM (SELECT ${email} AS email) delivery WHERE ${hasSameAddress()})`)
  expect(await isFor('Ada@example.com')).toBe(true)
  expect(await isFor('ADA@EXAMPLE.COM')).toBe(true)
  expect(await isFor('bo@example.com')).toBe(false)
})

test('A deleted segment and an empty audience match no contact.', async () => {
  expect(await holds(inAnyOf([{ type: 'segment', id: 4711 }], new Map()))).toBe(false)
  expect(await holds(inAnyOf([], new Map()))).toBe(false)
  expect(await holds(inAnyOf([{ type: 'all' }], new Map()))).toBe(true)
})
