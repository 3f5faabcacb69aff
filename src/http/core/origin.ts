import { AppError } from '../../errors.ts'
import type { Runtime } from '../../runtime.ts'

/** As `requireOwnOrigin`, for a request that may change something. */
export function requireOwnPage(runtime: Pick<Runtime, 'base_url'>, request: Request): void {
  if (!isSafe(request)) requireOwnOrigin(runtime, request)
}

/** GET and HEAD change nothing (RFC 9110, 9.2.1). */
export function isSafe({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD'
}

/**
 * FORBIDDEN when a browser says that the request comes from another origin, or from an opaque one (`null`). Where
 * `Origin` is missing, Sec-Fetch-Site decides (Fetch Metadata): a page of another site, or of another host of this
 * site, is foreign. A request with neither header does not come from a browser, so it carries no cookie of another
 * person (docs/api/platform.md#sessions).
 */
export function requireOwnOrigin(runtime: Pick<Runtime, 'base_url'>, { headers }: Request): void {
  const origin = headers.get('origin')
  if (origin === null ? isFetchedByOwnPage(headers) : isOwnOrigin(runtime.base_url, origin)) return
  throw new AppError(
    'FORBIDDEN',
    `This request comes from another site. The address of this one is ${new URL(runtime.base_url).origin}.`,
  )
}

/** `none`: the user typed the address. Browsers send the header on https and localhost. */
function isFetchedByOwnPage(headers: Headers): boolean {
  return ['same-origin', 'none', null].includes(headers.get('sec-fetch-site'))
}

/**
 * As `requireOwnOrigin`, for a form that carries one of our tokens. Its page sends no referrer, so browsers send
 * `Origin: null`. Sec-Fetch-Site then says whether the page was ours.
 */
export function requireOwnForm(runtime: Pick<Runtime, 'base_url'>, request: Request): void {
  const { headers } = request
  if (headers.get('origin') === 'null' && ['same-origin', null].includes(headers.get('sec-fetch-site'))) return
  requireOwnOrigin(runtime, request)
}

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** The names of this machine are equal: someone who tries the service out opens it by any of them. */
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
