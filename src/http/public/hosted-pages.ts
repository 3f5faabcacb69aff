import { AppError } from '../../errors.ts'
import { requestId } from '../../ids.ts'
import { POSTS_PATH, SCRIPT_PREVIEW, SITES_PATH } from '../../sites/addresses.ts'
import { type HostedSites, hostedSites, type ServedPage, type SiteName } from '../../sites/hosted.ts'
import type { Runtime } from '../../runtime.ts'
import { isLoopback } from '../../setting-kinds.ts'
import type { Admit, ServedFile } from '../../sites/site-files.ts'
import { delivered, type Receiving } from '../core/delivery.ts'
import { cacheable } from '../core/document.ts'
import { compressed } from '../core/encoding.ts'
import { type Budgets, clientAddress, errorResponse, finish, type Handler, type Incoming } from '../core/exchange.ts'
import { LARGE_BYTES } from '../core/large-body.ts'
import { requestedHost, serviceNames } from '../core/hosts.ts'
import { html } from '../core/markup.ts'
import { type Route, route } from '../core/route.ts'
import { trustedProxies } from '../core/proxies.ts'
import { letterArchive } from './letters.ts'
import { NO_BRANDING, publicPage } from './page.ts'

/**
 * On the service's own origin, pages with scripts of other people share it with the session cookie. The sandbox gives
 * them the opaque origin `null`, which every route treats as foreign (docs/api/sites.md#hosted-pages).
 */
const SANDBOX = 'sandbox allow-scripts allow-forms allow-popups'
/** A drawing or XML that is opened by itself is a document, and runs no script. */
const FILE_POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'"
const UPLOADED = {
  'Content-Security-Policy': FILE_POLICY,
  // Pages below /sites have an opaque origin, and fonts are asked for with CORS.
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
}

/** Routes that a project's domain serves besides its pages: form entries and the links of messages. */
const ON_EVERY_HOST = /^\/general\/(?:newsletter\/|project\/form\/entry$)/

export interface HostedPages {
  /**
   * The response to a request that no route of the service may answer: a page of the project whose domain was
   * requested, 421 for an unknown host, 400 for a malformed one (RFC 9110, 7.4; RFC 9112, 3.2). Undefined for the rest.
   * A project's domain has no account, portal, OAuth or API route and sets no cookie.
   */
  beforeRoutes(incoming: Incoming): Promise<Response | undefined> | undefined
  /** Whether the service or a project answers on a host. */
  isServed(host: string): Promise<boolean>
  /** Serves `/sites/:slug` and everything below it. */
  bySlug: Handler
}

export function hostedPages(runtime: Runtime, budgets: Omit<Budgets, 'uploads'>): HostedPages {
  const sites = hostedSites(runtime, letterArchive())
  const proxies = trustedProxies(runtime.config.trusted_proxies)
  const hasSites = runtime.config.role !== 'worker'

  async function answerFor(visit: Visiting, host: string): Promise<Response | undefined> {
    const site = { by: 'domain', name: host } as const
    const pathname = pathOf(visit.request.url)
    if (!hasSites) throw misdirected()
    if (ON_EVERY_HOST.test(pathname)) {
      if (await sites.has(site)) return undefined
      throw misdirected()
    }
    const response = await serve(sites, visit, { site, pathname })
    if (!response) throw misdirected()
    return response
  }

  async function onOtherHost(incoming: Incoming, host: string | null): Promise<Response | undefined> {
    const request_id = requestId(incoming.request.headers.get('x-request-id'))
    try {
      if (host === null) throw new AppError('VALIDATION_FAILED', 'A request has one valid Host header.')
      const { request, server } = incoming
      const address = clientAddress(proxies, request.headers, server?.requestIP(request)?.address ?? '', runtime.log)
      incoming.told.address = address
      budgets.unread.requireRoom(address)
      const visit = { request, address, ...budgets }
      const response = await answerFor(visit, host)
      if (!response) return undefined
      return await delivered(visit, await compressed(request, finish(response, request_id)))
    } catch (error) {
      return finish(errorResponse(runtime, error, request_id, 'platform'), request_id)
    }
  }

  return {
    beforeRoutes(incoming) {
      const host = requestedHost(incoming, proxies)
      return host !== null && isServiceHost(runtime, host) ? undefined : onOtherHost(incoming, host)
    },

    async isServed(host) {
      return serviceNames(runtime).has(host) || (hasSites && (await sites.has({ by: 'domain', name: host })))
    },

    async bySlug({ url, ...visit }) {
      const [, slug = '', rest = ''] = /^\/sites\/([^/]+)(\/.*)?$/.exec(url.pathname) ?? []
      return (
        (await serve(sites, visit, {
          site: { by: 'slug', name: slug },
          pathname: rest === '' ? '/' : rest,
        })) ?? notFoundPage()
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

type Visiting = Receiving & Pick<Budgets, 'contents'>

/** Undefined when the site does not exist. */
async function serve(
  sites: HostedSites,
  { request, address, contents, unread }: Visiting,
  { site, pathname }: { site: SiteName; pathname: string },
): Promise<Response | undefined> {
  const gpc = request.headers.get('sec-gpc') === '1'
  const admit: Admit = (bytes, read) => {
    if (bytes < LARGE_BYTES) return read()
    return contents.take(address, () => {
      unread.requireRoom(address, bytes)
      return read()
    })
  }
  const served = await sites.find({ site, pathname, gpc }, admit)
  if (served === undefined) return undefined
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return new Response(null, { status: 405, headers: { Allow: 'GET, HEAD' } })
  const preview = await previewAt(sites, request, { site, pathname, gpc, admit })
  if (preview) return previewAnswer(request, site, preview)
  if (!served) return notFoundPage()
  return served.kind === 'file' ? fileAnswer(request, served) : pageAnswer(request, site, served)
}

/** A post that is not published, or a page with a script on trial, for who has the address of a preview. */
async function previewAt(
  sites: HostedSites,
  { url }: Request,
  { site, pathname, gpc, admit }: { site: SiteName; pathname: string; gpc: boolean; admit: Admit },
): Promise<ServedPage | null> {
  if (!url.includes('preview=')) return null
  const given = URL.parse(url)?.searchParams
  const script = given?.get(SCRIPT_PREVIEW)
  if (script) return sites.previewScript({ site, pathname, gpc }, script, admit)
  const post = given?.get('preview')
  return post && pathname.startsWith(`${POSTS_PATH}/`) ? sites.preview(site, post, gpc) : null
}

function fileAnswer(request: Request, file: ServedFile): Promise<Response> {
  // Sites can have any number of large files, and new ones at any time.
  const content = { ...file, effort: 'fast' } as const
  return cacheable(request, content, {
    ...FRESH,
    'Content-Type': file.type,
    ...(file.headers ?? UPLOADED),
  })
}

/** Headers of everything a site serves: caches must revalidate, so that a removed script is gone at once. */
const FRESH = { 'Cache-Control': 'no-cache' }

/** A page shows nothing of the person who asks for it, so every form of it may be compressed and shared. */
function pageAnswer(request: Request, site: SiteName, page: ServedPage): Promise<Response> {
  return cacheable(
    request,
    { ...page, effort: 'fast' },
    {
      ...FRESH,
      'Content-Type': 'text/html; charset=utf-8',
      ...(page.asks_consent && { Vary: 'Sec-GPC' }),
      ...(site.by === 'slug' && { 'Content-Security-Policy': SANDBOX }),
    },
  )
}

/** A preview: no cache keeps it, no search engine lists it, and its address stays here. */
async function previewAnswer(request: Request, site: SiteName, page: ServedPage): Promise<Response> {
  const response = await pageAnswer(request, site, page)
  response.headers.delete('ETag')
  response.headers.set('Cache-Control', 'no-store')
  response.headers.set('Referrer-Policy', 'no-referrer')
  response.headers.set('X-Robots-Tag', 'noindex')
  return response
}

function notFoundPage(): Response {
  return publicPage({
    status: 404,
    branding: NO_BRANDING,
    title: 'Page not found',
    body: html`<p>There is no page at this address.</p>`,
  })
}

function isServiceHost(runtime: Runtime, host: string): boolean {
  return serviceNames(runtime).has(host) || isLoopback(host)
}

function misdirected(): AppError {
  return new AppError(
    'MISDIRECTED_REQUEST',
    'This host is not served here. MASTHEAD_BASE_URL and MASTHEAD_HOSTS name the hosts of the service.',
  )
}

/** The path of a request's URL, undecoded. */
function pathOf(url: string): string {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  const end = url.indexOf('?', start)
  return start === -1 ? '/' : url.slice(start, end === -1 ? undefined : end)
}
