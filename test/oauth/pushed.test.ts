import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { apps } from '../../src/store/tables/apps.ts'
import { app_suspensions } from '../../src/store/tables/developer.ts'
import { findPushed, openPushed, pushRequest, usePushed } from '../../src/oauth/pushed.ts'
import { newApp, newUser, NOW, sharedStore, write } from '../support/shared-store.ts'
import { closeWorlds } from '../support/world.ts'
import {
  authorizeUrl,
  type Browser,
  browserWith,
  CHALLENGE,
  createOAuthWorld,
  type OAuthWorld,
  pushedUrl,
  signIn,
  type TokenResponse,
  VERIFIER,
  refused,
} from './oauth-world.ts'

/** Pushed authorization requests (RFC 9126). */

let world: OAuthWorld
let owner: Browser
let nobody: Browser

beforeAll(async () => {
  world = await createOAuthWorld()
  owner = await world.browser('owner')
  nobody = browserWith(world, '')
})
afterAll(closeWorlds)

const pushed = async (fields: Parameters<OAuthWorld['push']>[0] = {}): Promise<string> =>
  (await world.push(fields)).body.request_uri

/** What a link that leads nowhere answers to a program. */
async function refusal(
  path: string,
  browser = owner,
): Promise<{ status: number; location: string | null; error: string }> {
  const response = await world.fetch(path, {
    headers: { Accept: 'application/json', ...(browser.cookie ? { Cookie: browser.cookie } : {}) },
  })
  return { status: response.status, location: response.headers.get('location'), error: (await response.json()).error }
}

const noSuchRequest = { status: 400, location: null, error: 'invalid_request_uri' }

const rows = async (): Promise<string> =>
  JSON.stringify(await world.service.runtime.store.query('SELECT * FROM pushed_requests'))

test('The answer of RFC 9126, 2.2.', async () => {
  const { status, headers, body } = await world.push()
  expect(status).toBe(201)
  expect(body).toEqual({
    request_uri: expect.stringMatching(/^urn:ietf:params:oauth:request_uri:[\w-]{43}$/),
    expires_in: 60,
  })
  expect(headers.get('content-type')).toStartWith('application/json')
  expect(headers.get('cache-control')).toBe('no-store')
  expect((await world.push()).body.request_uri).not.toBe(body.request_uri)
})

test('A request is pushed by each way of authentication, as a form and as JSON.', async () => {
  expect((await world.push({}, { by: 'post' })).status).toBe(201)
  expect((await world.push({ client_id: world.client.client_id })).status).toBe(201)
  expect((await world.push({}, { client: world.public_client, by: 'none' })).status).toBe(201)
  const response = await world.fetch('/general/oauth/par', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      client_id: world.client.client_id,
      client_secret: world.client.client_secret,
      response_type: 'code',
      redirect_uri: world.client.redirect_uri,
      scope: 'newsletter:read',
    }),
  })
  expect(response.status).toBe(201)
})

test('Pushing requires client authentication.', async () => {
  expect(await world.push({}, { client: null })).toMatchObject(refused(401, 'invalid_client'))
  expect(await world.push({}, { by: 'none' })).toMatchObject(refused(401, 'invalid_client'))
  expect(await world.push({}, { client: { ...world.client, client_secret: 'svc_cs_wrong' } })).toMatchObject(
    refused(401, 'invalid_client'),
  )
  expect(await world.push({ client_id: world.rival.client_id })).toMatchObject(refused(400, 'invalid_request'))
})

test.each([
  ['invalid_request', 'response_type missing', { response_type: null }],
  ['unsupported_response_type', 'response_type token', { response_type: 'token' }],
  ['unsupported_response_mode', 'response_mode fragment', { response_mode: 'fragment' }],
  ['invalid_request', 'redirect_uri missing', { redirect_uri: null }],
  ['invalid_request', 'redirect_uri not registered', { redirect_uri: 'https://evil.example/callback' }],
  [
    'invalid_request',
    'redirect_uri with a port that does not exist',
    { redirect_uri: 'http://127.0.0.1:99999/callback' },
  ],
  ['invalid_scope', 'scope missing', { scope: null }],
  ['invalid_scope', 'scope unknown', { scope: 'newsletter:everything' }],
  ['invalid_target', 'resource unknown', { resource: 'https://other.example/' }],
  ['invalid_request', 'code_challenge too short', { code_challenge: 'abc' }],
  ['invalid_request', 'code_challenge without its method', { code_challenge_method: null }],
  ['invalid_request', 'prompt none beside another', { prompt: 'none login' }],
  ['request_not_supported', 'a request object', { request: 'eyJhbGciOiJub25lIn0..' }],
  ['invalid_request', 'a request_uri', { request_uri: 'urn:ietf:params:oauth:request_uri:abc' }],
])('A pushed request gets the error %s: %s.', async (error, _, fields) => {
  const before = await rows()
  const answer = await world.push(fields)
  expect(answer).toMatchObject(refused(400, error))
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(await rows()).toBe(before)
})

test('A request_uri that was pushed cannot be pushed again.', async () => {
  expect(await world.push({ request_uri: await pushed() })).toMatchObject(refused(400, 'invalid_request'))
})

test('Pushing refuses repeated parameters and oversized bodies.', async () => {
  const send = async (body: string): Promise<TokenResponse> => {
    const { client_id, client_secret } = world.client
    const response = await world.fetch('/general/oauth/par', {
      method: 'POST',
      headers: {
        'Content-Type': 'application/x-www-form-urlencoded',
        Authorization: `Basic ${btoa(`${client_id}:${client_secret}`)}`,
      },
      body,
    })
    return { status: response.status, headers: response.headers, body: await response.json() }
  }
  const redirect_uri = encodeURIComponent(world.client.redirect_uri)
  const asked = `response_type=code&scope=newsletter%3Aread&redirect_uri=${redirect_uri}`
  for (const twice of [
    'state=a&state=b',
    'scope=newsletter%3Aread',
    `redirect_uri=${encodeURIComponent(world.client.redirect_uri)}`,
    'request_uri=a&request_uri=b',
  ]) {
    expect(await send(`${asked}&${twice}`)).toMatchObject(refused(400, 'invalid_request'))
  }
  expect(await send(`${asked}&state=${'a'.repeat(70_000)}`)).toMatchObject(refused(413, 'invalid_request'))
  expect(
    (await send(`${asked}&state=${'a'.repeat(10_000)}&resource=${encodeURIComponent(`${world.url}/general/api/v1`)}`))
      .status,
  ).toBe(201)
})

test('Pushing is refused for a suspended app.', async () => {
  const client = await world.newClient()
  const { store } = world.service.runtime
  const { body } = await world.push({}, { client })
  await store.write((tx) =>
    tx
      .insert(app_suspensions)
      .values({ app_id: client.id, user_id: world.users.owner, comment: 'Misuse', suspended_at: 0 }),
  )
  expect(await world.push({}, { client })).toMatchObject(refused(400, 'unauthorized_client'))
  expect((await refusal(pushedUrl(client, body.request_uri))).error).toBe('unauthorized_client')
  await store.write((tx) => tx.delete(app_suspensions))
})

test('Pushing stores only a hash of the request_uri.', async () => {
  const request_uri = (await world.push({}, { by: 'post' })).body.request_uri as string
  const text = await rows()
  expect(text).not.toContain(request_uri.slice('urn:ietf:params:oauth:request_uri:'.length))
  expect(text).not.toContain('client_secret')
  expect(text).not.toContain(world.client.client_secret)
})

test('Pushing is limited for each client.', async () => {
  const small = await createOAuthWorld({ oauth_requests_per_minute: 2 })
  for (let i = 0; i < 2; i++) expect((await small.push()).status).toBe(201)
  const answer = await small.push()
  expect(answer).toMatchObject(refused(429, 'temporarily_unavailable'))
  expect(answer.headers.get('retry-after')).toBe('60')
  await small.close()
})

test('Pushing is named in the metadata.', async () => {
  const metadata = await world.fetch('/.well-known/oauth-authorization-server').then((response) => response.json())
  expect(metadata).toMatchObject({
    pushed_authorization_request_endpoint: `${world.url}/general/oauth/par`,
    require_pushed_authorization_requests: false,
  })
})

test('The link to a pushed request leads to it, whatever other parameters the link has.', async () => {
  const request_uri = await pushed({ scope: 'newsletter:read', state: 'pushed' })
  const page = await owner.open(
    pushedUrl(world.client, request_uri, {
      response_type: 'token',
      redirect_uri: 'https://evil.example/',
      scope: 'newsletter:admin',
      state: 'brought',
      prompt: 'none',
      code_challenge: 'x',
      request: 'eyJ',
      resource: 'https://other.example',
    }),
  )
  expect(page.status).toBe(200)
  expect(page.html).toContain('newsletter:read')
  expect(page.html).not.toContain('newsletter:admin')
  const back = await owner.decide(page, 'approve', [world.project.public_id])
  expect(back.origin + back.pathname).toBe(world.client.redirect_uri)
  expect(Object.fromEntries(back.searchParams)).toEqual({ code: expect.any(String), state: 'pushed', iss: world.url })
  const { body } = await world.post('token', {
    grant_type: 'authorization_code',
    code: back.searchParams.get('code')!,
    redirect_uri: world.client.redirect_uri,
    code_verifier: VERIFIER,
  })
  expect(body.scope).toBe('newsletter:read')
})

test('The link to a pushed request is refused for another app.', async () => {
  const request_uri = await pushed()
  expect(await refusal(`/general/oauth/authorize?request_uri=${encodeURIComponent(request_uri)}`)).toMatchObject({
    status: 400,
    location: null,
    error: 'invalid_request',
  })
  expect(await refusal(pushedUrl(world.rival, request_uri))).toEqual(noSuchRequest)
  expect((await owner.open(pushedUrl(world.client, request_uri))).status).toBe(200)
})

test('The link to a pushed request may be sent with POST.', async () => {
  const body = new URLSearchParams({ client_id: world.client.client_id, request_uri: await pushed() })
  const response = await world.fetch('/general/oauth/authorize', {
    method: 'POST',
    headers: { Cookie: owner.cookie, Origin: 'https://weather.example' },
    body,
  })
  expect(response.status).toBe(200)
})

test('The link to a pushed request expires after a minute.', async () => {
  const [in_time, late] = [await pushed(), await pushed()]
  world.clock.advance(59_999)
  expect((await owner.open(pushedUrl(world.client, in_time))).status).toBe(200)
  world.clock.advance(1)
  for (const browser of [owner, nobody])
    expect(await refusal(pushedUrl(world.client, late), browser)).toEqual(noSuchRequest)
})

test('A link, once opened in time, can be reloaded and interrupted by a login for an hour.', async () => {
  const path = pushedUrl(world.client, await pushed({ state: 's' }))
  const login = await nobody.location(path)
  expect(login.pathname).toBe('/portal/login')
  expect(login.searchParams.get('return')).toBe(path)
  world.clock.advance(10 * 60_000)
  expect((await owner.open(path)).status).toBe(200)
  world.clock.advance(49 * 60_000)
  const page = await owner.open(path)
  expect((await owner.decide(page, 'approve', [world.project.public_id])).searchParams.get('state')).toBe('s')
})

test('The link to a pushed request expires an hour after it was opened, also for a form that is open.', async () => {
  const path = pushedUrl(world.client, await pushed())
  await owner.open(path)
  world.clock.advance(59 * 60_000)
  const page = await owner.open(path)
  world.clock.advance(60_000)
  expect(await refusal(path)).toEqual(noSuchRequest)
  expect(
    (
      await owner.send([
        ...Object.entries(page.hidden),
        ['project_ids', world.project.public_id],
        ['decision', 'approve'],
      ])
    ).status,
  ).toBe(400)
})

test.each(['approve', 'deny'])('A link works once, and is used up by %s.', async (decision) => {
  const path = pushedUrl(world.client, await pushed())
  await owner.decide(await owner.open(path), decision, [world.project.public_id])
  for (const browser of [owner, nobody]) expect(await refusal(path, browser)).toEqual(noSuchRequest)
})

test('The link to a pushed request works once: only one of two windows can decide.', async () => {
  const path = pushedUrl(world.client, await pushed())
  const pages = [await owner.open(path), await owner.open(path)]
  const answers = await Promise.all(
    pages.map(({ hidden }) =>
      owner.send([...Object.entries(hidden), ['project_ids', world.project.public_id], ['decision', 'approve']]),
    ),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 400])
})

test('The link to a pushed request is not used up by a refused decision.', async () => {
  const path = pushedUrl(world.client, await pushed())
  const page = await owner.open(path)
  expect((await owner.send([...Object.entries({ ...page.hidden, ticket: '' }), ['decision', 'deny']])).status).toBe(400)
  expect((await owner.open(path)).status).toBe(200)
})

test('The link to a pushed request is used up by the answer to prompt=none.', async () => {
  const path = pushedUrl(world.client, await pushed({ prompt: 'none', state: 's' }))
  const back = await nobody.location(path)
  expect(Object.fromEntries(back.searchParams)).toMatchObject({ error: 'login_required', state: 's', iss: world.url })
  expect(await refusal(path, nobody)).toEqual(noSuchRequest)
})

test('A link with prompt=login asks for one login, and its reference alone does not get around it.', async () => {
  for (const browser of [await signIn(world, 'owner'), nobody]) {
    const path = pushedUrl(world.client, await pushed({ prompt: 'login consent' }))
    const back = (await browser.location(path)).searchParams.get('return')!
    expect(back).toStartWith(`${path}&login_asked=`)
    const anew = await signIn(world, 'owner')
    expect((await anew.location(path)).pathname).toBe('/portal/login')
    expect((await anew.open(back)).status).toBe(200)
  }
})

test("A link survives the page's link to sign in as another user.", async () => {
  const path = pushedUrl(world.client, await pushed())
  const browser = await signIn(world, 'owner')
  const page = await browser.open(path)
  const again = /<a href="([^"]+)">Someone else\?/.exec(page.html)![1]!.replaceAll('&amp;', '&')
  const login = await browser.location(again)
  expect(login.searchParams.get('return')).toStartWith(`${path}&login_asked=`)
  expect((await browser.open(login.pathname + login.search)).html).toContain('name="password"')
  expect((await world.browser('editor').then((editor) => editor.open(path))).status).toBe(200)
})

test("The link to a pushed request is checked again when opened, against the app's registration.", async () => {
  const { store } = world.service.runtime
  const client = await world.newClient()
  const push = async (): Promise<string> =>
    pushedUrl(client, (await world.push({ scope: 'newsletter:read newsletter:send' }, { client })).body.request_uri)
  const path = await push()
  await store.write((tx) =>
    tx
      .update(apps)
      .set({ scopes: ['newsletter:read'] })
      .where(eq(apps.id, client.id)),
  )
  expect((await owner.location(path)).searchParams.get('error')).toBe('invalid_scope')
  await store.write((tx) =>
    tx
      .update(apps)
      .set({ redirect_uris: ['https://weather.example/elsewhere'] })
      .where(eq(apps.id, client.id)),
  )
  expect(await refusal(path)).toEqual({ status: 400, location: null, error: 'invalid_redirect_uri' })
})

test('The next push of an app is checked against a registration that changed since the last.', async () => {
  const client = await world.newClient()
  const status = async () => (await world.push({}, { client })).status
  expect(await status()).toBe(201)
  const redirect_uris = ['https://weather.example/elsewhere']
  await world.service.runtime.store.write((tx) => tx.update(apps).set({ redirect_uris }).where(eq(apps.id, client.id)))
  expect(await status()).toBe(400)
})

test('A link of an app in development works for its own team only.', async () => {
  const client = await world.newClient({ status: 'development', user_id: world.users.editor })
  const { body } = await world.push({}, { client })
  expect(await owner.open(pushedUrl(client, body.request_uri))).toMatchObject({ status: 403 })
  expect(
    await world.browser('editor').then((editor) => editor.open(pushedUrl(client, body.request_uri))),
  ).toMatchObject({ status: 200 })
})

test('Expired pushed requests are deleted by the cleanup, others stay.', async () => {
  const keptAfter = async (ms: number): Promise<number> => {
    world.clock.advance(ms)
    await world.service.drain('maintenance')
    return JSON.parse(await rows()).length
  }
  expect(await keptAfter(3_600_000)).toBe(0)
  await pushed()
  await owner.open(pushedUrl(world.client, await pushed()))
  expect(await keptAfter(59_999)).toBe(2)
  expect(await keptAfter(1)).toBe(1)
  expect(await keptAfter(3_540_000)).toBe(0)
})

test('An app that requires pushed requests is refused with any other.', async () => {
  const client = await world.newClient()
  const developer = await world.browser('outsider')
  const change = async (require_par: boolean) => {
    const response = await world.fetch(`/user/developer/apps/${client.id}`, {
      method: 'PATCH',
      headers: { Cookie: developer.cookie, 'Content-Type': 'application/json' },
      body: JSON.stringify({ require_par }),
    })
    return (await response.json()).app.require_par
  }
  const direct = authorizeUrl({
    client_id: client.client_id,
    redirect_uri: client.redirect_uri,
    scope: 'newsletter:read',
    state: 's',
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
  })
  expect((await owner.open(direct)).status).toBe(200)
  expect(await change(true)).toBe(true)
  const back = await owner.location(direct)
  expect(Object.fromEntries(back.searchParams)).toEqual({
    error: 'invalid_request',
    error_description: expect.stringContaining('request_uri'),
    state: 's',
    iss: world.url,
  })
  const { body } = await world.push({}, { client })
  const code = (
    await owner.decide(await owner.open(pushedUrl(client, body.request_uri)), 'approve', [world.project.public_id])
  ).searchParams.get('code')
  expect(code).toStartWith('svc_ac_')
  expect(await change(false)).toBe(false)
  expect((await owner.open(direct)).status).toBe(200)
})

test('A pushed request lives a minute, and an hour from its first opening, whatever is opened again.', async () => {
  const { db } = await sharedStore()
  const [app, rival] = [await newApp(await newUser()), await newApp(await newUser())]
  const params = new URLSearchParams({ scope: 'profile', state: 'a b' })
  const { request_uri } = await write((tx) => pushRequest(tx, app.id, params, NOW))
  const find = (after_ms: number, app_id = app.id) => findPushed(db, app_id, request_uri, NOW + after_ms)
  const fresh = (await find(59_999))!
  expect([fresh.opened, Object.fromEntries(fresh.params)]).toEqual([false, { scope: 'profile', state: 'a b' }])
  expect([await find(60_000), await find(0, rival.id)]).toEqual([null, null])
  await write((tx) => openPushed(tx, fresh, NOW + 59_999))
  await write((tx) => openPushed(tx, fresh, NOW + 1_000_000))
  expect((await find(59_999 + 3_599_999))?.opened).toBe(true)
  expect(await find(59_999 + 3_600_000)).toBeNull()
  const use = () => write((tx) => usePushed(tx, fresh))
  expect([await use(), await use(), await find(0)]).toEqual([true, false, null])
})
