import { projectId } from './data.ts'
import type { Operations, Routes } from './operations.d.ts'
import { request } from './request.ts'
import { randomHex } from './random.ts'

/**
 * The calls of the service, typed by its declarations: `read` and `mutate` call newsletter operations, `send` and
 * `sendOnce` the other routes.
 */

type OperationName<Kind extends string> = {
  [Name in keyof Operations]: Operations[Name] extends { kind: Kind } ? Name : never
}[keyof Operations]
export type ReadName = OperationName<'read'>
export type MutationName = OperationName<'mutation'>
export type RequestOf<Name extends keyof Operations> = Operations[Name]['request']
export type ResponseOf<Name extends keyof Operations> = Operations[Name]['response']

/** The path that the newsletter's operations begin with here. */
export const ROOT = '/project/newsletter'

/** Calls an operation that reads. Throws `ApiError`. */
export async function read<Name extends ReadName>(
  operation: Name,
  body: RequestOf<Name>,
  signal?: AbortSignal,
): Promise<ResponseOf<Name>> {
  const answer = await request<{ data: ResponseOf<Name> }>({
    method: 'POST',
    path: `${ROOT}/${operation}`,
    body: { project_id: projectId(), ...body },
    is_repeatable: true,
    signal,
  })
  return answer.data
}

/**
 * Calls an operation that changes something. Calls with the same key have one effect (docs/api/idempotency.md), so a
 * call without an answer is repeated with its key.
 */
export async function mutate<Name extends MutationName>(
  operation: Name,
  body: RequestOf<Name>,
  key: string = newKey(),
): Promise<ResponseOf<Name>> {
  const answer = await request<{ data: ResponseOf<Name> }>({
    method: 'POST',
    path: `${ROOT}/${operation}`,
    body: { project_id: projectId(), idempotency_key: key, ...body },
    is_repeatable: true,
  })
  return answer.data
}

/** An idempotency key for one intention, such as one press of a button. */
export function newKey(): string {
  return `web_${randomHex(16)}`
}

export type RouteName = keyof Routes
export type RouteRequest<Name extends RouteName> = Routes[Name]['request']
export type RouteResponse<Name extends RouteName> = Routes[Name]['response']

type Named<Values> = string extends keyof Values ? undefined : Values
/** The path parameters and the query of a route. Routes without any need no address. */
type Address<Name extends RouteName> =
  Named<Routes[Name]['params']> extends undefined
    ? [at?: { query?: Routes[Name]['query']; signal?: AbortSignal }]
    : [at: { params: Routes[Name]['params']; query?: Routes[Name]['query']; signal?: AbortSignal }]

/** Routes that change nothing more when they are called again, and the others, as the service declares them. */
type Repeatable<Is extends boolean> = {
  [Name in RouteName]: Routes[Name]['repeatable'] extends Is ? Name : never
}[RouteName]

/**
 * Calls a platform route that may be called again: `send('POST /project/members/list', { project_id })`. A call without
 * an answer is repeated. Throws `ApiError`.
 */
export function send<Name extends Repeatable<true>>(
  route: Name,
  body: RouteRequest<Name>,
  ...[at]: Address<Name>
): Promise<RouteResponse<Name>> {
  return sendTo(route, body, at as SentTo | undefined, true)
}

/** Calls a platform route whose second call could have a second effect, so it is never repeated. Throws `ApiError`. */
export function sendOnce<Name extends Repeatable<false>>(
  route: Name,
  body: RouteRequest<Name>,
  ...[at]: Address<Name>
): Promise<RouteResponse<Name>> {
  return sendTo(route, body, at as SentTo | undefined, false)
}

function sendTo<T>(
  route: string,
  body: unknown,
  { params = {}, query = {}, signal }: SentTo = {},
  is_repeatable: boolean,
): Promise<T> {
  const [method = '', pattern = ''] = route.split(' ')
  return request<T>({
    method,
    path: fillPath(pattern, params) + queryText(query),
    body: method === 'GET' ? undefined : body,
    is_repeatable,
    signal,
  })
}

interface SentTo {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  signal?: AbortSignal
}

function fillPath(pattern: string, params: Record<string, unknown>): string {
  return pattern.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
}

function queryText(query: Record<string, unknown>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  return given.length === 0
    ? ''
    : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()}`
}
