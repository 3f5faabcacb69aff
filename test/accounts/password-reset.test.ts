import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { AccountMessage } from '../../src/accounts/messages.ts'
import {
  addressOfReset,
  fillResetMessage,
  queueReset,
  requestReset,
  resetPassword,
} from '../../src/accounts/password-reset.ts'
import { startSession } from '../../src/accounts/sessions.ts'
import { type Note, notesOf } from '../../src/audit/record.ts'
import { FixedClock, HOUR_MS } from '../../src/clock.ts'
import { configOf } from '../../src/config.ts'
import type { LoopContext } from '../../src/runtime.ts'
import type { Tx } from '../../src/store/open.ts'
import { account_messages, password_resets, sessions, users } from '../../src/store/tables/accounts.ts'
import { queuedFor, queuedToken, senderAt } from '../support/queued-mail.ts'
import { newUser, NOW, sharedStore, write } from '../support/shared-store.ts'

/** What the last request left in the audit log. */
let noted: readonly Note[] = []

/** Asks for a link, and writes its message some time after NOW. Answers its request as it was queued. */
async function ask(email: string, after_ms = 0): Promise<AccountMessage> {
  const shared = await sharedStore()
  const store = {
    ...shared,
    write: (work: (tx: Tx) => Promise<unknown>) =>
      shared.write(async (tx) => {
        const result = await work(tx)
        noted = notesOf(tx)
        return result
      }),
  }
  await write((tx) => queueReset(tx, email, NOW + after_ms))
  const rows = await store.db.select().from(account_messages).where(eq(account_messages.recipient, email.trim()))
  const { keys, base_url } = senderAt()
  const context = { store, keys, base_url, clock: new FixedClock(NOW + after_ms) } as unknown as LoopContext
  await fillResetMessage(context, rows.at(-1)!)
  return rows.at(-1)!
}

test('A link goes to the address of the account, however it was spelled, and works for an hour.', async () => {
  const user_id = await newUser({ email: 'nora@reset.example' })
  expect((await ask(' nora@reset.example ', 5)).expires_at).toBe(NOW + 5 + HOUR_MS)
  expect(noted).toEqual([{ action: 'password-reset-link', target: `user:${user_id}` }])
  expect(await queuedFor('nora@reset.example')).toMatchObject([{ subject: 'Choose a new password' }])
  const { db } = await sharedStore()
  const token = await queuedToken('nora@reset.example')
  expect(await addressOfReset(db, token, NOW + 4 + HOUR_MS)).toBe('nora@reset.example')
  expect(await addressOfReset(db, token, NOW + 5 + HOUR_MS)).toBeNull()
  expect(await addressOfReset(db, `${token}x`, NOW)).toBeNull()
  await write((tx) => tx.update(users).set({ disabled_at: NOW }).where(eq(users.id, user_id)))
  expect(await addressOfReset(db, token, NOW)).toBeNull()
})

test('Nothing is sent where there is no account, or one that is disabled.', async () => {
  await newUser({ email: 'closed@reset.example', disabled_at: NOW })
  for (const email of ['nobody@reset.example', 'closed@reset.example']) {
    await ask(email)
    expect(await queuedFor(email)).toEqual([])
  }
})

test('An account has ten links that work; another one is sent when the first of them has ended.', async () => {
  const user_id = await newUser({ email: 'busy@reset.example' })
  for (let count = 0; count < 12; count++) await ask('busy@reset.example', count)
  const { db } = await sharedStore()
  const open = () => db.$count(password_resets, eq(password_resets.user_id, user_id))
  expect([await open(), (await queuedFor('busy@reset.example')).length]).toEqual([10, 10])
  await ask('busy@reset.example', HOUR_MS - 1)
  expect(await open()).toBe(10)
  await ask('busy@reset.example', HOUR_MS)
  expect(await open()).toBe(11)
})

/** What a request has, at NOW. It notes what it counts and wakes; `full` buckets are refused. */
async function visit(full = 'none') {
  const [counted, woken]: [string[], string[]] = [[], []]
  const limiter = {
    take: async (bucket: string) => {
      const what = bucket.split(':').slice(0, 2).join(':')
      counted.push(what)
      return { allowed: what !== full, limit: 1, remaining: 0, reset_seconds: 7 }
    },
  }
  const context = {
    ...{ ...senderAt(), store: await sharedStore(), config: configOf({}), address: '192.0.2.1', limiter },
    wake: (loop: string) => woken.push(loop),
  } as unknown as Parameters<typeof requestReset>[0]
  return { context, counted, woken }
}

test('A request is counted by address and account, and its message is written at once.', async () => {
  const { context, counted, woken } = await visit()
  await requestReset(context, 'Asks@reset.example')
  expect([counted, woken]).toEqual([['reset:address', 'reset:account'], ['mail']])
  for (const full of ['reset:address', 'reset:account']) {
    const refused = await visit(full)
    await expect(requestReset(refused.context, 'Asks@reset.example')).rejects.toMatchObject({ code: 'RATE_LIMITED' })
    expect(refused.woken).toEqual([])
  }
  expect(await queuedFor('Asks@reset.example')).toHaveLength(1)
})

test('A link sets one password, which ends the sessions and other links of its user, who is told.', async () => {
  const user_id = await newUser({ email: 'olga@reset.example' })
  await ask('olga@reset.example')
  const other = await queuedToken('olga@reset.example')
  await ask('olga@reset.example', 1)
  const token = await queuedToken('olga@reset.example')
  await write((tx) => startSession(tx, user_id, { address: '', user_agent: '', ttl_hours: 1 }, NOW))
  const use = async (given: string, password = 'olive trees at dawn') => {
    const { context, counted, woken } = await visit()
    await resetPassword(context, { token: given, password })
    return [counted, woken]
  }
  const hash = async () => {
    const { db } = await sharedStore()
    const [row] = await db.select().from(users).where(eq(users.id, user_id))
    return row!.password_hash
  }
  await expect(use(token, 'short')).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
  expect(await hash()).toBeNull()
  expect(await use(token)).toEqual([['reset:address'], ['mail']])
  expect(await Bun.password.verify('olive trees at dawn', (await hash())!)).toBe(true)
  const { db } = await sharedStore()
  expect(await db.$count(sessions, eq(sessions.user_id, user_id))).toBe(0)
  expect((await queuedFor('olga@reset.example')).at(-1)!.subject).not.toBe('Choose a new password')
  for (const spent of [token, other, 'svc_pr_x']) await expect(use(spent)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  const full = (await visit('reset:address')).context
  await expect(resetPassword(full, { token, password: 'x' })).rejects.toMatchObject({ code: 'RATE_LIMITED' })
})
