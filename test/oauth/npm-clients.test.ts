import { afterAll, beforeAll, expect, test } from 'bun:test'
import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import OAuth2Strategy from 'passport-oauth2'
import { AuthorizationCode } from 'simple-oauth2'
import { closeWorlds } from '../support/world.ts'
import { type Browser, createOAuthWorld, type OAuthWorld } from './oauth-world.ts'

/** Four clients that apps are written with, as they come from the registry, against the running service. */

let world: OAuthWorld
let owner: Browser

beforeAll(async () => {
  world = await createOAuthWorld()
  owner = await world.browser('owner')
})
afterAll(closeWorlds)

/** What the person in the browser does: approves, and is sent back. */
async function approve(address: string | URL): Promise<URL> {
  const url = new URL(address)
  return owner.decide(await owner.open(url.pathname + url.search), 'approve', [world.project.public_id])
}

const SCOPE = 'newsletter:read newsletter:write'
const PROTECTED = '/general/api/v1/token/authorized_by'

test('The client oauth4webapi gets, refreshes, introspects and revokes tokens with both authentications.', async () => {
  const insecure = { [oauth.allowInsecureRequests]: true } as const
  const issuer = new URL(world.url)
  for (const algorithm of ['oauth2'] as const) {
    const server = await oauth
      .discoveryRequest(issuer, { algorithm, ...insecure })
      .then((response) => oauth.processDiscoveryResponse(issuer, response))
    expect(server.issuer).toBe(world.url)
  }
  const server = await oauth
    .discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure })
    .then((response) => oauth.processDiscoveryResponse(issuer, response))
  const client: oauth.Client = { client_id: world.client.client_id }

  for (const authentication of [
    oauth.ClientSecretBasic(world.client.client_secret),
    oauth.ClientSecretPost(world.client.client_secret),
  ]) {
    const verifier = oauth.generateRandomCodeVerifier()
    const state = oauth.generateRandomState()
    const address = new URL(server.authorization_endpoint!)
    address.search = new URLSearchParams({
      client_id: client.client_id,
      redirect_uri: world.client.redirect_uri,
      response_type: 'code',
      scope: SCOPE,
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }).toString()
    const params = oauth.validateAuthResponse(server, client, await approve(address), state)
    const answer = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      authentication,
      params,
      world.client.redirect_uri,
      verifier,
      insecure,
    )
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, answer)
    expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 3600, scope: SCOPE })

    const me = await oauth.protectedResourceRequest(
      tokens.access_token,
      'GET',
      new URL(PROTECTED, world.url),
      undefined,
      undefined,
      insecure,
    )
    expect(await me.json()).toMatchObject({ id: world.users.owner })

    const renewed = await oauth
      .refreshTokenGrantRequest(server, client, authentication, tokens.refresh_token!, insecure)
      .then((response) => oauth.processRefreshTokenResponse(server, client, response))
    expect(renewed.refresh_token).not.toBe(tokens.refresh_token)
    const seen = await oauth
      .introspectionRequest(server, client, authentication, renewed.access_token, insecure)
      .then((response) => oauth.processIntrospectionResponse(server, client, response))
    expect(seen).toMatchObject({ active: true, sub: world.users.owner })
    await oauth
      .revocationRequest(server, client, authentication, renewed.refresh_token!, insecure)
      .then(oauth.processRevocationResponse)
    expect(await world.works(renewed.access_token)).toBe(401)

    const dead = await oauth.refreshTokenGrantRequest(server, client, authentication, renewed.refresh_token!, insecure)
    await expect(oauth.processRefreshTokenResponse(server, client, dead)).rejects.toMatchObject({
      code: oauth.RESPONSE_BODY_ERROR,
      error: 'invalid_grant',
      status: 400,
    })
  }

  const wrong = await oauth.refreshTokenGrantRequest(
    server,
    client,
    oauth.ClientSecretPost('svc_cs_wrong'),
    'x',
    insecure,
  )
  await expect(oauth.processRefreshTokenResponse(server, client, wrong)).rejects.toMatchObject({
    error: 'invalid_client',
    status: 401,
  })
  const denied = await owner.decide(
    await owner.open(
      `/general/oauth/authorize?response_type=code&client_id=${client.client_id}&` +
        `redirect_uri=${encodeURIComponent(world.client.redirect_uri)}&scope=newsletter:read&state=s`,
    ),
    'deny',
    [],
  )
  expect(() => oauth.validateAuthResponse(server, client, denied, 's')).toThrow(oauth.AuthorizationResponseError)
  const unauthorized = await fetch(new URL(PROTECTED, world.url)).then((response) =>
    response.headers.get('www-authenticate'),
  )
  expect(unauthorized).toBeTruthy()
})

test('The client oauth4webapi works as a public client.', async () => {
  const insecure = { [oauth.allowInsecureRequests]: true } as const
  const issuer = new URL(world.url)
  const server = await oauth
    .discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure })
    .then((response) => oauth.processDiscoveryResponse(issuer, response))
  const client: oauth.Client = { client_id: world.public_client.client_id }
  const verifier = oauth.generateRandomCodeVerifier()
  const address = new URL(server.authorization_endpoint!)
  address.search = new URLSearchParams({
    client_id: client.client_id,
    redirect_uri: world.public_client.redirect_uri,
    response_type: 'code',
    scope: SCOPE,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }).toString()
  const params = oauth.validateAuthResponse(server, client, await approve(address), oauth.expectNoState)
  const answer = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    oauth.None(),
    params,
    world.public_client.redirect_uri,
    verifier,
    insecure,
  )
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, answer)
  expect(await world.works(tokens.access_token)).toBe(200)
})

test('The client oauth4webapi pushes a request, as a confidential and as a public client.', async () => {
  const insecure = { [oauth.allowInsecureRequests]: true } as const
  const issuer = new URL(world.url)
  const server = await oauth
    .discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure })
    .then((response) => oauth.processDiscoveryResponse(issuer, response))
  for (const [app, authentication] of [
    [world.client, oauth.ClientSecretBasic(world.client.client_secret)],
    [world.client, oauth.ClientSecretPost(world.client.client_secret)],
    [world.public_client, oauth.None()],
  ] as const) {
    const client: oauth.Client = { client_id: app.client_id }
    const verifier = oauth.generateRandomCodeVerifier()
    const state = oauth.generateRandomState()
    const asked = {
      redirect_uri: app.redirect_uri,
      response_type: 'code',
      scope: SCOPE,
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }
    const push = (fields: Record<string, string>) =>
      oauth
        .pushedAuthorizationRequest(server, client, authentication, fields, insecure)
        .then((response) => oauth.processPushedAuthorizationResponse(server, client, response))
    const { request_uri, expires_in } = await push(asked)
    expect(expires_in).toBe(60)
    const address = new URL(server.authorization_endpoint!)
    address.search = new URLSearchParams({ client_id: client.client_id, request_uri }).toString()
    const params = oauth.validateAuthResponse(server, client, await approve(address), state)
    const answer = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      authentication,
      params,
      app.redirect_uri,
      verifier,
      insecure,
    )
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, answer)
    expect(await world.works(tokens.access_token)).toBe(200)
    await expect(push({ ...asked, scope: 'newsletter:everything' })).rejects.toMatchObject({
      code: oauth.RESPONSE_BODY_ERROR,
      error: 'invalid_scope',
      status: 400,
    })
  }
})

test('The client openid-client pushes a request.', async () => {
  const config = await openid.discovery(
    new URL(world.url),
    world.client.client_id,
    world.client.client_secret,
    undefined,
    { algorithm: 'oauth2', execute: [openid.allowInsecureRequests] },
  )
  const verifier = openid.randomPKCECodeVerifier()
  const state = openid.randomState()
  const asked = {
    redirect_uri: world.client.redirect_uri,
    scope: SCOPE,
    state,
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }
  const address = await openid.buildAuthorizationUrlWithPAR(config, asked)
  expect([...address.searchParams.keys()].sort()).toEqual(['client_id', 'request_uri'])
  const tokens = await openid.authorizationCodeGrant(config, await approve(address), {
    pkceCodeVerifier: verifier,
    expectedState: state,
  })
  expect(tokens.scope).toBe(SCOPE)
  await expect(
    openid.buildAuthorizationUrlWithPAR(config, { ...asked, redirect_uri: 'https://evil.example/' }),
  ).rejects.toMatchObject({ error: 'invalid_request' })
})

test('The client openid-client works as it authenticates by itself, with either algorithm.', async () => {
  for (const algorithm of ['oauth2'] as const) {
    const config = await openid.discovery(
      new URL(world.url),
      world.client.client_id,
      world.client.client_secret,
      undefined,
      { algorithm, execute: [openid.allowInsecureRequests] },
    )
    const verifier = openid.randomPKCECodeVerifier()
    const state = openid.randomState()
    const address = openid.buildAuthorizationUrl(config, {
      redirect_uri: world.client.redirect_uri,
      scope: SCOPE,
      state,
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    })
    const tokens = await openid.authorizationCodeGrant(config, await approve(address), {
      pkceCodeVerifier: verifier,
      expectedState: state,
    })
    expect(tokens.expires_in).toBe(3600)
    const renewed = await openid.refreshTokenGrant(config, tokens.refresh_token!, { scope: 'newsletter:read' })
    expect(renewed.scope).toBe('newsletter:read')
    const me = await openid.fetchProtectedResource(config, renewed.access_token, new URL(PROTECTED, world.url), 'GET')
    expect(me.status).toBe(200)
    expect((await openid.tokenIntrospection(config, renewed.access_token)).active).toBe(true)
    await openid.tokenRevocation(config, renewed.access_token)
    expect((await openid.tokenIntrospection(config, renewed.access_token)).active).toBe(false)
    await openid.tokenRevocation(config, renewed.refresh_token!)
    await expect(openid.refreshTokenGrant(config, renewed.refresh_token!)).rejects.toMatchObject({
      error: 'invalid_grant',
    })
  }
})

test('The client simple-oauth2 works with Basic or the body and no PKCE, and revokes both tokens.', async () => {
  for (const authorizationMethod of ['header', 'body'] as const) {
    const client = new AuthorizationCode({
      client: { id: world.client.client_id, secret: world.client.client_secret },
      auth: {
        tokenHost: world.url,
        tokenPath: '/general/oauth/token',
        revokePath: '/general/oauth/revoke',
        authorizePath: '/general/oauth/authorize',
      },
      options: { authorizationMethod },
    })
    const back = await approve(
      client.authorizeURL({ redirect_uri: world.client.redirect_uri, scope: SCOPE, state: 'st/ate' }),
    )
    expect(back.searchParams.get('state')).toBe('st/ate')
    const token = await client.getToken({
      code: back.searchParams.get('code')!,
      redirect_uri: world.client.redirect_uri,
      scope: SCOPE,
    })
    expect(await world.works(token.token.access_token as string)).toBe(200)
    const renewed = await token.refresh()
    expect(renewed.token.refresh_token).not.toBe(token.token.refresh_token)
    await renewed.revokeAll()
    expect(await world.works(renewed.token.access_token as string)).toBe(401)
    await expect(renewed.refresh()).rejects.toMatchObject({ data: { payload: { error: 'invalid_grant' } } })
  }
})

test("The client passport-oauth2 keeps state and PKCE in the app's session.", async () => {
  const session = {}
  const first = await passport({ session, query: {} })
  expect(first.outcome).toBe('redirect')
  const back = await approve(first.value as string)
  const second = await passport({ session, query: Object.fromEntries(back.searchParams) })
  expect(second).toEqual({
    outcome: 'success',
    value: {
      access_token: expect.stringMatching(/^svc_at_/),
      refresh_token: expect.stringMatching(/^svc_rt_/),
      expires_in: 3600,
    },
  })

  const again = await passport({ session: {}, query: {} })
  const denied = new URL(again.value as string)
  const refusal = await owner.decide(await owner.open(denied.pathname + denied.search), 'deny', [])
  expect((await passport({ session, query: Object.fromEntries(refusal.searchParams) })).outcome).toBe('fail')
})

/** The strategy in the place that Passport gives it: a request with a session, and an outcome. */
function passport(request: {
  session: object
  query: Record<string, string>
}): Promise<{ outcome: string; value: unknown }> {
  return new Promise((resolve, reject) => {
    const strategy = new OAuth2Strategy(
      {
        authorizationURL: `${world.url}/general/oauth/authorize`,
        tokenURL: `${world.url}/general/oauth/token`,
        clientID: world.client.client_id,
        clientSecret: world.client.client_secret,
        callbackURL: world.client.redirect_uri,
        scope: SCOPE.split(' '),
        scopeSeparator: ' ',
        state: true,
        pkce: true,
      } as unknown as OAuth2Strategy.StrategyOptions,
      (
        access_token: string,
        refresh_token: string,
        results: { expires_in: number },
        _profile: unknown,
        done: (error: null, user: object) => void,
      ) => {
        done(null, { access_token, refresh_token, expires_in: results.expires_in })
      },
    )
    strategy.userProfile = (_token: string, done: (error: null, profile: object) => void) => done(null, {})
    Object.assign(strategy, {
      redirect: (value: string) => resolve({ outcome: 'redirect', value }),
      success: (value: object) => resolve({ outcome: 'success', value }),
      fail: (value: unknown) => resolve({ outcome: 'fail', value }),
      error: reject,
    })
    strategy.authenticate(request as never, {})
  })
}
