import { Elysia } from 'elysia'
import { AppError } from '../errors.ts'
import type { RateLimiter } from '../operation/rate-limit.ts'
import type { Runtime } from '../store/runtime.ts'
import { login, logout, me } from './account.ts'
import { type ErrorShape, errorResponse, type Handler, type Incoming, route } from './exchange.ts'
import { healthz, type Readiness, readyz } from './health.ts'
import { NEWSLETTER_ROOT, openApiDocument, v1Newsletter } from './operations.ts'
import { portalLogin, portalLoginForm, portalLogout, portalSetup, portalSetupForm, portalStart, portalStyle } from './portal.ts'
import { apiKeyCreate, apiKeyList, apiKeyRevoke, dashboardNewsletter, memberList, projectList } from './project.ts'
import { emptyMailbox, MAILBOX_PATH, readMailbox } from './sandbox-mailbox.ts'
import { requestId } from '../ids.ts'

/** What Bun itself refuses; the routes' own limits are lower and answer in their own shape. */
const BODY_BACKSTOP_BYTES = 64 * 1024 * 1024

export interface HttpParts {
  limiter: RateLimiter
  readiness: Readiness
}

/** All routes of the service. Elysia stays in this folder: it routes, and nothing else is asked of it. */
export function createApp(runtime: Runtime, parts: HttpParts) {
  const app = new Elysia({ aot: true, serve: { maxRequestBodySize: BODY_BACKSTOP_BYTES, idleTimeout: 30, reusePort: false } })
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

  add('POST', '/user/login', login(runtime, parts.limiter))
  add('POST', '/user/logout', logout(runtime))
  add('GET', '/user/me', me(runtime))

  add('POST', '/project/list', projectList(runtime))
  add('POST', '/project/members/list', memberList(runtime))
  add('POST', '/project/api-keys/create', apiKeyCreate(runtime))
  add('POST', '/project/api-keys/list', apiKeyList(runtime))
  add('POST', '/project/api-keys/revoke', apiKeyRevoke(runtime))
  add('ALL', '/project/newsletter/*', dashboardNewsletter(runtime, parts.limiter))

  add('GET', '/portal/', portalStart(runtime))
  add('GET', '/portal/login', portalLogin(runtime))
  add('POST', '/portal/login', portalLoginForm(runtime, parts.limiter))
  add('POST', '/portal/logout', portalLogout(runtime))
  add('GET', '/portal/setup', portalSetup(runtime))
  add('POST', '/portal/setup', portalSetupForm(runtime))
  add('GET', '/portal/portal.css', portalStyle())

  add('GET', MAILBOX_PATH, readMailbox(runtime))
  add('DELETE', MAILBOX_PATH, emptyMailbox(runtime))
  return app
}

export type App = ReturnType<typeof createApp>
