import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { users } from '../../../src/store/tables/accounts.ts'
import { apps } from '../../../src/store/tables/apps.ts'
import { closeWorlds, SCOPES } from '../../support/world.ts'
import {
  challengeOf,
  createOAuthWorld,
  type OAuthWorld,
  type TokenResponse,
  VERIFIER,
  refused,
} from '../../oauth/oauth-world.ts'

let world: OAuthWorld

beforeAll(async () => {
  world = await createOAuthWorld()
})
afterAll(closeWorlds)

const exchange = async (changes: Record<string, string | null> = {}, options = {}): Promise<TokenResponse> => {
  const fields = {
    grant_type: 'authorization_code',
    code: 'code' in changes ? '' : await world.code(),
    redirect_uri: world.client.redirect_uri,
    code_verifier: VERIFIER,
    ...changes,
  }
  return world.post(
    'token',
    Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as Record<string, string>,
    options,
  )
}

/** A raw call, for what a well-behaved client does not send. */
async function send(body: string, headers: Record<string, string> = {}): Promise<TokenResponse> {
  const response = await world.fetch('/general/oauth/token', {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
    body,
  })
  return { status: response.status, headers: response.headers, body: await response.json() }
}

const basic = (id: string, secret: string) => ({
  Authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
})

test('A code for tokens is answered as RFC 6749, 5.1 says.', async () => {
  const { status, headers, body } = await exchange()
  expect(status).toBe(200)
  expect(body).toEqual({
    access_token: expect.stringMatching(/^svc_at_[\w-]{43}$/),
    token_type: 'Bearer',
    expires_in: 3600,
    refresh_token: expect.stringMatching(/^svc_rt_[\w-]{43}$/),
    scope: SCOPES.join(' '),
  })
  expect(headers.get('content-type')).toStartWith('application/json')
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('pragma')).toBe('no-cache')
  expect(await world.works(body.access_token)).toBe(200)
})

test('A code for tokens stores no usable code or token in the database.', async () => {
  const code = await world.code()
  const { body } = await world.post('token', {
    grant_type: 'authorization_code',
    code,
    redirect_uri: world.client.redirect_uri,
    code_verifier: VERIFIER,
  })
  const again = await world.refresh(body.refresh_token)
  const { store } = world.service.runtime
  for (const table of [
    'authorization_codes',
    'access_tokens',
    'refresh_tokens',
    'app_secrets',
    'used_consent_tickets',
  ]) {
    const text = JSON.stringify(await store.query(`SELECT * FROM ${table}`))
    for (const secret of [
      code,
      body.access_token,
      body.refresh_token,
      again.body.access_token,
      again.body.refresh_token,
      world.client.client_secret,
    ]) {
      expect(text).not.toContain(secret)
      expect(text).not.toContain(secret.slice(7))
    }
  }
})

test('A code for tokens works with a JSON body.', async () => {
  const response = await world.fetch('/general/oauth/token', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json; charset=utf-8' },
    body: JSON.stringify({
      grant_type: 'authorization_code',
      code: await world.code(),
      redirect_uri: world.client.redirect_uri,
      code_verifier: VERIFIER,
      client_id: world.client.client_id,
      client_secret: world.client.client_secret,
    }),
  })
  expect(response.status).toBe(200)
})

test('A code for tokens gives an access token that expires.', async () => {
  const { body } = await exchange()
  world.clock.advance(3_599_999)
  expect(await world.works(body.access_token)).toBe(200)
  world.clock.advance(1)
  expect(await world.works(body.access_token)).toBe(401)
})

test('A code for tokens accepts the resource it is for.', async () => {
  expect((await exchange({ resource: `${world.url}/general/api/v1` })).status).toBe(200)
  expect(await exchange({ resource: 'https://other.example' })).toMatchObject(refused(400, 'invalid_target'))
})

test.each(['grant_type', 'code', 'redirect_uri'])(
  'invalid_request is the error for a missing or empty %s.',
  async (name) => {
    expect(await exchange({ [name]: null })).toMatchObject(refused(400, 'invalid_request'))
    expect(await exchange({ [name]: '' })).toMatchObject(refused(400, 'invalid_request'))
  },
)

test('invalid_request is the error for a missing refresh_token.', async () => {
  expect(await world.post('token', { grant_type: 'refresh_token' })).toMatchObject(refused(400, 'invalid_request'))
})

test.each([
  ['a parameter twice', 'grant_type=refresh_token&refresh_token=a&refresh_token=b', basicOfClient],
  ['two ways of authentication', 'grant_type=refresh_token&refresh_token=a&client_secret=b', basicOfClient],
  [
    'another client_id in the body than in the header',
    'grant_type=refresh_token&refresh_token=a&client_id=cli_other',
    basicOfClient,
  ],
  ['a header that is not base64', 'grant_type=refresh_token&refresh_token=a', () => ({ Authorization: 'Basic !!!' })],
  [
    'a header without a colon',
    'grant_type=refresh_token&refresh_token=a',
    () => ({ Authorization: `Basic ${Buffer.from('just-a-name').toString('base64')}` }),
  ],
  ['a body of another kind', '<xml/>', () => ({ 'Content-Type': 'application/xml' })],
  ['JSON that is none', '{"grant_type":', () => ({ 'Content-Type': 'application/json' })],
  ['JSON that is no object', '["grant_type"]', () => ({ 'Content-Type': 'application/json' })],
  [
    'JSON with something else than texts',
    '{"grant_type":["refresh_token"]}',
    () => ({ 'Content-Type': 'application/json' }),
  ],
])('invalid_request is the error for %s.', async (_, body, headers) => {
  const answer = await send(body, headers())
  expect(answer).toMatchObject(refused(400, 'invalid_request'))
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(answer.headers.get('content-type')).toStartWith('application/json')
})

test('A repeated parameter is named by a hundred characters that an error may have.', async () => {
  const name = `ä"\\~${'x'.repeat(120)}`
  const { body } = await send(`grant_type=a&${encodeURIComponent(name)}=1&${encodeURIComponent(name)}=2`)
  expect(body.error_description).toBe(`A parameter was given more than once: ???~${'x'.repeat(96)}.`)
})

test('A parameter without a value counts as left out, however often it stands there.', async () => {
  const answer = await send('grant_type=&grant_type=password&scope=&scope=', basicOfClient())
  expect(answer).toMatchObject(refused(400, 'unsupported_grant_type'))
})

test('invalid_request is the error for a too large body.', async () => {
  expect(await send(`grant_type=${'a'.repeat(70_000)}`)).toMatchObject(refused(413, 'invalid_request'))
})

function basicOfClient(): Record<string, string> {
  return basic(world.client.client_id, world.client.client_secret)
}

test('invalid_grant is the error for an unknown code.', async () => {
  expect(await exchange({ code: 'svc_ac_unknown' })).toMatchObject(refused(400, 'invalid_grant'))
})

test.each([
  ['a verifier that does not belong to it', { code_verifier: 'x'.repeat(43) }],
  ['no verifier', { code_verifier: null }],
  ['a verifier that is too short to be one', { code_verifier: 'short' }],
  ['a verifier that is too long to be one', { code_verifier: 'v'.repeat(129) }],
  ['a verifier with another character', { code_verifier: `${VERIFIER.slice(1)}+` }],
  ['an empty verifier', { code_verifier: '' }],
  ['another redirect_uri', { redirect_uri: 'https://weather.example/other' }],
])('invalid_grant is the error for a code with %s, and the code lives on.', async (_, changes) => {
  const code = await world.code()
  expect(await exchange({ code, ...changes })).toMatchObject(refused(400, 'invalid_grant'))
  expect((await exchange({ code })).status).toBe(200)
})

test('invalid_grant is the error for the challenge itself as verifier.', async () => {
  const code = await world.code()
  expect(await exchange({ code, code_verifier: challengeOf(VERIFIER) })).toMatchObject(refused(400, 'invalid_grant'))
})

test('invalid_grant is the error for a verifier without a challenge.', async () => {
  const code = await world.code({ challenge: null })
  expect(await exchange({ code })).toMatchObject(refused(400, 'invalid_grant'))
  expect((await exchange({ code, code_verifier: null })).status).toBe(200)
})

test('invalid_grant is the error for a code of another client.', async () => {
  const code = await world.code()
  expect(await exchange({ code }, { client: world.rival })).toMatchObject(refused(400, 'invalid_grant'))
  expect((await exchange({ code })).status).toBe(200)
})

test('invalid_grant is the error for an expired code.', async () => {
  const code = await world.code()
  world.clock.advance(60_000)
  expect(await exchange({ code })).toMatchObject(refused(400, 'invalid_grant'))
})

test('invalid_grant is the error for a code of a disabled user.', async () => {
  const { store } = world.service.runtime
  const code = await world.code({ who: 'administrator' })
  const disabled = (disabled_at: number | null) =>
    store.write((tx) => tx.update(users).set({ disabled_at }).where(eq(users.id, world.users.administrator)))
  await disabled(1)
  expect(await exchange({ code })).toMatchObject(refused(400, 'invalid_grant'))
  await disabled(null)
})

test('A second use ends the authorization, unless another client made it.', async () => {
  const code = await world.code()
  const { body } = await exchange({ code })
  for (const [changes, options] of [
    [{ code_verifier: 'x'.repeat(43) }, {}],
    [{ redirect_uri: 'https://weather.example/other' }, {}],
    [{}, { client: world.rival }],
  ] as const) {
    expect(await exchange({ code, ...changes }, options)).toMatchObject(refused(400, 'invalid_grant'))
    expect(await world.works(body.access_token)).toBe(200)
  }
  expect(await exchange({ code })).toMatchObject(refused(400, 'invalid_grant'))
  expect(await world.works(body.access_token)).toBe(401)
  expect(await world.refresh(body.refresh_token)).toMatchObject(refused(400, 'invalid_grant'))
})

test('A second use is noticed however late it comes.', async () => {
  const { clock, service } = world
  const code = await world.code()
  const { body } = await exchange({ code })
  clock.advance(48 * 3_600_000)
  await service.drain('maintenance')
  expect((await exchange({ code })).body.error_description).toContain('used before')
  expect(await world.refresh(body.refresh_token)).toMatchObject(refused(400, 'invalid_grant'))
  await service.drain('maintenance')
  expect((await exchange({ code })).body.error_description).toContain('unknown')
})

test('Two concurrent uses give one pair of tokens, which then ends.', async () => {
  const code = await world.code()
  const answers = await Promise.all([exchange({ code }), exchange({ code })])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
  expect(await world.works(answers.find(({ status }) => status === 200)!.body.access_token)).toBe(401)
})

test('unsupported_grant_type is the error for every other grant.', async () => {
  for (const grant_type of [
    'password',
    'client_credentials',
    'implicit',
    'urn:ietf:params:oauth:grant-type:device_code',
    'constructor',
  ]) {
    expect(await world.post('token', { grant_type, username: 'a', password: 'b' })).toMatchObject(
      refused(400, 'unsupported_grant_type'),
    )
  }
})

test('Other methods are refused with 405, Allow and uncacheable JSON.', async () => {
  for (const path of ['token', 'revoke', 'introspect', 'par']) {
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const response = await world.fetch(`/general/oauth/${path}`, { method })
      expect(response.status).toBe(405)
      expect(response.headers.get('allow')).toBe('POST')
      expect(response.headers.get('cache-control')).toBe('no-store')
      expect(await response.json()).toMatchObject({ error: 'invalid_request' })
    }
  }
})

test('Deleting an app ends all its tokens.', async () => {
  const client = await world.newClient()
  const tokens = await world.tokens({ client })
  await world.service.runtime.store.write((tx) => tx.delete(apps).where(eq(apps.id, client.id)))
  expect(await world.works(tokens.access_token)).toBe(401)
  expect(await world.refresh(tokens.refresh_token, {}, client)).toMatchObject(refused(401, 'invalid_client'))
})
