import { beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { changePassword, checkPasswordChange } from '../../src/accounts/password-change.ts'
import { hashNewPassword } from '../../src/accounts/passwords.ts'
import { startSession } from '../../src/accounts/sessions.ts'
import { DAY_MS } from '../../src/clock.ts'
import { configOf } from '../../src/config.ts'
import { tokenHash } from '../../src/secrets.ts'
import { sessions, users } from '../../src/store/tables/accounts.ts'
import { queuedFor, senderAt } from '../support/queued-mail.ts'
import { KEYS, newUser, NOW, sharedStore, write } from '../support/shared-store.ts'

const PASSWORD = 'olive trees at dawn'
const VISIT = { address: '192.0.2.92', user_agent: 'Desk' }

let password_hash: string
beforeAll(async () => (password_hash = await hashNewPassword(PASSWORD)))

async function check(user_id: string, current_password: string, password: string) {
  const { db, write } = await sharedStore()
  const limiter = { take: async () => ({ allowed: true }) }
  const context = { db, write, limiter, keys: KEYS, config: configOf({}) } as unknown as Parameters<
    typeof checkPasswordChange
  >[0]
  const input = { user_id, address: VISIT.address, device: null, current_password, password }
  return checkPasswordChange(context, input, NOW)
}
const change = (user_id: string, known_hash: string, new_hash: string) =>
  write((tx) => {
    const runtime = { ...senderAt(), config: configOf({}) }
    const browser = { ...VISIT, replaces: null, device: null }
    return changePassword(tx, runtime, { user_id, known_hash, new_hash, ...browser }, NOW + 7)
  })

test('A change needs the present password and a good new one, and each is refused at its own field.', async () => {
  const user_id = await newUser({ email: 'harbourmaster@change.example', password_hash })
  const refused = async (...given: [string, string]) => {
    const error = await check(user_id, ...given).then(
      () => null,
      ({ details }: any) => details[0].path,
    )
    return error as string | null
  }
  expect(await refused('a wrong one', 'a heron on the pier')).toBe('/current_password')
  for (const weak of ['short', 'harbourmaster']) expect(await refused(PASSWORD, weak)).toBe('/password')
  const { known_hash, new_hash } = await check(user_id, PASSWORD, 'a heron on the pier')
  expect(known_hash).toBe(password_hash)
  expect(await Bun.password.verify('a heron on the pier', new_hash)).toBe(true)
})

test('A new password ends every session but a new one, and its user is told for a day.', async () => {
  const user_id = await newUser({ email: 'olga@change.example', password_hash })
  await write((tx) => startSession(tx, user_id, { ...VISIT, ttl_hours: 1 }, NOW))
  const { token } = await change(user_id, password_hash, 'the new hash')
  const { db } = await sharedStore()
  const [user] = await db.select().from(users).where(eq(users.id, user_id))
  expect(user).toMatchObject({ password_hash: 'the new hash', updated_at: NOW + 7, last_sign_in_at: NOW + 7 })
  const open = await db.select().from(sessions).where(eq(sessions.user_id, user_id))
  expect(open).toMatchObject([{ token_hash: tokenHash(token), ...VISIT }])
  const [notice, ...others] = await queuedFor('olga@change.example')
  expect([others, notice]).toMatchObject([[], { kind: 'password_changed', expires_at: NOW + 7 + DAY_MS }])
  expect(notice!.text).toContain('https://masthead.example/portal/reset')
})

test('A password that was changed meanwhile stays, and nobody is told.', async () => {
  const user_id = await newUser({ email: 'pia@change.example', password_hash: 'a later hash' })
  await expect(change(user_id, password_hash, 'the new hash')).rejects.toMatchObject({
    code: 'VALIDATION_FAILED',
    details: [{ path: '/current_password' }],
  })
  const { db } = await sharedStore()
  const [user] = await db.select().from(users).where(eq(users.id, user_id))
  expect(user!.password_hash).toBe('a later hash')
  expect(await queuedFor('pia@change.example')).toEqual([])
})
