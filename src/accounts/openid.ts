import { HOUR_MS } from '../clock.ts'
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import * as client from 'openid-client'
import { fetchPublic, isPrivateAddress } from '../public-fetch.ts'
import type { Runtime } from '../runtime.ts'
import type { Identity } from './identities.ts'

/**
 * Sign-in through a configured OpenID Connect provider: the authorization code flow with PKCE, state and nonce.
 * openid-client implements the protocol; this file decides which hosts it may reach.
 */
export interface OpenIdProvider {
  /** The button's text after "Sign in with". */
  label: string
  /** The address for the browser, and the state to keep until it returns. Rejects when the provider does not answer. */
  begin(redirect_uri: string): Promise<{ address: string; attempt: OpenIdAttempt }>
  /**
   * Redeems the response in the redirect address's `search`, once. Rejects when state, nonce, issuer, audience,
   * signature or time do not belong to this attempt.
   */
  finish(redirect_uri: string, search: string, attempt: OpenIdAttempt): Promise<Identity>
}

/** Binds a response to the browser that started the attempt. */
export interface OpenIdAttempt {
  state: string
  nonce: string
  code_verifier: string
}

const TIMEOUT_S = 10
/** Life of the cached provider metadata. */
const METADATA_LIFE_MS = HOUR_MS

/** The configured provider, or null. */
export function openIdProvider({ config, clock }: Runtime): OpenIdProvider | null {
  const { oidc_issuer, oidc_client_id, oidc_client_secret, oidc_label } = config
  if (oidc_issuer === '') return null
  let known: { until: number; description: Promise<client.Configuration> } | null = null

  const description = (): Promise<client.Configuration> => {
    if (known && known.until > clock.now()) return known.description
    const fetched = describe(oidc_issuer, oidc_client_id, oidc_client_secret)
    known = { until: clock.now() + METADATA_LIFE_MS, description: fetched }
    fetched.catch(() => {
      known = null
    })
    return fetched
  }

  return {
    label: oidc_label || new URL(oidc_issuer).host,

    async begin(redirect_uri) {
      const provider = await description()
      const attempt = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        code_verifier: client.randomPKCECodeVerifier(),
      }
      const address = client.buildAuthorizationUrl(provider, {
        redirect_uri,
        scope: 'openid email profile',
        state: attempt.state,
        nonce: attempt.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(attempt.code_verifier),
        code_challenge_method: 'S256',
      })
      return { address: address.href, attempt }
    },

    async finish(redirect_uri, search, { state, nonce, code_verifier }) {
      const provider = await description()
      const tokens = await client.authorizationCodeGrant(provider, new URL(redirect_uri + search), {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: code_verifier,
        idTokenExpected: true,
      })
      const claims = tokens.claims()!
      if (claims.sub === '') throw new Error('The provider sent no subject.')
      const says_all = claims.email !== undefined && claims.email_verified !== undefined
      const said =
        says_all || provider.serverMetadata().userinfo_endpoint === undefined
          ? claims
          : await client.fetchUserInfo(provider, tokens.access_token, claims.sub)
      return {
        issuer: claims.iss,
        subject: claims.sub,
        email: text(said.email),
        email_verified: said.email_verified === true,
        first_name: text(said.given_name),
        last_name: text(said.family_name),
      }
    },
  }
}

function describe(issuer: string, client_id: string, secret: string): Promise<client.Configuration> {
  return client.discovery(new URL(issuer), client_id, undefined, secret === '' ? client.None() : bySecret(secret), {
    timeout: TIMEOUT_S,
    execute: [
      client.enableNonRepudiationChecks, // checks the signature even though the token comes directly from the provider
      ...(issuer.startsWith('http:') ? [client.allowInsecureRequests] : []),
    ],
    [client.customFetch]: guardedFetch(new URL(issuer)),
  })
}

/** Client authentication by header (the default of OpenID Connect Discovery, 3), or by body if only that is offered. */
function bySecret(secret: string): client.ClientAuth {
  const [basic, post] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)]
  return (provider, ...rest) => {
    const ways = provider.token_endpoint_auth_methods_supported
    return (ways === undefined || ways.includes('client_secret_basic') ? basic : post)(provider, ...rest)
  }
}

/**
 * The fetch for openid-client. The operator may choose an issuer in a private network; metadata of a public issuer must
 * not lead into one, so the address that is connected to is checked (docs/api/delivery.md#pace-and-limits).
 */
export function guardedFetch(issuer: URL): client.CustomFetch {
  return async (address, { body, headers, method, ...options }) => {
    if (await isPrivate(issuer)) return fetch(address, { ...options, body, headers, method } as RequestInit)
    const sent = { method, headers, ...(body ? { body: String(body) } : {}) }
    const { status, text, type = '' } = await fetchPublic(address, sent)
    return new Response(text, { status, headers: { 'Content-Type': type } })
  }
}

async function isPrivate({ hostname }: URL): Promise<boolean> {
  const host = hostname.replace(/^\[|\]$/g, '')
  const addresses = isIP(host) ? [host] : (await lookup(host, { all: true })).map(({ address }) => address)
  return addresses.some(isPrivateAddress)
}

function text(claim: unknown): string {
  return typeof claim === 'string' ? claim.trim() : ''
}
