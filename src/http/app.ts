import { Elysia } from 'elysia'
import { version } from '../../package.json'
import { ASSETS_PATH } from '../assets.ts'
import { AppError } from '../errors.ts'
import { PUBLIC_ROOT } from '../newsletter/tracking/links.ts'
import { OAUTH_PATHS } from '../oauth/metadata.ts'
import type { RateLimiter } from '../operation/rate-limit.ts'
import type { Runtime } from '../runtime.ts'
import { accountRoutes } from './portal/account.ts'
import { serveAsset } from './core/assets.ts'
import { cmsRoutes } from './api/cms.ts'
import { developerRoutes } from './portal/developer.ts'
import { versionRoutes } from './portal/developer-versions.ts'
import { dkimRoutes } from './portal/dkim.ts'
import { connectedAppEnd, connectedAppList, projectAppDisconnect, projectAppList } from './portal/connected-apps.ts'
import { type ErrorShape, errorResponse, type Handler, type Incoming, route } from './core/exchange.ts'
import { FORM_ENTRY_PATH, formEntry } from './public/forms.ts'
import { healthz, type Readiness, readyz } from './core/health.ts'
import { hostedPages, SITES_PATH } from './public/hosted-page.ts'
import { viewPage } from './public/message-view.ts'
import { requestMetrics } from './core/metrics.ts'
import { confirmPage, preferencesPage, unsubscribePage } from './public/newsletter.ts'
import { NEWSLETTER_ROOT, openApiDocument, v1Newsletter } from './api/operations.ts'
import { oauthAuthorize, oauthStyle } from './oauth/authorize.ts'
import { oauthIntrospect, oauthMetadata, oauthPush, oauthRevoke, oauthToken } from './oauth/token.ts'
import { portalRoutes } from './portal/portal-routes.ts'
import { dashboardNewsletter, projectRoutes } from './portal/project.ts'
import { memberRoutes } from './portal/project-members.ts'
import { MAILBOX_PATH } from './core/paths.ts'
import { emptyMailbox, readMailbox } from './public/sandbox-mailbox.ts'
import { trackingRoutes } from './public/tracking.ts'
import { API_ROOT, tokenAuthorizedBy, tokenIntrospect, tokenProjectDetails, tokenProjectList } from './api/token.ts'
import { scriptRoutes } from './api/scripts.ts'
import { providerWebhook } from './public/provider-webhooks.ts'
import { newsletterSignup } from './public/signup.ts'
import { siteRoutes } from './portal/sites.ts'
import { requestId } from '../ids.ts'

/** What Bun itself refuses; the routes' own limits are lower and answer in their own shape. */
const BODY_BACKSTOP_BYTES = 64 * 1024 * 1024

export interface HttpParts {
  limiter: RateLimiter
  readiness: Readiness
}

/** All routes of the service. Elysia stays in this folder: it routes, and nothing else is asked of it. */
export function createApp(runtime: Runtime, parts: HttpParts) {
  const app = new Elysia({
    aot: true,
    serve: { development: false, maxRequestBodySize: BODY_BACKSTOP_BYTES, idleTimeout: 30, reusePort: false },
  })
  const metrics = requestMetrics(runtime, version)
  const routes = new Map<string, Map<string, Run>>()
  const add = (method: string, path: string, handler: Handler, shape: ErrorShape = 'platform') => {
    const methods = routes.get(path) ?? new Map<string, Run>()
    routes.set(path, methods.set(method, route(runtime, handler, shape)))
  }

  app.onError(({ error, code, request }) => {
    const request_id = requestId(request.headers.get('x-request-id'))
    const known = code === 'NOT_FOUND' ? new AppError('NOT_FOUND', 'There is nothing here.') : error
    const response = errorResponse(runtime, known, request_id, 'platform')
    response.headers.set('X-Request-ID', request_id)
    response.headers.set('X-Content-Type-Options', 'nosniff')
    return response
  })

  const pages = hostedPages(runtime)
  const answers = runtime.config.role !== 'worker'
  if (answers)
    app.onRequest(async ({ request, server }) => {
      const begun = performance.now()
      const response = await pages.onOwnDomain({ request, params: {}, server })
      if (response) metrics.answered('own domain', response.status, (performance.now() - begun) / 1000)
      return response
    })

  add('GET', '/healthz', healthz)
  add('GET', '/readyz', readyz(parts.readiness))
  add('GET', '/metrics', metrics.handler)
  add('GET', `${NEWSLETTER_ROOT}/openapi.json`, openApiDocument(runtime))
  add('ALL', `${NEWSLETTER_ROOT}/*`, v1Newsletter(runtime, parts.limiter), 'newsletter')

  add('ALL', `${PUBLIC_ROOT}/confirm/:token`, confirmPage(runtime))
  add('ALL', `${PUBLIC_ROOT}/unsubscribe/:token`, unsubscribePage(runtime))
  add('ALL', `${PUBLIC_ROOT}/preferences/:token`, preferencesPage(runtime))
  add('GET', `${PUBLIC_ROOT}/view/:token`, viewPage(runtime))
  for (const [path, handler] of trackingRoutes(runtime)) add('ALL', `${PUBLIC_ROOT}/${path}`, handler)
  add('ALL', `${PUBLIC_ROOT}/webhooks/:provider/:token`, providerWebhook(runtime))

  add('ALL', OAUTH_PATHS.authorize, oauthAuthorize(runtime))
  add('ALL', OAUTH_PATHS.token, oauthToken(runtime, parts.limiter))
  add('ALL', OAUTH_PATHS.revoke, oauthRevoke(runtime, parts.limiter))
  add('ALL', OAUTH_PATHS.introspect, oauthIntrospect(runtime, parts.limiter))
  add('ALL', OAUTH_PATHS.par, oauthPush(runtime, parts.limiter))
  add('GET', '/general/oauth/consent.css', oauthStyle())
  add('ALL', '/.well-known/oauth-authorization-server', oauthMetadata(runtime))
  add('ALL', '/.well-known/openid-configuration', oauthMetadata(runtime))

  add('ALL', `${API_ROOT}/token/authorized_by`, tokenAuthorizedBy(runtime))
  add('ALL', `${API_ROOT}/token/introspect`, tokenIntrospect(runtime))
  add('ALL', `${API_ROOT}/project/list`, tokenProjectList(runtime))
  add('ALL', `${API_ROOT}/project/details`, tokenProjectDetails(runtime))

  add('GET', '/user/connected-apps', connectedAppList(runtime))
  add('DELETE', '/user/connected-apps/:authorizationId', connectedAppEnd(runtime))

  add('POST', '/project/apps/list', projectAppList(runtime))
  add('POST', '/project/apps/disconnect', projectAppDisconnect(runtime))
  add('ALL', '/project/newsletter/*', dashboardNewsletter(runtime, parts.limiter))

  for (const [method, path, handler] of [
    ...accountRoutes(runtime, parts.limiter),
    ...portalRoutes(runtime, parts.limiter),
    ...projectRoutes(runtime),
    ...memberRoutes(runtime, parts.limiter),
    ...developerRoutes(runtime, parts.limiter),
    ...versionRoutes(runtime),
    ...scriptRoutes(runtime),
    ...dkimRoutes(runtime),
    ...cmsRoutes(runtime),
    ...siteRoutes(runtime),
  ])
    add(method, path, handler)

  add('ALL', `${PUBLIC_ROOT}/signup`, newsletterSignup(runtime, parts.limiter))
  add('ALL', FORM_ENTRY_PATH, formEntry(runtime, parts.limiter))
  add('ALL', `${SITES_PATH}/:slug`, pages.bySlug)
  add('ALL', `${SITES_PATH}/:slug/*`, pages.bySlug)

  add('GET', `${ASSETS_PATH}/*`, serveAsset)

  add('GET', MAILBOX_PATH, readMailbox(runtime))
  add('DELETE', MAILBOX_PATH, emptyMailbox(runtime))

  for (const [path, methods] of routes) {
    if (!answers && !OF_EVERY_PROCESS.has(path)) continue
    const otherMethod = route(runtime, () => {
      throw methodNotAllowed([...methods.keys()])
    })
    app.route(
      'ALL',
      path,
      async ({ request, params, server }) => {
        const begun = performance.now()
        const run =
          methods.get(request.method) ??
          (request.method === 'HEAD' ? methods.get('GET') : undefined) ??
          methods.get('ALL') ??
          otherMethod
        const response = await run({ request, params: params as Record<string, string>, server } as Incoming)
        const ms = performance.now() - begun
        metrics.answered(path, response.status, ms / 1000)
        runtime.log.debug('answered', {
          request_id: response.headers.get('x-request-id'),
          method: request.method,
          route: path,
          status: response.status,
          ms: Math.round(ms * 10) / 10,
        })
        return response
      },
      { parse: 'none' },
    )
  }
  return app
}

/** What a process that runs only the loops answers as well. */
const OF_EVERY_PROCESS = new Set(['/healthz', '/readyz', '/metrics'])

type Run = (incoming: Incoming) => Promise<Response>

function methodNotAllowed(methods: readonly string[]): AppError {
  const allowed = methods.includes('GET') ? [...methods, 'HEAD'] : methods
  return new AppError('METHOD_NOT_ALLOWED', `This is called with ${allowed.join(' or ')}.`, {
    headers: { Allow: allowed.join(', ') },
  })
}

export type App = ReturnType<typeof createApp>
