import { expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { simpleParser } from 'mailparser'
import { configOf } from '../../../src/config.ts'
import type { ProjectId } from '../../../src/ids.ts'
import type { Connection } from '../../../src/newsletter/connections/connection.ts'
import { testConnection } from '../../../src/newsletter/connections/connection-test.operations.ts'
import { connections, newsletter_settings, sandbox_messages } from '../../../src/store/tables/delivery.ts'
import { KEYS, newProject, NOW, sharedStore, write } from '../../support/shared-store.ts'

async function connection(project_id: ProjectId, more: Partial<Connection> = {}): Promise<number> {
  const values = { project_id, name: 'Quay', name_key: `${more.name}`, provider: 'sandbox' as const, host: '' }
  const others = { port: 0, secure: 'none' as const, username: '', created_at: NOW, updated_at: NOW }
  return write(
    async (tx) =>
      (
        await tx
          .insert(connections)
          .values({ ...values, ...others, ...more })
          .returning()
      )[0]!.id,
  )
}

/** Tests a connection as `run.ts` does; `between` happens between the trial and the transaction. */
async function trial(
  project_id: ProjectId,
  input: { connection_id: number; email?: string },
  { sandbox = true, between = async () => {} }: { sandbox?: boolean; between?: () => Promise<unknown> } = {},
): Promise<{ ok: boolean; error?: string; connection: { verified_at: string | null; last_error: string | null } }> {
  const { act } = testConnection
  if (act.kind !== 'mutation') throw new Error('No mutation.')
  const { db } = await sharedStore()
  const config = configOf({ sandbox, allow_private_relays: true, relay_silence_seconds: 0.05 })
  const context = { config, keys: KEYS, project_id, now: NOW, db }
  const prepared = await act.prepare(input, context as never)
  await between()
  return (await write((tx) => act.run(input, { ...context, tx } as never, prepared))) as never
}
const messagesOf = async (project_id: ProjectId) =>
  (await sharedStore()).db.select().from(sandbox_messages).where(eq(sandbox_messages.project_id, project_id))
const countedOf = async (project_id: ProjectId) =>
  (
    await (
      await sharedStore()
    ).db.all<{ n: number }>(
      sql`SELECT count(*) AS n FROM message_requests WHERE project_id = ${project_id} AND kind = 'test'`,
    )
  )[0]!.n

test('A test message comes from the sender of the settings, says what it tests, and is counted.', async () => {
  const project = await newProject()
  const connection_id = await connection(project)
  const sender = { from_name: 'Harbour', from_email: 'a@b@news.example' }
  await write((tx) => tx.insert(newsletter_settings).values({ project_id: project, ...sender, updated_at: NOW }))
  expect(await trial(project, { connection_id, email: ' Ada@Example.com ' })).toMatchObject({ ok: true })
  const [stored, more] = await messagesOf(project)
  expect([stored, more]).toMatchObject([
    {
      ...{ sender: 'a@b@news.example', recipient: 'Ada@Example.com', recipient_key: 'ada@example.com' },
      received_at: NOW,
    },
    undefined as never,
  ])
  const mail = await simpleParser(stored!.raw)
  expect(mail.subject).toBe('Test of the connection Quay')
  expect(mail.text).toBe('This message came through the connection Quay. It works.\n')
  expect([mail.messageId, mail.date!.getTime()]).toEqual([expect.stringMatching(/^<\S+@news\.example>$/), NOW])
  expect(stored!.raw).toMatch(/^Auto-Submitted: auto-generated\r$/m)
  expect(stored!.raw).toMatch(/^From: .*Harbour.*\r$/m)
  expect(await countedOf(project)).toBe(1)
})

test('A test without an address sends and counts nothing, and leaves a sandbox as it is.', async () => {
  const project = await newProject()
  const connection_id = await connection(project, { last_error: 'Before.' })
  const answer = await trial(project, { connection_id })
  expect(answer).toEqual({
    ok: true,
    connection: expect.objectContaining({ last_error: 'Before.', verified_at: null }),
  })
  expect([await messagesOf(project), await countedOf(project)]).toEqual([[], 0])
})

test('A sandbox that is switched off stores no message and says so.', async () => {
  const project = await newProject()
  const connection_id = await connection(project)
  await write((tx) =>
    tx.insert(newsletter_settings).values({ project_id: project, from_email: 'a@b.example', updated_at: NOW }),
  )
  const answer = await trial(project, { connection_id, email: 'ada@example.com' }, { sandbox: false })
  const error = 'The sandbox mailbox is switched off on this service.'
  expect(answer).toMatchObject({ ok: false, error, connection: { last_error: null } })
  expect([await messagesOf(project), await countedOf(project)]).toEqual([[], 1])
})

test('A relay that fails keeps the reason, unless the connection was changed or another one meanwhile.', async () => {
  const project = await newProject()
  const gone = { provider: 'smtp', host: '127.0.0.1', port: 1, verified_at: NOW } as const
  const [tested, other] = [
    await connection(project, { ...gone, name: 'a' }),
    await connection(project, { ...gone, name: 'b' }),
  ]
  const rowOf = async (id: number) =>
    (await (await sharedStore()).db.select().from(connections).where(eq(connections.id, id)))[0]!
  const error = 'The server could not be reached.'
  expect(await trial(project, { connection_id: tested })).toMatchObject({
    ...{ ok: false, error, connection: { verified_at: null, last_error: error } },
  })
  expect(await rowOf(other)).toMatchObject({ verified_at: NOW, last_error: null })
  const between = () =>
    write((tx) =>
      tx
        .update(connections)
        .set({ updated_at: NOW + 1 })
        .where(eq(connections.id, other)),
    )
  expect(await trial(project, { connection_id: other }, { between })).toMatchObject({
    ...{ ok: false, error, connection: { verified_at: new Date(NOW).toISOString(), last_error: null } },
  })
})

test('A message through a relay needs a sender, and a test of the login does not.', async () => {
  const project = await newProject()
  const connection_id = await connection(project)
  await expect(trial(project, { connection_id, email: 'ada@example.com' })).rejects.toMatchObject({
    code: 'NOT_READY',
    details: { checks: [{ code: 'sender', message: 'The settings have no sender address.' }] },
  })
  expect((await trial(project, { connection_id })).ok).toBeTrue()
})
