import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'

export const CLIENT = { id: 'masthead', secret: 'a secret of the two: +/%' }

/** Who is at the provider's login page, and what it says of them. */
export interface Person {
  sub: string
  email?: string
  email_verified?: boolean
  given_name?: string
  family_name?: string
}

export interface OpenIdTestProvider {
  issuer: string
  /** Whoever signs in next; null cancels. */
  person: Person | null
  close(): Promise<void>
}

async function listen(): Promise<{ server: Server; issuer: string }> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { server, issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const closeServer = (server: Server) =>
  new Promise<void>((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })

/** A certified provider (the package oidc-provider) at whose login page `person` is signed in without being asked. */
export async function startProvider(redirect_uri: () => string): Promise<OpenIdTestProvider> {
  const { server, issuer } = await listen()
  const people = new Map<string, Person>()
  const made: OpenIdTestProvider = { issuer, person: null, close: () => closeServer(server) }
  let provider: Provider | undefined

  const answer = async (request: IncomingMessage, response: Parameters<RequestListener>[1]) => {
    provider ??= new Provider(issuer, {
      clients: [{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: [redirect_uri()] }],
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['given_name', 'family_name'] },
      cookies: { keys: ['a key of the test provider'] },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_, { uid }) => `/interaction/${uid}` },
      findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ ...people.get(sub)!, sub }) }),
      async loadExistingGrant({ oidc }) {
        const grant = new oidc.provider.Grant({ clientId: oidc.client!.clientId, accountId: oidc.session!.accountId! })
        grant.addOIDCScope('openid email profile')
        await grant.save()
        return grant
      },
    })
    if (!request.url!.startsWith('/interaction/')) return provider.callback()(request, response)
    const { person } = made
    if (person) people.set(person.sub, person)
    return provider.interactionFinished(
      request,
      response,
      person ? { login: { accountId: person.sub } } : { error: 'access_denied' },
      { mergeWithLastSubmission: false },
    )
  }
  server.on('request', (request, response) => void answer(request, response))
  return made
}

export interface LyingProvider {
  issuer: string
  /** The claims of the next ID token, over those that would be right. */
  claims: Record<string, unknown>
  /** How it is signed. */
  signature: 'right' | 'another key' | 'none'
  /** Over what the description of the provider would say. */
  description: Record<string, unknown>
  /** What the userinfo endpoint says. */
  userinfo: Record<string, unknown>
  /** Requests to the token endpoint, as they came. */
  asked: { authorization: string | undefined; body: URLSearchParams }[]
  close(): Promise<void>
}

/** A provider that does as it is told. */
export async function startLyingProvider(): Promise<LyingProvider> {
  const { server, issuer } = await listen()
  const [right, other] = [
    generateKeyPairSync('rsa', { modulusLength: 2048 }),
    generateKeyPairSync('rsa', { modulusLength: 2048 }),
  ]
  const made: LyingProvider = {
    issuer,
    claims: {},
    signature: 'right',
    description: {},
    userinfo: {},
    asked: [],
    close: () => closeServer(server),
  }

  const answerOf = async (request: IncomingMessage): Promise<unknown> => {
    switch (new URL(request.url!, issuer).pathname) {
      case '/.well-known/openid-configuration':
        return {
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/keys`,
          userinfo_endpoint: `${issuer}/userinfo`,
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['RS256'],
          ...made.description,
        }
      case '/keys':
        return { keys: [{ ...right.publicKey.export({ format: 'jwk' }), kid: 'one', use: 'sig', alg: 'RS256' }] }
      case '/userinfo':
        return made.userinfo
      default: {
        let body = ''
        for await (const chunk of request) body += String(chunk)
        made.asked.push({ authorization: request.headers.authorization, body: new URLSearchParams(body) })
        return { access_token: 'an-access-token', token_type: 'Bearer', expires_in: 60, id_token: idToken() }
      }
    }
  }
  const idToken = () => {
    const now_s = Math.floor(Date.now() / 1000)
    const claims = {
      iss: issuer,
      aud: CLIENT.id,
      sub: 'subject-1',
      iat: now_s,
      exp: now_s + 60,
      email: 'owner@example.com',
      email_verified: true,
      ...made.claims,
    }
    return signed(
      claims,
      made.signature === 'none' ? null : made.signature === 'right' ? right.privateKey : other.privateKey,
    )
  }
  server.on(
    'request',
    (request, response) =>
      void answerOf(request).then((body) => {
        response.setHeader('Content-Type', 'application/json')
        response.end(JSON.stringify(body))
      }),
  )
  return made
}

/** A JSON Web Token (RFC 7519); without a key, one that says it needs no signature. */
function signed(claims: object, key: KeyObject | null): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const head = `${part(key ? { alg: 'RS256', kid: 'one' } : { alg: 'none' })}.${part(claims)}`
  return `${head}.${key ? createSign('RSA-SHA256').update(head).sign(key, 'base64url') : ''}`
}
