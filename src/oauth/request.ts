import type { Reader } from '../store/open.ts'
import { type App, findApp, isRegistered, requireRunning } from './clients.ts'
import { AuthorizationRefusal, OAuthError, type OAuthErrorCode, type ReturnAddress } from './errors.ts'
import { isScope, scopeNames } from './scopes.ts'

/** What an app asks for, checked. */
export interface AuthorizationRequest extends ReturnAddress {
  app: App
  scopes: string[]
  code_challenge: string | null
  prompt: 'none' | 'login' | 'consent'
}

/**
 * Reads an authorization request (RFC 6749, 4.1.1). As long as it is not certain where an answer may go, a refusal
 * is an `OAuthError`, shown to the person; everything after that is an `AuthorizationRefusal`, which goes back to
 * the app. Parameters that nobody knows are ignored (3.1).
 */
export async function readAuthorizationRequest(db: Reader, given: URLSearchParams, api_root: string): Promise<AuthorizationRequest> {
  const params = withoutEmpty(given)
  const app = await clientOf(db, params)
  const redirect_uri = redirectUriOf(params, app)
  const back = { redirect_uri, state: params.getAll('state').length === 1 ? params.get('state') : null }
  for (const { error, description, refuses } of RULES) {
    if (refuses(params, app, api_root)) throw new AuthorizationRefusal(back, error, description)
  }
  return {
    ...back,
    app,
    scopes: scopeNames(params.get('scope')!),
    code_challenge: params.get('code_challenge'),
    prompt: promptOf(params),
  }
}

interface Rule {
  error: OAuthErrorCode
  description: string
  refuses(params: URLSearchParams, app: App, api_root: string): boolean
}

/** The first rule that refuses gives the answer. */
const RULES: readonly Rule[] = [
  { error: 'invalid_request', description: 'A parameter stands more than once.', refuses: (params) => repeated(params) !== null },
  { error: 'request_not_supported', description: 'Request objects are not supported.', refuses: (params) => params.has('request') },
  { error: 'invalid_request_uri', description: 'The request_uri is unknown.', refuses: (params) => params.has('request_uri') },
  { error: 'invalid_request', description: 'response_type is missing.', refuses: (params) => !params.has('response_type') },
  { error: 'unsupported_response_type', description: 'The only response_type is code.', refuses: (params) => params.get('response_type') !== 'code' },
  { error: 'unsupported_response_mode', description: 'The only response_mode is query.', refuses: (params) => (params.get('response_mode') ?? 'query') !== 'query' },
  { error: 'invalid_request', description: 'prompt=none stands alone.', refuses: (params) => prompts(params).includes('none') && prompts(params).length > 1 },
  { error: 'invalid_request', description: 'code_challenge is missing: this client must use PKCE (RFC 7636).', refuses: (params, app) => demandsPkce(app) && !params.has('code_challenge') },
  { error: 'invalid_request', description: 'The only code_challenge_method is S256, and it must be named.', refuses: (params) => params.has('code_challenge') && params.get('code_challenge_method') !== 'S256' },
  { error: 'invalid_request', description: 'There is a code_challenge_method without a code_challenge.', refuses: (params) => params.has('code_challenge_method') && !params.has('code_challenge') },
  { error: 'invalid_request', description: 'code_challenge is 43 to 128 of A-Z, a-z, 0-9 and - . _ ~', refuses: (params) => params.has('code_challenge') && !PKCE_TEXT.test(params.get('code_challenge')!) },
  { error: 'invalid_target', description: 'The resource is unknown (RFC 8707).', refuses: (params, _, api_root) => params.getAll('resource').some((resource) => resource !== api_root) },
  { error: 'invalid_scope', description: 'scope is missing.', refuses: (params) => scopeNames(params.get('scope') ?? '').length === 0 },
  { error: 'invalid_scope', description: 'There is a scope that does not exist, or that the app has not registered.', refuses: (params, app) => scopeNames(params.get('scope')!).some((name) => !isScope(name) || !app.scopes.includes(name)) },
]

/** What a code challenge and a code verifier are made of (RFC 7636, 4.1). */
export const PKCE_TEXT = /^[A-Za-z0-9\-._~]{43,128}$/

/** Public clients have nothing else that ties a code to them; a confidential one may demand it of itself. */
function demandsPkce(app: App): boolean {
  return app.client_type === 'public' || app.require_pkce
}

async function clientOf(db: Reader, params: URLSearchParams): Promise<App> {
  const [client_id, second] = params.getAll('client_id')
  if (client_id === undefined || second !== undefined) throw new OAuthError('invalid_request', 'The link that brought you here does not say once which app it belongs to (client_id).')
  const app = await findApp(db, client_id)
  if (!app) throw new OAuthError('invalid_client', 'The link that brought you here belongs to an app that is not known here (client_id).')
  await requireRunning(db, app)
  return app
}

function redirectUriOf(params: URLSearchParams, app: App): string {
  const [redirect_uri, second] = params.getAll('redirect_uri')
  if (redirect_uri === undefined || second !== undefined) throw new OAuthError('invalid_redirect_uri', 'The link that brought you here does not say once where the app wants you back (redirect_uri).')
  if (!isRegistered(app, redirect_uri)) throw new OAuthError('invalid_redirect_uri', 'The link that brought you here leads back to an address that the app has not registered (redirect_uri).')
  return redirect_uri
}

/** A parameter without a value counts as left out (RFC 6749, 3.1). */
export function withoutEmpty(params: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...params].filter(([, value]) => value !== ''))
}

/** The name of a parameter that stands more than once, or null; `resource` may (RFC 8707, 2). */
export function repeated(params: URLSearchParams): string | null {
  const seen = new Set<string>()
  for (const [name] of params) {
    if (seen.has(name) && name !== 'resource') return name
    seen.add(name)
  }
  return null
}

function prompts(params: URLSearchParams): string[] {
  return scopeNames(params.get('prompt') ?? '')
}

/** The consent page always comes, and it says who is signed in: only `none` and `login` change anything. */
function promptOf(params: URLSearchParams): AuthorizationRequest['prompt'] {
  const asked = prompts(params)
  if (asked.includes('none')) return 'none'
  return asked.includes('login') ? 'login' : 'consent'
}
