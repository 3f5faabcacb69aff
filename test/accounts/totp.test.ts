import { afterEach, beforeEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import {
  acceptCode,
  beginEnrollment,
  enroll,
  newRecoveryCodes,
  removeTotp,
  totpState,
} from '../../src/accounts/totp.ts'
import { setPassword } from '../../src/accounts/users.ts'
import { recovery_codes, totp_factors } from '../../src/store/tables/sign-in.ts'
import { messagesTo } from '../support/mailbox.ts'
import { codeAt } from '../support/one-time-codes.ts'
import { newUser, NOW, write } from '../support/shared-store.ts'
import { closeWorlds, createWorld, PASSWORD, type World } from '../support/world.ts'
import { cookieOf, post, signIn } from '../http/signed-in.ts'

let world: World
beforeEach(async () => {
  world = await createWorld()
})
afterEach(closeWorlds)

const STEP_MS = 30_000
const EMAIL = 'owner@example.com'

async function json(path: string, body: unknown = {}, cookie = ''): Promise<any> {
  const answer = await post(world, path, body, { cookie })
  return { status: answer.status, ...((await answer.json()) as object) }
}

/** Turns one-time codes on for the owner and answers the secret, the recovery codes and a session. */
async function turnOn(): Promise<{ secret: string; codes: string[]; cookie: string }> {
  const cookie = await signIn(world, 'owner')
  const { secret, enrollment } = await json('/user/totp/enrollment', {}, cookie)
  const on = await json('/user/totp', { enrollment, code: codeAt(secret, world.clock.now()) }, cookie)
  expect(on.status).toBe(200)
  world.clock.advance(2 * STEP_MS) // the code that turned it on is used
  return { secret, codes: on.recovery_codes, cookie }
}

const ticketFor = async (password = PASSWORD): Promise<string> =>
  (await json('/user/login', { email: EMAIL, password })).second_factor.ticket
const finish = (ticket: string, code: string) => json('/user/login/second-factor', { ticket, code })

test('One-time codes are asked for after the right password, which alone starts no session.', async () => {
  const { secret } = await turnOn()
  const answer = await post(world, '/user/login', { email: EMAIL, password: PASSWORD })
  expect([answer.status, answer.headers.getSetCookie()]).toEqual([200, []])
  const { second_factor } = (await answer.json()) as any
  const done = await post(world, '/user/login/second-factor', {
    ticket: second_factor.ticket,
    code: codeAt(secret, world.clock.now()),
  })
  expect((await done.json()) as any).toMatchObject({ user: { email: EMAIL } })
  expect((await world.fetch('/user/me', { headers: { cookie: cookieOf(done) } })).status).toBe(200)
  expect((await json('/user/login', { email: EMAIL, password: 'wrong password' })).status).toBe(401)
})

test('One-time codes work for one step to either side, each once, and none before a used one.', async () => {
  const { secret } = await turnOn()
  const now = world.clock.now()
  const accepts = async (at_ms: number) => (await finish(await ticketFor(), codeAt(secret, at_ms))).status
  expect([await accepts(now - 2 * STEP_MS), await accepts(now + 2 * STEP_MS)]).toEqual([401, 401])
  expect([await accepts(now - STEP_MS), await accepts(now - STEP_MS)]).toEqual([200, 401])
  expect([await accepts(now + STEP_MS), await accepts(now + STEP_MS), await accepts(now)]).toEqual([200, 401, 401])
})

test('The code that turned one-time codes on is used, and a code may be typed in two groups.', async () => {
  const user_id = await newUser()
  const { keys, base_url } = world.service.runtime
  const { secret, enrollment } = beginEnrollment({ keys, base_url }, { id: user_id, email: EMAIL }, NOW)
  const [code, next] = [codeAt(secret, NOW), codeAt(secret, NOW + STEP_MS)]
  const grouped = (text: string) => ` ${text.slice(0, 3)} ${text.slice(3)}`
  await write((tx) => enroll(tx, keys, { user_id, enrollment, code: grouped(code) }, NOW))
  const accept = (typed: string) => write((tx) => acceptCode(tx, keys, { user_id, code: typed }, NOW + 1))
  expect([await accept(code), await accept(grouped(next)), await accept(next)]).toEqual([null, 'totp', null])
})

test('A one-time code that two requests send at once lets one of them in.', async () => {
  const { secret } = await turnOn()
  const tickets = await Promise.all([ticketFor(), ticketFor()])
  const code = codeAt(secret, world.clock.now())
  const answers = await Promise.all(tickets.map((ticket) => finish(ticket, code)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401])
})

test('One-time codes are not turned on by a wrong code or with the set-up of another user.', async () => {
  const [owner, editor] = [await signIn(world, 'owner'), await signIn(world, 'editor')]
  const { secret, enrollment, otpauth_url, qr_svg } = await json('/user/totp/enrollment', {}, owner)
  expect(decodeURIComponent(otpauth_url)).toBe(
    `otpauth://totp/Masthead (127.0.0.1):owner@example.com?issuer=Masthead (127.0.0.1)&secret=${secret}` +
      '&algorithm=SHA1&digits=6&period=30',
  )
  expect(qr_svg).toStartWith('<svg')
  const code = codeAt(secret, world.clock.now())
  const wrong = code === '000000' ? '000001' : '000000'
  expect(await json('/user/totp', { enrollment, code: wrong }, owner)).toMatchObject({ status: 400 })
  expect(await json('/user/totp', { enrollment, code }, editor)).toMatchObject({ status: 400 })
  world.clock.advance(31 * 60_000)
  const late = await signIn(world, 'owner')
  const lateCode = codeAt(secret, world.clock.now())
  expect(await json('/user/totp', { enrollment, code: lateCode }, late)).toMatchObject({ status: 400 })
})

test('One-time codes outlast a reset of the password, whose old tickets end.', async () => {
  const { secret } = await turnOn()
  const old = await ticketFor()
  const { store } = world.service.runtime
  await setPassword(store, world.users.owner, 'a new password', world.clock.now())
  const code = codeAt(secret, world.clock.now())
  expect((await finish(old, code)).status).toBe(401)
  expect((await finish(await ticketFor('a new password'), code)).status).toBe(200)
  await setPassword(store, world.users.owner, PASSWORD, world.clock.now())
})

test('One-time codes end a ticket after five minutes, and no forged one works.', async () => {
  const { secret } = await turnOn()
  const ticket = await ticketFor()
  world.clock.advance(5 * 60_000)
  const code = codeAt(secret, world.clock.now())
  for (const given of [ticket, 'x', '']) expect((await finish(given, code)).status).toBe(401)
})

test('One-time codes are stored sealed, and recovery codes as hashes.', async () => {
  const { secret, codes } = await turnOn()
  const { store } = world.service.runtime
  const rows = JSON.stringify([
    await store.db.select().from(totp_factors),
    await store.db.select().from(recovery_codes),
  ])
  for (const text of [secret, ...codes, ...codes.map((code) => code.replaceAll('-', ''))])
    expect(rows).not.toContain(text)
})

test('Recovery codes replace a one-time code, each once, in any spelling, and their use is told by mail.', async () => {
  const { codes } = await turnOn()
  expect([codes.length, new Set(codes).size]).toEqual([10, 10])
  expect((await finish(await ticketFor(), codes[0]!.toUpperCase().replaceAll('-', ' '))).status).toBe(200)
  expect((await finish(await ticketFor(), codes[0]!)).status).toBe(401)
  const cookie = await afterPassword(codes[1]!)
  expect(await state(cookie)).toMatchObject({ totp: { recovery_codes_left: 8 } })
  const subjects = (await messagesTo(world, EMAIL)).map(({ subject }) => subject)
  expect(subjects).toEqual(expect.arrayContaining(['One-time codes were turned on', 'A recovery code was used']))
})

test('Recovery codes are replaced by new ones.', async () => {
  const { codes, cookie } = await turnOn()
  const fresh = await json('/user/totp/recovery-codes', {}, cookie)
  expect(fresh.recovery_codes).toHaveLength(10)
  expect((await messagesTo(world, EMAIL)).map(({ subject }) => subject)).toContain('New recovery codes were made')
  // Stored with a fast hash, each needs at least 112 random bits: 24 letters of an alphabet of 32.
  for (const code of fresh.recovery_codes) expect(code).toMatch(/^(?:[a-kmnp-z2-9]{4}-){5}[a-kmnp-z2-9]{4}$/)
  expect((await finish(await ticketFor(), codes[0]!)).status).toBe(401)
  expect((await finish(await ticketFor(), fresh.recovery_codes[0])).status).toBe(200)
})

test('Turning one-time codes off needs a fresh confirmation, ends recovery codes and is told by mail.', async () => {
  const { cookie } = await turnOn()
  world.clock.advance(10 * 60_000)
  const remove = () => world.fetch('/user/totp', { method: 'DELETE', headers: { cookie } })
  const stale = await remove()
  expect([stale.status, ((await stale.json()) as any).error]).toEqual([403, 'confirmation_required'])
  expect((await json('/user/confirm', { password: 'wrong password' }, cookie)).status).toBe(400)
  expect((await remove()).status).toBe(403)
  expect((await json('/user/confirm', { password: PASSWORD }, cookie)).status).toBe(200)
  expect([(await remove()).status, (await remove()).status]).toEqual([200, 404])
  expect(await state(cookie)).toMatchObject({ totp: null })
  const { store } = world.service.runtime
  expect(await store.db.select().from(recovery_codes).where(eq(recovery_codes.user_id, world.users.owner))).toEqual([])
  expect((await messagesTo(world, EMAIL)).map(({ subject }) => subject)).toContain('One-time codes were turned off')
})

test('Wrong codes lead to a pause for the account, which spares a device that signed in before.', async () => {
  const { secret } = await turnOn()
  const strict = await createWorld({ logins_per_minute: 6 })
  const { store } = strict.service.runtime
  await store.write(async (tx) => {
    const { keys } = strict.service.runtime
    const secret_sealed = keys.seal('totp', secret, strict.users.owner)
    await tx.insert(totp_factors).values({ user_id: strict.users.owner, secret_sealed, last_step: 0, created_at: 0 })
  })
  const attempt = async (code: string, cookie = '') => {
    const login = await post(strict, '/user/login', { email: EMAIL, password: PASSWORD }, { cookie })
    if (login.status !== 200) return login
    const { ticket } = ((await login.json()) as any).second_factor
    return post(strict, '/user/login/second-factor', { ticket, code }, { cookie })
  }
  const right = () => codeAt(secret, strict.clock.now())
  const known = await attempt(right())
  const device = known.headers.getSetCookie()[1]!.split(';')[0]!
  strict.clock.advance(2 * 60_000)
  for (const pause of [0, 0, 60, 120, 240]) {
    expect((await attempt('abcdef')).status).toBe(401)
    if (pause > 0) expect((await attempt(right())).headers.get('retry-after')).toBe(String(pause))
    strict.clock.advance(pause * 1000)
  }
  await attempt('abcdef')
  strict.clock.advance(2 * 60_000)
  expect((await attempt(right())).status).toBe(429)
  expect((await attempt(right(), device)).status).toBe(200)

  // A right code ends the count, so that the next mistake pauses nobody.
  strict.clock.advance(10 * 60_000)
  expect((await attempt(right())).status).toBe(200)
  strict.clock.advance(60_000)
  expect((await attempt('abcdef')).status).toBe(401)
  expect((await attempt(right())).status).toBe(200)
})

const state = async (cookie: string) => (await world.fetch('/user/security', { headers: { cookie } })).json()

async function afterPassword(code: string): Promise<string> {
  return cookieOf(await post(world, '/user/login/second-factor', { ticket: await ticketFor(), code }))
}

test('The recovery codes of an account are its own, however many others have.', async () => {
  const [user_id, other] = [await newUser(), await newUser()]
  await write(async (tx) => {
    for (const each of [user_id, other]) {
      await tx.insert(totp_factors).values({ user_id: each, secret_sealed: '', last_step: 0, created_at: NOW })
      await newRecoveryCodes(tx, each)
    }
    expect(await removeTotp(tx, other)).toBe(true)
    expect(await removeTotp(tx, other)).toBe(false)
    await newRecoveryCodes(tx, other)
    expect(await totpState(tx, user_id)).toEqual({ created_at: NOW, recovery_codes_left: 10 })
  })
})
