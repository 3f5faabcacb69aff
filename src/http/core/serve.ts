import { auditActor, type Caller, type SessionCaller } from '../../access/caller.ts'
import { authenticate, authenticateIn } from '../../access/credentials.ts'
import { requireAdministrator, requireScope } from '../../access/permission.ts'
import { requireConfirmed, requireSession, requireSessionIn } from '../../access/session.ts'
import { AppError } from '../../errors.ts'
import type { ProjectId } from '../../ids.ts'
import {
  type Admission,
  type Changing,
  declaredError,
  perform,
  type Reading,
  requireDeclaredAnswer,
} from '../../operation/pipeline.ts'
import { type RateLimiter, requireAllowance } from '../../operation/rate-limit.ts'
import type { Runtime } from '../../runtime.ts'
import type { Tx } from '../../store/open.ts'
import { projectNamed, tellCaller } from './access-log.ts'
import { logCallOfApp, type LoggedCall } from './app-log.ts'
import { originOf, storeOf } from './audit.ts'
import { requireLength } from './body.ts'
import { NEVER_STORED, parsed, respondToClient } from './client-endpoint.ts'
import { type Exchange, type Handler, json, withCookies } from './exchange.ts'
import { addressOf, readAddress, readInput } from './input.ts'
import { repeatable } from './large-body.ts'
import { requireMetricsReader } from './metrics.ts'
import { isSafe, requireOwnPage } from './origin.ts'
import { API_ROOT } from './paths.ts'
import { SUCCESS, Success } from './schemas.ts'
import type { OwnWrite, PublicContext, ReadContext, RespondContext, Route } from './route.ts'

/** The handler of a route: authentication, input, project and role, handler, response check, in this order. */
export function serve(runtime: Runtime, limiter: RateLimiter, route: Route): Handler {
  return async (exchange) => {
    try {
      // Each newsletter operation has a limit of its own.
      if (route.auth !== 'api' && !isSafe(exchange.request)) requireLength(exchange.request, route.max_body)
      return await PIPELINES[route.auth]({ runtime, limiter, route, exchange })
    } catch (error) {
      throw route.act.kind === 'respond' ? error : declaredError(runtime.config, route, error)
    }
  }
}

interface Call {
  runtime: Runtime
  limiter: RateLimiter
  route: Route
  exchange: Exchange
}

const PIPELINES: Record<Route['auth'], (call: Call) => Promise<Response>> = {
  public: async (call) => {
    if (call.route.own_pages) requireOwnPage(call.runtime, call.exchange.request)
    return withoutCaller(call)
  },
  session: async (call) => {
    const { runtime, route, exchange } = call
    requireOwnPage(runtime, exchange.request)
    const caller = await requireSession(runtime, exchange.request.headers.get('cookie'), exchange.now)
    if (route.operator) await requireAdministrator(runtime.store.db, caller.user_id)
    if (route.confirmed) requireConfirmed(caller, exchange.now)
    return withCaller(call, caller)
  },
  oauth: async (call) => {
    const { runtime, route, exchange } = call
    const caller = await authenticate(runtime.store, exchange.request.headers.get('authorization'), exchange.now)
    if (caller.kind !== 'oauth')
      throw new AppError('INVALID_TOKEN', 'This is called with an access token.', {
        headers: { 'WWW-Authenticate': 'Bearer realm="masthead", error="invalid_token"' },
      })
    const named = { caller, route: route.path.replace(API_ROOT, ''), shape: 'platform' } as const
    return logCallOfApp(runtime, exchange, named, async (logged) => {
      if (route.scope !== null) requireScope(caller, route.scope)
      return withCaller(call, caller, logged)
    })
  },
  api: withoutCaller,
  client: async (call) => {
    const { route, exchange } = call
    const { act } = route
    if (act.kind !== 'run') throw new Error(`${nameOf(route)} has a client as its caller.`)
    const context = { ...contextOf(call), headers: { ...NEVER_STORED } }
    return respondToClient(context, route, async ({ client, sent }, logged) => {
      const input = { ...(route.body ? parsed(route.body, sent) : {}), ...readAddress({ route, exchange }) }
      return success(call, await act.run(input, { ...context, client, sent } as PublicContext), context, logged)
    })
  },
  metrics: async (call) => {
    requireMetricsReader(call.runtime, call.exchange)
    return withoutCaller(call)
  },
}

async function withoutCaller(call: Call): Promise<Response> {
  const { act } = call.route
  const context = contextOf(call)
  if (act.kind === 'respond') return act.run(context as unknown as RespondContext<'session', undefined>)
  if (act.kind === 'write') throw new Error(`${nameOf(call.route)} writes without a caller.`)
  const input = await readInput(call, 'anonymous')
  const answer =
    act.kind === 'read' ? await act.run(input, context as unknown as ReadContext) : await act.run(input, context)
  return success(call, answer, context)
}

function contextOf(call: Call): PublicContext {
  const { runtime, limiter, exchange } = call
  const store = storeOf(call)
  return { ...runtime, ...exchange, limiter, headers: {}, cookies: [], store, db: store.db }
}

/**
 * How a call with a caller goes through the pipeline. Unlike an operation, a route has checked its scope before it read
 * the body, validates its input before it looks for the project, and counts a call when the project is known.
 */
async function withCaller(call: Call, caller: Caller, logged?: LoggedCall): Promise<Response> {
  const { runtime, limiter, route, exchange } = call
  const { request } = exchange
  const input = route.act.kind === 'respond' ? addressOf(call) : await readInput({ ...call, logged }, 'known')
  const named = await namedProject(route, input, caller, runtime)
  tellCaller(exchange.told, caller, named)
  if (logged) logged.project = projectNamed(named)
  const answer = { headers: {}, cookies: [] }
  return perform<Response>({
    runtime,
    callable: route,
    caller,
    callerIn: (tx) => stillValid(tx, caller, exchange),
    named,
    scope: null,
    operator: route.operator,
    needs_room: !isSafe(request),
    input,
    context: { ...runtime, ...exchange, limiter, ...answer },
    async enter(admission) {
      await countCall(call, admission)
      return {}
    },
    act: workOf(route),
    inTurn: (work) => exchange.reads.take(exchange.address, work),
    // A response to HEAD carries no data, so it leaves no row.
    is_recorded: route.audit.reads && request.method !== 'HEAD',
    origin: ({ project_id = null }) => ({ ...originOf(call, auditActor(caller)), project_id }),
    render: (given) => (route.act.kind === 'respond' ? (given as Response) : success(call, given, answer, logged)),
  })
}

/** The work of a route, given what the generic types of its declaration promise. */
function workOf(route: Route): Reading | Changing {
  const { act } = route
  switch (act.kind) {
    case 'respond': {
      const run: Reading['run'] = (_, context, write) =>
        act.run({ ...context, write } as RespondContext<'session', undefined>)
      return { run }
    }
    case 'write':
      return { ...act, prepare: (input, context, write) => act.prepare(input, { ...context, write } as PrepareContext) }
    case 'read':
      return act
    case 'run':
      throw new Error(`${nameOf(route)} has a caller: it reads or writes.`)
  }
}

type PrepareContext = ReadContext & OwnWrite

/**
 * Takes the units of a call from the quota of an app in a project, or of a session (docs/api/limits.md#rate-limits). An
 * app that calls without a project has a window for each authorization. RATE_LIMITED when too few are left.
 */
async function countCall({ runtime, limiter, route, exchange }: Call, admission: Admission): Promise<void> {
  const limit = runtime.config.platform_requests_per_minute
  const bucket = bucketOf(admission.caller, admission.project_id)
  requireAllowance(exchange.always, await limiter.take(bucket, limit, Math.min(route.cost, limit)), 'platform')
}

function bucketOf(caller: Caller, project_id: ProjectId | undefined): string {
  if (caller.kind === 'oauth') return `platform:${caller.app_id}:${project_id ?? caller.authorization_id}`
  return `platform:${caller.kind === 'session' ? caller.session_hash : caller.api_key_id}`
}

/** The caller as the write transaction finds it: a session or token that ended meanwhile is refused. */
export async function stillValid(
  tx: Tx,
  caller: Caller,
  { request, now }: Pick<Exchange, 'request' | 'now'>,
): Promise<Caller> {
  if (caller.kind === 'session') {
    await requireSessionIn(tx, caller as SessionCaller, now)
    return caller
  }
  return authenticateIn(tx, request.headers.get('authorization'), now)
}

/** The project that the request names, taken out of the input; undefined for a route without a role. */
async function namedProject(
  { project }: Route,
  input: Record<string, unknown>,
  caller: Caller,
  { store }: Runtime,
): Promise<unknown> {
  if (project === null) return undefined
  if (typeof project === 'function') return project(input, { db: store.db, caller: caller as never })
  const named = input.project_id
  delete input.project_id
  return named
}

function success(
  { runtime, route }: Call,
  given: unknown,
  { headers, cookies }: Pick<ReadContext, 'headers' | 'cookies'>,
  logged?: LoggedCall,
): Response {
  const answer = route.response === Success ? SUCCESS : given
  requireDeclaredAnswer(runtime.config, route, answer)
  const text = JSON.stringify(answer)
  if (logged) logged.answer = text
  const response = withCookies(json(route.status, text, headers), cookies)
  return route.act.kind === 'read' ? repeatable(response) : response
}

function nameOf({ methods, path }: Route): string {
  return `${methods.join('|')} ${path}`
}
