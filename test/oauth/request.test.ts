import { expect, test } from 'bun:test'
import type { App } from '../../src/oauth/clients.ts'
import { AuthorizationRefusal, OAuthError } from '../../src/oauth/errors.ts'
import { pushRequest } from '../../src/oauth/pushed.ts'
import { checkPushedRequest, readAuthorizationRequest, repeated, withoutEmpty } from '../../src/oauth/request.ts'
import { app_suspensions } from '../../src/store/tables/developer.ts'
import { newApp, newUser, NOW, sharedStore, write } from '../support/shared-store.ts'

const API = 'https://a.example/general/api/v1'
const BACK = 'https://lamp.example/back'
const CHALLENGE = 'a'.repeat(43)
const GOOD = { response_type: 'code', redirect_uri: BACK, scope: 'newsletter:read newsletter:write', state: 'x y' }

const query = (app: App, more: Record<string, string | string[] | undefined> = {}) =>
  new URLSearchParams(
    Object.entries({ client_id: app.client_id, ...GOOD, ...more }).flatMap(([name, value]) =>
      [value ?? []].flat().map((each) => [name, each]),
    ),
  )
const read = async (params: URLSearchParams, now = NOW) =>
  readAuthorizationRequest((await sharedStore()).db, params, API, now)
/** How a request is refused: on a page for the user, or by the way back to the app. */
async function refusal(
  params: URLSearchParams,
  now = NOW,
): Promise<[to: string, error: string, state?: string | null]> {
  try {
    await read(params, now)
  } catch (error) {
    if (error instanceof AuthorizationRefusal) return ['app', error.error, error.back.state]
    if (error instanceof OAuthError) return ['user', error.error]
    throw error
  }
  throw new Error('The request was not refused.')
}

test('A request names app, scopes, challenge and where to go back, and ignores what is unknown or empty.', async () => {
  const app = await newApp(await newUser())
  const given = query(app, { more: '1', prompt: '' })
  const found = await read(given)
  expect(found).toMatchObject({
    redirect_uri: BACK,
    state: 'x y',
    scopes: ['newsletter:read', 'newsletter:write'],
    code_challenge: null,
    prompt: 'consent',
    pushed: null,
    link: given,
  })
  expect(found.app.id).toBe(app.id)
  const pkce = query(app, { code_challenge: CHALLENGE, code_challenge_method: 'S256', prompt: 'consent login' })
  expect(await read(pkce)).toMatchObject({ code_challenge: CHALLENGE, prompt: 'login' })
  expect((await read(query(app, { prompt: 'none' }))).prompt).toBe('none')
})

test('Until app and redirect URI are certain, the user is told and nobody is sent anywhere.', async () => {
  const app = await newApp(await newUser())
  const cases: [Parameters<typeof query>[1], string][] = [
    [{ client_id: undefined }, 'invalid_request'],
    [{ client_id: '' }, 'invalid_request'],
    [{ client_id: [app.client_id, app.client_id] }, 'invalid_request'],
    [{ client_id: 'app_unknown' }, 'invalid_client'],
    [{ redirect_uri: undefined }, 'invalid_redirect_uri'],
    [{ redirect_uri: [BACK, BACK] }, 'invalid_redirect_uri'],
    [{ redirect_uri: `${BACK}/` }, 'invalid_redirect_uri'],
  ]
  for (const [more, error] of cases) expect([more, await refusal(query(app, more))]).toEqual([more, ['user', error]])
  const user = await newUser()
  await write((tx) =>
    tx.insert(app_suspensions).values({ app_id: app.id, user_id: user, comment: '', suspended_at: NOW }),
  )
  expect(await refusal(query(app))).toEqual(['user', 'unauthorized_client'])
})

test('Every other flaw goes back to the app with the state, unless that is repeated.', async () => {
  const app = await newApp(await newUser())
  const cases: [Parameters<typeof query>[1], string][] = [
    [{ scope: ['newsletter:read', 'newsletter:read'] }, 'invalid_request'],
    [{ request: 'x' }, 'request_not_supported'],
    [{ response_type: undefined }, 'invalid_request'],
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ response_mode: 'fragment' }, 'unsupported_response_mode'],
    [{ prompt: 'none login' }, 'invalid_request'],
    [{ code_challenge: CHALLENGE }, 'invalid_request'],
    [{ code_challenge: CHALLENGE, code_challenge_method: 'plain' }, 'invalid_request'],
    [{ code_challenge_method: 'S256' }, 'invalid_request'],
    [{ code_challenge: 'a'.repeat(42), code_challenge_method: 'S256' }, 'invalid_request'],
    [{ code_challenge: 'a'.repeat(129), code_challenge_method: 'S256' }, 'invalid_request'],
    [{ code_challenge: `${'a'.repeat(43)}=`, code_challenge_method: 'S256' }, 'invalid_request'],
    [{ resource: [API, 'https://b.example'] }, 'invalid_target'],
    [{ scope: undefined }, 'invalid_scope'],
    [{ scope: 'newsletter:all' }, 'invalid_scope'],
    [{ scope: 'newsletter:send' }, 'invalid_scope'],
  ]
  for (const [more, error] of cases)
    expect([more, await refusal(query(app, more))]).toEqual([more, ['app', error, 'x y']])
  expect(await refusal(query(app, { state: ['a', 'b'] }))).toEqual(['app', 'invalid_request', null])
  for (const more of [{ response_mode: 'query' }, { resource: [API, API] }, { prompt: 'none' }])
    expect(await read(query(app, more))).toBeDefined()
})

test('A public app must use PKCE; others may require it, or pushed requests, of themselves.', async () => {
  const user = await newUser()
  for (const more of [{ client_type: 'public' as const }, { require_pkce: true }]) {
    const app = await newApp(user, more)
    expect(await refusal(query(app))).toEqual(['app', 'invalid_request', 'x y'])
    expect(await read(query(app, { code_challenge: CHALLENGE, code_challenge_method: 'S256' }))).toBeDefined()
  }
  expect(await refusal(query(await newApp(user, { require_par: true })))).toEqual(['app', 'invalid_request', 'x y'])
})

test('A pushed request counts in place of the parameters beside its reference.', async () => {
  const user = await newUser()
  const app = await newApp(user, { require_par: true })
  const push = (params: URLSearchParams) => write((tx) => pushRequest(tx, app.id, params, NOW))
  const { request_uri } = await push(checkPushedRequest(app, query(app), API))
  const link = new URLSearchParams({ client_id: app.client_id, request_uri, scope: 'other', prompt: 'none' })
  const found = await read(link, NOW + 59_999)
  expect(found).toMatchObject({ scopes: ['newsletter:read', 'newsletter:write'], prompt: 'consent', state: 'x y' })
  expect(found.link.toString()).toBe(new URLSearchParams({ client_id: app.client_id, request_uri }).toString())
  link.append('sign_in_anew', '1')
  expect((await read(link)).prompt).toBe('login')
  expect(await refusal(link, NOW + 60_000)).toEqual(['user', 'invalid_request_uri'])
  const beside = (more: Record<string, string | string[]>) => query(app, { request_uri: 'urn:x', ...more })
  expect(await refusal(beside({}))).toEqual(['app', 'invalid_request_uri', 'x y'])
  expect(await refusal(beside({ request_uri: ['urn:x', 'urn:y'] }))).toEqual(['app', 'invalid_request', 'x y'])
  expect(await refusal(beside({ redirect_uri: 'https://evil.example' }))).toEqual(['user', 'invalid_request_uri'])
  expect(await refusal(beside({ redirect_uri: [BACK, BACK] }))).toEqual(['user', 'invalid_request_uri'])
  const other = await newApp(user)
  expect(await refusal(new URLSearchParams({ client_id: other.client_id, request_uri }))).toEqual([
    'user',
    'invalid_request_uri',
  ])
})

test('A request to push is checked like any other, and stored without credentials.', async () => {
  const app = await newApp(await newUser())
  const check = (more: Parameters<typeof query>[1]) => checkPushedRequest(app, query(app, more), API)
  expect(
    Object.fromEntries(check({ client_secret: 's', code_challenge: CHALLENGE, code_challenge_method: 'S256' })),
  ).toEqual({
    ...GOOD,
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
  })
  for (const [more, error] of [
    [{ redirect_uri: undefined }, 'invalid_request'],
    [{ redirect_uri: 'https://evil.example' }, 'invalid_request'],
    [{ request_uri: 'urn:x' }, 'invalid_request'],
    [{ scope: 'newsletter:send' }, 'invalid_scope'],
  ] as const)
    expect(() => check(more)).toThrow(expect.objectContaining({ error }) as Error)
})

test('A parameter without a value counts as left out, and only resource may be repeated.', () => {
  expect(withoutEmpty(new URLSearchParams('a=&b=1&c&d=%20')).toString()).toBe('b=1&d=+')
  expect(repeated(new URLSearchParams('a=1&resource=x&resource=y&b=2'))).toBeNull()
  expect(repeated(new URLSearchParams('a=1&b=2&b=3&a=4'))).toBe('b')
})
