import type { SessionCaller } from '../../access/caller.ts'
import { requireSession, SESSION_COOKIE } from '../../access/session.ts'
import { AppError } from '../../errors.ts'
import type { Runtime } from '../../runtime.ts'
import type { Exchange, Handler } from './exchange.ts'

/** A route for whoever is signed in: refuses foreign pages, then asks who it is. */
export function signedIn(
  runtime: Runtime,
  handler: (exchange: Exchange, caller: SessionCaller) => Promise<Response> | Response,
): Handler {
  return fromOwnPages(runtime, async (exchange) =>
    handler(exchange, await requireSession(runtime, exchange.request.headers.get('cookie'), exchange.now)),
  )
}

/** A route that changes something and that pages of other sites must not reach with a visitor's browser. */
export function fromOwnPages(runtime: Runtime, handler: Handler): Handler {
  return (exchange) => {
    if (changesSomething(exchange.request)) requireOwnOrigin(runtime, exchange.request.headers.get('origin'))
    return handler(exchange)
  }
}

/**
 * FORBIDDEN when a browser says that the request comes from another origin, or from one it does not name
 * (`null`). Without the header there is no browser, and no cookie of somebody else's (details 17).
 */
export function requireOwnOrigin(runtime: Runtime, origin: string | null): void {
  if (origin === null || isOwnOrigin(runtime.base_url, origin)) return
  throw new AppError(
    'FORBIDDEN',
    `This request comes from another site. The address of this one is ${new URL(runtime.base_url).origin}.`,
  )
}

/**
 * As `requireOwnOrigin`, for a form that carries a token of ours. Its page sends no referrer, and a browser then says
 * `Origin: null`; where it sends Sec-Fetch-Site (https, and this machine) that tells whether the form was ours.
 */
export function requireOwnForm(runtime: Runtime, request: Request): void {
  const origin = request.headers.get('origin')
  if (origin === 'null' && ['same-origin', null].includes(request.headers.get('sec-fetch-site'))) return
  requireOwnOrigin(runtime, origin)
}

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** The names of this machine stand for each other: a service that is tried out is opened by any of them. */
function isOwnOrigin(base_url: string, origin: string): boolean {
  const own = new URL(base_url)
  if (origin === own.origin) return true
  const other = URL.parse(origin)
  return (
    other !== null &&
    origin === other.origin &&
    other.protocol === own.protocol &&
    other.port === own.port &&
    LOOPBACK.has(own.hostname) &&
    LOOPBACK.has(other.hostname)
  )
}

function changesSomething(request: Request): boolean {
  return request.method !== 'GET' && request.method !== 'HEAD'
}

/** The cookie lasts as long as browsers allow; when a session ends is for the store to say, use moves it on. */
const COOKIE_MAX_AGE_SECONDS = 400 * 24 * 60 * 60

export function sessionCookie(runtime: Runtime, token: string): string {
  return cookie(runtime, token, COOKIE_MAX_AGE_SECONDS)
}

export function endedSessionCookie(runtime: Runtime): string {
  return cookie(runtime, '', 0)
}

function cookie(runtime: Runtime, value: string, max_age: number): string {
  const secure = runtime.base_url.startsWith('https:') ? '; Secure' : ''
  return `${SESSION_COOKIE}=${value}; Path=/; Max-Age=${max_age}; HttpOnly; SameSite=Lax${secure}`
}
