import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { AppError } from '../../../src/errors.ts'
import type { ProjectId } from '../../../src/ids.ts'
import { Keys, newMasterKey } from '../../../src/secrets.ts'
import {
  admitMessages,
  countTests,
  forgetConfirmations,
  messageRequestRetention,
  requireFewTests,
  STRANGERS_AN_HOUR,
  TESTS_OF_MAILBOX,
  TESTS_OF_PROJECT,
} from '../../../src/newsletter/consent/message-requests.ts'
import { KEYS, newProject, NOW, sharedStore, write } from '../../support/shared-store.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** When each of the addresses may get a message that is asked for at this time. */
async function admit(
  project_id: ProjectId,
  emails: readonly string[],
  { at = NOW, kind = 'confirmation' as 'confirmation' | 'link', by_stranger = false, keys = KEYS } = {},
) {
  return Object.fromEntries(
    await write((tx) => admitMessages(tx, { keys, project_id, kind, now: at, by_stranger }, emails)),
  )
}

test('A confirmation leaves at once, the next an hour after it, and none while one waits.', async () => {
  const project = await newProject()
  expect(await admit(project, ['ada@example.com'])).toEqual({ 'ada@example.com': NOW })
  expect(await admit(project, ['ada@example.com'], { at: NOW + 1 })).toEqual({ 'ada@example.com': NOW + HOUR })
  expect(await admit(project, ['ada@example.com'], { at: NOW + HOUR - 1 })).toEqual({})
  expect(await admit(project, ['ada@example.com'], { at: NOW + HOUR })).toEqual({ 'ada@example.com': NOW + 2 * HOUR })
})

test('A mailbox gets three messages a day whatever its plus tag and case, and five until it confirms.', async () => {
  const project = await newProject()
  const at = async (hours: number) =>
    Object.keys(await admit(project, ['Ada+x@Example.com'], { at: NOW + hours * HOUR }))
  await admit(project, ['ada@example.com'])
  expect([await at(2), await at(4), await at(6), await at(23.9)]).toEqual([
    ['Ada+x@Example.com'],
    ['Ada+x@Example.com'],
    [],
    [],
  ])
  expect(await at(24)).toHaveLength(1)
  expect(await at(26)).toHaveLength(1)
  expect(await at(72)).toHaveLength(0)
  await write((tx) => forgetConfirmations(tx, { keys: KEYS, project_id: project }, 'ada@example.com'))
  expect(await at(72)).toHaveLength(1)
})

test('A personal link is sent at once or not at all, as often as three times a day.', async () => {
  const project = await newProject()
  const at = async (hours: number) =>
    Object.values(await admit(project, ['ada@example.com'], { at: NOW + hours * HOUR, kind: 'link' }))
  expect([await at(0), await at(0.9), await at(1), await at(2), await at(3), await at(24)]).toEqual([
    [NOW],
    [],
    [NOW + HOUR],
    [NOW + 2 * HOUR],
    [],
    [NOW + DAY],
  ])
  // Links have no limit for ever.
  expect([await at(48), await at(72)]).toEqual([[NOW + 2 * DAY], [NOW + 3 * DAY]])
  await write((tx) => forgetConfirmations(tx, { keys: KEYS, project_id: project }, 'ada@example.com'))
  expect(await at(72.5)).toEqual([])
})

test('Kinds and projects are counted apart.', async () => {
  const [one, other] = [await newProject(), await newProject()]
  await admit(one, ['ada@example.com'])
  expect(await admit(one, ['ada@example.com'], { kind: 'link' })).toEqual({ 'ada@example.com': NOW })
  expect(await admit(other, ['ada@example.com'])).toEqual({ 'ada@example.com': NOW })
  // The rows do not tell that two projects wrote to the same mailbox.
  const marks = await (
    await sharedStore()
  ).db.all(sql`SELECT DISTINCT mailbox_mark FROM message_requests WHERE project_id IN (${one}, ${other})`)
  expect(marks).toHaveLength(2)
})

test('Strangers cause a limited number of messages an hour, and callers of the API do not count.', async () => {
  const project = await newProject()
  const many = Array.from({ length: STRANGERS_AN_HOUR - 1 }, (_, at) => `p${at}@example.com`)
  await admit(project, ['known@example.com'])
  expect(Object.keys(await admit(project, many, { by_stranger: true }))).toHaveLength(many.length)
  const next = await admit(project, ['a@example.com', 'b@example.com'], { by_stranger: true, at: NOW + HOUR - 1 })
  expect(Object.keys(next)).toEqual(['a@example.com'])
  expect(await admit(project, ['c@example.com'], { at: NOW + 1 })).not.toEqual({})
  expect(await admit(project, ['d@example.com'], { by_stranger: true, at: NOW + HOUR })).not.toEqual({})
})

test('A mailbox gets 30 test messages an hour, a project sends 300, and a refusal says how long.', async () => {
  const project = await newProject()
  const sent = (emails: readonly string[], at: number) =>
    write((tx) => countTests(tx, { keys: KEYS, project_id: project, now: at }, emails))
  const refusal = async (emails: readonly string[], at: number) => {
    try {
      await requireFewTests((await sharedStore()).db, { keys: KEYS, project_id: project, now: at }, emails)
      return null
    } catch (error) {
      return Number((error as AppError).headers['Retry-After'])
    }
  }
  const ada = (count: number) => Array.from({ length: count }, () => 'ada@example.com')
  expect(await refusal(ada(TESTS_OF_MAILBOX), NOW)).toBeNull()
  await sent([...ada(TESTS_OF_MAILBOX - 2), 'Ada+x@Example.com'], NOW)
  // Other messages than tests do not count.
  await admit(project, ['ada@example.com'])
  expect(await refusal(['Ada+1@example.com'], NOW)).toBeNull()
  expect(await refusal(ada(2), NOW + 600_000)).toBe(3000)
  expect(await refusal(ada(2), NOW + HOUR - 1)).toBe(1)
  expect(await refusal(ada(2), NOW + HOUR)).toBeNull()
  const others = Array.from({ length: TESTS_OF_PROJECT - TESTS_OF_MAILBOX }, (_, at) => `p${at}@example.com`)
  await sent(others, NOW + 1)
  expect(await refusal(['new@example.com'], NOW + 1)).toBeNull()
  expect(await refusal(['new@example.com', 'more@example.com'], NOW + 1)).toBe(3600)
  // A full mailbox waits for the end of its own first test, a full project for that of the first of all.
  expect(await refusal(['p0@example.com', 'p1@example.com', 'p2@example.com'], NOW + 600_000)).toBe(3000)
  // Tests that no longer count are removed with the next.
  await sent(['late@example.com'], NOW + HOUR)
  const left = await (
    await sharedStore()
  ).db.all<{ n: number }>(sql`SELECT count(*) AS n FROM message_requests WHERE project_id = ${project}`)
  expect(left).toEqual([{ n: others.length + 2 }])
  // A full mailbox waits for its own first test, not for the first of the project.
  await sent(ada(TESTS_OF_MAILBOX), NOW + HOUR)
  expect(await refusal(ada(1), NOW + HOUR)).toBe(3600)
})

test('Rows show no address to who has not the key, and a mailbox is known under each key of the ring.', async () => {
  const project = await newProject()
  await admit(project, ['ada@example.com'])
  const rows = await (
    await sharedStore()
  ).db.all<{ mark: string }>(sql`SELECT mailbox_mark AS mark FROM message_requests WHERE project_id = ${project}`)
  const guessed = new Keys(newMasterKey()).marks('mailbox', `${project} ada@example.com`)
  expect([rows[0]!.mark.slice(0, 5), rows[0]!.mark.slice(5) === guessed[0]!.slice(5)]).toEqual([KEYS.newest_id, false])
  const [older, newer] = [newMasterKey(), newMasterKey()]
  const at = NOW + 3 * HOUR
  const before = await admit(project, ['bob@example.com'], { keys: new Keys(older) })
  const replaced = new Keys([newer, older])
  expect([before, await admit(project, ['bob@example.com'], { keys: replaced, at: NOW + 1 })]).toEqual([
    { 'bob@example.com': NOW },
    { 'bob@example.com': NOW + HOUR },
  ])
  expect(Object.keys(await admit(project, ['bob@example.com'], { keys: replaced, at }))).toHaveLength(1)
  // The fourth of a day, counted over both keys.
  expect(await admit(project, ['bob@example.com'], { keys: replaced, at: at + 2 * HOUR })).toEqual({})
  await write((tx) => forgetConfirmations(tx, { keys: replaced, project_id: project }, 'bob@example.com'))
  expect(await admit(project, ['bob@example.com'], { keys: replaced, at })).toEqual({ 'bob@example.com': at })
})

test('Requests are removed after 400 days.', async () => {
  const project = await newProject()
  await admit(project, ['ada@example.com'])
  const left = async (now: number) => {
    await write((tx) => tx.run(messageRequestRetention.statement(now, 100_000)))
    const { db } = await sharedStore()
    return (await db.all(sql`SELECT 1 FROM message_requests WHERE project_id = ${project}`)).length
  }
  expect([await left(NOW + 400 * DAY - 1), await left(NOW + 400 * DAY)]).toEqual([1, 0])
})
