import { expect, test } from 'bun:test'
import {
  confirmedUntil,
  cookieIn,
  cookieName,
  findSession,
  requireConfirmed,
  requireSession,
  requireSessionIn,
  sessionHashIn,
} from '../../src/access/session.ts'
import { configOf } from '../../src/config.ts'
import type { Runtime } from '../../src/runtime.ts'
import { newToken, tokenHash } from '../../src/secrets.ts'
import { one } from '../../src/store/rows.ts'
import { sessions, users } from '../../src/store/tables/accounts.ts'
import { eq } from 'drizzle-orm'
import { newUser, NOW, sharedStore, write } from '../support/shared-store.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const HTTP = 'http://localhost:1'

/** A session of a new user, and how it is found at a time. */
async function setUp({ ttl_hours = 48, longest_days = 3 } = {}) {
  const store = await sharedStore()
  const config = configOf({ session_ttl_hours: ttl_hours, session_longest_days: longest_days })
  const runtime = { store, config, base_url: HTTP, log: { warn: () => undefined } } as unknown as Runtime
  const user_id = await newUser()
  const token = newToken('svc_ss_')
  const token_hash = tokenHash(token)
  await write((tx) =>
    tx.insert(sessions).values({
      token_hash,
      user_id,
      created_at: NOW,
      last_used_at: NOW,
      confirmed_at: NOW,
      expires_at: NOW + ttl_hours * HOUR,
    }),
  )
  const cookies = `a=1; masthead_session=${token}`
  return {
    runtime,
    user_id,
    token_hash,
    cookies,
    find: (at: number) => findSession(runtime, cookies, at),
    stored: async () => one(await store.db.select().from(sessions).where(eq(sessions.token_hash, token_hash))),
  }
}

test('On https the name of a cookie has the prefix of the host.', () => {
  expect(cookieName('https://a.example', 'x')).toBe('__Host-x')
  expect(cookieName(HTTP, 'x')).toBe('x')
  expect(cookieIn(HTTP, 'xx=1;x=2; y=3', 'x')).toBe('2')
  expect(cookieIn('https://a.example', 'x=2', 'x')).toBeNull()
  expect(cookieIn(HTTP, null, 'x')).toBeNull()
})

test('Two session cookies are refused, and what is no token is no session.', () => {
  const token = newToken('svc_ss_')
  const hash = (cookies: string | null) => sessionHashIn({ base_url: HTTP }, cookies)
  expect(hash(`masthead_session=${token}`)).toBe(tokenHash(token))
  for (const cookies of [
    null,
    '',
    'masthead_session=',
    'masthead_session=x',
    `masthead_session=${token}x`,
    `masthead_session=x${token}`,
  ])
    expect(hash(cookies)).toBeNull()
  expect(() => hash(`masthead_session=${token}; masthead_session=x`)).toThrow('two session cookies')
})

test('A session is found until it expires, and not for a disabled user.', async () => {
  const { find, user_id, token_hash, runtime, cookies } = await setUp()
  expect(await find(NOW)).toEqual({ kind: 'session', session_hash: token_hash, user_id, confirmed_at: NOW })
  expect(await find(NOW + 48 * HOUR)).toBeNull()
  await expect(requireSession(runtime, cookies, NOW + 48 * HOUR)).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  await write((tx) => tx.update(users).set({ disabled_at: NOW }).where(eq(users.id, user_id)))
  expect(await find(NOW)).toBeNull()
  expect(await findSession(runtime, null, NOW)).toBeNull()
})

test('A session that ended since it was found is refused inside the write.', async () => {
  const { runtime, cookies, token_hash } = await setUp()
  const caller = await requireSession(runtime, cookies, NOW)
  expect(await write((tx) => requireSessionIn(tx, caller, NOW))).toBeUndefined()
  await write((tx) => tx.delete(sessions).where(eq(sessions.token_hash, token_hash)))
  await expect(write((tx) => requireSessionIn(tx, caller, NOW))).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
})

test('Use extends a session at most once an hour, and never beyond its longest life.', async () => {
  const { find, stored } = await setUp()
  await find(NOW + HOUR - 1)
  expect(await stored()).toMatchObject({ last_used_at: NOW, expires_at: NOW + 48 * HOUR })
  await find(NOW + HOUR)
  expect(await stored()).toMatchObject({ last_used_at: NOW + HOUR, expires_at: NOW + 49 * HOUR })
  await find(NOW + 40 * HOUR)
  expect((await stored()).expires_at).toBe(NOW + 3 * DAY)
})

test('A session that is shorter than two hours is extended after half of its life.', async () => {
  const { find, stored } = await setUp({ ttl_hours: 1 })
  await find(NOW + HOUR / 2 - 1)
  expect((await stored()).last_used_at).toBe(NOW)
  await find(NOW + HOUR / 2)
  expect((await stored()).last_used_at).toBe(NOW + HOUR / 2)
})

test('A sign-in counts as fresh for less than ten minutes.', () => {
  const caller = { confirmed_at: NOW } as Parameters<typeof requireConfirmed>[0]
  expect(requireConfirmed(caller, NOW + 599_999)).toBeUndefined()
  expect(() => requireConfirmed(caller, NOW + 600_000)).toThrow('Confirm that it is you')
  expect(confirmedUntil(caller)).toBe(NOW + 600_000)
})
