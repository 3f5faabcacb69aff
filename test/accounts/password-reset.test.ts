import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { AccountMessage } from '../../src/accounts/messages.ts'
import { addressOfReset, fillResetMessage, queueReset } from '../../src/accounts/password-reset.ts'
import { FixedClock, HOUR_MS } from '../../src/clock.ts'
import type { LoopContext } from '../../src/runtime.ts'
import { account_messages, password_resets } from '../../src/store/tables/accounts.ts'
import { queuedFor, queuedToken, senderAt } from '../support/queued-mail.ts'
import { newUser, NOW, sharedStore, write } from '../support/shared-store.ts'

/** Asks for a link, and writes its message some time after NOW. Answers its request as it was queued. */
async function ask(email: string, after_ms = 0): Promise<AccountMessage> {
  const store = await sharedStore()
  await write((tx) => queueReset(tx, email, NOW + after_ms))
  const rows = await store.db.select().from(account_messages).where(eq(account_messages.recipient, email.trim()))
  const { keys, base_url } = senderAt()
  const context = { store, keys, base_url, clock: new FixedClock(NOW + after_ms) } as unknown as LoopContext
  await fillResetMessage(context, rows.at(-1)!)
  return rows.at(-1)!
}

test('A link goes to the address of the account, however it was spelled, and works for an hour.', async () => {
  await newUser({ email: 'nora@reset.example' })
  expect((await ask(' nora@reset.example ', 5)).expires_at).toBe(NOW + 5 + HOUR_MS)
  expect(await queuedFor('nora@reset.example')).toMatchObject([{ subject: 'Choose a new password' }])
  const { db } = await sharedStore()
  const token = await queuedToken('nora@reset.example')
  expect(await addressOfReset(db, token, NOW + 4 + HOUR_MS)).toBe('nora@reset.example')
  expect(await addressOfReset(db, token, NOW + 5 + HOUR_MS)).toBeNull()
  expect(await addressOfReset(db, `${token}x`, NOW)).toBeNull()
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
