import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import {
  deviceRetention,
  forgetDevices,
  knownDevice,
  listDevices,
  removeDevice,
  useDevice,
} from '../../src/accounts/devices.ts'
import { startSession } from '../../src/accounts/sessions.ts'
import { DAY_MS } from '../../src/clock.ts'
import { sessions } from '../../src/store/tables/accounts.ts'
import { devices } from '../../src/store/tables/sign-in.ts'
import { KEYS, newUser, NOW, sharedStore, write } from '../support/shared-store.ts'
import { messagesTo } from '../support/mailbox.ts'
import { codeAt } from '../support/one-time-codes.ts'
import { createWorld, PASSWORD, type World } from '../support/world.ts'
import { cookieOf, post, signIn } from '../http/signed-in.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

const SESSIONS = '/portal/account/sessions'

async function open(path: string, cookie = '', headers: Record<string, string> = {}) {
  const answer = await world.fetch(path, { headers: { cookie, ...headers }, redirect: 'manual' })
  return { status: answer.status, to: answer.headers.get('location'), html: await answer.text() }
}

async function submit(path: string, form: Record<string, string>, cookie = '', headers: Record<string, string> = {}) {
  const answer = await world.fetch(path, {
    method: 'POST',
    body: new URLSearchParams(form),
    headers: { cookie, ...headers },
    redirect: 'manual',
  })
  return { status: answer.status, to: answer.headers.get('location'), html: await answer.text(), answer }
}

const hidden = (html: string, name: string): string => new RegExp(`name="${name}" value="([^"]*)"`).exec(html)![1]!

test('A login that asks for a code takes a recovery code, and leads back and nowhere else.', async () => {
  const cookie = await signIn(world, 'owner')
  const begun = (await (await post(world, '/user/totp/enrollment', {}, { cookie })).json()) as any
  const code = codeAt(begun.secret, world.clock.now())
  const on = await post(world, '/user/totp', { enrollment: begun.enrollment, code }, { cookie })
  const { recovery_codes } = (await on.json()) as { recovery_codes: string[] }

  const login = { email: 'owner@example.com', password: PASSWORD, return: SESSIONS }
  const asked = await submit('/portal/login', login)
  expect([asked.status, asked.answer.headers.getSetCookie()]).toEqual([200, []])
  const answer = { ticket: hidden(asked.html, 'ticket'), return: hidden(asked.html, 'return') }
  const led = await submit('/portal/login/code', { ...answer, code, return: 'https://evil.example/' })
  expect([led.status, hidden(led.html, 'return')]).toEqual([401, '/portal/'])
  const refused = await submit('/portal/login/code', { ...answer, code })
  expect([refused.status, hidden(refused.html, 'ticket')]).toEqual([401, answer.ticket])
  const done = await submit('/portal/login/code', { ...answer, code: recovery_codes[0]! })
  expect([done.status, done.to]).toEqual([303, SESSIONS])
  expect((await world.fetch('/user/me', { headers: { cookie: cookieOf(done.answer) } })).status).toBe(200)
  const elsewhere = await submit('/portal/login', { ...login, return: 'https://evil.example/' })
  expect(hidden(elsewhere.html, 'return')).toBe('/portal/')
  await world.fetch('/user/totp', { method: 'DELETE', headers: { cookie } })
  expect((await submit('/portal/login', login)).to).toBe(SESSIONS)
})

test('The pages of the account are for signed-in users.', async () => {
  for (const path of ['/portal/account', '/portal/account/security', SESSIONS, '/portal/account/apps'])
    expect((await open(path)).to).toBe(`/portal/login?return=${encodeURIComponent(path)}`)
  expect((await open('/portal/connected-apps')).to).toBe('/portal/account/apps')
})

describe('sessions and devices', () => {
  const enter = async (user_agent: string, cookie = '') => {
    const body = { email: 'administrator@example.com', password: PASSWORD }
    const answer = await post(world, '/user/login', body, { 'user-agent': user_agent, cookie })
    const [session, device] = answer.headers.getSetCookie().map((line) => line.split(';')[0]!)
    return { session: session!, device: device!, both: `${session}; ${device}` }
  }
  const isIn = async (cookie: string) => (await world.fetch('/user/me', { headers: { cookie } })).status === 200

  test('Sessions and devices end: all others, or a device with its sessions.', async () => {
    const desk = await enter('Desk')
    const tablet = await enter('Tablet')
    const answer = await world.fetch('/user/devices', { headers: { cookie: desk.both } })
    const { devices } = (await answer.json()) as { devices: { id: string; user_agent: string; current: boolean }[] }
    expect(devices.filter(({ current }) => current).map(({ user_agent }) => user_agent)).toEqual(['Desk'])
    const { id } = devices.find(({ user_agent }) => user_agent === 'Tablet')!
    const forget = async (cookie: string) =>
      (await world.fetch(`/user/devices/${id}`, { method: 'DELETE', headers: { cookie } })).status
    expect([await forget(await signIn(world, 'owner')), await forget(desk.both)]).toEqual([404, 200])
    expect(await Promise.all([desk, tablet].map(({ session }) => isIn(session)))).toEqual([true, false])
    const others = [await enter('Phone'), await enter('Kiosk')]
    expect((await post(world, '/user/sessions/end-others', {}, { cookie: desk.both })).status).toBe(200)
    expect(await Promise.all([desk, ...others].map(({ session }) => isIn(session)))).toEqual([true, false, false])
  })

  test('A sign-in from a new device is told by mail, one from a known device is not.', async () => {
    const told = async () =>
      (await messagesTo(world, 'outsider@example.com')).filter(({ subject }) => subject.includes('new device')).length
    const login = (headers: Record<string, string> = {}) =>
      post(world, '/user/login', { email: 'outsider@example.com', password: PASSWORD }, headers)
    const device = (await login()).headers.getSetCookie()[1]!
    expect(device).toMatch(/^masthead_device=[\w-]+; Path=\/; Max-Age=34560000; HttpOnly; SameSite=Lax$/)
    expect(await told()).toBe(0)
    const again = await login({ cookie: device.split(';')[0]! })
    expect(await told()).toBe(0)
    await login({ 'user-agent': 'Stranger/1' })
    expect(await told()).toBe(1)
    const message = (await messagesTo(world, 'outsider@example.com')).find(({ text }) => text.includes('Stranger/1'))
    expect(message!.text).toContain('127.0.0.1')
    // One browser may know several accounts.
    const shared = await post(
      world,
      '/user/login',
      { email: 'member@example.com', password: PASSWORD },
      { cookie: again.headers.getSetCookie()[1]!.split(';')[0]! },
    )
    await login({ cookie: shared.headers.getSetCookie()[1]!.split(';')[0]! })
    expect(await told()).toBe(1)
  })
})

test('Without sign-in notices nobody is told of a new device.', async () => {
  const quiet = await createWorld({ sign_in_notices: false })
  for (let time = 0; time < 2; time++)
    await post(quiet, '/user/login', { email: 'owner@example.com', password: PASSWORD })
  expect(await messagesTo(quiet, 'owner@example.com')).toEqual([])
  await quiet.close()
})

test('On https the cookies have the prefix of the host and work under it only.', async () => {
  const secure = await createWorld({ base_url: 'https://masthead.example' })
  const answer = await post(secure, '/user/login', { email: 'owner@example.com', password: PASSWORD })
  const [session, device] = answer.headers.getSetCookie()
  expect(session).toMatch(/^__Host-masthead_session=svc_ss_[\w-]{43}; Path=\/; .*HttpOnly; SameSite=Lax; Secure$/)
  expect(device).toMatch(/^__Host-masthead_device=[\w-]+; Path=\/; .*HttpOnly; SameSite=Lax; Secure$/)
  const me = async (cookie: string) => (await secure.fetch('/user/me', { headers: { cookie } })).status
  const cookie = session!.split(';')[0]!
  expect([await me(cookie), await me(cookie.replace('__Host-', '')), await me(`${cookie}; ${cookie}`)]).toEqual([
    200, 401, 400,
  ])
  await secure.close()
})

test('Two session cookies are refused on every kind of route, signing in and out included.', async () => {
  const cookie = await signIn(world, 'owner')
  const two = `${cookie}; masthead_session=svc_ss_${'A'.repeat(43)}`
  const login = { email: 'owner@example.com', password: PASSWORD }
  expect((await post(world, '/user/login', login, { cookie: two })).status).toBe(400)
  expect((await post(world, '/user/logout', {}, { cookie: two })).status).toBe(400)
  expect((await world.fetch('/user/me', { headers: { cookie: two } })).status).toBe(400)
  const page = await open('/portal/', two)
  expect([page.status, page.html.includes('two session cookies')]).toEqual([400, true])
  const body = { project_id: world.project.public_id }
  expect((await post(world, '/project/newsletter/lists/list', body, { cookie: two })).status).toBe(400)
  expect((await world.fetch('/user/me', { headers: { cookie } })).status).toBe(200)
})

describe('a device cookie', () => {
  const use = (user_id: string, cookie: string | null, now = NOW) =>
    write((tx) => useDevice(tx, KEYS, { user_id, cookie, visit: { address: '192.0.2.1', user_agent: 'Desk' } }, now))

  test('A device is known by its present secret only, and a second browser of the user is news.', async () => {
    const { db } = await sharedStore()
    const user_id = await newUser()
    const first = await use(user_id, null)
    const next = await use(user_id, first.cookie, NOW + 5)
    expect([first.is_news, next.is_news, next.id]).toEqual([false, false, first.id])
    const knows = (cookie: string | null) => knownDevice(db, KEYS, cookie, user_id)
    expect([await knows(next.cookie), await knows(first.cookie), await knows('x'), await knows(null)]).toEqual([
      first.id,
      null,
      null,
      null,
    ])
    expect(await listDevices(db, user_id)).toMatchObject([
      { id: first.id, created_at: NOW, last_used_at: NOW + 5, address: '192.0.2.1', user_agent: 'Desk' },
    ])
    const other = await use(user_id, first.cookie, NOW + 9)
    expect([other.is_news, (await listDevices(db, user_id)).map(({ id }) => id)]).toEqual([true, [other.id, first.id]])
  })

  test('A device cookie keeps the last four accounts of a browser.', async () => {
    const { db } = await sharedStore()
    const people = []
    let cookie: string | null = null
    for (let count = 0; count < 5; count++) {
      people.push(await newUser())
      cookie = (await use(people[count]!, cookie)).cookie
    }
    const known = await Promise.all(people.map((user_id) => knownDevice(db, KEYS, cookie, user_id)))
    expect(known.map((id) => id !== null)).toEqual([false, true, true, true, true])
    const again: string = (await use(people[1]!, cookie)).cookie
    expect(again.split('.')).toHaveLength(4)
    for (const user_id of people.slice(1)) expect(await knownDevice(db, KEYS, again, user_id)).not.toBeNull()
  })

  test('A user has fifty devices, of which the longest unused one gives way.', async () => {
    const { db } = await sharedStore()
    const user_id = await newUser()
    const made = []
    for (let count = 0; count < 50; count++) made.push(await use(user_id, null, NOW + count))
    await use(user_id, made[0]!.cookie, NOW + 60)
    expect(await db.$count(devices, eq(devices.user_id, user_id))).toBe(50)
    await use(user_id, null, NOW + 70)
    const left = (await listDevices(db, user_id)).map(({ id }) => id)
    expect(left).toHaveLength(50)
    expect([left.includes(made[0]!.id), left.includes(made[1]!.id)]).toEqual([true, false])
  })

  test('A device is removed by its user, with its sessions and no others.', async () => {
    const { db } = await sharedStore()
    const [user_id, other] = [await newUser(), await newUser()]
    const [gone, kept] = [await use(user_id, null), await use(user_id, null)]
    for (const device_id of [gone.id, kept.id])
      await write((tx) => startSession(tx, user_id, { address: '', user_agent: '', device_id, ttl_hours: 1 }, NOW))
    const remove = (by: string) => write((tx) => removeDevice(tx, by, gone.id))
    await expect(remove(other)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await remove(user_id)
    await expect(remove(user_id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const left = await db.select().from(sessions).where(eq(sessions.user_id, user_id))
    expect(left.map(({ device_id }) => device_id)).toEqual([kept.id])
    const theirs = await use(other, null)
    await write((tx) => forgetDevices(tx, user_id))
    expect([await listDevices(db, user_id), (await listDevices(db, other))[0]!.id]).toEqual([[], theirs.id])
  })

  test('A device is forgotten 400 days after its last sign-in.', async () => {
    const { db } = await sharedStore()
    const user_id = await newUser()
    await use(user_id, null)
    const clean = (now: number) => write((tx) => tx.run(deviceRetention.statement(now, 100)))
    await clean(NOW + 400 * DAY_MS - 1)
    expect(await listDevices(db, user_id)).toHaveLength(1)
    await clean(NOW + 400 * DAY_MS)
    expect(await listDevices(db, user_id)).toEqual([])
  })
})
