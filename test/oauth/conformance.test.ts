import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { closeWorlds, SCOPES } from '../support/world.ts'
import {
  authorizeUrl,
  type Browser,
  browserWith,
  CHALLENGE,
  type Client,
  createOAuthWorld,
  type OAuthWorld,
  pushedUrl,
  signIn,
  type TokenResponse,
  VERIFIER,
} from './oauth-world.ts'

/**
 * The modules of the OpenID Foundation's conformance suite that mean something to a server of plain OAuth, each as
 * one case of the same name. The suite's own runner needs OpenID Connect; merging and replacing grants is not offered.
 */

let world: OAuthWorld
let owner: Browser

beforeAll(async () => {
  world = await createOAuthWorld()
  world.service.runtime.log.warn = () => undefined // codes are used twice on purpose
  owner = await world.browser('owner')
})
afterAll(closeWorlds)

const PKCE = { code_challenge: CHALLENGE, code_challenge_method: 'S256' }
const ask = (params: Record<string, string | null> = {}, client: Client = world.client) =>
  authorizeUrl({
    client_id: client.client_id,
    redirect_uri: client.redirect_uri,
    scope: 'newsletter:read',
    state: 'af0ifjsldkj',
    ...PKCE,
    ...params,
  })

/** The whole way to the app's address, with the owner's approval. */
async function approved(path: string, browser = owner): Promise<URL> {
  const page = await browser.open(path)
  expect(page.status).toBe(200)
  return browser.decide(page, 'approve', [world.project.public_id])
}

const exchange = (
  code: string,
  fields: Record<string, string> = {},
  options: Parameters<OAuthWorld['post']>[2] = {},
): Promise<TokenResponse> =>
  world.post(
    'token',
    {
      grant_type: 'authorization_code',
      code,
      redirect_uri: world.client.redirect_uri,
      code_verifier: VERIFIER,
      ...fields,
    },
    options,
  )

async function expectTokens(answer: TokenResponse): Promise<void> {
  expect(answer.status).toBe(200)
  expect(await world.works(answer.body.access_token)).toBe(200)
}

/** A code for a pushed request that the owner approved. */
async function pushedCode(): Promise<string> {
  const { body } = await world.push()
  return (await approved(pushedUrl(world.client, body.request_uri))).searchParams.get('code')!
}

/** Shown, and never sent anywhere. */
async function expectNoSuchRequest(path: string): Promise<void> {
  const response = await world.fetch(path, { headers: { Cookie: owner.cookie, Accept: 'application/json' } })
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ error: 'invalid_request_uri' })
}

const invalidGrant = { status: 400, body: { error: 'invalid_grant' } }

test('ServerTest gets a code with its state and issuer, and tokens for it.', async () => {
  const back = await approved(ask())
  expect(back.searchParams.get('state')).toBe('af0ifjsldkj')
  expect(back.searchParams.get('iss')).toBe(world.url)
  expect(back.hash).toBe('')
  await expectTokens(await exchange(back.searchParams.get('code')!))
})

test('ServerTestClientSecretPost gets tokens with the secret in the body.', async () => {
  await expectTokens(await exchange((await approved(ask())).searchParams.get('code')!, {}, { by: 'post' }))
})

test('ResponseTypeMissing gets the error invalid_request.', async () => {
  expect((await owner.location(ask({ response_type: null }))).searchParams.get('error')).toBe('invalid_request')
})

test('PromptLogin makes the user sign in again.', async () => {
  const editor = await signIn(world, 'editor')
  const login = await editor.location(ask({ prompt: 'login' }))
  expect(login.pathname).toBe('/portal/login')
  const back = login.searchParams.get('return')!
  expect((await editor.location(back)).pathname).toBe('/portal/login')
  await expectTokens(await exchange((await approved(back, await world.browser('editor'))).searchParams.get('code')!))
})

test('PromptNoneNotLoggedIn gets the error login_required.', async () => {
  expect((await browserWith(world, '').location(ask({ prompt: 'none' }))).searchParams.get('error')).toBe(
    'login_required',
  )
})

test('PromptNoneLoggedIn gets interaction_required, because the projects are chosen anew each time.', async () => {
  await approved(ask()).then((back) => exchange(back.searchParams.get('code')!))
  expect((await owner.location(ask({ prompt: 'none' }))).searchParams.get('error')).toBe('interaction_required')
})

test('EnsureRequestWithUnknownParameterSucceeds gets tokens.', async () => {
  const back = await approved(
    ask({
      extra: 'foobar',
      claims: '{}',
      ui_locales: 'se',
      nonce: 'n',
      display: 'page',
      login_hint: 'owner@example.com',
      max_age: '1',
    }),
  )
  await expectTokens(await exchange(back.searchParams.get('code')!, { extra: 'foobar' }))
})

test('AuthCodeReuse is refused, and the first access token dies.', async () => {
  const code = await world.code()
  const first = await exchange(code)
  expect(await exchange(code)).toMatchObject(invalidGrant)
  expect(await world.works(first.body.access_token)).toBe(401)
})

test('AuthCodeReuseAfter30Seconds is refused, and the first tokens die.', async () => {
  const code = await world.code()
  const first = await exchange(code)
  world.clock.advance(30_000)
  expect(await exchange(code)).toMatchObject(invalidGrant)
  expect(await world.works(first.body.access_token)).toBe(401)
  expect(await world.refresh(first.body.refresh_token)).toMatchObject(invalidGrant)
})

test('EnsureRegisteredRedirectUri is refused without a redirect.', async () => {
  expect((await owner.open(ask({ redirect_uri: 'https://weather.example/callback/path' }))).status).toBe(400)
})

test('RedirectUriQueryOK gets a code at the registered query.', async () => {
  const client = await world.newClient({ redirect_uris: ['https://weather.example/callback?foo=bar'] })
  const back = await approved(ask({}, client))
  expect(back.searchParams.get('foo')).toBe('bar')
  await expectTokens(await exchange(back.searchParams.get('code')!, { redirect_uri: client.redirect_uri }, { client }))
})

test('RedirectUriQueryAdded is refused.', async () => {
  expect((await owner.open(ask({ redirect_uri: `${world.client.redirect_uri}?foo=bar` }))).status).toBe(400)
})

test('RedirectUriQueryMismatch is refused.', async () => {
  const client = await world.newClient({ redirect_uris: ['https://weather.example/callback?foo=bar'] })
  expect((await owner.open(ask({ redirect_uri: 'https://weather.example/callback?bar=foo' }, client))).status).toBe(400)
})

test('RedirectUriRegFrag is refused: an address with a fragment fits none that can be registered.', async () => {
  expect((await owner.open(ask({ redirect_uri: `${world.client.redirect_uri}#foobar` }))).status).toBe(400)
})

test('EnsurePostRequestSucceeds shows the decision, also after a login.', async () => {
  const body = new URLSearchParams(ask().split('?')[1])
  const response = await world.fetch('/general/oauth/authorize', {
    method: 'POST',
    headers: { Cookie: owner.cookie, Origin: 'https://weather.example' },
    body,
  })
  expect(response.status).toBe(200)
  expect(await response.text()).toContain('name="decision"')
  const stranger = await world.fetch('/general/oauth/authorize', {
    method: 'POST',
    headers: { Origin: 'https://weather.example' },
    body,
  })
  const back = new URL(stranger.headers.get('location')!, world.url).searchParams.get('return')!
  await expectTokens(await exchange((await approved(back)).searchParams.get('code')!))
})

test("RefreshToken gets new tokens, and a rival's is refused.", async () => {
  const first = await exchange(await world.code())
  await expectTokens(await world.refresh(first.body.refresh_token))
  expect(await world.refresh(first.body.refresh_token, {}, world.rival)).toMatchObject(invalidGrant)
})

test('EnsureRequestWithValidPkceSucceeds gets tokens.', async () => {
  await expectTokens(await exchange((await approved(ask(PKCE))).searchParams.get('code')!))
})

describe('FAPI2SPFinal', () => {
  test('UserRejectsAuthentication gets the error access_denied with state and issuer.', async () => {
    const back = await owner.decide(await owner.open(ask()), 'deny', [])
    expect(Object.fromEntries(back.searchParams)).toMatchObject({
      error: 'access_denied',
      state: 'af0ifjsldkj',
      iss: world.url,
    })
  })

  test('EnsureAuthorizationRequestWithoutStateSuccess gets no state and tokens.', async () => {
    const back = await approved(ask({ state: null }))
    expect(back.searchParams.has('state')).toBe(false)
    await expectTokens(await exchange(back.searchParams.get('code')!))
  })

  test('EnsureAuthorizationRequestWithLongState gets its state back.', async () => {
    const state = 'AbC-_.~ä/?&=#%20'.repeat(256)
    expect((await approved(ask({ state }))).searchParams.get('state')).toBe(state)
  })

  test('EnsureResponseTypeTokenFails gets the error unsupported_response_type.', async () => {
    expect((await owner.location(ask({ response_type: 'token' }))).searchParams.get('error')).toBe(
      'unsupported_response_type',
    )
  })

  test('EnsureAuthorizationCodeIsBoundToClient refuses another client.', async () => {
    expect(await exchange(await world.code(), {}, { client: world.rival })).toMatchObject(invalidGrant)
  })

  test('EnsureClientIdInTokenEndpoint gets the error invalid_client without a client.', async () => {
    expect(await exchange(await world.code(), {}, { client: null })).toMatchObject({
      status: 401,
      body: { error: 'invalid_client' },
    })
  })

  test('AttemptReuseAuthorizationCodeAfterOneSecond is refused.', async () => {
    const code = await world.code()
    await exchange(code)
    world.clock.advance(1000)
    expect(await exchange(code)).toMatchObject(invalidGrant)
  })

  test('AttemptToUseExpiredAuthCode is refused.', async () => {
    const code = await world.code()
    world.clock.advance(60_001)
    expect(await exchange(code)).toMatchObject(invalidGrant)
  })

  test('AccessTokenTypeHeaderCaseSensitivity accepts Bearer in any case, and no token in the query.', async () => {
    const { access_token } = await world.tokens()
    for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR']) {
      expect(
        (
          await world.fetch('/general/api/v1/token/authorized_by', {
            headers: { Authorization: `${scheme} ${access_token}` },
          })
        ).status,
      ).toBe(200)
    }
    expect((await world.fetch(`/general/api/v1/token/authorized_by?access_token=${access_token}`)).status).toBe(401)
  })

  for (const [name, client] of [
    ['of a public client', () => world.public_client],
    ['of one that demands it of itself', () => world.newClient({ require_pkce: true })],
  ] as const) {
    test(`EnsurePKCERequired refuses a request without a challenge of ${name}.`, async () => {
      const back = await owner.location(ask({ code_challenge: null, code_challenge_method: null }, await client()))
      expect(Object.fromEntries(back.searchParams)).toMatchObject({ error: 'invalid_request', state: 'af0ifjsldkj' })
    })
  }

  test('EnsurePKCECodeVerifierRequired refuses an exchange without a verifier.', async () => {
    const answer = await world.post('token', {
      grant_type: 'authorization_code',
      code: await world.code(),
      redirect_uri: world.client.redirect_uri,
    })
    expect(answer).toMatchObject(invalidGrant)
  })

  test('IncorrectPKCECodeVerifierRejected refuses another verifier.', async () => {
    expect(await exchange(await world.code(), { code_verifier: `${VERIFIER.slice(1)}A` })).toMatchObject(invalidGrant)
  })

  test('EnsurePlainPKCERejected refuses a plain challenge.', async () => {
    expect(
      (await owner.location(ask({ code_challenge: VERIFIER, code_challenge_method: 'plain' }))).searchParams.get(
        'error',
      ),
    ).toBe('invalid_request')
  })

  test('AttemptToUseRequestUriThatWasNotPushed gets the error invalid_request_uri.', async () => {
    expect(
      (
        await owner.location(ask({ request_uri: 'urn:ietf:params:oauth:request_uri:6esc_11ACC5bwc014ltc14eY22c' }))
      ).searchParams.get('error'),
    ).toBe('invalid_request_uri')
  })

  test('PAREnsurePKCERequired refuses to push without a challenge.', async () => {
    for (const [client, by] of [
      [world.public_client, 'none'],
      [await world.newClient({ require_pkce: true }), 'basic'],
    ] as const) {
      expect(await world.push({ code_challenge: null, code_challenge_method: null }, { client, by })).toMatchObject({
        status: 400,
        body: { error: 'invalid_request' },
      })
    }
  })

  test('PAREnsurePKCECodeVerifierRequired refuses an exchange without a verifier.', async () => {
    const code = await pushedCode()
    expect(
      await world.post('token', { grant_type: 'authorization_code', code, redirect_uri: world.client.redirect_uri }),
    ).toMatchObject(invalidGrant)
    await expectTokens(await exchange(code))
  })

  test('PARIncorrectPKCECodeVerifierRejected refuses another verifier.', async () => {
    expect(await exchange(await pushedCode(), { code_verifier: `${VERIFIER.slice(1)}A` })).toMatchObject(invalidGrant)
  })

  test('PAREnsurePlainPKCERejected refuses to push a plain challenge.', async () => {
    expect(await world.push({ code_challenge: VERIFIER, code_challenge_method: 'plain' })).toMatchObject({
      status: 400,
      body: { error: 'invalid_request' },
    })
  })

  test('PARAttemptReuseRequestUri is refused.', async () => {
    const { body } = await world.push()
    await expectTokens(
      await exchange((await approved(pushedUrl(world.client, body.request_uri))).searchParams.get('code')!),
    )
    await expectNoSuchRequest(pushedUrl(world.client, body.request_uri))
  })

  test('PARAttemptToUseExpiredRequestUri is refused.', async () => {
    const { body } = await world.push()
    world.clock.advance(body.expires_in * 1000)
    await expectNoSuchRequest(pushedUrl(world.client, body.request_uri))
  })

  test('PAREnsureRequestUriIsBoundToClient refuses another client, and serves its own.', async () => {
    const { body } = await world.push()
    await expectNoSuchRequest(pushedUrl(world.rival, body.request_uri))
    await expectTokens(
      await exchange((await approved(pushedUrl(world.client, body.request_uri))).searchParams.get('code')!),
    )
  })

  test('PARRejectInvalidHttpVerb is answered with 405 and Allow.', async () => {
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const response = await world.fetch('/general/oauth/par', { method })
      expect({ status: response.status, allow: response.headers.get('allow') }).toEqual({ status: 405, allow: 'POST' })
    }
  })

  test('ParWithoutDuplicateParameters gets its state by the reference alone.', async () => {
    const { body } = await world.push({ state: 'af0ifjsldkj' })
    const back = await approved(pushedUrl(world.client, body.request_uri))
    expect(back.searchParams.get('state')).toBe('af0ifjsldkj')
    await expectTokens(await exchange(back.searchParams.get('code')!))
  })

  test('GrantManagementEnsureWrongClientCannotRevokeGrant leaves the tokens alive.', async () => {
    const { body } = await exchange(await world.code())
    for (const token of [body.access_token, body.refresh_token])
      expect((await world.post('revoke', { token }, { client: world.rival })).status).toBe(200)
    expect(await world.works(body.access_token)).toBe(200)
    expect((await world.refresh(body.refresh_token)).status).toBe(200)
  })
})

test('Of concurrent redemptions of one authorization code, one succeeds.', async () => {
  const code = await world.code()
  const statuses = (await Promise.all(Array.from({ length: 8 }, () => exchange(code)))).map(({ status }) => status)
  expect(statuses.sort()).toEqual([200, 400, 400, 400, 400, 400, 400, 400])
})

test('The tokens of a refresh that raced another one can be refreshed.', async () => {
  const { refresh_token } = await world.tokens()
  const answers = await Promise.all([world.refresh(refresh_token), world.refresh(refresh_token)])
  await expectTokens(await world.refresh(answers[0].body.refresh_token))
})

test('A revocation during a rotation ends the authorization in either order.', async () => {
  const { refresh_token } = await world.tokens()
  const [, rotation] = await Promise.all([world.post('revoke', { token: refresh_token }), world.refresh(refresh_token)])
  if (rotation.status === 200) {
    expect(await world.works(rotation.body.access_token)).toBe(401)
    expect(await world.refresh(rotation.body.refresh_token)).toMatchObject(invalidGrant)
  } else {
    expect(rotation).toMatchObject(invalidGrant)
  }
})

test('Two grants of one user and app do not know of each other.', async () => {
  const [one, two] = [
    await world.tokens(),
    await world.tokens({ scope: SCOPES[0], project_ids: [world.other.public_id] }),
  ]
  await world.post('revoke', { token: one.refresh_token })
  expect(await world.works(one.access_token)).toBe(401)
  expect(await world.works(two.access_token)).toBe(200)
})
