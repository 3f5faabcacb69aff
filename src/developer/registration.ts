import { invalid } from '../errors.ts'
import { isScope } from '../shared/scopes.ts'
import type { ScopeReasons } from '../store/tables/developer.ts'

/** Checks of an app's registration: its redirect addresses and scopes (docs/api/oauth.md#clients). */

export const MAX_REDIRECT_URIS = 10
export const URI_MAX_CHARACTERS = 2000
export const REASON_MAX_CHARACTERS = 500

/** The addresses without duplicates. VALIDATION_FAILED at `/redirect_uris/N` for an unsafe one. */
export function checkRedirectUris(given: readonly string[], client_type: 'confidential' | 'public'): string[] {
  const addresses = [...new Set(given)]
  if (addresses.length > MAX_REDIRECT_URIS)
    throw invalid('/redirect_uris', `An app has at most ${MAX_REDIRECT_URIS} redirect addresses.`)
  addresses.forEach((address, index) => {
    const flaw = redirectFlaw(address, client_type)
    if (flaw !== null) throw invalid(`/redirect_uris/${index}`, flaw)
  })
  return addresses
}

/** What every redirect address matches: ASCII with a scheme, and neither fragment, wildcard, user name nor plain http. */
export const REDIRECT_URI =
  '^(?!http:(?!//(?:127\\.0\\.0\\.1|\\[::1\\]|localhost)(?::\\d{1,5})?(?:[/?]|$)))(?![^/?]*//[^/?]*@)' +
  '[A-Za-z][A-Za-z0-9+.-]*:[\\x21\\x22\\x24-\\x29\\x2B-\\x5B\\x5D-\\x7E]+$'
const LOOPBACK = /^http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)(?::\d{1,5})?(?:[/?]|$)/
/**
 * What is wrong with a redirect address, or null (RFC 6749, 3.1.2; RFC 8252, 7; RFC 9700, 4.1.3). Addresses are
 * compared as text, so an address must be complete and unambiguous.
 */
function redirectFlaw(address: string, client_type: 'confidential' | 'public'): string | null {
  if (address.length > URI_MAX_CHARACTERS) return `A redirect address has at most ${URI_MAX_CHARACTERS} characters.`
  if (!/^[\x21-\x7E]+$/.test(address) || address.includes('\\'))
    return 'A redirect address is ASCII without spaces and backslashes.'
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(address)?.[1]?.toLowerCase()
  const url = URL.parse(address)
  if (scheme === undefined || url === null) return 'A redirect address is a complete URL with its scheme.'
  if (address.includes('#')) return 'A redirect address has no fragment.'
  if (address.includes('*')) return 'A redirect address is compared exactly: it has no wildcard.'
  if (url.username !== '' || url.password !== '' || /^[^/?]*\/\/[^/?]*@/.test(address))
    return 'A redirect address has no user name or password.'
  if (scheme === 'https')
    return /^https:\/\/(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::\d{1,5})?(?:[/?]|$)/i.test(address)
      ? null
      : 'A redirect address has a host: letters, digits, dots and hyphens.'
  if (scheme === 'http')
    return LOOPBACK.test(address)
      ? null
      : 'http is for loopback addresses only (127.0.0.1, [::1], localhost). Use https.'
  if (client_type !== 'public') return 'A redirect address begins with https://.'
  // RFC 8252, 7.1: a reversed domain name of the app's maker, which no browser and no other app handles.
  return scheme.includes('.')
    ? null
    : 'The scheme of an app is a domain name in reverse order, with a dot, such as com.example.app.'
}

/** The scopes without duplicates. VALIDATION_FAILED at `/scopes/N` for an unknown one. */
export function checkScopes(given: readonly string[]): string[] {
  given.forEach((scope, index) => {
    if (!isScope(scope)) throw invalid(`/scopes/${index}`, 'There is no such scope.')
  })
  return [...new Set(given)]
}

/** The app's reasons for its scopes. VALIDATION_FAILED for a scope that the app does not have. */
export function checkScopeReasons(given: Readonly<Record<string, string>>, scopes: readonly string[]): ScopeReasons {
  for (const [scope, reason] of Object.entries(given)) {
    if (!scopes.includes(scope))
      throw invalid('/scope_reasons', `The app does not ask for the scope ${scope.slice(0, 100)}.`)
    if (reason.trim() === '' || reason.length > REASON_MAX_CHARACTERS)
      throw invalid(`/scope_reasons/${scope}`, `A reason has 1 to ${REASON_MAX_CHARACTERS} characters.`)
  }
  return { ...given }
}
