import { beforeEach, describe, expect, test } from 'bun:test'
import { createUser, disableUser, setPassword } from '../../../../src/accounts/users.ts'
import { tokenHash } from '../../../../src/secrets.ts'
import { account_messages, password_resets } from '../../../../src/store/tables/accounts.ts'
import { messagesTo, tokenFor } from '../../../support/mailbox.ts'
import { createWorld, PASSWORD, type World } from '../../../support/world.ts'
import { cookieOf, post, signIn } from '../../signed-in.ts'

const HOUR_MS = 3_600_000
const NEW = 'quite another one'

let world: World
beforeEach(async () => {
  world = await createWorld()
})

const ask = (email: string, headers: Record<string, string> = {}, on = world) =>
  post(on, '/user/password/reset-request', { email }, headers)
const reset = (token: string, password: string, on = world) => post(on, '/user/password/reset', { token, password })
const login = (email: string, password: string) =>
  post(world, '/user/login', { email, password }).then(({ status }) => status)
const isIn = async (cookie: string) => (await world.fetch('/user/me', { headers: { cookie } })).status === 200
const errorOf = async (answer: Response) => [answer.status, ((await answer.json()) as { error: string }).error]

async function tokenOf(email: string): Promise<string> {
  expect((await ask(email)).status).toBe(200)
  return tokenFor(world, email, 'reset')
}

test('Asking for a new password gets the same response whether an account has the address or not.', async () => {
  const answers = await Promise.all([ask(' Owner@Example.com '), ask('nobody@example.com'), ask('no address at all')])
  expect(await Promise.all(answers.map(async (answer) => [answer.status, await answer.text()]))).toEqual(
    answers.map(() => [200, '{"success":true}']),
  )
  const waiting = await world.service.runtime.store.db.select().from(account_messages)
  expect(waiting.map(({ state, content_sealed }) => [state, content_sealed])).toEqual(
    answers.map(() => ['queued', null]),
  )
  expect((await messagesTo(world, 'owner@example.com')).map(({ subject }) => subject)).toEqual([
    'Choose a new password',
  ])
  expect(await messagesTo(world, 'nobody@example.com')).toEqual([])
  expect(await world.service.runtime.store.db.select().from(account_messages)).toHaveLength(1)
})

test('Asking for a new password leads to the configured portal, whatever the Host header says.', async () => {
  const open = await createWorld({ base_url: 'https://masthead.example', hosts: 'evil.example' })
  await ask('owner@example.com', { host: 'evil.example', 'x-forwarded-host': 'evil.example' }, open)
  const [letter] = await messagesTo(open, 'owner@example.com')
  expect(letter!.text).toContain('https://masthead.example/portal/reset?token=svc_pr_')
  expect(letter!.html).toContain('href="https://masthead.example/portal/reset?token=svc_pr_')
  expect(letter!.text + letter!.html).not.toContain('evil')
  await open.close()
})

test("The message with a link goes to the account's address, not to another spelling of it.", async () => {
  const { store, clock } = world.service.runtime
  await createUser(store, { email: 'Kate@example.com', password: PASSWORD }, clock.now())
  const kelvin = '\u212Aate@example.com' // its first letter is the Kelvin sign, in lower case a k
  await ask(kelvin)
  expect((await messagesTo(world, 'kate@example.com')).map(({ to }) => to)).toEqual(['Kate@example.com'])
})

test('Asking for a new password sends nothing to a disabled account.', async () => {
  const { store, clock } = world.service.runtime
  await store.write((tx) => disableUser(tx, world.users.outsider, clock.now()))
  await ask('outsider@example.com')
  expect(await messagesTo(world, 'outsider@example.com')).toEqual([])
})

test('Asking for a link is throttled by address and account; an IPv6 network counts as one address.', async () => {
  const strict = await createWorld({ logins_per_minute: 4, trusted_proxies: '127.0.0.1' })
  const from = (address: string, email: string) =>
    ask(email, { 'x-forwarded-for': address }, strict).then(({ status }) => status)
  for (const email of ['owner@example.com', 'nobody@example.com']) {
    expect([
      await from('2001:db8:0:1::1', email),
      await from('2001:db8:0:2::1', email),
      await from('2001:db8:0:3::1', email),
    ]).toEqual([200, 200, 429])
  }
  const tries: number[] = []
  for (let index = 0; index < 5; index++)
    tries.push(await from(`2001:db8:0:9::${index}`, `reader-${index}@example.com`))
  expect(tries).toEqual([200, 200, 200, 200, 429])
  expect(await from('2001:db8:0:a::1', 'reader-5@example.com')).toBe(200)
  await strict.close()
})

test('Asking for a new password sends few messages, however often it is repeated.', async () => {
  for (let times = 0; times < 12; times++) await ask('editor@example.com')
  expect(await messagesTo(world, 'editor@example.com')).toHaveLength(10)
})

test('Asking for a link from another site is refused.', async () => {
  expect(await errorOf(await ask('owner@example.com', { origin: 'https://evil.example' }))).toEqual([403, 'forbidden'])
  expect(await errorOf(await post(world, '/user/password/reset-request', { email: 'a@b.cc', admin: true }))).toEqual([
    400,
    'invalid_request',
  ])
})

test('A link to a new password works once, ends all sessions and other links, and the user is told.', async () => {
  const [first, second] = [await tokenOf('member@example.com'), await tokenOf('member@example.com')]
  expect(second).not.toBe(first)
  const stored = JSON.stringify([
    await world.service.runtime.store.db.select().from(password_resets),
    await world.service.runtime.store.db.select().from(account_messages),
  ])
  expect([stored.includes(first), stored.includes(tokenHash(first))]).toEqual([false, true])

  const cookies = [await signIn(world, 'member'), await signIn(world, 'member')]
  for (const weak of ['short', 'Password1', 'Member 2026!'])
    expect(await errorOf(await reset(first, weak))).toEqual([400, 'invalid_request'])
  const answer = await reset(first, NEW)
  expect([answer.status, await answer.json(), answer.headers.get('set-cookie')]).toEqual([200, { success: true }, null])
  expect(await Promise.all(cookies.map(isIn))).toEqual([false, false])
  expect([await login('member@example.com', PASSWORD), await login('member@example.com', NEW)]).toEqual([401, 200])
  for (const token of [first, second])
    expect(await errorOf(await reset(token, 'yet another one'))).toEqual([404, 'not_found'])
  const told = (await messagesTo(world, 'member@example.com')).at(-1)!
  expect(told.subject).toBe('Your password was changed')
  expect(told.text).not.toContain('token=')
})

test('A new password by a message is set by one of several simultaneous requests.', async () => {
  const token = await tokenOf('administrator@example.com')
  const passwords = ['first of them', 'second of them', 'third of them']
  const statuses = await Promise.all(passwords.map((password) => reset(token, password).then(({ status }) => status)))
  expect(statuses.toSorted()).toEqual([200, 404, 404])
  expect(await login('administrator@example.com', passwords[statuses.indexOf(200)]!)).toBe(200)
})

test('A link to a new password is refused after an hour, another change, or the end of the account.', async () => {
  const { store, clock } = world.service.runtime
  const late = await tokenOf('administrator@example.com')
  world.clock.advance(HOUR_MS)
  expect((await reset(late, NEW)).status).toBe(404)
  const token = await tokenOf('administrator@example.com')
  await setPassword(store, world.users.administrator, PASSWORD, clock.now())
  expect((await reset(token, NEW)).status).toBe(404)
  const closed = await tokenOf('administrator@example.com')
  await store.write((tx) => disableUser(tx, world.users.administrator, clock.now()))
  expect((await reset(closed, NEW)).status).toBe(404)
  await world.service.drain('maintenance')
  for (const nonsense of ['', 'svc_pr_', 'x'.repeat(99), late.slice(0, -1)])
    expect((await reset(nonsense, NEW)).status).toBe(404)
})

describe('changing the password', () => {
  const change = (cookie: string, current_password: string, password: string, headers = {}) =>
    post(world, '/user/password/change', { current_password, password }, { cookie, ...headers })

  test('A change of password needs the old one, ends every session and link, and begins a new session.', async () => {
    const [here, elsewhere] = [await signIn(world, 'owner'), await signIn(world, 'owner')]
    const token = await tokenOf('owner@example.com')
    expect(await errorOf(await change(here, 'wrong', NEW))).toEqual([400, 'invalid_request'])
    for (const weak of ['short', 'Password1', 'Owner 2026!'])
      expect(await errorOf(await change(here, PASSWORD, weak))).toEqual([400, 'invalid_request'])
    expect(await isIn(elsewhere)).toBe(true)
    const answer = await change(here, PASSWORD, NEW)
    const renewed = cookieOf(answer)
    expect(answer.status).toBe(200)
    expect(await Promise.all([here, elsewhere, renewed].map(isIn))).toEqual([false, false, true])
    expect((await reset(token, 'yet another one')).status).toBe(404)
    expect([await login('owner@example.com', PASSWORD), await login('owner@example.com', NEW)]).toEqual([401, 200])
    const subjects = (await messagesTo(world, 'owner@example.com')).map(({ subject }) => subject)
    expect(subjects).toContain('Your password was changed')
  })

  test('A change of password succeeds for one of two at once, and needs a session and an own page.', async () => {
    const cookie = cookieOf(await post(world, '/user/login', { email: 'owner@example.com', password: PASSWORD }))
    const statuses = await Promise.all(
      ['first of them', 'second of them'].map((password) =>
        change(cookie, PASSWORD, password).then(({ status }) => status),
      ),
    )
    // The first change ends every session, the one of the second change too.
    expect(statuses.toSorted()).toEqual([200, 401])
    expect((await change('', NEW, NEW)).status).toBe(401)
    expect((await change(cookie, NEW, NEW, { origin: 'null' })).status).toBe(403)
  })

  test('Changing the password counts guesses as the login does.', async () => {
    const strict = await createWorld({ logins_per_minute: 6 })
    const cookie = await signIn(strict, 'owner')
    const guess = () =>
      post(strict, '/user/password/change', { current_password: 'wrong', password: NEW }, { cookie }).then(
        ({ status }) => status,
      )
    expect([await guess(), await guess(), await guess()]).toEqual([400, 400, 429])
    expect((await post(strict, '/user/login', { email: 'owner@example.com', password: PASSWORD })).status).toBe(429)
    await strict.close()
  })
})
