import type { TObject, TSchema } from '@sinclair/typebox'
import { AppError, notFound } from '../../errors.ts'
import { parseBody } from '../../operation/json-body.ts'
import type { Runtime } from '../../runtime.ts'
import { check, checker } from '../../schema.ts'
import type { Store } from '../../store/open.ts'
import type { LoggedCall } from './app-log.ts'
import { readBytes, requireJson } from './body.ts'
import type { Exchange } from './exchange.ts'
import { readNumber } from './number.ts'
import { isSafe } from './origin.ts'
import type { Route } from './route.ts'
import type { Sender } from './uploads.ts'

/** A request of a route, whose path, query and body become its input. */
interface Asked {
  runtime: Pick<Runtime, 'store'>
  route: Route
  exchange: Exchange
  logged?: LoggedCall | undefined
}

/** A handler that builds its own response reads its own body, so its path or its query names the project. */
export function addressOf({ route, exchange: { params, url } }: Asked): Record<string, unknown> {
  return { ...params, ...(route.project === 'query' ? readQuery(route.query, url.searchParams) : {}) }
}

/** Body, query and path parameters, checked in this order. */
export async function readInput(
  { runtime: { store }, route, exchange, logged }: Asked,
  sender: Sender,
): Promise<Record<string, unknown>> {
  const { request } = exchange
  const bytes = route.body && !isSafe(request) ? await readBytes(exchange, route.max_body, sender) : null
  if (logged) logged.request = bytes
  const body = bytes === null ? {} : await checkBody(exchange, { store, schema: route.body!, bytes })
  return { ...body, ...readAddress({ route, exchange }) }
}

/** Query and path parameters. */
export function readAddress({ route, exchange: { url, params } }: Omit<Asked, 'runtime'>): Record<string, unknown> {
  return { ...readQuery(route.query, url.searchParams), ...readParams(route, params) }
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
