import { version } from '../../package.json'
import { ASSETS_PATH } from '../assets.ts'
import type { RateLimiter } from '../operation/rate-limit.ts'
import type { Runtime } from '../runtime.ts'
import { cmsRoutes } from './api/cms.routes.ts'
import { dashboardNewsletter, NEWSLETTER_ROOT, openApiDocument, v1Newsletter } from './api/operations.ts'
import { scriptRoutes } from './api/scripts.routes.ts'
import { tokenRoutes } from './api/token.routes.ts'
import { serveAsset } from './core/assets.ts'
import { type Handler, newsletterRefusal } from './core/exchange.ts'
import { healthz, type Readiness, readyz } from './core/health.ts'
import { type RequestMetrics, requestMetrics } from './core/metrics.ts'
import { type Method, type Route, route } from './core/route.ts'
import { oauthRoutes } from './oauth/oauth.routes.ts'
import { accountRoutes } from './portal/account.routes.ts'
import { connectedAppRoutes } from './portal/connected-apps.routes.ts'
import { developerRoutes } from './portal/developer.routes.ts'
import { dkimRoutes } from './portal/dkim.routes.ts'
import { portalRoutes } from './portal/portal.routes.ts'
import { memberRoutes } from './portal/members.routes.ts'
import { projectRoutes } from './portal/project.routes.ts'
import { reviewRoutes } from './portal/reviews.routes.ts'
import { projectScriptRoutes } from './portal/scripts.routes.ts'
import { siteContentRoutes } from './portal/site-content.routes.ts'
import { sitePageRoutes } from './portal/site-pages.routes.ts'
import { versionRoutes } from './portal/versions.routes.ts'
import type { HostedPages } from './public/hosted-pages.ts'
import { publicRoutes } from './public/public.routes.ts'

export interface RouteParts {
  limiter: RateLimiter
  readiness: Readiness
  metrics: RequestMetrics
  sites: HostedPages
}

export function metricsOf(runtime: Runtime): RequestMetrics {
  return requestMetrics(runtime, version)
}

/** Every route of the service. */
export function allRoutes(runtime: Runtime, { limiter, readiness, metrics, sites }: RouteParts): Route[] {
  return [
    route({
      method: 'GET',
      path: '/healthz',
      summary: 'Whether the process is up.',
      auth: 'public',
      response: 'text',
      every_process: true,
      respond: healthz,
    }),
    route({
      method: 'GET',
      path: '/readyz',
      summary: 'Whether the service can answer.',
      auth: 'public',
      response: 'text',
      every_process: true,
      respond: readyz(readiness),
    }),
    route({
      method: 'GET',
      path: '/metrics',
      summary: 'Metrics in the text format of Prometheus.',
      auth: 'metrics',
      response: 'text',
      every_process: true,
      respond: metrics.handler,
    }),
    plain('GET', `${NEWSLETTER_ROOT}/openapi.json`, openApiDocument(runtime)),
    route({
      method: 'ALL',
      path: `${NEWSLETTER_ROOT}/*`,
      summary: 'The newsletter operations.',
      auth: 'api',
      response: 'newsletter',
      refuse: newsletterRefusal,
      respond: v1Newsletter(runtime, limiter),
    }),

    ...publicRoutes(runtime, sites),

    ...oauthRoutes(),

    ...tokenRoutes,
    ...connectedAppRoutes,
    plain('ALL', '/project/newsletter/*', dashboardNewsletter(runtime, limiter)),

    ...accountRoutes,
    ...projectRoutes,
    ...memberRoutes,
    ...developerRoutes,
    ...versionRoutes,
    ...reviewRoutes,
    ...scriptRoutes,
    ...projectScriptRoutes,
    ...dkimRoutes(),
    ...cmsRoutes,
    ...sitePageRoutes,
    ...siteContentRoutes,
    ...portalRoutes(runtime),

    plain('GET', `${ASSETS_PATH}/*`, serveAsset),
  ]
}

/** A route that is not declared in full yet. */
function plain(method: Method, path: string, handler: Handler): Route {
  return route({ method, path, summary: '', auth: 'public', response: 'text', respond: handler })
}
