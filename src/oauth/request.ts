import type { Reader } from '../store/open.ts'
import { isSuspended } from '../access/app-team.ts'
import { type App, findApp, isRegistered, requireRunning } from './clients.ts'
import { AuthorizationRefusal, OAuthError, type OAuthErrorCode, type ReturnAddress } from './errors.ts'
import { firstCallPage } from './first-call.ts'
import { findPushed, type PushedRequest } from './pushed.ts'
import { isScope, scopeNames } from '../shared/scopes.ts'

/** A checked authorization request. */
export interface AuthorizationRequest extends ReturnAddress {
  app: App
  scopes: string[]
  code_challenge: string | null
  prompt: 'none' | 'login' | 'consent'
  /** null when the browser carried the parameters. */
  pushed: PushedRequest | null
  /** The query that repeats this request: its parameters, or the reference to a pushed one. */
  link: URLSearchParams
}

/**
 * Reads an authorization request (RFC 6749, 4.1.1), or the pushed one that it refers to (RFC 9126, 4). Until client and
 * redirect URI are verified, an error is an `OAuthError`, shown to the user; after that it is an
 * `AuthorizationRefusal`, which is redirected to the app. Unknown parameters are ignored (RFC 6749, 3.1).
 */
export async function readAuthorizationRequest(
  db: Reader,
  given: URLSearchParams,
  { base_url, api_root }: { base_url: string; api_root: string },
  now: number,
): Promise<AuthorizationRequest> {
  const brought = withoutEmpty(given)
  const app = await clientOf(db, brought)
  const pushed = brought.has('request_uri') ? await pushedRequestOf(db, brought, app, now) : null
  const params = pushed?.params ?? brought
  const redirect_uri = redirectUriOf(params, app, base_url)
  const back = { redirect_uri, state: params.getAll('state').length === 1 ? params.get('state') : null }
  const broken = brokenRule(params, app, api_root, pushed !== null)
  if (broken) throw new AuthorizationRefusal(back, broken.error, broken.description)
  return {
    ...back,
    app,
    scopes: scopeNames(params.get('scope')!),
    code_challenge: params.get('code_challenge'),
    prompt: pushed && brought.has(SIGN_IN_AGAIN) ? 'login' : promptOf(params),
    pushed,
    link: pushed ? new URLSearchParams({ client_id: app.client_id, request_uri: brought.get('request_uri')! }) : given,
  }
}

/**
 * The parameter of the consent page's link to sign in as another user. Beside a reference to a pushed request all OAuth
 * parameters are ignored, `prompt` included.
 */
export const SIGN_IN_AGAIN = 'sign_in_anew'

/**
 * Checks a pushed request like one from a browser, and returns the parameters to store (RFC 9126, 2.1). Throws an
 * `OAuthError` for any flaw, those of the redirect_uri included (2.3).
 */
export function checkPushedRequest(app: App, given: URLSearchParams, api_root: string): URLSearchParams {
  const redirect_uri = given.get('redirect_uri')
  if (redirect_uri === null) throw new OAuthError('invalid_request', 'redirect_uri is missing.')
  if (!isRegistered(app, redirect_uri))
    throw new OAuthError('invalid_request', 'The redirect_uri is not one that the app has registered.')
  const broken = brokenRule(given, app, api_root, true)
  if (broken) throw new OAuthError(broken.error, broken.description)
  return new URLSearchParams([...given].filter(([name]) => STORED.has(name)))
}

/** The parameters that are read. No others of a pushed request are stored, because it carries the client's secret. */
const STORED: ReadonlySet<string> = new Set([
  'response_type',
  'response_mode',
  'redirect_uri',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
  'prompt',
  'resource',
])

interface Rule {
  error: OAuthErrorCode
  description: string
  refuses(params: URLSearchParams, app: App, api_root: string, pushed: boolean): boolean
}

/** The first rule that the request breaks. */
function brokenRule(params: URLSearchParams, app: App, api_root: string, pushed: boolean): Rule | undefined {
  return RULES.find(({ refuses }) => refuses(params, app, api_root, pushed))
}

const RULES: readonly Rule[] = [
  {
    error: 'invalid_request',
    description: 'A parameter is repeated.',
    refuses: (params) => repeated(params) !== null,
  },
  {
    error: 'request_not_supported',
    description: 'Request objects are not supported.',
    refuses: (params) => params.has('request'),
  },
  {
    error: 'invalid_request',
    description: 'A pushed request must not contain request_uri (RFC 9126, 2.1).',
    refuses: (params) => params.has('request_uri'),
  },
  {
    error: 'invalid_request',
    description: 'request_uri is missing: this client must push its requests (RFC 9126).',
    refuses: (_, app, __, pushed) => app.require_par && !pushed,
  },
  {
    error: 'invalid_request',
    description: 'response_type is missing.',
    refuses: (params) => !params.has('response_type'),
  },
  {
    error: 'unsupported_response_type',
    description: 'The only response_type is code.',
    refuses: (params) => params.get('response_type') !== 'code',
  },
  {
    error: 'unsupported_response_mode',
    description: 'The only response_mode is query.',
    refuses: (params) => (params.get('response_mode') ?? 'query') !== 'query',
  },
  {
    error: 'invalid_request',
    description: 'prompt=none cannot be combined with other values.',
    refuses: (params) => prompts(params).includes('none') && prompts(params).length > 1,
  },
  // Nothing but PKCE binds a code to a public client. A confidential app may require it of itself.
  {
    error: 'invalid_request',
    description: 'code_challenge is missing: this client must use PKCE (RFC 7636).',
    refuses: (params, app) => (app.client_type === 'public' || app.require_pkce) && !params.has('code_challenge'),
  },
  {
    error: 'invalid_request',
    description: 'The only code_challenge_method is S256, and it must be named.',
    refuses: (params) => params.has('code_challenge') && params.get('code_challenge_method') !== 'S256',
  },
  {
    error: 'invalid_request',
    description: 'code_challenge_method needs a code_challenge.',
    refuses: (params) => params.has('code_challenge_method') && !params.has('code_challenge'),
  },
  {
    error: 'invalid_request',
    description: 'code_challenge is 43 to 128 of A-Z, a-z, 0-9 and - . _ ~',
    refuses: (params) => params.has('code_challenge') && !PKCE_TEXT.test(params.get('code_challenge')!),
  },
  {
    error: 'invalid_target',
    description: 'The resource is unknown (RFC 8707).',
    refuses: (params, _, api_root) => params.getAll('resource').some((resource) => resource !== api_root),
  },
  {
    error: 'invalid_scope',
    description: 'scope is missing.',
    refuses: (params) => scopeNames(params.get('scope') ?? '').length === 0,
  },
  {
    error: 'invalid_scope',
    description: 'A scope does not exist, or the app has not registered it.',
    refuses: (params, app) =>
      scopeNames(params.get('scope')!).some((name) => !isScope(name) || !app.scopes.includes(name)),
  },
]

/** The form of a code challenge and a code verifier (RFC 7636, 4.1). */
export const PKCE_TEXT = /^[A-Za-z0-9\-._~]{43,128}$/

async function clientOf(db: Reader, params: URLSearchParams): Promise<App> {
  const [client_id, second] = params.getAll('client_id')
  if (client_id === undefined || second !== undefined)
    throw new OAuthError(
      'invalid_request',
      'The link that brought you here does not say once which app it belongs to (client_id).',
    )
  const app = await findApp(db, client_id)
  if (!app)
    throw new OAuthError(
      'invalid_client',
      'The link that brought you here belongs to an app that is not known here (client_id).',
    )
  requireRunning({ is_suspended: await isSuspended(db, app.id) })
  return app
}

async function pushedRequestOf(db: Reader, params: URLSearchParams, app: App, now: number): Promise<PushedRequest> {
  const [request_uri, second] = params.getAll('request_uri')
  const back = returnBeside(params, app)
  if (request_uri === undefined || second !== undefined) {
    throw back
      ? new AuthorizationRefusal(back, 'invalid_request', 'A parameter is repeated.')
      : new OAuthError(
          'invalid_request',
          'The link that brought you here does not say once what the app asks for (request_uri).',
        )
  }
  const pushed = await findPushed(db, app.id, request_uri, now)
  if (!pushed)
    throw back
      ? new AuthorizationRefusal(
          back,
          'invalid_request_uri',
          'The request_uri is unknown, was used before, or is out of date.',
        )
      : unknownRequestUri()
  return pushed
}

/** Where to report an unknown request_uri: only to a valid redirect_uri in the same request. */
function returnBeside(params: URLSearchParams, app: App): ReturnAddress | null {
  const [redirect_uri, second] = params.getAll('redirect_uri')
  if (redirect_uri === undefined || second !== undefined || !isRegistered(app, redirect_uri)) return null
  return { redirect_uri, state: params.getAll('state').length === 1 ? params.get('state') : null }
}

/** The same error for a reference that is unknown, expired, used or another app's. */
export function unknownRequestUri(): OAuthError {
  return new OAuthError(
    'invalid_request_uri',
    'The link that brought you here was used before or has expired. Go back to the app and start again (request_uri).',
  )
}

function redirectUriOf(params: URLSearchParams, app: App, base_url: string): string {
  const [redirect_uri, second] = params.getAll('redirect_uri')
  if (redirect_uri === undefined || second !== undefined)
    throw new OAuthError(
      'invalid_redirect_uri',
      'The link that brought you here does not say once where the app wants you back (redirect_uri).',
    )
  if (!isRegistered(app, redirect_uri) && redirect_uri !== firstCallPage(base_url, app.id))
    throw new OAuthError(
      'invalid_redirect_uri',
      'The link that brought you here leads back to an address that the app has not registered (redirect_uri).',
    )
  return redirect_uri
}

/** A parameter without a value counts as left out (RFC 6749, 3.1). */
export function withoutEmpty(params: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...params].filter(([, value]) => value !== ''))
}

/** The name of a repeated parameter, or null; `resource` may be repeated (RFC 8707, 2). */
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

/** The consent page is always shown and names the signed-in user, so only `none` and `login` change anything. */
function promptOf(params: URLSearchParams): AuthorizationRequest['prompt'] {
  const requested = prompts(params)
  if (requested.includes('none')) return 'none'
  return requested.includes('login') ? 'login' : 'consent'
}
