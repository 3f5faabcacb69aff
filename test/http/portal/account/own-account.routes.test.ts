import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { disableUser, enableUser, insertUser, setPassword } from '../../../../src/accounts/users.ts'
import type { Config } from '../../../../src/config.ts'
import { members, projects, sessions, users } from '../../../../src/store/tables/accounts.ts'
import { apps } from '../../../../src/store/tables/apps.ts'
import { app_team } from '../../../../src/store/tables/developer.ts'
import { messagesTo, tokenFor } from '../../../support/mailbox.ts'
import { createWorld, PASSWORD, type World } from '../../../support/world.ts'
import { cookieOf, post, signIn } from '../../signed-in.ts'

const NEW_PASSWORD = 'a password nobody guesses'

let world: World
let config: { sign_up: Config['sign_up'] }
const cookies: Record<string, string> = {}
beforeEach(async () => {
  world = await createWorld()
  config = world.service.runtime.config as typeof config
  const { store } = world.service.runtime
  await store.write((tx) => tx.update(users).set({ admin: true }).where(eq(users.id, world.users.administrator)))
  for (const person of Object.keys(world.users)) cookies[person] = await signIn(world, person)
})
afterEach(() => world.close())

const store = () => world.service.runtime.store
async function call(person: string, method: string, path: string, body?: object) {
  const answer = await world.fetch(path, {
    method,
    headers: { 'Content-Type': 'application/json', Cookie: cookies[person] ?? '' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as any }
}
const errorOf = async (...given: Parameters<typeof call>) => {
  const { status, body } = await call(...given)
  return `${status} ${body.error ?? ''}`.trim()
}
const subjects = async (email: string) => (await messagesTo(world, email)).map(({ subject }) => subject)

test('One’s own account changes its name.', async () => {
  const { body } = await call('member', 'PATCH', '/user/me', { firstName: ' Mia ', lastName: 'Moe' })
  expect(body.user).toMatchObject({ firstName: 'Mia', lastName: 'Moe' })
  const change = async (names: object) => {
    const { firstName, lastName } = (await call('member', 'PATCH', '/user/me', names)).body.user
    return [firstName, lastName]
  }
  expect(await change({ firstName: 'Mona' })).toEqual(['Mona', 'Moe'])
  expect(await change({ lastName: '' })).toEqual(['Mona', ''])
  expect(await errorOf('member', 'PATCH', '/user/me', { firstName: 'a\nb' })).toBe('400 invalid_request')
})

test('One’s own account gets another address once that one confirms, and the earlier one is told.', async () => {
  const change = (email: string) => errorOf('member', 'POST', '/user/email/change', { email })
  expect(await change('not an address')).toBe('400 invalid_request')
  expect(await change('mia@example.com')).toBe('200')
  const token = await tokenFor(world, 'mia@example.com', 'email')
  expect((await call('member', 'GET', '/user/me')).body.user.email).toBe('member@example.com')
  expect(await subjects('member@example.com')).toContain('Another address was given for your account')
  const shown = await (await world.fetch(`/portal/email?token=${token}`)).text()
  expect(shown).toContain('<strong>mia@example.com</strong>')
  expect((await post(world, '/user/email/confirm', { token })).status).toBe(200)
  expect((await post(world, '/user/email/confirm', { token })).status).toBe(404)
  expect((await call('member', 'GET', '/user/me')).body.user.email).toBe('mia@example.com')
  expect(await subjects('member@example.com')).toContain('The address of your account changed')
  expect((await post(world, '/user/login', { email: 'mia@example.com', password: PASSWORD })).status).toBe(200)
  expect((await post(world, '/user/login', { email: 'member@example.com', password: PASSWORD })).status).toBe(401)
})

test('The page of a link gives the account its address without script, once.', async () => {
  await errorOf('member', 'POST', '/user/email/change', { email: 'mira@example.com' })
  const token = await tokenFor(world, 'mira@example.com', 'email')
  const send = async () => {
    const body = new URLSearchParams({ token })
    const answer = await world.fetch('/portal/email', { method: 'POST', headers: { Origin: world.url }, body })
    return [answer.status, await answer.text()] as const
  }
  const wake = spyOn(world.service.runtime, 'wake')
  const [status, text] = await send()
  expect([status, text.includes('You sign in with mira@example.com from now on.')]).toEqual([200, true])
  expect(text).toContain('href="/portal/login">Sign in')
  expect(wake.mock.calls).toEqual([['mail']])
  wake.mockRestore()
  expect((await call('member', 'GET', '/user/me')).body.user.email).toBe('mira@example.com')
  expect((await send())[0]).toBe(404)
  const spent = await world.fetch(`/portal/email?token=${token}`)
  expect([spent.status, (await spent.text()).includes('older than an hour')]).toEqual([404, true])
})

test('A change of address does not tell whether the new one has an account, and that account is told.', async () => {
  expect(await errorOf('member', 'POST', '/user/email/change', { email: 'editor@example.com' })).toBe('200')
  const [message] = (await messagesTo(world, 'editor@example.com')).slice(-1)
  expect([message!.subject, message!.text.includes('token=')]).toEqual([
    'Your address was given for another account',
    false,
  ])
})

test('One’s own account changes its address, and ends, only soon after a sign-in or a confirmation.', async () => {
  await store().write((tx) =>
    tx.update(sessions).set({ confirmed_at: 0 }).where(eq(sessions.user_id, world.users.member)),
  )
  for (const path of ['/user/email/change', '/user/deletion'])
    expect(await errorOf('member', 'POST', path, { email: 'mia@example.com' })).toBe('403 confirmation_required')
  await store().write((tx) => tx.update(sessions).set({ confirmed_at: world.clock.now() }))
})

test('A link to another address ends with a new password, and when the account is disabled.', async () => {
  const now = world.clock.now()
  for (const end of [
    () => setPassword(store(), world.users.editor, PASSWORD, now),
    () => store().write((tx) => disableUser(tx, world.users.editor, now)),
  ]) {
    expect(await errorOf('editor', 'POST', '/user/email/change', { email: 'thief@example.com' })).toBe('200')
    const token = await tokenFor(world, 'thief@example.com', 'email')
    await end()
    expect((await post(world, '/user/email/confirm', { token })).status).toBe(404)
    await store().write((tx) => enableUser(tx, world.users.editor, now))
    cookies.editor = await signIn(world, 'editor')
    expect((await post(world, '/user/email/confirm', { token })).status).toBe(404)
  }
})

test('One’s own account causes at most five messages a day to a mailbox that it names.', async () => {
  const asked = []
  for (let n = 1; n <= 6; n++)
    asked.push(await errorOf('editor', 'POST', '/user/email/change', { email: `stranger+${n}@example.com` }))
  expect(asked).toEqual([...Array.from({ length: 5 }, () => '200'), '429 rate_limited'])
})

test('Links to another address are tried as often as a sign-in.', async () => {
  const limits = world.service.runtime.config as { logins_per_minute: number }
  const usual = limits.logins_per_minute
  limits.logins_per_minute = 1
  world.clock.advance(60_000)
  const statuses = []
  for (let count = 0; count < 2; count++)
    statuses.push((await post(world, '/user/email/confirm', { token: 'svc_ec_unknown' })).status)
  world.clock.advance(60_000)
  const body = new URLSearchParams({ token: 'svc_ec_unknown' })
  for (let count = 0; count < 2; count++)
    statuses.push((await world.fetch('/portal/email', { method: 'POST', headers: { Origin: world.url }, body })).status)
  limits.logins_per_minute = usual
  expect(statuses).toEqual([404, 429, 404, 429])
})

test('One’s own account is exported with everything but credentials.', async () => {
  const { body, headers } = await call('owner', 'GET', '/user/export')
  expect(headers.get('content-disposition')).toBe('attachment; filename="masthead-account.json"')
  expect(body.account).toMatchObject([{ email: 'owner@example.com', created_at: '2026-01-15T09:00:00.000Z' }])
  expect(body.projects.map(({ role }: any) => role)).toEqual(['owner', 'owner'])
  expect(body.account).toMatchObject([{ admin: 0 }])
  expect(body.api_keys).toHaveLength(2)
  expect(body.api_keys).toContainEqual(expect.objectContaining({ last_used_at: null, revoked_at: null }))
  expect(body.actions).toContainEqual(expect.objectContaining({ action: 'sign-in' }))
  expect(JSON.stringify(body)).not.toMatch(/hash|argon2|svc_/)
})

describe('A deletion', () => {
  const plan = async (person: string) => (await call(person, 'GET', '/user/deletion')).body.deletion
  const end = (person: string, email: string) => errorOf(person, 'POST', '/user/deletion', { email })

  test('A deletion waits for the projects of which others would lose the only owner.', async () => {
    const { blocked_by, deletes_projects } = await plan('owner')
    expect(blocked_by).toEqual([{ id: world.project.public_id, name: 'Harbour News' }])
    expect(deletes_projects).toEqual([{ id: world.other.public_id, name: 'Mountain Post' }])
    expect(await end('owner', 'owner@example.com')).toBe('409 conflict')
    expect(await end('owner', 'else@example.com')).toBe('400 invalid_request')
  })

  test('A deletion is refused to the last administrator of the service.', async () => {
    expect((await plan('administrator')).is_last_administrator).toBe(true)
    expect(await end('administrator', 'administrator@example.com')).toBe('409 conflict')
  })

  test('A deletion hands apps over to the team, deletes those without one, and leaves nothing personal.', async () => {
    const created = await post(
      world,
      '/user/developer/apps',
      { displayName: 'Alone', redirect_uris: [], scopes: [] },
      { cookie: cookies.outsider! },
    )
    const { app } = (await created.json()) as any
    await store().write((tx) =>
      tx.insert(app_team).values({ app_id: world.app_id, user_id: world.users.editor, added_at: 0 }),
    )
    await world.token('outsider' as 'member')
    expect(await plan('outsider')).toMatchObject({
      hands_over_apps: [{ id: world.app_id, displayName: 'Test app', to: world.users.editor }],
      deletes_apps: [{ id: app.id, displayName: 'Alone' }],
    })
    const wake = spyOn(world.service.runtime, 'wake')
    expect(await end('outsider', 'Outsider@example.com')).toBe('200')
    expect(wake.mock.calls).toEqual([['mail'], ['maintenance']])
    wake.mockRestore()
    const [row] = await store().db.select().from(users).where(eq(users.id, world.users.outsider))
    expect(row).toMatchObject({ email: '', first_name: '', password_hash: null, deleted_at: world.clock.now() })
    const rest = await store().db.select({ id: apps.id, user_id: apps.user_id }).from(apps)
    expect(rest).toEqual([{ id: world.app_id, user_id: world.users.editor }])
    expect(await errorOf('outsider', 'GET', '/user/me')).toBe('401 unauthorized')
    expect((await post(world, '/user/login', { email: 'outsider@example.com', password: PASSWORD })).status).toBe(401)
    expect((await messagesTo(world, 'outsider@example.com')).at(-1)!.subject).toBe('Your account was deleted')
    const again = await store().write((tx) =>
      insertUser(tx, { email: 'outsider@example.com', password_hash: null }, world.clock.now()),
    )
    expect(again.id).not.toBe(world.users.outsider)
  })

  test('A deletion deletes projects without other members, and leaves the others.', async () => {
    const left = { role: 'owner' as const }
    await store().write((tx) => tx.update(members).set(left).where(eq(members.user_id, world.users.editor)))
    expect(await end('owner', 'owner@example.com')).toBe('200')
    const rows = await store().db.select({ id: projects.id, deleted_at: projects.deleted_at }).from(projects)
    expect(rows).toEqual([
      { id: world.project.id, deleted_at: null },
      { id: world.other.id, deleted_at: world.clock.now() },
    ])
    const { members: present } = (await (
      await post(world, '/project/members/list', { project_id: world.project.public_id }, { cookie: cookies.editor! })
    ).json()) as any
    expect(present.map(({ email }: any) => email)).not.toContain('owner@example.com')
  })
})

describe('A sign-up', () => {
  const ask = async (email: string, of = world) => (await post(of, '/user/sign-up/request', { email })).status

  test('A sign-up is closed for the links of invitations, too.', async () => {
    const invitation = { project_id: world.project.public_id, email: 'shut@example.com', role: 'member' }
    config.sign_up = 'invited'
    await post(world, '/project/invitations/create', invitation, { cookie: cookies.owner! })
    const token = await tokenFor(world, 'shut@example.com', 'invitation')
    const join = (password: string) =>
      world.fetch('/portal/invitation', {
        method: 'POST',
        headers: { Origin: world.url },
        body: new URLSearchParams({ token, password }),
      })
    config.sign_up = 'closed'
    expect((await join(NEW_PASSWORD)).status).toBe(403)
    config.sign_up = 'invited'
    expect([(await join('short')).status, (await join(NEW_PASSWORD)).status]).toEqual([400, 303])
  })

  test('A sign-up is closed, for the invited, or open, as the operator says.', async () => {
    config.sign_up = 'closed'
    expect(await ask('new@example.com')).toBe(403)
    expect((await world.fetch('/portal/sign-up')).status).toBe(403)
    expect(await (await world.fetch('/portal/login')).text()).not.toContain('/portal/sign-up')
    config.sign_up = 'invited'
    expect((await call('', 'GET', '/user/sign-up')).body).toEqual({ sign_up: 'invited' })
    expect(await ask('new@example.com')).toBe(200)
    expect(await messagesTo(world, 'new@example.com')).toEqual([])
    const invitation = { project_id: world.project.public_id, email: 'guest@example.com', role: 'editor' }
    await post(world, '/project/invitations/create', invitation, { cookie: cookies.owner! })
    const link = `/portal/invitation?token=${await tokenFor(world, 'guest@example.com', 'invitation')}`
    expect(await (await world.fetch(link)).text()).toContain('Make the account and join')
    config.sign_up = 'closed'
    const closed = await (await world.fetch(link)).text()
    expect(closed).toContain('the operator of this service makes all accounts')
    expect(closed).not.toContain('<form')
    config.sign_up = 'invited'
    const asked = await world.fetch('/portal/sign-up', {
      method: 'POST',
      headers: { Origin: world.url },
      body: new URLSearchParams({ email: 'stranger@example.com' }),
    })
    expect(await asked.text()).toContain('If this address is invited, a link was sent to it.')
    expect(await ask('guest@example.com')).toBe(200)
    expect(await subjects('guest@example.com')).toContain('Make your account')
  })

  let open: World
  beforeEach(async () => {
    open = await createWorld({ sign_up: 'open' })
  })

  test('A sign-up proves the address before anything else, and signs in.', async () => {
    expect(await (await open.fetch('/portal/login')).text()).toContain('/portal/sign-up')
    expect(await ask('no address', open)).toBe(400)
    expect(await ask('new@example.com', open)).toBe(200)
    const token = await tokenFor(open, 'new@example.com', 'sign-up')
    expect((await post(open, '/user/sign-up', { token, password: 'short' })).status).toBe(400)
    const made = await post(open, '/user/sign-up', { token, password: NEW_PASSWORD, firstName: 'Nia' })
    expect(((await made.json()) as any).user).toMatchObject({ email: 'new@example.com', is_reviewer: false })
    expect((await open.fetch('/user/me', { headers: { cookie: cookieOf(made) } })).status).toBe(200)
    expect((await post(open, '/user/sign-up', { token, password: NEW_PASSWORD })).status).toBe(404)
  })

  test('A sign-up with the address of an account tells the account, not the asker.', async () => {
    expect(await ask('owner@example.com', open)).toBe(200)
    const [message] = (await messagesTo(open, 'owner@example.com')).slice(-1)
    expect([message!.subject, message!.text.includes('token=')]).toEqual(['You have an account already', false])
  })

  test('A sign-up causes at most five messages a day to a mailbox, with or without an account.', async () => {
    for (let n = 1; n <= 6; n++) {
      for (const email of ['new@example.com', `stranger+${n}@example.com`]) expect(await ask(email, open)).toBe(200)
      open.clock.advance(60_000)
    }
    expect(await messagesTo(open, 'stranger+5@example.com')).toHaveLength(1)
    expect(await messagesTo(open, 'stranger+6@example.com')).toEqual([])
    expect(await messagesTo(open, 'new@example.com')).toHaveLength(5)
  })

  test('A sign-up works in forms without script.', async () => {
    const send = (values: Record<string, string>) =>
      open.fetch('/portal/sign-up', {
        method: 'POST',
        headers: { Origin: open.url },
        body: new URLSearchParams(values),
      })
    const form = await open.fetch('/portal/sign-up')
    expect([form.status, (await form.text()).includes('name="email"')]).toEqual([200, true])
    const wrong = await send({ email: 'form@example' })
    expect([wrong.status, (await wrong.text()).includes('role="alert">This is not an email address.</p>')]).toEqual([
      400,
      true,
    ])
    const asked = await (await send({ email: 'form@example.com' })).text()
    for (const words of ['Look into your mailbox', 'We sent a message to this address.']) expect(asked).toContain(words)
    const token = await tokenFor(open, 'form@example.com', 'sign-up')
    expect(await (await open.fetch(`/portal/sign-up?token=${token}`)).text()).toContain('form@example.com')
    const refused = await send({ token, password: 'short', last_name: 'Quay' })
    expect(refused.status).toBe(400)
    expect(await refused.text()).toMatch(/<strong>form@example.com<\/strong>[^]*name="last_name"[^>]* value="Quay"/)
    const made = await send({ token, password: NEW_PASSWORD, first_name: 'Fay' })
    expect([made.status, made.headers.get('location')]).toEqual([303, '/portal/'])
    const used = await send({ token, password: NEW_PASSWORD })
    expect([used.status, (await used.text()).includes('href="/portal/sign-up">Ask for a new link')]).toEqual([
      404,
      true,
    ])
  })
})
