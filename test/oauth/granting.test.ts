import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { HOUR_MS } from '../../src/clock.ts'
import { getApp, saveDraft, updateApp } from '../../src/developer/apps.ts'
import { EMPTY_LISTING } from '../../src/developer/listing.ts'
import { decide, requestReview } from '../../src/developer/reviews.ts'
import { createVersion } from '../../src/developer/versions.ts'
import { endAuthorization, startAuthorization } from '../../src/oauth/authorizations.ts'
import {
  consentTicket,
  grantedScopes,
  makersOf,
  presentationOf,
  projectChoices,
  scopesAddedSince,
  useConsentTicket,
} from '../../src/oauth/granting.ts'
import type { Role } from '../../src/shared/roles.ts'
import { members, users } from '../../src/store/tables/accounts.ts'
import { used_consent_tickets } from '../../src/store/tables/oauth.ts'
import { KEYS, newApp, newProject, newUser, NOW, sharedStore, write } from '../support/shared-store.ts'
import { eq, lte } from 'drizzle-orm'
import { app_drafts, app_versions } from '../../src/store/tables/developer.ts'
import { closeWorlds, SCOPES } from '../support/world.ts'
import {
  authorizeUrl,
  browserWith,
  type Browser,
  CHALLENGE,
  type Client,
  createOAuthWorld,
  type OAuthWorld,
  pushedUrl,
  setRole,
  signIn,
} from './oauth-world.ts'

let world: OAuthWorld
let owner: Browser

beforeAll(async () => {
  world = await createOAuthWorld()
  owner = await world.browser('owner')
})
afterAll(closeWorlds)

const ask = (params: Record<string, string> = {}, client: Client = world.client) =>
  authorizeUrl({
    client_id: client.client_id,
    redirect_uri: client.redirect_uri,
    scope: 'newsletter:read',
    state: 'a b&c=ä',
    ...params,
  })

test("The page gives the app's reason for a scope: the approved one, before approval the drafted one.", async () => {
  const { store } = world.service.runtime
  const listing = {
    tagline: '',
    description: '',
    icon_url: '',
    screenshots: [],
    support_url: '',
    privacy_url: '',
    category: '',
  }
  const client = await world.newClient()
  const draft = await world.newClient({ status: 'development', user_id: world.users.owner })
  await store.write(async (tx) => {
    const [version] = await tx
      .insert(app_versions)
      .values({
        app_id: client.id,
        number: 1,
        status: 'approved',
        user_id: world.users.outsider,
        created_at: 0,
        contents: {
          identity: { display_name: '', description: '', homepage: '', redirect_uris: [] },
          scripts: [],
          listing,
          scopes: ['newsletter:read'],
          scope_reasons: { 'newsletter:read': 'To count <your> readers' },
        },
      })
      .returning({ id: app_versions.id })
    await tx.insert(app_drafts).values([
      { app_id: client.id, live_version_id: version!.id, scope_reasons: { 'newsletter:read': 'Not approved yet' } },
      { app_id: draft.id, scope_reasons: { 'newsletter:read': 'To try it out' } },
    ])
  })
  const page = await owner.open(ask({}, client))
  expect(page.html).toContain('To count &lt;your&gt; readers')
  expect(page.html).not.toContain('Not approved yet')
  expect((await owner.open(ask({}, draft))).html).toContain('To try it out')
})

test('The consent page names the app, its scopes and the address it leads back to.', async () => {
  const page = await owner.open(ask({ scope: 'newsletter:read scripts:embed' }))
  expect(page.status).toBe(200)
  for (const words of [
    'Weather Widgets',
    'https://weather.example',
    'Read contacts, audiences, campaigns and reports',
    'Put its scripts on the pages of the site',
    'owner@example.com',
  ])
    expect(page.html).toContain(words)
  expect(page.html.match(/<form /g)).toHaveLength(1)
  expect(page.html).toContain('<form method="post"')
  expect(page.html).not.toContain('<script')
  expect(page.decisions).toEqual(['approve', 'deny'])
  const policy = page.headers.get('content-security-policy')!
  expect(policy).toContain("form-action 'self' https://weather.example;")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).toContain("default-src 'self'")
  expect(page.headers.get('referrer-policy')).toBe('same-origin')
  expect(page.headers.get('cache-control')).toBe('no-store')
})

test("The consent page names the app's maker: the person, else the host of the homepage, else none.", async () => {
  const { store } = world.service.runtime
  const called = (first_name: string, last_name: string) =>
    store.write((tx) => tx.update(users).set({ first_name, last_name }).where(eq(users.id, world.users.outsider)))
  const maker = async (client: Client) =>
    /<dt>Made by<\/dt><dd>([^<]*)<\/dd>/.exec((await owner.open(ask({}, client))).html)?.[1] ?? null
  const [with_homepage, without] = [
    await world.newClient({ homepage: 'https://weather.example:8443/about' }),
    await world.newClient({ homepage: '' }),
  ]
  await called('Ines', '<b>Aldana')
  expect(await maker(without)).toBe('Ines &lt;b&gt;Aldana')
  await called('', 'Aldana')
  expect(await maker(without)).toBe('Aldana')
  await called('', '')
  expect(await maker(with_homepage)).toBe('weather.example:8443')
  expect(await maker(without)).toBeNull()
  await called('outsider', '')
})

test('The consent page tells an app that was reviewed from one in development.', async () => {
  const reviewed = await owner.open(ask())
  expect(reviewed.html).toContain('<span class="quiet">Reviewed</span>')
  expect(reviewed.html).not.toContain('In development')
  for (const status of ['development', 'in_review', 'rejected'] as const) {
    const page = await owner.open(ask({}, await world.newClient({ status, user_id: world.users.owner })))
    expect(page.html).toContain('In development')
    expect(page.html).not.toContain('Reviewed')
  }
})

test('The consent page shows where the user goes afterwards: the host, or an app on the device.', async () => {
  const phone = await world.newClient({
    client_type: 'public',
    redirect_uris: [
      'com.example.weather:/callback',
      'http://127.0.0.1/callback',
      'https://login.weather.example/back?x=1',
    ],
  })
  const target = async (redirect_uri: string) =>
    /<dt>Takes you back to<\/dt><dd>([^<]*)<\/dd>/.exec(
      (await owner.open(ask({ redirect_uri, code_challenge: CHALLENGE, code_challenge_method: 'S256' }, phone))).html,
    )?.[1]
  expect(await target('https://login.weather.example/back?x=1')).toBe('login.weather.example')
  expect(await target('http://127.0.0.1:51234/callback')).toBe('127.0.0.1:51234')
  expect(await target('com.example.weather:/callback')).toBe('com.example.weather: (an app on this device)')
})

test('The page marks new scopes for users who have connected the app before, and for no others.', async () => {
  const client = await world.newClient()
  const scope = 'newsletter:read newsletter:send scripts:embed'
  const marked = async (browser = owner): Promise<string[]> => {
    const { html } = await browser.open(ask({ scope }, client))
    return [...html.matchAll(/<li>(<strong>New:<\/strong> )?[^<]*<code>([^<]+)<\/code>/g)].flatMap(([, mark, name]) =>
      mark === undefined ? [] : [name!],
    )
  }
  expect(await marked()).toEqual([])
  const first = await world.tokens({ client, scope: 'newsletter:read' })
  expect(await marked()).toEqual(['newsletter:send', 'scripts:embed'])
  expect(await marked(await world.browser('administrator'))).toEqual([])
  const second = await world.tokens({ client, scope: 'scripts:embed', project_ids: [world.other.public_id] })
  expect(await marked()).toEqual(['newsletter:send'])
  await world.tokens({ client, scope })
  expect(await marked()).toEqual([])
  for (const { refresh_token } of [first, second]) await world.post('revoke', { token: refresh_token }, { client })
  expect(await marked()).toEqual([])
})

test('The consent page does not count ended authorizations as earlier ones.', async () => {
  const client = await world.newClient()
  const { refresh_token } = await world.tokens({ client, scope: 'newsletter:read' })
  await world.post('revoke', { token: refresh_token }, { client })
  expect((await owner.open(ask({ scope: 'newsletter:read newsletter:send' }, client))).html).not.toContain('New:')
})

test('The policy of the page allows the scheme of an app on the device, and of addresses without a form.', async () => {
  const phone = await world.newClient({
    client_type: 'public',
    redirect_uris: ['com.example.weather:/callback', 'http://[::1]/callback'],
  })
  const policy = async (redirect_uri: string) =>
    (
      await owner.open(ask({ redirect_uri, code_challenge: CHALLENGE, code_challenge_method: 'S256' }, phone))
    ).headers.get('content-security-policy')
  expect(await policy('com.example.weather:/callback')).toContain("form-action 'self' com.example.weather:;")
  expect(await policy('http://[::1]:9999/callback')).toContain("form-action 'self' http:;")
})

test('An app cannot write into the consent page.', async () => {
  const rude = await world.newClient({
    display_name: '<img src=x onerror=alert(1)>',
    homepage: 'javascript:alert(1)',
    description: '</main><script>alert(1)</script>',
  })
  const page = await owner.open(ask({}, rude))
  expect(page.html).not.toContain('<script')
  expect(page.html).not.toContain('<img')
  expect(page.html).not.toContain('javascript:')
})

test('The page ticks a single project, and none of several.', async () => {
  expect((await owner.open(ask())).projects).toEqual(
    expect.arrayContaining([
      { value: world.project.public_id, checked: false },
      { value: world.other.public_id, checked: false },
    ]),
  )
  const editor = await world.browser('editor')
  expect((await editor.open(ask())).projects).toEqual([{ value: world.project.public_id, checked: true }])
})

test.each([
  ['newsletter:read', ['member', 'editor', 'administrator', 'owner']],
  ['newsletter:write', ['editor', 'administrator', 'owner']],
  ['newsletter:send', ['editor', 'administrator', 'owner']],
  ['newsletter:read newsletter:admin', ['administrator', 'owner']],
  ['cms:post:read scripts:read', ['member', 'editor', 'administrator', 'owner']],
  ['cms:post:read scripts:embed', ['editor', 'administrator', 'owner']],
  ['scripts:delete', ['editor', 'administrator', 'owner']],
])('The scope %s can be granted by %p.', async (scope, able) => {
  for (const role of ['member', 'editor', 'administrator', 'owner'] as const) {
    const page = await world.browser(role).then((browser) => browser.open(ask({ scope })))
    expect(page.projects.some(({ value }) => value === world.project.public_id)).toBe(able.includes(role))
    expect(page.html).toContain('Harbour News')
    if (!able.includes(role)) expect(page.html).toMatch(/disabled aria-describedby="why-prj_\w+"/)
  }
})

test('The consent page tells a user without a suitable project, who can only go back.', async () => {
  for (const [who, scope] of [
    ['member', 'newsletter:admin'],
    ['outsider', 'newsletter:read'],
  ] as const) {
    const browser = await world.browser(who)
    const page = await browser.open(ask({ scope }))
    expect(page.status).toBe(200)
    expect(page.projects).toEqual([])
    expect((await browser.decide(page, 'approve', [world.project.public_id])).searchParams.get('error')).toBe(
      'access_denied',
    )
  }
})

test('The consent page is shown again for an app that was connected before.', async () => {
  await world.tokens({ scope: 'newsletter:read' })
  expect((await owner.open(ask())).decisions).toEqual(['approve', 'deny'])
})

test('The decision redirects an approval with 303, code, unchanged state and issuer.', async () => {
  const page = await owner.open(ask({ state: 'line\nbreak & "quotes" \u{1F4EF}' }))
  const response = await owner.send([
    ...Object.entries(page.hidden),
    ['project_ids', world.project.public_id],
    ['decision', 'approve'],
  ])
  expect(response.status).toBe(303)
  const back = new URL(response.headers.get('location')!)
  expect(Object.fromEntries(back.searchParams)).toEqual({
    code: expect.stringMatching(/^svc_ac_/),
    state: 'line\nbreak & "quotes" \u{1F4EF}',
    iss: world.url,
  })
})

test.each([
  ['the refusal', 'deny', ['main']],
  ['a project that is not theirs', 'approve', ['prj_of_somebody_else']],
  ['a word that is no decision', 'maybe', ['main']],
] as [string, string, string[]][])('The decision gives access_denied for %s.', async (_, decision, projects) => {
  const back = await owner.decide(
    await owner.open(ask()),
    decision,
    projects.map((name) => (name === 'main' ? world.project.public_id : name)),
  )
  expect(Object.fromEntries(back.searchParams)).toEqual({
    error: 'access_denied',
    error_description: expect.any(String),
    state: 'a b&c=ä',
    iss: world.url,
  })
})

test('A decision without a ticked project shows the page again, and its form still works.', async () => {
  const { body } = await world.push({ scope: 'newsletter:read' })
  const page = await owner.open(pushedUrl(world.client, body.request_uri))
  const sent = [...Object.entries(page.hidden), ['decision', 'approve']] as [string, string][]
  const again = await owner.send(sent)
  expect([again.status, await again.text()]).toEqual([400, expect.stringContaining('Choose a project.')])
  const back = await owner.decide(page, 'approve', [world.project.public_id])
  expect(back.searchParams.get('code')).toMatch(/^svc_ac_/)
})

test('The page groups what an app asks for, names risks, and says how to get a project.', async () => {
  const asked = { scope: 'newsletter:read newsletter:send scripts:embed' }
  const { html } = await owner.open(ask(asked))
  expect([...html.matchAll(/<h3>([^<]*)<\/h3>/g)].map(([, kind]) => kind)).toEqual([
    'Read',
    'Send',
    'Put code on your pages',
  ])
  expect(html).toContain('It can write to your contacts in your name.')
  expect(html).toContain('It can run code in your visitors’ browsers.')
  const outsider = await world.browser('outsider')
  expect((await outsider.open(ask(asked))).html).toContain('<a href="/portal/">Make a project</a>')
})

test('A decision grants only the ticked projects that the user may grant at that moment.', async () => {
  const editor = await world.browser('editor')
  const page = await editor.open(ask({ scope: 'newsletter:read newsletter:write' }))
  await setRole(world, 'editor', 'member')
  expect((await editor.decide(page, 'approve', [world.project.public_id])).searchParams.get('error')).toBe(
    'access_denied',
  )
  await setRole(world, 'editor', 'editor')

  const { access_token } = await world.tokens({ project_ids: [world.other.public_id, 'prj_of_somebody_else'] })
  const response = await world.fetch('/general/api/v1/project/list', {
    headers: { Authorization: `Bearer ${access_token}` },
  })
  expect(await response.json()).toEqual({
    projects: [{ id: world.other.public_id, name: 'Mountain Post', slug: 'mountain-post' }],
  })
})

test('A form from another site, or from one that hides its name, is refused.', async () => {
  for (const Origin of ['https://evil.example', 'null']) {
    const page = await owner.open(ask())
    const response = await owner.send(
      [...Object.entries(page.hidden), ['project_ids', world.project.public_id], ['decision', 'approve']],
      { Origin },
    )
    expect(response.status).toBe(403)
    expect(response.headers.get('location')).toBeNull()
  }
})

test('A ticket works once, for its request, in its session, for an hour.', async () => {
  const approve = (hidden: Record<string, string>, browser = owner) =>
    browser.send([...Object.entries(hidden), ['project_ids', world.project.public_id], ['decision', 'approve']])
  const used = await owner.open(ask())
  expect((await approve(used.hidden)).status).toBe(303)
  expect((await approve(used.hidden)).status).toBe(400)

  const page = await owner.open(ask())
  expect(
    (
      await approve({
        ...page.hidden,
        request: page.hidden.request!.replace('newsletter%3Aread', 'newsletter%3Aadmin'),
      })
    ).status,
  ).toBe(400)
  expect((await approve({ ...page.hidden, ticket: '' })).status).toBe(400)
  expect((await approve({ ...page.hidden, ticket: `${page.hidden.ticket}A` })).status).toBe(400)
  expect((await approve(page.hidden, await signIn(world, 'owner'))).status).toBe(400)
  const denied = await owner.send([...Object.entries(page.hidden), ['decision', 'deny']])
  expect(denied.status).toBe(303)
  expect((await approve(page.hidden)).status).toBe(400)

  const late = await owner.open(ask())
  world.clock.advance(3_600_000)
  expect((await approve(late.hidden)).status).toBe(400)
})

test('The decision gives one code for two simultaneous approvals.', async () => {
  const page = await owner.open(ask())
  const fields: [string, string][] = [
    ...(Object.entries(page.hidden) as [string, string][]),
    ['project_ids', world.project.public_id],
    ['decision', 'approve'],
  ]
  const statuses = (await Promise.all([owner.send(fields), owner.send(fields)])).map(({ status }) => status)
  expect(statuses.sort()).toEqual([303, 400])
})

test('The decision sends a user whose session has ended to the login and back to the page.', async () => {
  const page = await owner.open(ask())
  const response = await browserWith(world, '').send([
    ...Object.entries(page.hidden),
    ['project_ids', world.project.public_id],
    ['decision', 'approve'],
  ])
  expect(response.status).toBe(303)
  expect(response.headers.get('location')).toStartWith('/portal/login?return=%2Fgeneral%2Foauth%2Fauthorize%3F')
})

test('Every scope can be requested and is described on the consent page.', async () => {
  const page = await owner.open(ask({ scope: SCOPES.join(' ') }))
  expect(page.status).toBe(200)
  for (const scope of SCOPES) expect(page.html).toContain(`<code>${scope}</code>`)
})

describe('what the page is made of', () => {
  const project = async (role: Role, user_id: string) => {
    const id = await newProject({ name: role })
    await write((tx) => tx.insert(members).values({ project_id: id, user_id, role, added_at: NOW }))
  }

  test('A project can be chosen where the role allows all scopes that are asked for.', async () => {
    const { db } = await sharedStore()
    const user_id = await newUser()
    for (const role of ['owner', 'administrator', 'editor', 'member'] as const) await project(role, user_id)
    const lacks = async (...scopes: string[]) =>
      (await projectChoices(db, user_id, scopes)).map((choice) => choice.lacks)
    expect(await lacks('profile', 'newsletter:read')).toEqual([null, null, null, null])
    const choices = await projectChoices(db, user_id, [])
    expect(choices.map(({ role, project: { name } }) => [role, name])).toEqual(
      ['owner', 'administrator', 'editor', 'member'].map((role) => [role, role]),
    )
    expect(await lacks('newsletter:write', 'profile')).toEqual([null, null, null, 'editor'])
    const administrator = 'administrator' as const
    expect(await lacks('profile', 'newsletter:admin', 'newsletter:send')).toEqual([
      null,
      null,
      administrator,
      administrator,
    ])
  })

  test('A new version may ask for more than the one that was live when somebody connected the app.', async () => {
    const { db } = await sharedStore()
    const [creator, reviewer] = [await newUser(), await newUser({ admin: true })]
    const app = await newApp(creator, { status: 'development', scopes: ['profile'] })
    const release = (scopes: string[], decision: 'approved' | 'rejected', at: number) =>
      write(async (tx) => {
        const before = await getApp(tx, app.id)
        const changed = await updateApp(tx, before, { scopes }, at)
        const { id: version_id } = await createVersion(tx, changed, { user_id: creator, notes: '' }, at)
        const { id } = await requestReview(tx, creator, { app_id: app.id, version_id }, at)
        await decide(tx, reviewer, { id, decision, comment: 'So.' }, at)
      })
    await release(['profile', 'newsletter:read'], 'approved', NOW + 10)
    await release(['profile', 'scripts:read'], 'rejected', NOW + 20)
    await release(['profile', 'newsletter:read', 'newsletter:write'], 'approved', NOW + 30)
    const added = async (since: number) => (await scopesAddedSince(db, new Map([[app.id, since]]))).get(app.id)
    expect([await added(NOW + 10), await added(NOW + 29)]).toEqual([['newsletter:write'], ['newsletter:write']])
    expect([await added(NOW + 9), await added(NOW + 30)]).toEqual([undefined, undefined])
    expect(await scopesAddedSince(db, new Map())).toEqual(new Map())
  })

  test('A maker is a person, else the host of the homepage; icon and reasons are the approved ones.', async () => {
    const { db } = await sharedStore()
    const [named, nameless] = [await newUser({ first_name: 'Ann', last_name: 'Quay' }), await newUser()]
    const apps = {
      person: await newApp(named, { homepage: 'https://lamp.example:8443/about' }),
      host: await newApp(nameless, { homepage: 'https://lamp.example:8443/about' }),
      nobody: await newApp(nameless, { homepage: 'no address' }),
    }
    const makers = await makersOf(
      db,
      Object.values(apps).map(({ id }) => id),
    )
    expect(Object.values(apps).map(({ id }) => makers.get(id))).toEqual(['Ann Quay', 'lamp.example:8443', null])
    const draft = {
      scope_reasons: { profile: 'Why.' },
      listing: { ...EMPTY_LISTING, icon_url: 'https://i.example/d.png' },
    }
    await write((tx) => saveDraft(tx, apps.host.id, draft))
    const shown = (status: 'approved' | 'development') => presentationOf(db, { ...apps.host, status })
    expect(await shown('development')).toEqual({ reasons: { profile: 'Why.' }, icon_url: 'https://i.example/d.png' })
    expect(await shown('approved')).toEqual({ reasons: {}, icon_url: '' })
    expect(await presentationOf(db, { ...apps.nobody, status: 'development' })).toEqual({ reasons: {}, icon_url: '' })
  })

  test('Scopes were granted by the active authorizations of the user for this app.', async () => {
    const { db } = await sharedStore()
    const id = await newProject()
    const [user_id, other] = [await newUser({}, [id, 'owner']), await newUser({}, [id, 'owner'])]
    const [app, neighbor] = [await newApp(user_id), await newApp(user_id)]
    const grant = (by: string, app_id: string, scope: string) =>
      write((tx) => startAuthorization(tx, { app_id, user_id: by, scope, project_ids: [id] }, NOW))
    await grant(user_id, app.id, 'profile newsletter:read')
    await grant(user_id, neighbor.id, 'newsletter:send')
    await grant(other, app.id, 'newsletter:admin')
    const ended = (await grant(user_id, app.id, 'newsletter:write'))!
    await write((tx) => endAuthorization(tx, ended, NOW))
    expect(await grantedScopes(db, app, user_id)).toEqual(new Set(['profile', 'newsletter:read']))
  })

  test('A ticket is for one request in one session, within an hour, once.', async () => {
    const form = { session_hash: 'session', request: 'client_id=x' }
    const ticket = consentTicket(KEYS, form.session_hash, form.request, NOW)
    const use = (changes: Partial<typeof form & { ticket: string }> = {}, now = NOW) =>
      write((tx) => useConsentTicket(tx, KEYS, { ticket, ...form, ...changes }, now))
    expect([await use({ session_hash: 'other' }), await use({ request: 'client_id=y' })]).toEqual([false, false])
    expect([await use({ ticket: 'x' }), await use({}, NOW + HOUR_MS)]).toEqual([false, false])
    expect([await use({}, NOW + HOUR_MS - 1), await use()]).toEqual([true, false])
    const later = NOW + 2 * HOUR_MS
    const used = consentTicket(KEYS, form.session_hash, form.request, later)
    expect(await use({ ticket: used }, later)).toBe(true)
    const { db } = await sharedStore()
    expect(await db.$count(used_consent_tickets, lte(used_consent_tickets.used_at, later - HOUR_MS))).toBe(0)
  })
})
