import { Elysia } from 'elysia'
import { AppError } from '../errors.ts'
import type { RateLimiter } from '../operation/rate-limit.ts'
import type { Runtime } from '../store/runtime.ts'
import { type ErrorShape, errorResponse, type Handler, type Incoming, route } from './exchange.ts'
import { healthz, type Readiness, readyz } from './health.ts'
import { NEWSLETTER_ROOT, openApiDocument, v1Newsletter } from './operations.ts'
import { requestId } from '../ids.ts'

/** What Bun itself refuses; the routes' own limits are lower and answer in their own shape. */
const BODY_BACKSTOP_BYTES = 64 * 1024 * 1024

export interface HttpParts {
  limiter: RateLimiter
  readiness: Readiness
}

/** All routes of the service. Elysia stays in this folder: it routes, and nothing else is asked of it. */
export function createApp(runtime: Runtime, parts: HttpParts) {
  const app = new Elysia({ aot: true, serve: { maxRequestBodySize: BODY_BACKSTOP_BYTES, idleTimeout: 30 } })
  const add = (method: string, path: string, handler: Handler, shape: ErrorShape = 'platform') => {
    const run = route(runtime, handler, shape)
    app.route(method, path, ({ request, params, server }) => run({ request, params: params as Record<string, string>, server } as Incoming), { parse: 'none' })
  }

  app.onError(({ error, code, request }) => {
    const request_id = requestId(request.headers.get('x-request-id'))
    const known = code === 'NOT_FOUND' ? new AppError('NOT_FOUND', 'There is nothing here.') : error
    const response = errorResponse(runtime, known, request_id, 'platform')
    response.headers.set('X-Request-ID', request_id)
    response.headers.set('X-Content-Type-Options', 'nosniff')
    return response
  })

  add('GET', '/healthz', healthz)
  add('GET', '/readyz', readyz(parts.readiness))
  add('GET', `${NEWSLETTER_ROOT}/openapi.json`, openApiDocument(runtime))
  add('ALL', `${NEWSLETTER_ROOT}/*`, v1Newsletter(runtime, parts.limiter), 'newsletter')
  return app
}

export type App = ReturnType<typeof createApp>
