import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { app_drafts, app_suspensions, app_team, app_versions } from '../../src/store/tables/developer.ts'
import { closeWorlds, SCOPES } from '../support/world.ts'
import { authorizeUrl, browserWith, type Browser, CHALLENGE, type Client, createOAuthWorld, type OAuthWorld, setRole, signIn } from './oauth-world.ts'

let world: OAuthWorld
let owner: Browser
let nobody: Browser

beforeAll(async () => {
  world = await createOAuthWorld()
  owner = await world.browser('owner')
  nobody = browserWith(world, '')
})
afterAll(closeWorlds)

type Params = Record<string, string | string[] | null>

const ask = (params: Params = {}, client: Client = world.client) =>
  authorizeUrl({ client_id: client.client_id, redirect_uri: client.redirect_uri, scope: 'newsletter:read', state: 'a b&c=ä', ...params })

describe('errors that are shown, never redirected', () => {
  const cases: [string, Params][] = [
    ['client_id missing', { client_id: null }],
    ['client_id empty', { client_id: '' }],
    ['client_id unknown', { client_id: 'cli_nobody' }],
    ['client_id twice', { client_id: ['cli_a', 'cli_b'] }],
    ['redirect_uri missing, though only one is registered', { redirect_uri: null }],
    ['redirect_uri not registered', { redirect_uri: 'https://evil.example/callback' }],
    ['redirect_uri with more behind it', { redirect_uri: 'https://weather.example/callback/' }],
    ['redirect_uri in other case', { redirect_uri: 'https://WEATHER.example/callback' }],
    ['redirect_uri of another scheme', { redirect_uri: 'http://weather.example/callback' }],
    ['redirect_uri with a fragment', { redirect_uri: 'https://weather.example/callback#x' }],
    ['redirect_uri twice', { redirect_uri: ['https://weather.example/callback', 'https://weather.example/callback'] }],
  ]
  test.each(cases)('%s', async (_, params) => {
    for (const browser of [owner, nobody]) {
      const page = await browser.open(ask({ client_id: world.client.client_id, redirect_uri: world.client.redirect_uri, ...params }))
      expect(page.status).toBe(400)
      expect(page.headers.get('location')).toBeNull()
      expect(page.headers.get('content-type')).toContain('text/html')
      expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      expect(page.html).toContain('This app cannot be connected')
    }
  })

  test('a program that asks for JSON gets JSON', async () => {
    const response = await world.fetch(ask({ client_id: 'cli_nobody' }), { headers: { Accept: 'application/json' } })
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({ error: 'invalid_client', error_description: expect.any(String) })
    const other = await world.fetch(ask({ redirect_uri: 'https://evil.example' }), { headers: { Accept: 'application/json' } })
    expect(await other.json()).toMatchObject({ error: 'invalid_redirect_uri' })
  })

  test('what the link carries is not run in the page', async () => {
    const page = await owner.open(ask({ client_id: '"><script>alert(1)</script>' }))
    expect(page.html).not.toContain('<script')
  })
})

describe('errors that go back to the app, at once, with state and issuer', () => {
  const cases: [string, string, Params][] = [
    ['invalid_request', 'response_type missing', { response_type: null }],
    ['unsupported_response_type', 'response_type token', { response_type: 'token' }],
    ['unsupported_response_type', 'response_type id_token', { response_type: 'code id_token' }],
    ['unsupported_response_mode', 'response_mode fragment', { response_mode: 'fragment' }],
    ['invalid_request', 'scope twice', { scope: ['newsletter:read', 'newsletter:read'] }],
    ['invalid_request', 'response_type twice', { response_type: ['code', 'code'] }],
    ['invalid_request', 'a challenge without its method', { code_challenge: CHALLENGE }],
    ['invalid_request', 'a plain challenge', { code_challenge: CHALLENGE, code_challenge_method: 'plain' }],
    ['invalid_request', 'a method without a challenge', { code_challenge_method: 'S256' }],
    ['invalid_request', 'a challenge that is too short', { code_challenge: 'abc', code_challenge_method: 'S256' }],
    ['invalid_request', 'a challenge that is too long', { code_challenge: 'a'.repeat(129), code_challenge_method: 'S256' }],
    ['invalid_request', 'a challenge of other characters', { code_challenge: `${CHALLENGE.slice(1)}+`, code_challenge_method: 'S256' }],
    ['invalid_scope', 'scope missing', { scope: null }],
    ['invalid_scope', 'scope of blanks', { scope: '  ' }],
    ['invalid_scope', 'an unknown scope beside a known one', { scope: 'newsletter:read newsletter:everything' }],
    ['invalid_scope', 'a name that every object has', { scope: 'constructor' }],
    ['request_not_supported', 'a request object', { request: 'eyJhbGciOiJub25lIn0..' }],
    ['invalid_request_uri', 'a request_uri nobody pushed', { request_uri: 'urn:ietf:params:oauth:request_uri:abc' }],
    ['invalid_target', 'an unknown resource', { resource: 'https://other.example/' }],
    ['invalid_request', 'prompt none beside another', { prompt: 'none login' }],
  ]
  test.each(cases)('%s: %s', async (error, _, params) => {
    for (const browser of [owner, nobody]) {
      const back = await browser.location(ask(params))
      expect(back.origin + back.pathname).toBe(world.client.redirect_uri)
      expect(Object.fromEntries(back.searchParams)).toEqual({ error, error_description: expect.any(String), state: 'a b&c=ä', iss: world.url })
    }
  })

  test('invalid_scope: one that the app has not registered', async () => {
    const modest = await world.newClient({ scopes: ['newsletter:read'] })
    expect((await owner.location(ask({ scope: 'newsletter:read scripts:read' }, modest))).searchParams.get('error')).toBe('invalid_scope')
  })

  test('invalid_request: a state that stands twice is given back neither way', async () => {
    const back = await owner.location(ask({ state: ['one', 'two'] }))
    expect(back.searchParams.get('error')).toBe('invalid_request')
    expect(back.searchParams.has('state')).toBe(false)
  })

  test('login_required, consent_required, interaction_required: prompt=none never gets a page', async () => {
    const error = async (browser: Browser, client: Client) => (await browser.location(ask({ prompt: 'none' }, client))).searchParams.get('error')
    const fresh = await world.newClient()
    expect(await error(nobody, fresh)).toBe('login_required')
    expect(await error(owner, fresh)).toBe('consent_required')
    await world.tokens({ client: fresh, scope: 'newsletter:read' })
    expect(await error(owner, fresh)).toBe('interaction_required')
  })

  test('server_error: what breaks inside is told to the app', async () => {
    const broken = await createOAuthWorld()
    const browser = await broken.browser('owner')
    broken.service.runtime.log.error = () => undefined // it is meant to fail
    await broken.service.runtime.store.write((tx) => tx.run(sql`ALTER TABLE members RENAME TO gone`))
    const back = await browser.location(authorizeUrl({ client_id: broken.client.client_id, redirect_uri: broken.client.redirect_uri, scope: 'newsletter:read', state: 's' }))
    expect(Object.fromEntries(back.searchParams)).toEqual({ error: 'server_error', error_description: expect.any(String), state: 's', iss: broken.url })
    await broken.close()
  })
})

test('other methods are refused', async () => {
  const response = await world.fetch('/general/oauth/authorize', { method: 'DELETE' })
  expect(response.status).toBe(405)
  expect(response.headers.get('allow')).toBe('GET, POST')
})

describe('signing in', () => {
  test('whoever is not signed in goes to the login page and comes back to the same request', async () => {
    const path = ask({ code_challenge: CHALLENGE, code_challenge_method: 'S256', state: 'x'.repeat(6000) })
    const login = await nobody.location(path)
    expect(login.pathname).toBe('/portal/login')
    const asked = new URL(path, world.url)
    const back = new URL(login.searchParams.get('return')!, world.url)
    expect(back.pathname).toBe(asked.pathname)
    expect(Object.fromEntries(back.searchParams)).toEqual(Object.fromEntries(asked.searchParams))
    const consent = await owner.open(login.searchParams.get('return')!)
    const done = await owner.decide(consent, 'approve', [world.project.id])
    expect(done.searchParams.get('state')).toBe('x'.repeat(6000))
  })

  test('prompt=login ends the session, and asks once', async () => {
    const browser = await signIn(world, 'owner')
    const login = await browser.location(ask({ prompt: 'login consent' }))
    expect(login.pathname).toBe('/portal/login')
    expect(new URL(login.searchParams.get('return')!, world.url).searchParams.get('prompt')).toBe('consent')
    expect((await browser.location(ask())).pathname).toBe('/portal/login')
  })

  test('an app in development is for its own team: others see a page, and no form', async () => {
    const draft = await world.newClient({ status: 'development', user_id: world.users.editor })
    const page = await owner.open(ask({}, draft))
    expect(page.status).toBe(403)
    expect(page.headers.get('location')).toBeNull()
    expect(page.html).not.toContain('<form')
    const own = await world.browser('editor').then((browser) => browser.open(ask({}, draft)))
    expect(own.status).toBe(200)
    expect(own.html).toContain('In development')
    const { store } = world.service.runtime
    await store.write((tx) => tx.insert(app_team).values({ app_id: draft.id, user_id: world.users.administrator, added_at: 0 }))
    expect((await world.browser('administrator').then((browser) => browser.open(ask({}, draft)))).status).toBe(200)
    const sent = await owner.send([['request', own.hidden.request!], ['ticket', own.hidden.ticket!], ['decision', 'approve'], ['project_ids', world.project.id]])
    expect(sent.status).toBe(403)
  })
})

test('an app that was suspended is not sent back to, and gets no tokens until that is lifted', async () => {
  const client = await world.newClient()
  const { store } = world.service.runtime
  const { refresh_token } = await world.tokens({ client })
  await store.write((tx) => tx.insert(app_suspensions).values({ app_id: client.id, user_id: world.users.owner, comment: 'Misuse', suspended_at: 0 }))
  const page = await owner.open(ask({}, client))
  expect(page.status).toBe(400)
  expect(page.html).toContain('has been suspended')
  expect(await world.refresh(refresh_token, {}, client)).toMatchObject({ status: 400, body: { error: 'unauthorized_client' } })
  await store.write((tx) => tx.delete(app_suspensions))
  expect((await world.refresh(refresh_token, {}, client)).status).toBe(200)
})

describe('the consent page', () => {
  test('gives the app\'s reason for a scope: the approved one, before approval the drafted one', async () => {
    const { store } = world.service.runtime
    const listing = { tagline: '', description: '', icon_url: '', screenshots: [], support_url: '', privacy_url: '', category: '' }
    const client = await world.newClient()
    const draft = await world.newClient({ status: 'development', user_id: world.users.owner })
    await store.write(async (tx) => {
      const [version] = await tx.insert(app_versions).values({
        app_id: client.id, number: 1, status: 'approved', user_id: world.users.outsider, created_at: 0,
        contents: { scripts: [], listing, scopes: ['newsletter:read'], scope_reasons: { 'newsletter:read': 'To count <your> readers' } },
      }).returning({ id: app_versions.id })
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

  test('says who asks for what, and where it leads', async () => {
    const page = await owner.open(ask({ scope: 'newsletter:read scripts:embed' }))
    expect(page.status).toBe(200)
    for (const words of ['Weather Widgets', 'https://weather.example', 'Read contacts, audiences, campaigns and reports', 'Put its scripts on the pages of the site', 'owner@example.com']) expect(page.html).toContain(words)
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

  test('the policy names the scheme of an app of its own, and of what it has no words for', async () => {
    const phone = await world.newClient({ client_type: 'public', redirect_uris: ['com.example.weather:/callback', 'http://[::1]/callback'] })
    const policy = async (redirect_uri: string) => (await owner.open(ask({ redirect_uri, code_challenge: CHALLENGE, code_challenge_method: 'S256' }, phone))).headers.get('content-security-policy')
    expect(await policy('com.example.weather:/callback')).toContain("form-action 'self' com.example.weather:;")
    expect(await policy('http://[::1]:9999/callback')).toContain("form-action 'self' http:;")
  })

  test('an app cannot write into it', async () => {
    const rude = await world.newClient({ display_name: '<img src=x onerror=alert(1)>', homepage: 'javascript:alert(1)', description: '</main><script>alert(1)</script>' })
    const page = await owner.open(ask({}, rude))
    expect(page.html).not.toContain('<script')
    expect(page.html).not.toContain('<img')
    expect(page.html).not.toContain('javascript:')
  })

  test('of several projects none is ticked, a single one is', async () => {
    expect((await owner.open(ask())).projects).toEqual(expect.arrayContaining([{ value: world.project.id, checked: false }, { value: world.other.id, checked: false }]))
    const editor = await world.browser('editor')
    expect((await editor.open(ask())).projects).toEqual([{ value: world.project.id, checked: true }])
  })

  test.each([
    ['newsletter:read', ['member', 'editor', 'administrator', 'owner']],
    ['newsletter:write', ['editor', 'administrator', 'owner']],
    ['newsletter:send', ['editor', 'administrator', 'owner']],
    ['newsletter:read newsletter:admin', ['administrator', 'owner']],
    ['cms:post:read scripts:embed', ['member', 'editor', 'administrator', 'owner']],
  ])('%s can be granted by %p', async (scope, able) => {
    for (const role of ['member', 'editor', 'administrator', 'owner'] as const) {
      const page = await world.browser(role).then((browser) => browser.open(ask({ scope })))
      expect(page.projects.some(({ value }) => value === world.project.id)).toBe(able.includes(role))
      expect(page.html).toContain('Harbour News')
      if (!able.includes(role)) expect(page.html).toMatch(/disabled aria-describedby="why-prj_\w+"/)
    }
  })

  test('whoever has no project that will do is told so and can only go back', async () => {
    for (const [who, scope] of [['member', 'newsletter:admin'], ['outsider', 'newsletter:read']] as const) {
      const browser = await world.browser(who)
      const page = await browser.open(ask({ scope }))
      expect(page.status).toBe(200)
      expect(page.projects).toEqual([])
      expect((await browser.decide(page, 'approve', [world.project.id])).searchParams.get('error')).toBe('access_denied')
    }
  })

  test('it is shown again when it was granted before', async () => {
    await world.tokens({ scope: 'newsletter:read' })
    expect((await owner.open(ask())).decisions).toEqual(['approve', 'deny'])
  })
})

describe('the decision', () => {
  test('approval gives a code, the state as it was, and the issuer, with 303', async () => {
    const page = await owner.open(ask({ state: 'line\nbreak & "quotes" \u{1F4EF}' }))
    const response = await owner.send([...Object.entries(page.hidden), ['project_ids', world.project.id], ['decision', 'approve']])
    expect(response.status).toBe(303)
    const back = new URL(response.headers.get('location')!)
    expect(Object.fromEntries(back.searchParams)).toEqual({ code: expect.stringMatching(/^svc_ac_/), state: 'line\nbreak & "quotes" \u{1F4EF}', iss: world.url })
  })

  test.each([
    ['the refusal', 'deny', ['main']],
    ['no project', 'approve', []],
    ['a project that is not theirs', 'approve', ['prj_of_somebody_else']],
    ['a word that is no decision', 'maybe', ['main']],
  ] as [string, string, string[]][])('access_denied: %s', async (_, decision, projects) => {
    const back = await owner.decide(await owner.open(ask()), decision, projects.map((name) => (name === 'main' ? world.project.id : name)))
    expect(Object.fromEntries(back.searchParams)).toEqual({ error: 'access_denied', error_description: expect.any(String), state: 'a b&c=ä', iss: world.url })
  })

  test('of several projects, only those are granted that the user may give at this moment', async () => {
    const editor = await world.browser('editor')
    const page = await editor.open(ask({ scope: 'newsletter:read newsletter:write' }))
    await setRole(world, 'editor', 'member')
    expect((await editor.decide(page, 'approve', [world.project.id])).searchParams.get('error')).toBe('access_denied')
    await setRole(world, 'editor', 'editor')

    const { access_token } = await world.tokens({ project_ids: [world.other.id, 'prj_of_somebody_else'] })
    const response = await world.fetch('/general/api/v1/project/list', { headers: { Authorization: `Bearer ${access_token}` } })
    expect(await response.json()).toEqual({ projects: [{ id: world.other.id, name: 'Mountain Post', slug: 'mountain-post' }] })
  })

  test('a form from another site, or from one that hides its name, is refused', async () => {
    for (const Origin of ['https://evil.example', 'null']) {
      const page = await owner.open(ask())
      const response = await owner.send([...Object.entries(page.hidden), ['project_ids', world.project.id], ['decision', 'approve']], { Origin })
      expect(response.status).toBe(403)
      expect(response.headers.get('location')).toBeNull()
    }
  })

  test('a ticket works once, for its request, in its session, for an hour', async () => {
    const approve = (hidden: Record<string, string>, browser = owner) => browser.send([...Object.entries(hidden), ['project_ids', world.project.id], ['decision', 'approve']])
    const used = await owner.open(ask())
    expect((await approve(used.hidden)).status).toBe(303)
    expect((await approve(used.hidden)).status).toBe(400)

    const page = await owner.open(ask())
    expect((await approve({ ...page.hidden, request: page.hidden.request!.replace('newsletter%3Aread', 'newsletter%3Aadmin') })).status).toBe(400)
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

  test('two who press at once: one code', async () => {
    const page = await owner.open(ask())
    const fields: [string, string][] = [...Object.entries(page.hidden) as [string, string][], ['project_ids', world.project.id], ['decision', 'approve']]
    const statuses = (await Promise.all([owner.send(fields), owner.send(fields)])).map(({ status }) => status)
    expect(statuses.sort()).toEqual([303, 400])
  })

  test('whose session has ended meanwhile signs in and sees the page again', async () => {
    const page = await owner.open(ask())
    const response = await nobody.send([...Object.entries(page.hidden), ['project_ids', world.project.id], ['decision', 'approve']])
    expect(response.status).toBe(303)
    expect(response.headers.get('location')).toStartWith('/portal/login?return=%2Fgeneral%2Foauth%2Fauthorize%3F')
  })
})

describe('redirect addresses', () => {
  test('what the address has of its own stays', async () => {
    const client = await world.newClient({ redirect_uris: ['https://weather.example/callback?tenant=a%20b&x='] })
    const back = await owner.location(ask({ response_type: 'token' }, client))
    expect(back.href).toStartWith('https://weather.example/callback?tenant=a%20b&x=&error=unsupported_response_type&')
  })

  test('the port of a loopback address may vary, nothing else', async () => {
    const client = await world.newClient({ client_type: 'public', redirect_uris: ['http://127.0.0.1:3000/callback', 'http://localhost/callback', 'http://[::1]:1/callback'] })
    const status = async (redirect_uri: string) => (await owner.open(ask({ redirect_uri, code_challenge: CHALLENGE, code_challenge_method: 'S256' }, client))).status
    for (const allowed of ['http://127.0.0.1:51234/callback', 'http://127.0.0.1/callback', 'http://localhost:8080/callback', 'http://[::1]:9/callback']) expect(await status(allowed)).toBe(200)
    for (const refused of ['https://127.0.0.1:3000/callback', 'http://127.0.0.1:3000/other', 'http://127.0.0.1:3000/callback?x=1', 'http://127.0.0.1.evil.example:3000/callback', 'http://127.0.0.1:3000@evil.example/callback', 'http://127.0.0.2:3000/callback', 'http://localhost:99999999/callback']) expect(await status(refused)).toBe(400)
    const wide = await world.newClient({ redirect_uris: ['https://weather.example:8443/callback'] })
    expect((await owner.open(ask({ redirect_uri: 'https://weather.example:9443/callback' }, wide))).status).toBe(400)
  })
})

test('every scope that exists can be asked for, and is told in words', async () => {
  const page = await owner.open(ask({ scope: SCOPES.join(' ') }))
  expect(page.status).toBe(200)
  for (const scope of SCOPES) expect(page.html).toContain(`<code>${scope}</code>`)
})
