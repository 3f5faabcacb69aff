import type { TObject, TSchema } from '@sinclair/typebox'
import type { Caller, SessionCaller } from '../../access/caller.ts'
import { authenticate, authenticateIn } from '../../access/credentials.ts'
import { admit, requireAdministrator, requireRole, requireScope } from '../../access/permission.ts'
import { requireConfirmed, requireSession, requireSessionIn } from '../../access/session.ts'
import { AppError, notFound } from '../../errors.ts'
import { parseBody } from '../../operation/json-body.ts'
import { rateHeaders, rateLimited, type RateLimiter } from '../../operation/rate-limit.ts'
import type { ProjectId } from '../../ids.ts'
import type { Runtime } from '../../runtime.ts'
import { check, checker, flaws } from '../../schema.ts'
import { requireRoomOnDisk } from '../../store/faults.ts'
import type { Store, Tx } from '../../store/open.ts'
import { logCall, type LoggedCall, projectNamed } from './app-log.ts'
import { recordChange, storeOf } from './audit.ts'
import { readBytes, requireJson, requireLength } from './body.ts'
import { type Exchange, type Handler, json, withCookies } from './exchange.ts'
import { requireMetricsReader } from './metrics.ts'
import { readNumber } from './number.ts'
import { isSafe, requireOwnPage } from './origin.ts'
import { API_ROOT } from './paths.ts'
import { SUCCESS, Success } from './schemas.ts'
import type { OwnWrite, PublicContext, ReadContext, RespondContext, Route, WriteContext } from './route.ts'
import type { Sender } from './uploads.ts'

/** The handler of a route: authentication, input, project and role, handler, response check, in this order. */
export function serve(runtime: Runtime, limiter: RateLimiter, route: Route): Handler {
  return async (exchange) => {
    try {
      // Each newsletter operation has a limit of its own.
      if (route.auth !== 'api' && !isSafe(exchange.request)) requireLength(exchange.request, route.max_body)
      return await PIPELINES[route.auth]({ runtime, limiter, route, exchange })
    } catch (error) {
      if (isUndeclared(runtime, route, error))
        throw new Error(`${nameOf(route)} does not declare its error.`, { cause: error })
      throw error
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
    const named = { app_id: caller.app_id, route: route.path.replace(API_ROOT, ''), shape: 'platform' } as const
    return logCall(runtime, exchange, named, async (logged) => {
      if (route.scope !== null) requireScope(caller, route.scope)
      return withCaller(call, caller, logged)
    })
  },
  api: withoutCaller,
  client: withoutCaller,
  metrics: async (call) => {
    requireMetricsReader(call.runtime, call.exchange)
    return withoutCaller(call)
  },
}

async function withoutCaller(call: Call): Promise<Response> {
  const { runtime, limiter, route, exchange } = call
  const store = storeOf(call)
  const context: PublicContext = { ...runtime, ...exchange, limiter, headers: {}, cookies: [], store, db: store.db }
  const { act } = route
  if (act.kind === 'respond') return act.run(context as unknown as RespondContext<'session', undefined>)
  if (act.kind === 'write') throw new Error(`${nameOf(route)} writes without a caller.`)
  const input = await readInput(call, 'anonymous')
  const answer =
    act.kind === 'read' ? await act.run(input, context as unknown as ReadContext) : await act.run(input, context)
  return success(runtime, route, answer, context)
}

async function withCaller(call: Call, caller: Caller, logged?: LoggedCall): Promise<Response> {
  const { runtime, limiter, route, exchange } = call
  const { store } = runtime
  const { act } = route
  const input = act.kind === 'respond' ? addressOf(call) : await readInput(call, 'known')
  const named = await namedProject(route, input, caller, runtime)
  if (logged) logged.project = projectNamed(named)
  const admission = named === undefined ? { caller } : await admitTo(route, store.db, caller, named)
  await countCall({ runtime, limiter, route, exchange }, admission)
  /** @param is_own whether it is the transaction of the route itself */
  const write = <T>(work: (tx: Tx, again: object) => Promise<T>, is_own = false): Promise<T> =>
    store.write(async (tx) => {
      if (!isSafe(exchange.request)) requireRoomOnDisk(store)
      const present = await stillValid(tx, caller, exchange)
      if (route.operator) await requireAdministrator(tx, present.user_id)
      const project = named === undefined ? null : await admitTo(route, tx, present, named)
      const answer = await work(tx, project ?? { caller: present })
      recordChange(tx, call, { caller: present, project, input, answer, is_own })
      return answer
    })
  const context = {
    ...runtime,
    ...exchange,
    limiter,
    headers: {},
    cookies: [],
    db: store.db,
    ...admission,
  } as unknown as ReadContext
  // A response to HEAD carries no data, so it leaves no row.
  if (route.audit.reads && exchange.request.method !== 'HEAD') await write(async () => {}, true)
  if (act.kind === 'respond') return act.run({ ...context, write } as unknown as RespondContext<'session', undefined>)
  if (act.kind === 'read') return success(runtime, route, await act.run(input, context), context)
  if (act.kind === 'run') throw new Error(`${nameOf(route)} has a caller: it reads or writes.`)

  const prepared = await act.prepare(input, { ...context, write } as ReadContext & OwnWrite)
  const effects: (() => void)[] = []
  const answer = await write((tx, again) => {
    effects.length = 0
    const afterCommit = (effect: () => void) => void effects.push(effect)
    return act.run(input, { ...context, ...again, tx, afterCommit } as unknown as WriteContext, prepared)
  }, true)
  for (const effect of effects) effect()
  return success(runtime, route, answer, context)
}

/**
 * Takes the units of a call from the quota of an app in a project, or of a session (docs/api/limits.md#rate-limits). An
 * app that calls without a project has a window for each authorization. RATE_LIMITED when too few are left.
 */
async function countCall(
  { runtime, limiter, route, exchange }: Call,
  { caller, project_id }: { caller: Caller; project_id?: ProjectId },
): Promise<void> {
  const limit = runtime.config.platform_requests_per_minute
  const allowance = await limiter.take(bucketOf(caller, project_id), limit, Math.min(route.cost, limit))
  Object.assign(exchange.always, rateHeaders(allowance, 'platform'))
  if (!allowance.allowed) throw rateLimited(allowance)
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

async function admitTo({ role }: Route, db: Tx | Runtime['store']['db'], caller: Caller, named: unknown) {
  const admitted = await admit(db, caller, named)
  requireRole(admitted.role, role!)
  return admitted
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

/** A handler that builds its own response reads its own body, so its path or its query names the project. */
function addressOf({ route, exchange: { params, url } }: Call): Record<string, unknown> {
  return { ...params, ...(route.project === 'query' ? readQuery(route.query, url.searchParams) : {}) }
}

/** Body, query and path parameters, checked in this order. */
async function readInput(
  { runtime: { store }, route, exchange }: Call,
  sender: Sender,
): Promise<Record<string, unknown>> {
  const { request, url, params } = exchange
  const bytes = route.body && !isSafe(request) ? await readBytes(exchange, route.max_body, sender) : null
  const body = bytes === null ? {} : await checkBody(exchange, { store, schema: route.body!, bytes })
  return { ...body, ...readQuery(route.query, url.searchParams), ...readParams(route, params) }
}

/** An empty body counts as `{}` where it has no type, or where no property is required. */
async function checkBody(
  { request }: Exchange,
  { store, schema, bytes }: { store: Store; schema: TObject; bytes: Uint8Array },
): Promise<Record<string, unknown>> {
  if (bytes.length === 0 && (!request.headers.has('content-type') || checker(schema).Check({})))
    return { ...check(schema, {}) }
  requireJson(request)
  return { ...check(schema, (await parseBody(store, bytes)).value) }
}

function readQuery(schema: TObject, given: URLSearchParams): Record<string, unknown> {
  const isStrict = schema.additionalProperties === false
  const query: [name: string, value: unknown][] = []
  for (const name of new Set(given.keys())) {
    const property = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined
    if (!property && !isStrict) continue
    const [value = '', ...more] = given.getAll(name)
    if (more.length > 0)
      throw new AppError('VALIDATION_FAILED', 'The request is not valid.', {
        details: [{ path: `/${name}`, message: 'Given more than once.' }],
      })
    query.push([name, property ? valueOf(property, value) : value])
  }
  // From entries, because a name may be `__proto__`.
  return check(schema, Object.fromEntries(query)) as Record<string, unknown>
}

function readParams({ params, params_error }: Route, given: Record<string, string>): Record<string, unknown> {
  const values = Object.fromEntries(
    Object.entries(params.properties).map(([name, schema]) => [name, valueOf(schema, given[name] ?? given['*'] ?? '')]),
  )
  if (params_error === 'VALIDATION_FAILED') return check(params, values) as Record<string, unknown>
  if (!checker(params).Check(values)) throw notFound('resource with this id')
  return values
}

/** A text of the URL as the type its schema asks for; an ill-formed number stays a text, which the check refuses. */
function valueOf(schema: TSchema, text: string): unknown {
  return schema.type === 'integer' ? (text === '0' ? 0 : (readNumber(text) ?? text)) : text
}

function success(
  runtime: Runtime,
  route: Route,
  given: unknown,
  { headers, cookies }: Pick<ReadContext, 'headers' | 'cookies'>,
): Response {
  const { response } = route
  const answer = response === Success ? SUCCESS : given
  if (runtime.config.check_responses && typeof response !== 'string' && !checker(response).Check(answer))
    throw new Error(`The response of ${nameOf(route)} is not as declared: ${JSON.stringify(flaws(response, answer))}`)
  return withCookies(json(route.status, answer, headers), cookies)
}

/** In tests and the fixture a JSON route may only answer with the errors it declares. */
function isUndeclared({ config }: Runtime, route: Route, error: unknown): boolean {
  if (!config.check_responses || route.act.kind === 'respond') return false
  return error instanceof AppError && !route.errors.has(error.code)
}

function nameOf({ methods, path }: Route): string {
  return `${methods.join('|')} ${path}`
}
