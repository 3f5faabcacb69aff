import { inArray } from 'drizzle-orm'
import type { Runtime } from '../../runtime.ts'
import { hasRows } from '../../store/rows.ts'
import { projects } from '../../store/tables/accounts.ts'

/*
 * Only pages on a project's own domain may read the answers of its forms (CORS).
 */

const PREFLIGHT_SECONDS = 600

/**
 * Allows the page that sent the request to read the response when it is on the project's domain. Before the project is
 * known (`null`), a page on any project's domain may read the error.
 */
export async function allowOwnPages(
  runtime: Runtime,
  request: Request,
  project: { domain: string | null } | null,
  response: Response,
): Promise<void> {
  response.headers.append('Vary', 'Origin')
  const origin = request.headers.get('origin')
  const domain = domainOf(origin)
  if (origin === null || domain === null) return
  if (project ? isOnDomain(project, domain) : await isProjectDomain(runtime, domain))
    response.headers.set('Access-Control-Allow-Origin', origin)
}

/** The answer to a CORS preflight request. */
export async function preflight(runtime: Runtime, request: Request): Promise<Response> {
  const response = new Response(null, { status: 204, headers: { Allow: 'POST, OPTIONS' } })
  await allowOwnPages(runtime, request, null, response)
  if (response.headers.has('access-control-allow-origin')) {
    response.headers.set('Access-Control-Allow-Methods', 'POST')
    response.headers.set('Access-Control-Allow-Headers', 'Content-Type')
    response.headers.set('Access-Control-Max-Age', String(PREFLIGHT_SECONDS))
  }
  return response
}

/** The host of an http or https origin on its default port, else null. */
function domainOf(origin: string | null): string | null {
  const url = origin === null ? null : URL.parse(origin)
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === origin && url.port === ''
    ? url.hostname
    : null
}

/** Whether a host is a project's domain, which is also served with `www.` before it. */
export function isOnDomain({ domain }: { domain: string | null }, host: string): boolean {
  return domain !== null && (host === domain || host === `www.${domain}`)
}

async function isProjectDomain({ store }: Runtime, host: string): Promise<boolean> {
  const names = host.startsWith('www.') ? [host, host.slice(4)] : [host]
  return hasRows(await store.db.select({ id: projects.id }).from(projects).where(inArray(projects.domain, names)))
}
