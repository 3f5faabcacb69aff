import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import {
  accountRetention,
  anyDue,
  dropMessage,
  fillMessage,
  queueMessage,
  retryLater,
  settleFailed,
  settleSent,
  takeDue,
  unsealContent,
} from '../../src/accounts/messages.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/clock.ts'
import { Keys, newMasterKey } from '../../src/secrets.ts'
import type { Tx } from '../../src/store/open.ts'
import {
  account_messages,
  email_changes,
  invitations,
  password_resets,
  sign_ups,
} from '../../src/store/tables/accounts.ts'
import { KEYS, newProject, newUser, NOW, sharedStore, write } from '../support/shared-store.ts'

const CONTENT = { subject: 'Told', text: 'Something.', html: '<p>Something.</p>' }

/** Works on an outbox that is empty at first, and leaves nothing of it. */
async function inEmptyOutbox(work: (tx: Tx) => Promise<void>): Promise<void> {
  const done = new Error('undone')
  await write(async (tx) => {
    await tx.delete(account_messages)
    await work(tx)
    throw done
  }).catch((error: unknown) => {
    if (error !== done) throw error
  })
}
const queue = (tx: Tx, recipient: string, now = NOW, useful_ms = DAY_MS) =>
  queueMessage(tx, KEYS, { kind: 'invitation', recipient, useful_ms, content: CONTENT }, now)
const rows = (tx: Tx) => tx.select().from(account_messages).orderBy(account_messages.id)

test('Due messages are taken by a few, the longest overdue first, and kept from others for two minutes.', () =>
  inEmptyOutbox(async (tx) => {
    expect(await anyDue(tx, NOW + DAY_MS)).toBe(false)
    for (const [recipient, at] of [
      ['late', 2],
      ['early', 1],
      ['future', 9],
    ] as const)
      await queue(tx, recipient, NOW + at)
    expect([await anyDue(tx, NOW), await anyDue(tx, NOW + 1)]).toEqual([false, true])
    const [first] = await takeDue(tx, 1, NOW + 5)
    expect(first).toMatchObject({ recipient: 'early', attempts: 1, next_attempt_at: NOW + 5 + 2 * MINUTE_MS })
    expect((await takeDue(tx, 5, NOW + 5)).map(({ recipient }) => recipient)).toEqual(['late'])
    expect(await takeDue(tx, 5, NOW + 5)).toEqual([])
    const again = await takeDue(tx, 5, NOW + 5 + 2 * MINUTE_MS)
    expect(again.map(({ recipient, attempts }) => [recipient, attempts]).toSorted()).toEqual([
      ['early', 2],
      ['future', 1],
      ['late', 2],
    ])
  }))

test('A message that was refused is tried again after growing pauses, while it is of use.', () =>
  inEmptyOutbox(async (tx) => {
    await queue(tx, 'ann')
    const [message] = await rows(tx)
    const pauses = []
    for (let attempts = 1; attempts <= 6; attempts++) {
      const again = await retryLater(tx, { ...message!, attempts }, `No. ${attempts}`, NOW)
      const [row] = await rows(tx)
      pauses.push(again ? (row!.next_attempt_at - NOW) / MINUTE_MS : row!.state)
      expect(row!.last_error).toBe(`No. ${attempts}`)
    }
    expect(pauses).toEqual([1, 5, 15, 30, 60, 'failed'])
    expect((await rows(tx))[0]!.content_sealed).toBeNull()
    await queue(tx, 'bea', NOW, MINUTE_MS)
    const short = { ...(await rows(tx))[1]!, attempts: 1 }
    expect(await retryLater(tx, short, 'No.', NOW)).toBe(false)
    await queue(tx, 'cy', NOW, MINUTE_MS + 1)
    expect(await retryLater(tx, { ...(await rows(tx))[2]!, attempts: 1 }, 'No.', NOW)).toBe(true)
  }))

test('A message is settled once, and its content is gone with that.', () =>
  inEmptyOutbox(async (tx) => {
    for (const recipient of ['sent', 'failed', 'dropped']) await queue(tx, recipient)
    const [sent, failed, dropped] = (await rows(tx)).map(({ id }) => id) as [number, number, number]
    await retryLater(tx, { ...(await rows(tx))[0]!, attempts: 1 }, 'Later.', NOW)
    await settleSent(tx, sent)
    await settleFailed(tx, failed, 'Refused.')
    await settleFailed(tx, sent, 'Too late.')
    await settleSent(tx, failed)
    await dropMessage(tx, dropped)
    const left = (await rows(tx)).map(({ state, content_sealed, last_error }) => [state, content_sealed, last_error])
    expect(left).toEqual([
      ['sent', null, null],
      ['failed', null, 'Refused.'],
    ])
    expect(await takeDue(tx, 5, NOW + DAY_MS)).toEqual([])
  }))

test('The content of a message is sealed for its recipient, who may be set with it.', () =>
  inEmptyOutbox(async (tx) => {
    await queue(tx, 'Asked@example.com')
    const [queued] = await rows(tx)
    expect(queued!.content_sealed).not.toContain('Something')
    expect(unsealContent(KEYS, queued!)).toEqual(CONTENT)
    expect(unsealContent(KEYS, { ...queued!, recipient: 'else@example.com' })).toBeNull()
    expect(unsealContent(new Keys(newMasterKey()), queued!)).toBeNull()
    expect(unsealContent(KEYS, { ...queued!, content_sealed: null })).toBeNull()
    const filled = await fillMessage(tx, KEYS, queued!.id, { recipient: 'own@example.com', content: CONTENT })
    expect([filled.recipient, unsealContent(KEYS, filled)]).toEqual(['own@example.com', CONTENT])
  }))

test('Messages are kept for thirty days, and links until they expire.', async () => {
  const { db } = await sharedStore()
  const user_id = await newUser()
  const token_hash = `kept ${user_id}`
  const link = { token_hash, created_at: NOW, expires_at: NOW + HOUR_MS }
  const email = { email: 'kept@example.com', email_key: 'kept@example.com' }
  const project_id = await newProject()
  await write(async (tx) => {
    await queue(tx, user_id)
    await tx.insert(password_resets).values({ user_id, ...link })
    await tx.insert(sign_ups).values({ ...email, ...link })
    await tx.insert(email_changes).values({ user_id, email: email.email, ...link })
    await tx
      .insert(invitations)
      .values({ id: user_id, project_id, role: 'member', invited_by: user_id, ...email, ...link })
  })
  const count = async () => [
    await db.$count(account_messages, eq(account_messages.recipient, user_id)),
    await db.$count(password_resets, eq(password_resets.token_hash, token_hash)),
    await db.$count(sign_ups, eq(sign_ups.token_hash, token_hash)),
    await db.$count(email_changes, eq(email_changes.token_hash, token_hash)),
    await db.$count(invitations, eq(invitations.token_hash, token_hash)),
  ]
  const clean = (now: number) =>
    write(async (tx) => {
      for (const { statement } of accountRetention) await tx.run(statement(now, 10_000))
    })
  await clean(NOW + HOUR_MS - 1)
  expect(await count()).toEqual([1, 1, 1, 1, 1])
  await clean(NOW + HOUR_MS)
  expect(await count()).toEqual([1, 0, 0, 0, 0])
  await clean(NOW + 30 * DAY_MS - 1)
  expect((await count())[0]).toBe(1)
  await clean(NOW + 30 * DAY_MS)
  expect((await count())[0]).toBe(0)
})
