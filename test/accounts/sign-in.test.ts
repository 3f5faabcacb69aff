import { afterEach, beforeEach, expect, test } from 'bun:test'
import { sessionHashIn } from '../../src/access/session.ts'
import { listSessions, startSession } from '../../src/accounts/sessions.ts'
import { finishSignIn, signIn, signInAs } from '../../src/accounts/sign-in.ts'
import { beginEnrollment, enroll } from '../../src/accounts/totp.ts'
import { disableUser, getUser, insertUser, setPassword } from '../../src/accounts/users.ts'
import type { RateLimiter } from '../../src/operation/rate-limit.ts'
import type { Runtime } from '../../src/runtime.ts'
import { tokenHash } from '../../src/secrets.ts'
import { codeAt } from '../support/one-time-codes.ts'
import { createWorld, PASSWORD, type World } from '../support/world.ts'

let world: World
beforeEach(async () => {
  world = await createWorld()
})
afterEach(() => world.close())

const unlimited = {
  take: async (_: string, limit: number) => ({ limit, remaining: limit, reset_seconds: 60, allowed: true }),
} as unknown as RateLimiter
const attempt = (email: string, password = PASSWORD, replaces: string | null = null) => ({
  email,
  password,
  replaces,
  address: '192.0.2.1',
  user_agent: 'Test/1',
  device: null,
})
const sessionsOf = (user_id: string) => listSessions(world.service.runtime.store.db, user_id, world.clock.now())
/** The runtime, in which something happens after the password was compared and before the session starts. */
const meanwhile = (happens: () => Promise<unknown>) => {
  const { runtime } = world.service
  const write: typeof runtime.store.write = async (work) => {
    await happens()
    return runtime.store.write(work)
  }
  return { ...runtime, store: { ...runtime.store, write } }
}

/** RFC 9110, 11.6.1: a 401 names a way to authenticate. */
const UNAUTHORIZED = { code: 'UNAUTHORIZED', headers: { 'WWW-Authenticate': 'Bearer realm="masthead"' } }

test('A sign-in that races a password change with the old password starts no session.', async () => {
  const { store } = world.service.runtime
  const racing = meanwhile(() => setPassword(store, world.users.editor, 'a new password', world.clock.now()))
  await expect(signIn(racing, unlimited, attempt('editor@example.com'), world.clock.now())).rejects.toMatchObject({
    code: 'UNAUTHORIZED',
  })
  expect(await sessionsOf(world.users.editor)).toEqual([])
})

test('A sign-in that races the end of the account starts no session.', async () => {
  const { store } = world.service.runtime
  const racing = meanwhile(() => store.write((tx) => disableUser(tx, world.users.member, world.clock.now())))
  await expect(signIn(racing, unlimited, attempt('member@example.com'), world.clock.now())).rejects.toMatchObject({
    code: 'UNAUTHORIZED',
  })
  expect(await sessionsOf(world.users.member)).toEqual([])
})

test('A sign-in whose user is disabled between the password and the code starts no session.', async () => {
  const { runtime } = world.service
  const now = world.clock.now()
  const id = world.users.administrator
  const { secret, enrollment } = beginEnrollment(runtime, { id, email: 'administrator@example.com' }, now)
  const code = codeAt(secret, now)
  await runtime.store.write((tx) => enroll(tx, runtime.keys, { user_id: id, enrollment, code }, now))
  const asked = await signIn(runtime, unlimited, attempt('administrator@example.com'), now)
  if (!('ticket' in asked)) throw new Error('There is a second factor.')
  await runtime.store.write((tx) => disableUser(tx, id, now))
  const later = now + 60_000
  const browser = { ...attempt(''), ticket: asked.ticket, code: codeAt(secret, later) }
  expect(await finishSignIn(runtime, unlimited, browser, later).catch((error) => error)).toMatchObject(UNAUTHORIZED)
  expect(await sessionsOf(id)).toEqual([])
})

test("A sign-in replaces the browser's previous session and leaves others alone.", async () => {
  const { runtime } = world.service
  const start = () =>
    runtime.store.write((tx) =>
      startSession(tx, world.users.owner, { address: '', user_agent: '', ttl_hours: 1 }, world.clock.now()),
    )
  const [before, elsewhere] = [await start(), await start()]
  const signed_in = await signIn(
    runtime,
    unlimited,
    attempt(' Owner@Example.com ', PASSWORD, tokenHash(before)),
    world.clock.now(),
  )
  if ('ticket' in signed_in) throw new Error('There is no second factor.')
  const { user, session } = signed_in
  expect(user.id).toBe(world.users.owner)
  expect((await sessionsOf(user.id)).map(({ token_hash }) => token_hash).sort()).toEqual(
    [tokenHash(session.token), tokenHash(elsewhere)].sort(),
  )
})

test('A sign-in wakes the mail for its notice, and one that still waits for its code does not.', async () => {
  const woken: string[] = []
  const runtime = { ...world.service.runtime, wake: (loop: string) => void woken.push(loop) } as Runtime
  const now = world.clock.now()
  await signIn(runtime, unlimited, attempt('owner@example.com'), now)
  expect(woken).toEqual(['mail'])
  await signIn(runtime, unlimited, attempt('owner@example.com', 'wrong'), now).catch(() => undefined)
  const { secret, enrollment } = beginEnrollment(runtime, { id: world.users.owner, email: 'owner@example.com' }, now)
  await runtime.store.write((tx) =>
    enroll(tx, runtime.keys, { user_id: world.users.owner, enrollment, code: codeAt(secret, now) }, now),
  )
  const asked = await signIn(runtime, unlimited, attempt('owner@example.com'), now)
  if (!('ticket' in asked)) throw new Error('There is a second factor.')
  const later = now + 60_000
  const finish = (code: string) =>
    finishSignIn(runtime, unlimited, { ...attempt(''), ticket: asked.ticket, code }, later)
  await expect(finish('000000')).rejects.toMatchObject(UNAUTHORIZED)
  expect(woken).toEqual(['mail'])
  expect((await finish(codeAt(secret, later))).user.id).toBe(world.users.owner)
  expect(woken).toEqual(['mail', 'mail'])
})

const plain = { base_url: 'http://127.0.0.1:8787' }
const secure = { base_url: 'https://masthead.example' }

test('A session token is read from its own cookie only, and only when it is well formed.', () => {
  const token = `svc_ss_${'a'.repeat(43)}`
  expect(sessionHashIn(plain, `theme=dark; masthead_session=${token}`)).toBe(tokenHash(token))
  for (const cookies of [null, '', `other=${token}`, `masthead_session=${token}x`, 'masthead_session', `x${token}`])
    expect(sessionHashIn(plain, cookies)).toBeNull()
})

test('On https only the cookie with the prefix counts, which other hosts cannot set.', () => {
  const token = `svc_ss_${'a'.repeat(43)}`
  expect(sessionHashIn(secure, `__Host-masthead_session=${token}; masthead_session=x`)).toBe(tokenHash(token))
  expect(sessionHashIn(secure, `masthead_session=${token}`)).toBeNull()
})

test('Two session cookies are refused, whatever they hold.', () => {
  const token = `svc_ss_${'a'.repeat(43)}`
  for (const second of [token, `svc_ss_${'b'.repeat(43)}`, 'x', ''])
    expect(() => sessionHashIn(plain, `masthead_session=${token}; masthead_session=${second}`)).toThrow(
      'two session cookies',
    )
})

test('A sign-in through a provider asks for the code only, of an account with a password or without one.', async () => {
  const { runtime } = world.service
  const { store, keys } = runtime
  const now = world.clock.now()
  for (const password_hash of ['some hash', null]) {
    const email = `${crypto.randomUUID()}@provider.example`
    const browser = { address: '192.0.2.1', user_agent: 'Test/1', replaces: null, device: null }
    const { id: user_id } = await store.write((tx) => insertUser(tx, { email, password_hash }, now))
    const { secret, enrollment } = beginEnrollment(runtime, { id: user_id, email }, now)
    const given = { user_id, enrollment, code: codeAt(secret, now) }
    const [code] = await store.write((tx) => enroll(tx, keys, given, now))
    const user = await getUser(store.db, user_id)
    const asked = await store.write((tx) => signInAs(tx, runtime, { user, ...browser }, now))
    if (!('ticket' in asked)) throw new Error('No code was asked for.')
    const finished = await finishSignIn(runtime, unlimited, { ticket: asked.ticket, code: code!, ...browser }, now)
    expect(finished.user.id).toBe(user_id)
  }
})
