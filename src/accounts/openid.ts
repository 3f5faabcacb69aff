import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import * as client from 'openid-client'
import { isPrivateAddress } from '../public-fetch.ts'
import type { Runtime } from '../runtime.ts'
import type { Identity } from './identities.ts'

/**
 * Signing in at a configured OpenID Connect provider: the authorization code flow with PKCE, state and nonce. The
 * protocol is openid-client's; which machines it may talk to is decided here.
 */
export interface OpenIdProvider {
  /** What the button says after "Sign in with". */
  label: string
  /** Where the browser goes, and what has to be kept for when it comes back. Rejects when the provider does not answer. */
  begin(redirect_uri: string): Promise<{ address: string; attempt: OpenIdAttempt }>
  /**
   * Redeems what the browser came back with (`search` of the redirect address), once. Rejects for everything that is
   * not this attempt's: another state, nonce, issuer or audience, a signature or time that does not hold.
   */
  finish(redirect_uri: string, search: string, attempt: OpenIdAttempt): Promise<Identity>
}

/** What binds an answer to the browser that asked. */
export interface OpenIdAttempt {
  state: string
  nonce: string
  code_verifier: string
}

const TIMEOUT_S = 10
/** The provider's description is fetched again after this time. */
const DESCRIPTION_KEPT_MS = 3_600_000

/** The provider of the settings, or null. */
export function openIdProvider({ config, clock }: Runtime): OpenIdProvider | null {
  const { oidc_issuer, oidc_client_id, oidc_client_secret, oidc_label } = config
  if (oidc_issuer === '') return null
  let known: { until: number; description: Promise<client.Configuration> } | null = null

  const description = (): Promise<client.Configuration> => {
    if (known && known.until > clock.now()) return known.description
    const fetched = describe(oidc_issuer, oidc_client_id, oidc_client_secret)
    known = { until: clock.now() + DESCRIPTION_KEPT_MS, description: fetched }
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
      if (claims.sub === '') throw new Error('The provider has no name for this person.')
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
      client.enableNonRepudiationChecks, // the signature is checked although the token comes from the provider itself
      ...(issuer.startsWith('http:') ? [client.allowInsecureRequests] : []),
    ],
    [client.customFetch]: guardedFetch(new URL(issuer)),
  })
}

/** By the Authorization header, which is the usual way (OpenID Connect Discovery, 3), unless the provider has only the other. */
function bySecret(secret: string): client.ClientAuth {
  const [basic, post] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)]
  return (provider, ...rest) => {
    const ways = provider.token_endpoint_auth_methods_supported
    return (ways === undefined || ways.includes('client_secret_basic') ? basic : post)(provider, ...rest)
  }
}

/** The library's requests, which follow no redirects. */
function guardedFetch(issuer: URL): client.CustomFetch {
  return async (address, options) => {
    if (await isClosed(issuer, new URL(address)))
      throw new Error('The OpenID Connect provider names an address in a private network.')
    return fetch(address, options as RequestInit)
  }
}

/**
 * The operator chose the issuer, wherever it is. Where it is not in a private network, what it says of itself does
 * not lead into one (contract-details 26).
 */
export async function isClosed(issuer: URL, address: URL): Promise<boolean> {
  return (await isPrivate(address)) && !(await isPrivate(issuer))
}

async function isPrivate({ hostname }: URL): Promise<boolean> {
  const host = hostname.replace(/^\[|\]$/g, '')
  const addresses = isIP(host) ? [host] : (await lookup(host, { all: true })).map(({ address }) => address)
  return addresses.some(isPrivateAddress)
}

function text(claim: unknown): string {
  return typeof claim === 'string' ? claim.trim() : ''
}
