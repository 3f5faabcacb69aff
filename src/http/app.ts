import { Elysia } from 'elysia'
import { AppError } from '../errors.ts'
import { requestId } from '../ids.ts'
import type { RateLimiter } from '../operation/rate-limit.ts'
import type { Runtime } from '../runtime.ts'
import { accessLog } from './core/access-log.ts'
import {
  type Budgets,
  clientAddress,
  createBudgets,
  errorResponse,
  finish,
  type Incoming,
  strictTransport,
} from './core/exchange.ts'
import type { Readiness } from './core/health.ts'
import { requestedHost } from './core/hosts.ts'
import { type RequestMetrics, requestMetrics } from './core/metrics.ts'
import { mount } from './core/mount.ts'
import { html } from './core/markup.ts'
import { PORTAL_PATH } from './core/paths.ts'
import { trustedProxies } from './core/proxies.ts'
import { hostedPages } from './public/hosted-pages.ts'
import { NO_BRANDING, publicPage } from './public/page.ts'
import { allRoutes } from './routes.ts'

/** Bun itself refuses larger bodies. The limits of the routes are lower and answer in their own shape. */
const BODY_BACKSTOP_BYTES = 64 * 1024 * 1024

interface HttpParts {
  hostname: string
  /** 0: any free one. */
  port: number
  /** Whether other threads answer on the same port. */
  is_shared?: boolean
  limiter: RateLimiter
  readiness: Readiness
  metrics?: RequestMetrics
  budgets?: Budgets
}

/** Starts the HTTP server. Elysia routes the requests and does nothing else; it stays in this folder. */
export function startHttp(
  runtime: Runtime,
  {
    hostname,
    port,
    is_shared = false,
    limiter,
    readiness,
    metrics = requestMetrics(runtime),
    budgets = createBudgets(),
  }: HttpParts,
): HttpServer {
  const app = new Elysia({
    aot: true,
    // Else the path of a host with fewer than four characters begins too late.
    handler: { standardHostname: false },
  })
  const sites = hostedPages(runtime, budgets)
  const proxies = trustedProxies(runtime.config.trusted_proxies)
  const note = accessLog(runtime)
  const isWeb = runtime.config.role !== 'worker'

  app.onError(({ error, code, request }) => {
    const request_id = requestId(request.headers.get('x-request-id'))
    const known = code === 'NOT_FOUND' ? new AppError('NOT_FOUND', 'There is nothing here.') : error
    const response =
      code === 'NOT_FOUND' && isVisit(request)
        ? unknownAddress()
        : errorResponse(runtime, known, request_id, 'platform')
    const host = requestedHost({ request, server }, proxies)
    const address = clientAddress(proxies, request.headers, server.requestIP(request)?.address ?? '', runtime.log)
    const answer = finish(response, request_id, strictTransport(runtime, host))
    note(request, { route: 'none', address }, answer, 0)
    return answer
  })
  const routes = allRoutes(runtime, { readiness, metrics, sites })
  mount(
    app,
    routes.filter((route) => isWeb || route.every_process),
    { runtime, limiter, metrics, budgets, server: () => server },
  )
  const onOwnDomain = async ({ request, told }: Incoming, answer: Promise<Response | undefined>): Promise<Response> => {
    const begun = performance.now()
    const response = await answer
    if (!response) return app.fetch(request)
    const ms = performance.now() - begun
    metrics.answered(told.route, response.status, ms / 1000)
    note(request, told, response, ms)
    return response
  }
  // Elysia's own `listen` compiles every route twice and collects garbage: half of the time of a start.
  const server: HttpServer = Bun.serve({
    hostname,
    port,
    fetch(request) {
      // Not a hook of Elysia, which would wait for it at each request.
      const incoming = { request, params: {}, server, told: { route: 'own domain' } }
      const answer = sites.beforeRoutes(incoming)
      return answer ? onOwnDomain(incoming, answer) : app.fetch(request)
    },
    development: false,
    maxRequestBodySize: BODY_BACKSTOP_BYTES,
    idleTimeout: budgets.uploads.limits.idle_seconds,
    reusePort: is_shared,
  })
  return server
}

/** Whether a browser asks for something to show. Programs that name no type, or any, get JSON. */
function isVisit({ method, headers }: Request): boolean {
  return (method === 'GET' || method === 'HEAD') && (headers.get('accept') ?? '').includes('text/html')
}

function unknownAddress(): Response {
  return publicPage({
    status: 404,
    branding: NO_BRANDING,
    title: 'There is no page here',
    body: html`<p>The address is mistyped, or the page has moved.</p>
<p><a href="${PORTAL_PATH}/">Your projects</a> · <a href="/docs">Documentation</a></p>`,
  })
}

export type HttpServer = Bun.Server<undefined>
