import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { app_suspensions, app_team } from '../../../src/store/tables/developer.ts'
import { closeWorlds } from '../../support/world.ts'
import {
  authorizeUrl,
  browserWith,
  type Browser,
  CHALLENGE,
  type Client,
  createOAuthWorld,
  type OAuthWorld,
  signIn,
  DESCRIPTION,
  VERIFIER,
} from '../../oauth/oauth-world.ts'

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
  authorizeUrl({
    client_id: client.client_id,
    redirect_uri: client.redirect_uri,
    scope: 'newsletter:read',
    state: 'a b&c=ä',
    ...params,
  })

describe('errors that are shown and never redirected', () => {
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
    [
      'request_uri that nobody pushed, alone',
      { request_uri: 'urn:ietf:params:oauth:request_uri:abc', redirect_uri: null },
    ],
    [
      'request_uri twice, alone',
      {
        request_uri: ['urn:ietf:params:oauth:request_uri:a', 'urn:ietf:params:oauth:request_uri:b'],
        redirect_uri: null,
      },
    ],
    [
      "request_uri that nobody pushed, and an address that is not the app's",
      { request_uri: 'urn:ietf:params:oauth:request_uri:abc', redirect_uri: 'https://evil.example' },
    ],
    ['redirect_uri twice', { redirect_uri: ['https://weather.example/callback', 'https://weather.example/callback'] }],
  ]
  test.each(cases)('An error is shown and never redirected: %s.', async (_, params) => {
    for (const browser of [owner, nobody]) {
      const page = await browser.open(
        ask({ client_id: world.client.client_id, redirect_uri: world.client.redirect_uri, ...params }),
      )
      expect(page.status).toBe(400)
      expect(page.headers.get('location')).toBeNull()
      expect(page.headers.get('content-type')).toContain('text/html')
      expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      expect(page.html).toContain('This app cannot be connected')
    }
  })

  test('A program that asks for JSON gets JSON.', async () => {
    const response = await world.fetch(ask({ client_id: 'cli_nobody' }), { headers: { Accept: 'application/json' } })
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({ error: 'invalid_client', error_description: expect.any(String) })
    const other = await world.fetch(ask({ redirect_uri: 'https://evil.example' }), {
      headers: { Accept: 'application/json' },
    })
    expect(await other.json()).toMatchObject({ error: 'invalid_redirect_uri' })
    const third = await world.fetch(ask({ request_uri: 'urn:ietf:params:oauth:request_uri:abc', redirect_uri: null }), {
      headers: { Accept: 'application/json' },
    })
    expect(await third.json()).toMatchObject({ error: 'invalid_request_uri' })
  })

  test('Markup in the request is escaped in the page.', async () => {
    const page = await owner.open(ask({ client_id: '"><script>alert(1)</script>' }))
    expect(page.html).not.toContain('<script')
  })
})

describe('errors that are redirected to the app with state and issuer', () => {
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
    [
      'invalid_request',
      'a challenge that is too long',
      { code_challenge: 'a'.repeat(129), code_challenge_method: 'S256' },
    ],
    [
      'invalid_request',
      'a challenge of other characters',
      { code_challenge: `${CHALLENGE.slice(1)}+`, code_challenge_method: 'S256' },
    ],
    ['invalid_scope', 'scope missing', { scope: null }],
    ['invalid_scope', 'scope of blanks', { scope: '  ' }],
    ['invalid_scope', 'an unknown scope beside a known one', { scope: 'newsletter:read newsletter:everything' }],
    ['invalid_scope', 'a name that every object has', { scope: 'constructor' }],
    ['request_not_supported', 'a request object', { request: 'eyJhbGciOiJub25lIn0..' }],
    ['invalid_request_uri', 'a request_uri nobody pushed', { request_uri: 'urn:ietf:params:oauth:request_uri:abc' }],
    ['invalid_request_uri', 'a request_uri that is an address', { request_uri: 'https://weather.example/request.jwt' }],
    ['invalid_target', 'an unknown resource', { resource: 'https://other.example/' }],
    ['invalid_request', 'prompt none beside another', { prompt: 'none login' }],
  ]
  test.each(cases)('The error %s is redirected to the app with state and issuer: %s.', async (error, _, params) => {
    for (const browser of [owner, nobody]) {
      const back = await browser.location(ask(params))
      expect(back.origin + back.pathname).toBe(world.client.redirect_uri)
      expect(Object.fromEntries(back.searchParams)).toEqual({
        error,
        error_description: expect.stringMatching(DESCRIPTION),
        state: 'a b&c=ä',
        iss: world.url,
      })
    }
  })

  test('The error for a scope that the app has not registered is invalid_scope.', async () => {
    const modest = await world.newClient({ scopes: ['newsletter:read'] })
    expect(
      (await owner.location(ask({ scope: 'newsletter:read scripts:read' }, modest))).searchParams.get('error'),
    ).toBe('invalid_scope')
  })

  test('A repeated state is not returned with invalid_request.', async () => {
    const back = await owner.location(ask({ state: ['one', 'two'] }))
    expect(back.searchParams.get('error')).toBe('invalid_request')
    expect(back.searchParams.has('state')).toBe(false)
  })

  test('The parameter prompt=none gets an error and never a page.', async () => {
    const error = async (browser: Browser, client: Client, more: Record<string, string> = {}) =>
      (await browser.location(ask({ prompt: 'none', ...more }, client))).searchParams.get('error')
    const fresh = await world.newClient()
    await world.tokens({ client: world.rival, scope: 'newsletter:read' })
    expect(await error(nobody, fresh)).toBe('login_required')
    expect(await error(owner, fresh)).toBe('consent_required')
    await world.tokens({ client: fresh, scope: 'newsletter:read' })
    expect(await error(owner, fresh)).toBe('interaction_required')
    expect(await error(owner, fresh, { scope: 'newsletter:read scripts:read' })).toBe('consent_required')
  })

  test('An internal error is reported to the app as server_error.', async () => {
    const broken = await createOAuthWorld()
    const browser = await broken.browser('owner')
    broken.service.runtime.log.error = () => undefined // it is meant to fail
    await broken.service.runtime.store.write((tx) => tx.run(sql`ALTER TABLE members RENAME TO gone`))
    const back = await browser.location(
      authorizeUrl({
        client_id: broken.client.client_id,
        redirect_uri: broken.client.redirect_uri,
        scope: 'newsletter:read',
        state: 's',
      }),
    )
    expect(Object.fromEntries(back.searchParams)).toEqual({
      error: 'server_error',
      error_description: expect.any(String),
      state: 's',
      iss: broken.url,
    })
    await broken.close()
  })
})

test('A request that is sent with POST is refused with a page as well.', async () => {
  const body = new URL(ask({ client_id: 'cli_nobody' }), world.url).searchParams
  const response = await world.fetch('/general/oauth/authorize', { method: 'POST', body })
  expect([response.status, response.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8'])
})

test('A request that is sent with POST may have a part of its parameters in the address.', async () => {
  const asked = new URL(ask({ code_challenge: CHALLENGE, code_challenge_method: 'S256' }), world.url)
  const body = new URLSearchParams({ scope: asked.searchParams.get('scope')!, state: 'posted' })
  for (const name of body.keys()) asked.searchParams.delete(name)
  const response = await world.fetch(asked.pathname + asked.search, { method: 'POST', body, redirect: 'manual' })
  const login = new URL(response.headers.get('location')!, world.url)
  const back = new URL(login.searchParams.get('return')!, world.url).searchParams
  expect([response.status, login.pathname]).toEqual([303, '/portal/login'])
  expect([back.get('scope'), back.get('state'), back.get('client_id')]).toEqual([
    'newsletter:read',
    'posted',
    world.client.client_id,
  ])
})

test('A decision leaves a row with the scopes for each project, or one if nothing was granted.', async () => {
  const { store } = world.service.runtime
  const [before] = await store.query('SELECT max(id) AS id FROM audit_log')
  const path = ask({ scope: 'newsletter:read scripts:read' })
  await owner.decide(await owner.open(path), 'approve', [world.project.public_id, world.other.public_id])
  await owner.decide(await owner.open(path), 'deny', [])
  // A project of somebody else is none that can be chosen.
  await owner.decide(await owner.open(path), 'approve', ['prj_unknown'])
  const rows = await store.query('SELECT actor, action, target, project_id, details FROM audit_log WHERE id > ?', [
    before!.id ?? 0,
  ])
  const row = (action: string, project_id: number | null) => ({
    actor: `user:${world.users.owner}`,
    action,
    target: `app:${world.client.id}`,
    project_id,
    details: '{"scope":"newsletter:read scripts:read"}',
  })
  expect(rows).toEqual([
    row('consent-grant', world.project.id),
    row('consent-grant', world.other.id),
    row('consent-deny', null),
    row('consent-deny', null),
  ])
})

test('Other methods are refused with 405.', async () => {
  const response = await world.fetch('/general/oauth/authorize', { method: 'DELETE' })
  expect(response.status).toBe(405)
  expect(response.headers.get('allow')).toBe('GET, POST')
})

test('A user without a session signs in and returns to the same request.', async () => {
  const path = ask({ code_challenge: CHALLENGE, code_challenge_method: 'S256', state: 'x'.repeat(6000) })
  const login = await nobody.location(path)
  expect(login.pathname).toBe('/portal/login')
  const asked = new URL(path, world.url)
  const back = new URL(login.searchParams.get('return')!, world.url)
  expect(back.pathname).toBe(asked.pathname)
  expect(Object.fromEntries(back.searchParams)).toEqual(Object.fromEntries(asked.searchParams))
  const consent = await owner.open(login.searchParams.get('return')!)
  const done = await owner.decide(consent, 'approve', [world.project.public_id])
  expect(done.searchParams.get('state')).toBe('x'.repeat(6000))
})

test('A request may name the API as the resource it is for.', async () => {
  expect((await owner.open(ask({ resource: `${world.url}/general/api/v1` }))).status).toBe(200)
})

test('A request with prompt=login asks for the password, and only a new session satisfies it.', async () => {
  const browser = await signIn(world, 'owner')
  const login = await browser.location(ask({ prompt: 'login consent' }))
  expect([login.pathname, login.searchParams.get('prompt')]).toEqual(['/portal/login', 'login'])
  const back = login.searchParams.get('return')!
  expect((await browser.open(login.pathname + login.search)).html).toContain('name="password"')
  for (const path of [back, ask({ prompt: 'login' }), back.replace(/login_asked=[^&]+/, 'login_asked=forged')])
    expect((await browser.location(path)).pathname).toBe('/portal/login')
  expect((await browser.open(ask())).status).toBe(200)
  const anew = await signIn(world, 'owner')
  const consent = await anew.open(back)
  expect(consent.status).toBe(200)
  // Whoever is somebody else is asked again, although this session is new enough for the app.
  const again = /<a href="([^"]+)">Someone else\?/.exec(consent.html)![1]!.replaceAll('&amp;', '&')
  expect((await anew.location(again)).pathname).toBe('/portal/login')
  expect((await anew.location(ask({ prompt: 'login' }))).pathname).toBe('/portal/login')
})

test('A request with prompt=login is not satisfied by a session that began before it.', async () => {
  const [asking, older] = [await signIn(world, 'owner'), await signIn(world, 'owner')]
  world.clock.advance(1000)
  const back = (await asking.location(ask({ prompt: 'login' }))).searchParams.get('return')!
  expect((await older.location(back)).pathname).toBe('/portal/login')
})

test('An app in development shows users outside its team an error page without a form.', async () => {
  const draft = await world.newClient({ status: 'development', user_id: world.users.editor })
  const page = await owner.open(ask({}, draft))
  expect(page.status).toBe(403)
  expect(page.headers.get('location')).toBeNull()
  expect(page.html).not.toContain('<form')
  for (const browser of [owner, nobody]) {
    const quiet = await browser.open(ask({ prompt: 'none' }, draft))
    expect({ status: quiet.status, location: quiet.headers.get('location') }).toEqual({ status: 403, location: null })
  }
  // An error is not redirected either: it would make the address of an unreviewed app a redirect to anywhere.
  for (const browser of [owner, nobody]) {
    const broken = await browser.open(ask({ response_type: 'token' }, draft))
    expect({ status: broken.status, location: broken.headers.get('location') }).toEqual({
      status: 403,
      location: null,
    })
  }
  const own = await world.browser('editor').then((browser) => browser.open(ask({}, draft)))
  expect(own.status).toBe(200)
  expect(own.html).toContain('In development')
  const { store } = world.service.runtime
  await store.write((tx) =>
    tx.insert(app_team).values({ app_id: draft.id, user_id: world.users.administrator, added_at: 0 }),
  )
  expect((await world.browser('administrator').then((browser) => browser.open(ask({}, draft)))).status).toBe(200)
  const sent = await owner.send([
    ['request', own.hidden.request!],
    ['ticket', own.hidden.ticket!],
    ['decision', 'approve'],
    ['project_ids', world.project.public_id],
  ])
  expect(sent.status).toBe(403)
})

test('Somebody who leaves the team of an app in development takes their grants and codes along.', async () => {
  const { editor, administrator } = world.users
  const join = (app_id: string) =>
    world.service.runtime.store.write((tx) =>
      tx.insert(app_team).values([editor, administrator].map((user_id) => ({ app_id, user_id, added_at: 0 }))),
    )
  const { cookie } = await world.browser('outsider')
  const remove = (app_id: string) =>
    world.fetch(`/user/developer/apps/${app_id}/team/${editor}`, {
      method: 'DELETE',
      headers: { 'Content-Type': 'application/json', Cookie: cookie },
      body: '{}',
    })
  const statuses = []
  for (const status of ['development', 'approved'] as const) {
    const client = await world.newClient({ status })
    await join(client.id)
    const as = { client, scope: 'newsletter:read', who: 'editor' } as const
    const tokens = await world.tokens(as)
    const colleague = await world.tokens({ ...as, who: 'administrator' })
    const code = await world.code(as)
    expect((await remove(client.id)).status).toBe(200)
    const grant_type = 'authorization_code'
    const { redirect_uri } = client
    const late = await world.post('token', { grant_type, code, redirect_uri, code_verifier: VERIFIER }, { client })
    const refreshed = await world.refresh(tokens.refresh_token, {}, client)
    statuses.push([await world.works(tokens.access_token), refreshed.status, late.status])
    expect(await world.works(colleague.access_token)).toBe(200)
  }
  expect(statuses).toEqual([
    [401, 400, 400],
    [200, 200, 200],
  ])
})

test('A suspended app gets neither redirects nor tokens until the suspension ends.', async () => {
  const client = await world.newClient()
  const { store } = world.service.runtime
  const { refresh_token } = await world.tokens({ client })
  await store.write((tx) =>
    tx
      .insert(app_suspensions)
      .values({ app_id: client.id, user_id: world.users.owner, comment: 'Misuse', suspended_at: 0 }),
  )
  const page = await owner.open(ask({}, client))
  expect(page.status).toBe(400)
  expect(page.html).toContain('has been suspended')
  expect(await world.refresh(refresh_token, {}, client)).toMatchObject({
    status: 400,
    body: { error: 'unauthorized_client' },
  })
  await store.write((tx) => tx.delete(app_suspensions))
  expect((await world.refresh(refresh_token, {}, client)).status).toBe(200)
})

test('A request that is sent as a form has at most 256 KiB.', async () => {
  const send = async (bytes: number) => {
    const body = new URL(ask({ response_type: 'token' }), world.url).search.slice(1)
    const { status } = await nobody.send([
      ...new URLSearchParams(`${body}&more=${'x'.repeat(bytes - body.length - 6)}`),
    ])
    return status
  }
  expect([await send(256 * 1024), await send(256 * 1024 + 1)]).toEqual([303, 413])
})

test('The query of the redirect address is kept.', async () => {
  const client = await world.newClient({ redirect_uris: ['https://weather.example/callback?tenant=a%20b&x='] })
  const back = await owner.location(ask({ response_type: 'token' }, client))
  expect(back.href).toStartWith('https://weather.example/callback?tenant=a%20b&x=&error=unsupported_response_type&')
})

test('Only the port of a loopback address may vary.', async () => {
  const client = await world.newClient({
    client_type: 'public',
    redirect_uris: ['http://127.0.0.1:3000/callback', 'http://localhost/callback', 'http://[::1]:1/callback'],
  })
  const status = async (redirect_uri: string) =>
    (await owner.open(ask({ redirect_uri, code_challenge: CHALLENGE, code_challenge_method: 'S256' }, client))).status
  for (const allowed of [
    'http://127.0.0.1:51234/callback',
    'http://127.0.0.1/callback',
    'http://localhost:8080/callback',
    'http://[::1]:9/callback',
  ])
    expect(await status(allowed)).toBe(200)
  for (const refused of [
    'https://127.0.0.1:3000/callback',
    'http://127.0.0.1:3000/other',
    'http://127.0.0.1:3000/callback?x=1',
    'http://127.0.0.1.evil.example:3000/callback',
    'http://127.0.0.1:3000@evil.example/callback',
    'http://127.0.0.2:3000/callback',
    'http://localhost:99999999/callback',
  ])
    expect(await status(refused)).toBe(400)
  for (const port of [65_536, 99_999]) {
    const response = await world.fetch(ask({ redirect_uri: `http://127.0.0.1:${port}/callback` }, client), {
      headers: { Accept: 'application/json' },
    })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: 'invalid_redirect_uri' })
  }
  expect(await status('http://127.0.0.1:65535/callback')).toBe(200)
  const wide = await world.newClient({ redirect_uris: ['https://weather.example:8443/callback'] })
  expect((await owner.open(ask({ redirect_uri: 'https://weather.example:9443/callback' }, wide))).status).toBe(400)
})
