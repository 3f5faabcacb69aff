import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { guardedFetch, openIdProvider } from '../../src/accounts/openid.ts'
import { FixedClock } from '../../src/clock.ts'
import { configOf, type Config } from '../../src/config.ts'
import type { Runtime } from '../../src/runtime.ts'
import { CLIENT, type LyingProvider, startLyingProvider } from '../support/openid-providers.ts'

/** The whole sign-in is in test/http/oauth/openid.routes.test.ts. */

const NOW = Date.UTC(2026, 0, 15, 9)
const BACK = 'https://masthead.example/portal/openid/callback'

let there: LyingProvider
beforeAll(async () => {
  there = await startLyingProvider()
})
afterAll(() => there.close())
beforeEach(() => Object.assign(there, { claims: {}, signature: 'right', userinfo: {}, asked: [], description: {} }))

function configured(more: Partial<Config> = {}) {
  const clock = new FixedClock(NOW)
  const config = configOf({
    oidc_issuer: there.issuer,
    oidc_client_id: CLIENT.id,
    oidc_client_secret: CLIENT.secret,
    ...more,
  })
  return { clock, provider: openIdProvider({ config, clock } as unknown as Runtime) }
}
/** The whole way with one attempt. */
async function identity(more: Partial<Config> = {}) {
  const { provider } = configured(more)
  const { address, attempt } = await provider!.begin(BACK)
  there.claims = { ...there.claims, nonce: attempt.nonce }
  const iss = encodeURIComponent(there.issuer)
  const found = await provider!.finish(BACK, `?code=the-code&state=${attempt.state}&iss=${iss}`, attempt)
  return { found, address: new URL(address) }
}

test('There is a provider where an issuer is configured, named by its host or by the operator.', () => {
  expect(configured({ oidc_issuer: '' }).provider).toBeNull()
  expect(configured({ oidc_label: 'Harbour ID' }).provider!.label).toBe('Harbour ID')
  expect(configured().provider!.label).toBe(new URL(there.issuer).host)
})

test('The description of the provider is asked for once an hour, and again at once after a failure.', async () => {
  const { clock, provider } = configured()
  const endpoint = async () => new URL((await provider!.begin(BACK)).address).pathname
  there.description = { issuer: 'https://evil.example' }
  await expect(provider!.begin(BACK)).rejects.toThrow()
  there.description = {}
  expect(await endpoint()).toBe('/authorize')
  there.description = { authorization_endpoint: `${there.issuer}/elsewhere` }
  clock.advance(3_599_999)
  expect(await endpoint()).toBe('/authorize')
  clock.advance(1)
  expect(await endpoint()).toBe('/elsewhere')
})

test('Each attempt has a state, a nonce and a verifier of its own.', async () => {
  const { provider } = configured()
  const [one, two] = [await provider!.begin(BACK), await provider!.begin(BACK)]
  const all = [one, two].flatMap(({ attempt }) => Object.values(attempt))
  expect(new Set(all).size).toBe(6)
})

test('The client proves itself by header where that is offered or nothing is said, else in the body.', async () => {
  const proof = async (methods?: string[], more: Partial<Config> = {}) => {
    there.asked.length = 0
    there.description = methods ? { token_endpoint_auth_methods_supported: methods } : {}
    await identity(more)
    const [{ authorization, body }] = there.asked as [LyingProvider['asked'][0]]
    return [authorization?.split(' ')[0] ?? null, body.get('client_secret')]
  }
  expect(await proof()).toEqual(['Basic', null])
  expect(await proof(['client_secret_post', 'client_secret_basic'])).toEqual(['Basic', null])
  expect(await proof(['client_secret_post'])).toEqual([null, CLIENT.secret])
  expect(await proof(undefined, { oidc_client_secret: '' })).toEqual([null, null])
})

test('The names and the verified address come from the token, without blanks around them.', async () => {
  there.claims = { given_name: ' Ada ', family_name: 'Lovelace', email: ' ada@example.com', email_verified: true }
  expect((await identity()).found).toEqual({
    issuer: there.issuer,
    subject: 'subject-1',
    email: 'ada@example.com',
    email_verified: true,
    first_name: 'Ada',
    last_name: 'Lovelace',
  })
  there.claims = { given_name: 5, family_name: undefined, email_verified: 'true' }
  expect((await identity()).found).toMatchObject({ email_verified: false, first_name: '', last_name: '' })
})

test('A provider is asked for the address that its token leaves out, where it answers such questions.', async () => {
  there.userinfo = { sub: 'subject-1', email: 'info@example.com', email_verified: true, given_name: 'Info' }
  there.claims = { given_name: 'Token' }
  expect((await identity()).found).toMatchObject({ email: 'owner@example.com', first_name: 'Token' })
  for (const silent of [{ email: undefined }, { email_verified: undefined }]) {
    there.claims = silent
    expect((await identity()).found).toMatchObject({ email: 'info@example.com', first_name: 'Info' })
  }
  there.description = { userinfo_endpoint: undefined }
  there.claims = { email_verified: undefined }
  expect((await identity()).found).toMatchObject({ email: 'owner@example.com', email_verified: false })
})

test('A public provider cannot lead into a private network, a private one may.', async () => {
  const [open, inside] = [new URL('https://203.0.113.5'), new URL('http://127.0.0.1:5556')]
  const reach = (issuer: URL, address: string) =>
    guardedFetch(issuer)(address, { method: 'GET', headers: {}, body: undefined, redirect: 'manual' }).then(
      () => '',
      (error: Error) => error.message,
    )
  for (const address of [
    'https://10.1.2.3/keys',
    'https://127.0.0.1:9/token',
    'https://[::1]:9/token',
    'https://169.254.169.254/latest',
    'https://localhost:9/keys',
  ])
    expect([address, await reach(open, address)]).toEqual([address, expect.stringContaining('is in a private network')])
  expect(await reach(inside, 'https://localhost:9/keys')).not.toContain('private network')
})
