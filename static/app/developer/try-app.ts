import { data } from '../api/data.ts'
import { randomHex } from '../api/random.ts'
import type { App } from '../app-review/app-data.ts'
import { sha256 } from './sha256.ts'

/** What the browser keeps between the consent page and the page of the first call. */
interface Attempt {
  state: string
  verifier: string
}

const keyOf = (id: string) => `masthead-try-${id}`

/** The page to which a code of the app is sent: the service's own. */
export function tryAddress(id: string): string {
  return `${data.base_url}/portal/developer/apps/${id}/try`
}

/**
 * The address of the consent page, which sends the code to the page of the first call (RFC 6749, 4.1.1; PKCE, RFC
 * 7636).
 */
export function beginTry({ id, client_id, scopes }: App): string {
  const redirect_uri = tryAddress(id)
  const attempt: Attempt = { state: randomHex(16), verifier: randomHex(32) }
  sessionStorage.setItem(keyOf(id), JSON.stringify(attempt))
  const hash = sha256(new TextEncoder().encode(attempt.verifier))
  const code_challenge = hash.toBase64({ alphabet: 'base64url', omitPadding: true })
  const request = new URLSearchParams({
    ...{ response_type: 'code', client_id, redirect_uri, scope: scopes.join(' '), state: attempt.state },
    ...{ code_challenge, code_challenge_method: 'S256' },
  })
  return `${data.base_url}/general/oauth/authorize?${request.toString()}`
}

/** The verifier of the attempt that a code belongs to, once; null for a code that was not asked for here. */
export function endTry(id: string, state: string | undefined): string | null {
  const kept = sessionStorage.getItem(keyOf(id))
  sessionStorage.removeItem(keyOf(id))
  const attempt = kept === null ? null : (JSON.parse(kept) as Attempt)
  return attempt !== null && attempt.state === state ? attempt.verifier : null
}
