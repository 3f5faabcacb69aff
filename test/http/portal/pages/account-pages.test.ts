import { beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { createUser } from '../../../../src/accounts/users.ts'
import { invitationPage, type InvitationView, signUpPage } from '../../../../src/http/portal/pages/account-pages.ts'
import type { Role } from '../../../../src/shared/roles.ts'
import { invitations, members, users } from '../../../../src/store/tables/accounts.ts'
import { messagesTo, tokenFor } from '../../../support/mailbox.ts'
import { createWorld, PASSWORD, START, type World } from '../../../support/world.ts'
import { cookieOf, post, signIn } from '../../signed-in.ts'

const CSP = "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

let world: World
beforeAll(async () => {
  world = await createWorld()
})

const open = (path: string, cookie = '') => world.fetch(path, { headers: { cookie } })
const send = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  world.fetch(path, { method: 'POST', headers, body: new URLSearchParams(fields) })
const whoIs = async (cookie: string) =>
  ((await (await open('/user/me', cookie)).json()) as { user?: { email: string } }).user?.email

test('The service redirects / to the portal, and serves an icon.', async () => {
  const root = await open('/')
  expect([root.status, root.headers.get('location')]).toEqual([303, '/portal/'])
  const icon = await open('/favicon.ico')
  expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/x-icon'])
  const page = await (await open('/portal/login')).text()
  const [, svg] = /<link rel="icon" href="([^"]+)"/.exec(page)!
  expect((await open(svg!)).headers.get('content-type')).toBe('image/svg+xml')
})

test('A page that refused nothing yet shows no refusal.', async () => {
  for (const path of ['/portal/login', '/portal/reset', '/portal/sign-up'])
    expect(await (await open(path)).text(), path).not.toContain('<p class="refusal" role="alert">')
})

test('The reset pages lead from the login page by a message to a new password, without scripts.', async () => {
  expect(await (await open('/portal/login')).text()).toContain('href="/portal/reset"')
  expect(await (await open('/portal/reset')).text()).toContain('name="email"')
  const asked = await send('/portal/reset', { email: 'editor@example.com' }, { origin: world.url })
  const unknown = await send('/portal/reset', { email: 'nobody@example.com' }, { origin: world.url })
  expect([asked.status, await asked.text()]).toEqual([200, await unknown.text()])

  const token = await tokenFor(world, 'editor@example.com', 'reset')
  const page = await open(`/portal/reset?token=${token}`)
  const headers = ['content-security-policy', 'referrer-policy', 'cache-control', 'x-content-type-options'].map(
    (name) => page.headers.get(name),
  )
  expect([page.status, headers]).toEqual([200, [CSP, 'no-referrer', 'no-store', 'nosniff']])
  expect(await page.text()).toContain(`name="token" value="${token}"`)

  const refused = await send('/portal/reset', { token, password: 'short' })
  expect([refused.status, (await refused.text()).includes('at least 8 characters')]).toEqual([400, true])
  const done = await send(
    '/portal/reset',
    { token, password: 'quite another one' },
    { origin: 'null', 'sec-fetch-site': 'same-origin' },
  )
  expect([done.status, done.headers.get('set-cookie')]).toEqual([200, null])
  expect((await send('/portal/login', { email: 'editor@example.com', password: 'quite another one' })).status).toBe(303)
  for (const used of [
    await open(`/portal/reset?token=${token}`),
    await send('/portal/reset', { token, password: PASSWORD }),
  ]) {
    expect([used.status, used.headers.get('referrer-policy')]).toEqual([404, 'no-referrer'])
    expect(await used.text()).toContain('href="/portal/reset">Ask for a new link')
  }
})

test('The reset pages refuse forms of other sites.', async () => {
  const token = 'svc_pr_x'
  for (const headers of [
    { origin: 'https://evil.example' },
    { origin: 'null', 'sec-fetch-site': 'cross-site' },
  ] as Record<string, string>[]) {
    expect((await send('/portal/reset', { email: 'editor@example.com' }, headers)).status).toBe(403)
    expect((await send('/portal/reset', { token, password: PASSWORD }, headers)).status).toBe(403)
  }
})

test('The reset pages say when there were too many requests.', async () => {
  const strict = await createWorld({ logins_per_minute: 2 })
  const ask = () =>
    strict.fetch('/portal/reset', { method: 'POST', body: new URLSearchParams({ email: 'editor@example.com' }) })
  await ask()
  const refused = await ask()
  expect([refused.status, refused.headers.get('retry-after'), (await refused.text()).includes('name="email"')]).toEqual(
    [429, '60', true],
  )
  await strict.close()
})

describe('the invitation page', () => {
  let owner: string
  beforeAll(async () => {
    owner = await signIn(world, 'owner')
  })
  beforeEach(() => world.service.runtime.store.write((tx) => tx.delete(invitations)))

  async function invite(email: string, role: Role = 'editor'): Promise<{ token: string; id: string }> {
    const answer = await post(
      world,
      '/project/invitations/create',
      { project_id: world.project.public_id, email, role },
      { cookie: owner },
    )
    const { invitation } = (await answer.json()) as { invitation: { id: string } }
    return { token: await tokenFor(world, email, 'invitation'), id: invitation.id }
  }
  const show = async (token: string, cookie = '') => (await open(`/portal/invitation?token=${token}`, cookie)).text()
  const join = (fields: Record<string, string>, cookie = '', headers: Record<string, string> = {}) =>
    send('/portal/invitation', fields, { cookie, ...headers })
  const roleOf = async (email: string) => {
    const { db } = world.service.runtime.store
    const user = (await db.select().from(users)).find((row) => row.email === email)
    return (await db.select().from(members)).find(
      (row) => row.project_id === world.project.id && row.user_id === user?.id,
    )?.role
  }

  test('The invitation page creates one account for a new user, who is signed in and becomes a member.', async () => {
    const { token } = await invite('Nina@example.com')
    const page = await open(`/portal/invitation?token=${token}`)
    expect(
      ['content-security-policy', 'referrer-policy', 'cache-control'].map((name) => page.headers.get(name)),
    ).toEqual([CSP, 'no-referrer', 'no-store'])
    const text = await page.text()
    for (const shown of ['Harbour News', 'Nina@example.com', 'as an editor', 'name="password"', 'name="first_name"'])
      expect(text).toContain(shown)
    expect(text).not.toContain('name="email"')

    const refused = await join({ token, password: 'short', first_name: '"><script>' })
    expect(refused.status).toBe(400)
    expect(await refused.text()).not.toContain('<script>')
    expect((await join({ token, password: 'iloveyou' })).status).toBe(400)
    expect(await roleOf('Nina@example.com')).toBeUndefined()

    const answer = await join(
      { token, password: 'long enough', first_name: 'Nina', last_name: 'Hill', email: 'owner@example.com' },
      `masthead_session=svc_ss_${'A'.repeat(43)}`,
      { origin: 'null', 'sec-fetch-site': 'same-origin' },
    )
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/portal/projects/harbour-news'])
    expect(answer.headers.getSetCookie()[0]).toMatch(
      /^masthead_session=svc_ss_[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/,
    )
    expect(await whoIs(cookieOf(answer))).toBe('Nina@example.com')
    expect(await roleOf('Nina@example.com')).toBe('editor')
    expect([
      (await open(`/portal/invitation?token=${token}`)).status,
      (await join({ token, password: 'long enough' })).status,
    ]).toEqual([404, 404])
  })

  test('The invitation page lets one of two simultaneous uses succeed.', async () => {
    const { token } = await invite('noel@example.com')
    const statuses = await Promise.all(
      ['first of them', 'second of them'].map((password) => join({ token, password }).then(({ status }) => status)),
    )
    expect(statuses.toSorted()[0]).toBe(303)
    expect([404, 409]).toContain(statuses.toSorted()[1]!)
  })

  test('An invitation is for the user with its address: one button when signed in, else the login page.', async () => {
    const { token } = await invite('outsider@example.com', 'administrator')
    const address = `/portal/invitation?token=${token}`
    expect(await show(token)).toContain(`href="/portal/login?return=${encodeURIComponent(address)}"`)
    const sent = await join({ token, password: 'a password of mine' })
    expect([sent.status, sent.headers.get('location'), sent.headers.get('set-cookie')]).toEqual([
      303,
      `/portal/login?return=${encodeURIComponent(address)}`,
      null,
    ])
    const signed = await send('/portal/login', { email: 'outsider@example.com', password: PASSWORD, return: address })
    expect(signed.headers.get('location')).toBe(address)
    const cookie = cookieOf(signed)
    expect(await show(token, cookie)).toContain('<button>Join Harbour News</button>')
    expect((await join({ token }, cookie, { origin: 'https://evil.example' })).status).toBe(403)
    expect((await join({ token }, cookie, { origin: world.url })).headers.get('location')).toBe(
      '/portal/projects/harbour-news',
    )
    expect(await roleOf('outsider@example.com')).toBe('administrator')
  })

  test('The invitation page refuses another user, who may sign in with another account.', async () => {
    const { token, id } = await invite('nils@example.com', 'owner')
    const member = await signIn(world, 'member')
    const page = await show(token, member)
    for (const shown of ['member@example.com', 'nils@example.com', 'action="/portal/logout"'])
      expect(page).toContain(shown)
    expect(page).not.toContain('<button>Join')
    for (const fields of [{ token }, { id }] as Record<string, string>[])
      expect((await join(fields, member)).status).toBe(403)
    expect(await roleOf('member@example.com')).toBe('member')
    const address = `/portal/invitation?token=${token}`
    const ticket = /name="ticket" value="([^"]+)"/.exec(page)![1]!
    const other = await signIn(world, 'member')
    const refused = [
      await send('/portal/logout', { return: address }, { cookie: member, origin: 'null' }),
      await send('/portal/logout', { return: address, ticket }, { cookie: other, origin: 'null' }),
      await send('/portal/logout', { return: address, ticket }, { cookie: member, origin: 'https://evil.example' }),
    ]
    for (const { status, headers } of refused) expect([status, headers.get('set-cookie')]).toEqual([403, null])
    const out = await send('/portal/logout', { return: address, ticket }, { cookie: member, origin: 'null' })
    expect(out.headers.get('location')).toBe(`/portal/login?return=${encodeURIComponent(address)}`)
    expect(await whoIs(member)).toBeUndefined()
    const astray = await send('/portal/logout', { return: 'https://evil.example' })
    expect(astray.headers.get('location')).toBe('/portal/login?return=%2Fportal%2F')
  })

  test('The invitation page creates no account by its id alone, nor by its token after it was revoked.', async () => {
    const { token, id } = await invite('nora@example.com')
    const without = await join({ id, password: 'long enough' })
    expect([without.status, without.headers.get('location')]).toEqual([303, '/portal/login?return=%2Fportal%2F'])
    await post(
      world,
      '/project/invitations/revoke',
      { project_id: world.project.public_id, invitation_id: id },
      { cookie: owner },
    )
    expect((await join({ token, password: 'long enough' })).status).toBe(404)
    expect(await roleOf('nora@example.com')).toBeUndefined()
  })

  test('The invitation page keeps the role of a member, and sends its message to the invited address.', async () => {
    const { store, clock } = world.service.runtime
    const { token } = await invite('kim@example.com', 'administrator')
    const kim = await createUser(store, { email: 'kim@example.com', password: PASSWORD }, clock.now())
    await store.write((tx) =>
      tx.insert(members).values({ project_id: world.project.id, user_id: kim.id, role: 'member', added_at: START }),
    )
    expect((await join({ token }, await signIn(world, 'kim'))).status).toBe(303)
    expect(await roleOf('kim@example.com')).toBe('member')
    expect(await store.db.select().from(invitations)).toEqual([])
    expect((await messagesTo(world, 'kim@example.com')).map(({ to }) => to)).toEqual(['kim@example.com'])
  })

  test('The invitation page is shown to its user in the portal.', async () => {
    const { store, clock } = world.service.runtime
    await createUser(store, { email: 'lena@example.com', password: PASSWORD }, clock.now())
    const { id } = await invite('Lena@example.com', 'member')
    const cookie = await signIn(world, 'lena')
    expect(await (await open('/portal/', cookie)).text()).toContain(`name="id" value="${id}"`)
    for (const origin of ['null', 'https://evil.example'])
      expect((await join({ id }, cookie, { origin })).status).toBe(403)
    expect((await join({ id }, cookie, { origin: world.url })).status).toBe(303)
    expect(await roleOf('lena@example.com')).toBe('member')
    expect(await (await open('/portal/', cookie)).text()).not.toContain('name="id"')
  })
})

describe('the next step of an invitation', () => {
  const VIEW: InvitationView = {
    invitation: {
      id: 'inv_1',
      email: 'guest@example.com',
      inviter: 'Ann <Quay>',
      name: 'Harbour & Co',
      place: 'an editor of the project',
      kind: 'project',
      leads_to: '/portal/projects/harbour',
      expires_at: 0,
      accept: async () => {},
    },
    token: 'svc_iv_x',
    address: '/portal/invitation?token=svc_iv_x',
    email: null,
    sign_out: '',
    is_theirs: false,
    has_account: false,
    may_sign_up: true,
    provider: null,
    values: {},
    flaws: [],
  }
  const page = (changes: Partial<InvitationView>) => invitationPage({ ...VIEW, ...changes }).text
  const actions = (text: string) => [...text.matchAll(/action="([^"]+)"/g)].map(([, action]) => action)
  const back = encodeURIComponent(VIEW.address)

  test('The next step of an invitation is to join, to change the account, to sign in, or to make one.', () => {
    expect(page({})).toContain(
      'Ann &lt;Quay&gt; invites <strong>guest@example.com</strong>, as an editor of the project.',
    )
    expect(page({ email: 'guest@example.com', is_theirs: true })).toContain('<button>Join Harbour &amp; Co</button>')
    const other = page({ email: 'else@example.com' })
    expect([actions(other), other.includes(`name="return" value="${VIEW.address}"`)]).toEqual([
      ['/portal/logout'],
      true,
    ])
    const known = page({ has_account: true })
    expect([actions(known), known.includes(`href="/portal/login?return=${back}"`)]).toEqual([[], true])
    expect(actions(page({}))).toEqual(['/portal/invitation'])
    expect(actions(page({ may_sign_up: false }))).toEqual([])
    expect(page({ may_sign_up: false, has_account: true })).toContain('Sign in to join')
  })

  test('The next step of an invitation offers the provider to whoever has to sign in or to make an account.', () => {
    const link = `href="/portal/openid?return=${back}"`
    const offers = (changes: Partial<InvitationView>) => page({ provider: 'Quay ID', ...changes }).includes(link)
    expect([offers({}), offers({ has_account: true })]).toEqual([true, true])
    expect([offers({ email: 'x@example.com' }), offers({ may_sign_up: false }), offers({ provider: null })]).toEqual([
      false,
      false,
      false,
    ])
  })

  test('A refused form of a new account shows each flaw at its field, and all values but the password.', () => {
    const flaws = [{ path: '/password', message: 'Too short.' }]
    const values = { first_name: 'Nia "N"', last_name: 'Pier', password: 'secret' }
    const asked = { token: 'svc_su_x', email: 'guest@example.com', values }
    for (const text of [page({ values, flaws }), signUpPage({ ...asked, flaws }).text]) {
      expect(text).toContain('Nothing was created yet')
      expect(text).toMatch(/name="first_name"[^>]* value="Nia &quot;N&quot;"/)
      expect(text).toMatch(/name="last_name"[^>]* value="Pier"/)
      expect(text).toMatch(
        /name="password"[^>]* value=""[^>]* aria-describedby="password-hint password-flaw" aria-invalid/,
      )
      expect(text).toContain('id="password-flaw">Too short.')
      expect(text).not.toContain('secret')
    }
    for (const text of [page({ values }), signUpPage({ ...asked, flaws: [] }).text])
      expect(text).not.toMatch(/Nothing was created|aria-invalid/)
  })
})
