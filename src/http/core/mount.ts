import type { Elysia } from 'elysia'
import { AppError } from '../../errors.ts'
import type { RateLimiter } from '../../operation/rate-limit.ts'
import type { Runtime } from '../../runtime.ts'
import { accessLog } from './access-log.ts'
import { type Budgets, createBudgets, endpoint, type Incoming } from './exchange.ts'
import type { RequestMetrics } from './metrics.ts'
import { refusalLog } from './refusals.ts'
import type { Method, Route } from './route.ts'
import { serve } from './serve.ts'

interface Mounting {
  runtime: Runtime
  limiter: RateLimiter
  metrics: RequestMetrics
  budgets: Budgets
  /** Elysia's own way to the server defines a property at each request. */
  server(): Incoming['server']
}

/** Registers the routes. GET serves HEAD as well; any other method of a known path is a 405 with `Allow`. */
export function mount(app: Elysia, routes: readonly Route[], mounting: Mounting): void {
  const { runtime, limiter, metrics, budgets } = mounting
  const noteRefusal = refusalLog(runtime)
  const noteAnswer = { probe: accessLog(runtime, true), other: accessLog(runtime) }
  // Supervisors would end a service that refuses their probes because others do not read its answers.
  const probes = createBudgets()
  for (const [path, ofPath] of Map.groupBy(routes, (route) => route.path)) {
    const methods = new Map<string, ReturnType<typeof endpoint>>()
    for (const route of ofPath) {
      const run = endpoint(
        runtime,
        serve(runtime, limiter, route),
        route.refuse,
        route.every_process ? probes : budgets,
      )
      for (const method of route.methods) {
        if (methods.has(method)) throw new Error(`${method} ${path} is declared twice.`)
        methods.set(method, run)
      }
    }
    const otherMethod = endpoint(
      runtime,
      () => {
        throw methodNotAllowed([...methods.keys()] as Method[])
      },
      ofPath[0]!.refuse_method,
      budgets,
    )
    const runOf = (method: string) =>
      methods.get(method) ?? (method === 'HEAD' ? methods.get('GET') : undefined) ?? methods.get('ALL') ?? otherMethod

    const note = noteAnswer[ofPath.every((route) => route.every_process) ? 'probe' : 'other']

    app.route(
      'ALL',
      ofPath[0]!.catch_all ? path.replace(/:\w+$/, '*') : path,
      async ({ request, params }) => {
        const begun = performance.now()
        const server = mounting.server()
        const told = { route: path }
        const incoming = { request, params: params as Record<string, string>, server, told }
        const response = await runOf(request.method)(incoming)
        const ms = performance.now() - begun
        metrics.answered(told.route, response.status, ms / 1000)
        noteRefusal(request, told, response)
        note(request, told, response, ms)
        return response
      },
      { parse: 'none' },
    )
  }
}

function methodNotAllowed(methods: readonly Method[]): AppError {
  const allowed = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  return new AppError('METHOD_NOT_ALLOWED', `This is called with ${allowed.join(' or ')}.`, {
    headers: { Allow: allowed.join(', ') },
  })
}
