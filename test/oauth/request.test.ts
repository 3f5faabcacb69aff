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
  readAuthorizationRequest((await sharedStore()).db, params, { base_url: new URL(API).origin, api_root: API }, now)
/** How a request is refused, on a page for the user or by the way back to the app, and the words of the refusal. */
async function refused(
  params: URLSearchParams,
  now = NOW,
): Promise<[to: 'user' | 'app', error: string, state: string | null, description: string]> {
  try {
    await read(params, now)
  } catch (error) {
    if (error instanceof AuthorizationRefusal) return ['app', error.error, error.back.state, error.message]
    if (error instanceof OAuthError) return ['user', error.error, null, error.message]
    throw error
  }
  throw new Error('The request was not refused.')
}
const refusal = async (...given: Parameters<typeof refused>) => {
  const [to, error, state] = await refused(...given)
  return to === 'app' ? [to, error, state] : [to, error]
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
  const cases: [Parameters<typeof query>[1], error: string, words: string][] = [
    [{ client_id: undefined }, 'invalid_request', 'does not say once which app'],
    [{ client_id: '' }, 'invalid_request', 'does not say once which app'],
    [{ client_id: [app.client_id, app.client_id] }, 'invalid_request', 'does not say once which app'],
    [{ client_id: 'app_unknown' }, 'invalid_client', 'an app that is not known here'],
    [{ redirect_uri: undefined }, 'invalid_redirect_uri', 'does not say once where the app wants you back'],
    [{ redirect_uri: [BACK, BACK] }, 'invalid_redirect_uri', 'does not say once where the app wants you back'],
    [{ redirect_uri: `${BACK}/` }, 'invalid_redirect_uri', 'an address that the app has not registered'],
  ]
  for (const [more, error, words] of cases)
    expect([more, await refused(query(app, more))]).toEqual([
      more,
      ['user', error, null, expect.stringContaining(words)],
    ])
  const user = await newUser()
  await write((tx) =>
    tx.insert(app_suspensions).values({ app_id: app.id, user_id: user, comment: '', suspended_at: NOW }),
  )
  expect(await refusal(query(app))).toEqual(['user', 'unauthorized_client'])
})

test('Every other flaw goes back to the app in words, with the state unless that is repeated.', async () => {
  const app = await newApp(await newUser())
  const method = { code_challenge_method: 'S256' }
  const lone = 'prompt=none cannot be combined with other values.'
  const pkce = 'The only code_challenge_method is S256, and it must be named.'
  const alphabet = 'code_challenge is 43 to 128 of A-Z, a-z, 0-9 and - . _ ~'
  const unknown = 'A scope does not exist, or the app has not registered it.'
  const cases: [Parameters<typeof query>[1], error: string, description: string][] = [
    [{ scope: ['newsletter:read', 'newsletter:read'] }, 'invalid_request', 'A parameter is repeated.'],
    [{ request: 'x' }, 'request_not_supported', 'Request objects are not supported.'],
    [{ response_type: undefined }, 'invalid_request', 'response_type is missing.'],
    [{ response_type: 'token' }, 'unsupported_response_type', 'The only response_type is code.'],
    [{ response_mode: 'fragment' }, 'unsupported_response_mode', 'The only response_mode is query.'],
    [{ prompt: 'none login' }, 'invalid_request', lone],
    [{ prompt: 'consent none' }, 'invalid_request', lone],
    [{ code_challenge: CHALLENGE }, 'invalid_request', pkce],
    [{ code_challenge: CHALLENGE, code_challenge_method: 'plain' }, 'invalid_request', pkce],
    [method, 'invalid_request', 'code_challenge_method needs a code_challenge.'],
    [{ code_challenge: 'a'.repeat(42), ...method }, 'invalid_request', alphabet],
    [{ code_challenge: 'a'.repeat(129), ...method }, 'invalid_request', alphabet],
    [{ code_challenge: `${'a'.repeat(43)}=`, ...method }, 'invalid_request', alphabet],
    [{ resource: [API, 'https://b.example'] }, 'invalid_target', 'The resource is unknown (RFC 8707).'],
    [{ scope: undefined }, 'invalid_scope', 'scope is missing.'],
    [{ scope: ' ' }, 'invalid_scope', 'scope is missing.'],
    [{ scope: 'newsletter:read newsletter:all' }, 'invalid_scope', unknown],
    [{ scope: 'newsletter:send' }, 'invalid_scope', unknown],
  ]
  for (const [more, error, description] of cases)
    expect([more, await refused(query(app, more))]).toEqual([more, ['app', error, 'x y', description]])
  expect(await refusal(query(app, { state: ['a', 'b'] }))).toEqual(['app', 'invalid_request', null])
  for (const more of [{ response_mode: 'query' }, { resource: [API, API] }, { prompt: 'none' }])
    expect(await read(query(app, more))).toBeDefined()
})

test('A public app must use PKCE; others may require it, or pushed requests, of themselves.', async () => {
  const user = await newUser()
  for (const more of [{ client_type: 'public' as const }, { require_pkce: true }]) {
    const app = await newApp(user, more)
    expect(await refused(query(app))).toEqual([
      'app',
      'invalid_request',
      'x y',
      'code_challenge is missing: this client must use PKCE (RFC 7636).',
    ])
    expect(await read(query(app, { code_challenge: CHALLENGE, code_challenge_method: 'S256' }))).toBeDefined()
  }
  expect(await refused(query(await newApp(user, { require_par: true })))).toEqual([
    'app',
    'invalid_request',
    'x y',
    'request_uri is missing: this client must push its requests (RFC 9126).',
  ])
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
  const twice = { request_uri: ['urn:x', 'urn:y'] }
  expect(await refused(beside(twice))).toEqual(['app', 'invalid_request', 'x y', 'A parameter is repeated.'])
  expect(await refused(beside({ ...twice, redirect_uri: 'https://evil.example' }))).toEqual([
    'user',
    'invalid_request',
    null,
    expect.stringContaining('does not say once what the app asks for'),
  ])
  expect(await refusal(beside({ state: ['a', 'b'] }))).toEqual(['app', 'invalid_request_uri', null])
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
  for (const [more, error, message] of [
    [{ redirect_uri: undefined }, 'invalid_request', 'redirect_uri is missing.'],
    [
      { redirect_uri: 'https://evil.example' },
      'invalid_request',
      'The redirect_uri is not one that the app has registered.',
    ],
    [{ request_uri: 'urn:x' }, 'invalid_request', 'A pushed request must not contain request_uri (RFC 9126, 2.1).'],
    [{ scope: 'newsletter:send' }, 'invalid_scope', 'A scope does not exist, or the app has not registered it.'],
  ] as const)
    expect(() => check(more)).toThrow(expect.objectContaining({ error, message }) as Error)
})

test('A parameter without a value counts as left out, and only resource may be repeated.', () => {
  expect(withoutEmpty(new URLSearchParams('a=&b=1&c&d=%20')).toString()).toBe('b=1&d=+')
  expect(repeated(new URLSearchParams('a=1&resource=x&resource=y&b=2'))).toBeNull()
  expect(repeated(new URLSearchParams('a=1&b=2&b=3&a=4'))).toBe('b')
})
