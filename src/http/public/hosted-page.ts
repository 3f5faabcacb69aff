import { requestId } from '../../ids.ts'
import { type HostedSites, hostedSites, type ServedPage, type SiteName } from '../../sites/hosted.ts'
import type { Runtime } from '../../runtime.ts'
import { errorResponse, type Handler, type Incoming } from '../core/exchange.ts'
import { html } from '../core/markup.ts'
import { publicPage } from '../core/pages.ts'
import { trustedProxies } from '../core/proxies.ts'

/**
 * Pages on the product's own origin run other people's scripts beside its session cookie. In a sandbox they have an
 * origin of their own, `null`, which is foreign to every route (contract-details 74).
 */
const SANDBOX = 'sandbox allow-scripts allow-forms allow-popups'

/** What a project's domain serves besides its pages: where its forms go and its recipients' links lead. */
const ON_EVERY_HOST = /^\/general\/(?:newsletter\/|project\/form\/entry$)/

export const SITES_PATH = '/sites'

export interface HostedPages {
  /**
   * The answer to a request for a project's own domain; undefined for the product's own. Nothing of the product is
   * there: no account, portal, OAuth or API route, and no cookie.
   */
  onOwnDomain(incoming: Incoming): Promise<Response | undefined>
  /** `/sites/:slug` and everything below it. */
  bySlug: Handler
}

export function hostedPages(runtime: Runtime): HostedPages {
  const sites = hostedSites(runtime.store.db, runtime.store.revision, runtime.log)
  const proxies = trustedProxies(runtime.config.trusted_proxies)
  return {
    async onOwnDomain(incoming) {
      const { request } = incoming
      const host = hostOf(incoming, proxies)
      if (isProductHost(runtime, host)) return undefined
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

/** Undefined when there is no such site. */
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
  { status, html, etag, asks_consent }: ServedPage,
): Response {
  const headers: Record<string, string> = {
    'Content-Type': 'text/html; charset=utf-8',
    ETag: etag,
    // Kept by whoever likes, and asked about each time: a script that was taken off is gone with the next request.
    'Cache-Control': 'no-cache',
  }
  if (asks_consent) headers.Vary = 'Sec-GPC'
  if (site.by === 'slug') {
    headers['Content-Security-Policy'] = SANDBOX
    if (runtime.base_url.startsWith('https:')) headers['Strict-Transport-Security'] = 'max-age=31536000'
  }
  if (status === 200 && matches(request.headers.get('if-none-match'), etag))
    return new Response(null, { status: 304, headers })
  return new Response(html, { status, headers })
}

/** Whether one of the tags that a visitor has is this one; comparison is weak (RFC 9110, 13.1.2). */
function matches(if_none_match: string | null, etag: string): boolean {
  if (if_none_match === null) return false
  return if_none_match.trim() === '*' || if_none_match.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
}

function notFoundPage(runtime: Runtime, site?: SiteName): Response {
  const page = publicPage(
    runtime,
    404,
    { name: '', lang: 'en' },
    'Page not found',
    html`<p>There is no page at this address.</p>`,
  )
  // Whether a project's domain is always secure is not for us to say.
  if (site?.by === 'domain') page.headers.delete('Strict-Transport-Security')
  return page
}

/**
 * The host that a request is for, in lower case, without port and final dot. What a proxy says of it counts only
 * when the proxy is trusted.
 */
function hostOf({ request, server }: Incoming, proxies: { has(address: string): boolean }): string {
  const forwarded = request.headers.get('x-forwarded-host')
  const isBelieved = forwarded !== null && proxies.has(server?.requestIP(request)?.address ?? '')
  const host = isBelieved ? forwarded.split(',', 1)[0]! : (request.headers.get('host') ?? '')
  return host.trim().toLowerCase().replace(/:\d*$/, '').replace(/\.+$/, '')
}

/** The product's own names cannot be taken by a project; neither can an address or this machine's own name. */
function isProductHost(runtime: Runtime, host: string): boolean {
  if (host === productHost(runtime.base_url)) return true
  return host === '' || host === 'localhost' || host.startsWith('[') || /^[\d.]+$/.test(host)
}

let product: { base_url: string; host: string } | undefined

function productHost(base_url: string): string {
  if (product?.base_url !== base_url) product = { base_url, host: new URL(base_url).hostname.toLowerCase() }
  return product.host
}

function pathOf(url: string): string {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  const end = url.indexOf('?', start)
  return start === -1 ? '/' : url.slice(start, end === -1 ? undefined : end)
}
