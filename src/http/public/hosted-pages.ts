import { requestId } from '../../ids.ts'
import { type HostedSites, hostedSites, type ServedPage, type SiteName } from '../../sites/hosted.ts'
import type { Runtime } from '../../runtime.ts'
import { errorResponse, type Handler, type Incoming } from '../core/exchange.ts'
import { html } from '../core/markup.ts'
import { type Route, route } from '../core/route.ts'
import { trustedProxies } from '../core/proxies.ts'
import { NO_BRANDING, publicPage } from './page.ts'

/**
 * On the service's own origin, pages with scripts of other people share it with the session cookie. The sandbox gives
 * them the opaque origin `null`, which every route treats as foreign (docs/api/sites.md#hosted-pages).
 */
const SANDBOX = 'sandbox allow-scripts allow-forms allow-popups'

/** Routes that a project's domain serves besides its pages: form entries and the links of messages. */
const ON_EVERY_HOST = /^\/general\/(?:newsletter\/|project\/form\/entry$)/

export const SITES_PATH = '/sites'

export interface HostedPages {
  /**
   * The response to a request for a project's own domain; undefined for any other host. A project's domain has no
   * account, portal, OAuth or API route and sets no cookie.
   */
  onOwnDomain(incoming: Incoming): Promise<Response | undefined>
  /** Serves `/sites/:slug` and everything below it. */
  bySlug: Handler
}

export function hostedPages(runtime: Runtime): HostedPages {
  const sites = hostedSites(runtime.store.db, runtime.store.revision, runtime.log)
  const proxies = trustedProxies(runtime.config.trusted_proxies)
  return {
    async onOwnDomain(incoming) {
      const { request } = incoming
      const host = hostOf(incoming, proxies)
      if (isServiceHost(runtime, host)) return undefined
      const pathname = pathOf(request.url)
      if (ON_EVERY_HOST.test(pathname)) return undefined
      const request_id = requestId(request.headers.get('x-request-id'))
      const response = await serve(runtime, sites, request, { by: 'domain', name: host }, pathname).catch(
        (error: unknown) => errorResponse(runtime, error, request_id, 'platform'),
      )
      response?.headers.set('X-Request-ID', request_id)
      response?.headers.set('X-Content-Type-Options', 'nosniff')
      return response
    },

    async bySlug({ request, url }) {
      const [, slug = '', rest = ''] = /^\/sites\/([^/]+)(\/.*)?$/.exec(url.pathname) ?? []
      return (
        (await serve(runtime, sites, request, { by: 'slug', name: slug }, rest === '' ? '/' : rest)) ??
        notFoundPage(runtime)
      )
    },
  }
}

/** Hosted pages below the service's own origin. The handler answers every method: without a site each gets a 404. */
export function siteRoutes({ bySlug }: HostedPages): Route[] {
  return ([`${SITES_PATH}/:slug`, `${SITES_PATH}/:slug/*`] as const).map((path) =>
    route({ method: 'ALL', path, summary: 'A page of a site.', auth: 'public', response: 'page', respond: bySlug }),
  )
}

/** Undefined when the site does not exist. */
async function serve(
  runtime: Runtime,
  sites: HostedSites,
  request: Request,
  site: SiteName,
  pathname: string,
): Promise<Response | undefined> {
  const served = await sites.find(site, pathname, request.headers.get('sec-gpc') === '1')
  if (served === undefined) return undefined
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return new Response(null, { status: 405, headers: { Allow: 'GET, HEAD' } })
  return served ? answer(runtime, request, site, served) : notFoundPage(runtime, site)
}

function answer(
  runtime: Runtime,
  request: Request,
  site: SiteName,
  { status, html: text, etag, asks_consent }: ServedPage,
): Response {
  const headers: Record<string, string> = {
    'Content-Type': 'text/html; charset=utf-8',
    ETag: etag,
    // Caches must revalidate each request, so that a removed script is gone with the next one.
    'Cache-Control': 'no-cache',
  }
  if (asks_consent) headers.Vary = 'Sec-GPC'
  if (site.by === 'slug') {
    headers['Content-Security-Policy'] = SANDBOX
    if (runtime.base_url.startsWith('https:')) headers['Strict-Transport-Security'] = 'max-age=31536000'
  }
  if (status === 200 && matches(request.headers.get('if-none-match'), etag))
    return new Response(null, { status: 304, headers })
  return new Response(text, { status, headers })
}

/** Whether If-None-Match names this tag. The comparison is weak (RFC 9110, 13.1.2). */
function matches(if_none_match: string | null, etag: string): boolean {
  if (if_none_match === null) return false
  return if_none_match.trim() === '*' || if_none_match.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
}

function notFoundPage(runtime: Runtime, site?: SiteName): Response {
  const page = publicPage(runtime, {
    status: 404,
    branding: NO_BRANDING,
    title: 'Page not found',
    body: html`<p>There is no page at this address.</p>`,
  })
  // Only the owner can decide whether a project's domain is https only.
  if (site?.by === 'domain') page.headers.delete('Strict-Transport-Security')
  return page
}

/**
 * The requested host in lower case, without port and trailing dot. X-Forwarded-Host counts only when it comes from a
 * trusted proxy.
 */
function hostOf({ request, server }: Incoming, proxies: { has(address: string): boolean }): string {
  const forwarded = request.headers.get('x-forwarded-host')
  const isTrusted = forwarded !== null && proxies.has(server?.requestIP(request)?.address ?? '')
  const host = isTrusted ? forwarded.split(',', 1)[0]! : (request.headers.get('host') ?? '')
  return host.trim().toLowerCase().replace(/:\d*$/, '').replace(/\.+$/, '')
}

/** Whether a host is the service's own. IP addresses and localhost count: no project can have them as its domain. */
function isServiceHost(runtime: Runtime, host: string): boolean {
  if (host === hostOfUrl(runtime.base_url)) return true
  return host === '' || host === 'localhost' || host.startsWith('[') || /^[\d.]+$/.test(host)
}

let parsed: { base_url: string; host: string } | undefined

/** The host of the base URL, which never changes while a service runs; parsing it for each request would cost time. */
function hostOfUrl(base_url: string): string {
  if (parsed?.base_url !== base_url) parsed = { base_url, host: new URL(base_url).hostname.toLowerCase() }
  return parsed.host
}

/** The path of a request's URL, undecoded. */
function pathOf(url: string): string {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  const end = url.indexOf('?', start)
  return start === -1 ? '/' : url.slice(start, end === -1 ? undefined : end)
}
