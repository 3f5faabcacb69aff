import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { operations } from '../../src/newsletter/operations.ts'
import { SCOPES as TABLE } from '../../src/shared/scopes.ts'
import { tokenHash } from '../../src/secrets.ts'
import { app_suspensions } from '../../src/store/tables/developer.ts'
import { closeWorlds, SCOPES, START } from '../support/world.ts'
import { createOAuthWorld, type OAuthWorld } from './oauth-world.ts'

let world: OAuthWorld

beforeAll(async () => {
  world = await createOAuthWorld()
})
afterAll(closeWorlds)

describe('introspection (RFC 7662)', () => {
  const introspect = async (token: string, options = {}) => (await world.post('introspect', { token }, options)).body

  test('A working access token is introspected with its facts.', async () => {
    const { access_token } = await world.tokens({ scope: 'newsletter:read scripts:read' })
    expect(await introspect(access_token)).toEqual({
      active: true,
      scope: 'newsletter:read scripts:read',
      client_id: world.client.client_id,
      sub: world.users.owner,
      username: 'owner@example.com',
      token_type: 'Bearer',
      exp: START / 1000 + 3600,
      iat: START / 1000,
      iss: world.url,
    })
  })

  test('A narrowed access token has its own scopes, and its refresh token those of the grant.', async () => {
    const { refresh_token } = await world.tokens({ scope: 'newsletter:read scripts:read' })
    const narrow = (await world.refresh(refresh_token, { scope: 'scripts:read' })).body
    expect((await introspect(narrow.access_token)).scope).toBe('scripts:read')
    expect((await introspect(narrow.refresh_token)).scope).toBe('newsletter:read scripts:read')
  })

  test('A refresh token has all granted scopes, and ends when it is not used.', async () => {
    const { refresh_token } = await world.tokens({ scope: 'newsletter:read' })
    expect(await introspect(refresh_token)).toEqual({
      active: true,
      scope: 'newsletter:read',
      client_id: world.client.client_id,
      sub: world.users.owner,
      username: 'owner@example.com',
      token_type: 'refresh_token',
      exp: (world.clock.now() + 90 * 24 * 3_600_000) / 1000,
      iat: START / 1000,
      iss: world.url,
    })
  })

  test('A public client is told everything but the address of its user.', async () => {
    const client = world.public_client
    const { access_token } = await world.tokens({ client })
    const known = await introspect(access_token, { client, by: 'none' })
    expect(known).toMatchObject({ active: true, sub: world.users.owner })
    expect(known).not.toHaveProperty('username')
  })

  test('Unknown, foreign, rotated, expired and revoked tokens are only reported as inactive.', async () => {
    const tokens = await world.tokens()
    expect(await introspect('nonsense')).toEqual({ active: false })
    expect(await introspect(tokens.access_token, { client: world.rival })).toEqual({ active: false })
    expect(await introspect(tokens.refresh_token, { client: world.rival })).toEqual({ active: false })
    const next = (await world.refresh(tokens.refresh_token)).body
    expect(await introspect(tokens.refresh_token)).toEqual({ active: false })
    expect((await introspect(tokens.access_token)).active).toBe(true)
    await world.post('revoke', { token: next.access_token })
    expect(await introspect(next.access_token)).toEqual({ active: false })
    expect((await introspect(next.refresh_token)).active).toBe(true)
    world.clock.advance(3_600_000)
    expect(await introspect(tokens.access_token)).toEqual({ active: false })
    await world.post('revoke', { token: next.refresh_token })
    expect(await introspect(next.refresh_token)).toEqual({ active: false })
    world.clock.advance(START - world.clock.now())
  })

  test('No token of a suspended app is active.', async () => {
    const { store } = world.service.runtime
    const { access_token } = await world.tokens()
    await store.write((tx) =>
      tx
        .insert(app_suspensions)
        .values({ app_id: world.client.id, user_id: world.users.owner, comment: '', suspended_at: START }),
    )
    expect(await introspect(access_token)).toEqual({ active: false })
    await store.write((tx) => tx.delete(app_suspensions))
    expect((await introspect(access_token)).active).toBe(true)
  })

  test('Introspection (RFC 7662) requires client authentication.', async () => {
    const { access_token } = await world.tokens()
    expect(await world.post('introspect', { token: access_token }, { client: null })).toMatchObject({
      status: 401,
      body: { error: 'invalid_client' },
    })
    expect(await world.post('introspect', {})).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
    const own = await world.tokens({ client: world.public_client })
    expect((await introspect(own.access_token, { client: world.public_client, by: 'none' })).active).toBe(true)
  })
})

describe('revocation (RFC 7009)', () => {
  const revoke = (token: string, fields = {}, options = {}) => world.post('revoke', { token, ...fields }, options)

  test('A refresh token ends the whole authorization.', async () => {
    const first = await world.tokens()
    const second = (await world.refresh(first.refresh_token)).body
    const { status, headers, body } = await revoke(second.refresh_token)
    expect({ status, body, type: headers.get('content-type') }).toEqual({
      status: 200,
      body: {},
      type: 'application/json',
    })
    for (const { access_token, refresh_token } of [first, second]) {
      expect(await world.works(access_token)).toBe(401)
      expect((await world.refresh(refresh_token)).body.error).toBe('invalid_grant')
    }
  })

  test('A rotated refresh token ends the whole authorization as well.', async () => {
    const first = await world.tokens()
    const second = (await world.refresh(first.refresh_token)).body
    await revoke(first.refresh_token)
    expect(await world.works(second.access_token)).toBe(401)
  })

  test('An access token ends alone.', async () => {
    const first = await world.tokens()
    const second = (await world.refresh(first.refresh_token)).body
    expect((await revoke(second.access_token, { token_type_hint: 'refresh_token' })).status).toBe(200)
    expect(await world.works(second.access_token)).toBe(401)
    expect(await world.works(first.access_token)).toBe(200)
    expect((await world.refresh(second.refresh_token)).status).toBe(200)
  })

  test('An access token that is revoked is noted by its authorization, and ends once.', async () => {
    const { store } = world.service.runtime
    const { access_token } = await world.tokens()
    const [before] = await store.query('SELECT max(id) AS id FROM audit_log')
    const revoked_at = world.clock.now()
    await revoke(access_token)
    world.clock.advance(1000)
    await revoke(access_token)
    const [token] = await store.query('SELECT authorization_id, revoked_at FROM access_tokens WHERE token_hash = ?', [
      tokenHash(access_token),
    ])
    expect(token!.revoked_at).toBe(revoked_at)
    const rows = await store.query('SELECT actor, action, target FROM audit_log WHERE id > ?', [before!.id!])
    expect(rows[0]).toEqual({
      actor: `app:${world.client.client_id}`,
      action: 'token-revoke',
      target: `authorization:${token!.authorization_id}`,
    })
    world.clock.advance(START - world.clock.now())
  })

  test('A token of another client stays active, with the same answer.', async () => {
    const tokens = await world.tokens()
    for (const token of [tokens.access_token, tokens.refresh_token, 'nonsense'])
      expect(await revoke(token, {}, { client: world.rival })).toMatchObject({ status: 200, body: {} })
    expect(await world.works(tokens.access_token)).toBe(200)
    expect((await world.refresh(tokens.refresh_token)).status).toBe(200)
  })

  test('Unknown clients and invalid requests are refused.', async () => {
    expect(await revoke('x', {}, { client: null })).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
    expect(await world.post('revoke', {})).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
    const own = await world.tokens({ client: world.public_client })
    expect((await revoke(own.refresh_token, {}, { client: world.public_client, by: 'none' })).status).toBe(200)
    expect(await world.works(own.access_token)).toBe(401)
  })
})

test("The metadata has the service's address as issuer and working endpoints; OpenID is not claimed.", async () => {
  const oauth = await world.fetch('/.well-known/oauth-authorization-server')
  expect(oauth.headers.get('content-type')).toStartWith('application/json')
  expect(oauth.headers.get('cache-control')).toContain('max-age=')
  const document = (await oauth.json()) as Record<string, string>
  expect((await world.fetch('/.well-known/openid-configuration')).status).toBe(404)
  const endpoint = (name: string) => `${world.url}/general/oauth/${name}`
  const authentication = ['client_secret_basic', 'client_secret_post', 'none']
  expect(document as unknown).toEqual({
    issuer: world.url,
    service_documentation: `${world.url}/docs/guides/oauth`,
    authorization_endpoint: endpoint('authorize'),
    token_endpoint: endpoint('token'),
    revocation_endpoint: endpoint('revoke'),
    introspection_endpoint: endpoint('introspect'),
    userinfo_endpoint: endpoint('userinfo'),
    pushed_authorization_request_endpoint: endpoint('par'),
    require_pushed_authorization_requests: false,
    scopes_supported: [...SCOPES],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: authentication,
    revocation_endpoint_auth_methods_supported: authentication,
    introspection_endpoint_auth_methods_supported: authentication,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    prompt_values_supported: ['none', 'login', 'consent'],
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
  })
  for (const name of ['authorization_endpoint', 'token_endpoint', 'revocation_endpoint', 'introspection_endpoint'])
    expect((await fetch(document[name]!)).status).not.toBe(404)
  expect((await fetch(document.service_documentation!)).status).toBe(200)
})

test('Metadata (RFC 8414) answers 304 to its entity tag.', async () => {
  const first = await world.fetch('/.well-known/oauth-authorization-server')
  const second = await world.fetch('/.well-known/oauth-authorization-server', {
    headers: { 'If-None-Match': first.headers.get('etag')! },
  })
  expect(second.status).toBe(304)
  expect((await world.fetch('/.well-known/oauth-authorization-server', { method: 'POST' })).status).toBe(405)
})

test('The role that a scope needs at the consent page is the least that any of its operations needs.', () => {
  const rank = ['member', 'editor', 'administrator', 'owner']
  for (const scope of ['read', 'write', 'send', 'admin']) {
    const least = Math.min(
      ...operations.filter((operation) => operation.scope === scope).map(({ role }) => rank.indexOf(role)),
    )
    expect({ scope, role: TABLE[`newsletter:${scope}`]!.least_role as string }).toEqual({ scope, role: rank[least]! })
  }
})
