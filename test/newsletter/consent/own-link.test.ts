import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { notesOf } from '../../../src/audit/record.ts'
import type { ProjectId } from '../../../src/ids.ts'
import { sendOwnLink } from '../../../src/newsletter/consent/own-link.ts'
import type { GlobalStatus } from '../../../src/store/tables/audience.ts'
import { KEYS, newContact, newProject, NOW, sharedStore, write } from '../../support/shared-store.ts'

const ask = (project_id: ProjectId, email: string, now = NOW) =>
  write((tx) => sendOwnLink(tx, { keys: KEYS, project_id, now }, email))
const queued = async (project: ProjectId) =>
  (await sharedStore()).db.all<{ contact_id: number; email: string; kind: string }>(
    sql`SELECT contact_id, email, kind FROM deliveries WHERE project_id = ${project} ORDER BY id`,
  )

test.each<[GlobalStatus, boolean]>([
  ['subscribed', true],
  ['pending', true],
  ['unsubscribed', false],
  ['bounced', false],
  ['complained', false],
])('A contact that is %s gets its link: %p.', async (global_status, isSent) => {
  const project = await newProject()
  const contact_id = await newContact(project, 'Ada@example.com', { global_status })
  const [isDone, noted] = await write(async (tx) => [
    await sendOwnLink(tx, { keys: KEYS, project_id: project, now: NOW }, ' ada@EXAMPLE.com'),
    notesOf(tx),
  ])
  expect(isDone).toBe(isSent)
  expect(noted).toEqual(isSent ? [{ target: `contact:${contact_id}`, project_id: project }] : [])
  expect(await queued(project)).toEqual(isSent ? [{ contact_id, email: 'Ada@example.com', kind: 'link' }] : [])
})

test('A link is sent once an hour, and only where the project has the address.', async () => {
  const [project, other] = [await newProject(), await newProject()]
  await newContact(project, 'ada@example.com')
  expect(await ask(other, 'ada@example.com')).toBe(false)
  expect([await ask(project, 'ada@example.com'), await ask(project, 'ada@example.com', NOW + 1)]).toEqual([true, false])
  expect(await ask(project, 'ada@example.com', NOW + 3_600_000)).toBe(true)
  expect([(await queued(project)).length, await queued(other)]).toEqual([2, []])
})
