import { type JsonSchema, type Member, memberLines, objectOf, propertyName, typeOf } from './typescript.ts'

/** The parts of an OpenAPI document that this file reads (src/operation/openapi.ts, src/http/api/openapi.ts). */
interface ApiDocument {
  paths: Record<string, Record<string, DocumentedCall>>
  components: { schemas: Record<string, JsonSchema> }
}

interface DocumentedCall {
  summary: string
  'x-repeatable'?: boolean
  security?: readonly Record<string, readonly string[]>[]
  parameters: readonly { name: string; in: string; required: boolean; schema: JsonSchema }[]
  requestBody?: { content: Record<string, { schema: JsonSchema }> }
  responses: Record<string, { content: Record<string, { schema: JsonSchema }> }>
}

/** The two OpenAPI documents. */
export interface ApiDocuments {
  newsletter: unknown
  platform: unknown
}

/** Request properties that the client sets by itself, so callers do not pass them. */
const FILLED_IN = ['project_id', 'idempotency_key']

/**
 * Generates TypeScript types: `Operations` by path, `Routes` by method and path, and the named types that both use.
 * `security` leaves out routes that do not accept such credentials.
 */
export function clientTypes(documents: ApiDocuments, security?: 'oauth2' | 'session'): string {
  const { newsletter, platform } = documents as Record<keyof ApiDocuments, ApiDocument>
  const used = new Set<string>()
  const operations = Object.entries(newsletter.paths).map(([path, { post }]) => operation(path.slice(1), post!, used))
  const routes = Object.entries(platform.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, call]) => security === undefined || call.security?.some((scheme) => security in scheme))
      .map(([method, call]) => routeOf(`${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`, call, used)),
  )
  return [
    '/** The newsletter operations by path. `response` is the `data` of the answer. */',
    interfaceOf('Operations', operations),
    '/** The other JSON routes by method and path: parameters of the path, of the query, and the body (`request`). */',
    interfaceOf('Routes', routes),
    ...namedTypes({ ...platform.components.schemas, ...newsletter.components.schemas }, used),
  ].join('\n')
}

function operation(path: string, call: DocumentedCall, used: Set<string>): Member {
  const request = without(bodyOf(call) ?? {}, FILLED_IN)
  return {
    name: propertyName(path),
    about: call.summary,
    type: objectOf(
      [
        { name: 'kind', type: `'${kindOf(call)}'` },
        { name: 'request', type: typeOf(request, used, 2) },
        { name: 'response', type: typeOf(dataOf(call), used, 2) },
      ],
      1,
    ),
  }
}

function kindOf({ parameters, responses }: DocumentedCall): 'read' | 'mutation' | 'stream' {
  if (parameters.some(({ name }) => name === 'Idempotency-Key')) return 'mutation'
  return responses['200']?.content['application/json'] ? 'read' : 'stream'
}

function routeOf(name: string, call: DocumentedCall, used: Set<string>): Member {
  const parts: [string, JsonSchema][] = [
    ['params', parametersOf(call, 'path')],
    ['query', parametersOf(call, 'query')],
    ['request', bodyOf(call) ?? NOTHING],
    ['response', successOf(call)],
  ]
  return {
    name: propertyName(name),
    about: call.summary,
    type: objectOf(
      [
        { name: 'repeatable', type: String(call['x-repeatable'] === true) },
        ...parts.map(([part, schema]) => ({ name: part, type: typeOf(schema, used, 2) })),
      ],
      1,
    ),
  }
}

const NOTHING: JsonSchema = { type: 'object', properties: {}, additionalProperties: false }

function bodyOf({ requestBody }: DocumentedCall): JsonSchema | undefined {
  return requestBody?.content['application/json']?.schema
}

function successOf({ responses }: DocumentedCall): JsonSchema {
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))
  return Object.values(success?.[1].content ?? {})[0]?.schema ?? {}
}

/** The schema of `data` in the envelope; a stream has none. */
function dataOf(call: DocumentedCall): JsonSchema {
  const whole = successOf(call)
  return whole.properties?.data ?? whole
}

function parametersOf({ parameters }: DocumentedCall, place: string): JsonSchema {
  const found = parameters.filter((parameter) => parameter.in === place)
  return {
    ...NOTHING,
    properties: Object.fromEntries(found.map(({ name, schema }) => [name, schema])),
    required: found.filter(({ required }) => required).map(({ name }) => name),
  }
}

function without(schema: JsonSchema, names: readonly string[]): JsonSchema {
  const { properties = {} } = schema
  return {
    ...schema,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !names.includes(name))),
  }
}

function interfaceOf(name: string, members: readonly Member[]): string {
  return `export interface ${name} {\n${members.map((member) => `  ${memberLines(member, '  ')}`).join('\n')}\n}\n`
}

/** The types named in `used` and, transitively, those that they refer to, by name. */
function namedTypes(schemas: Record<string, JsonSchema>, used: Set<string>): string[] {
  const types = new Map<string, string>()
  // Iterating over a Set also visits elements that are added during the iteration.
  for (const name of used) types.set(name, `export type ${name} = ${typeOf(schemas[name]!, used)}\n`)
  return [...types].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, text]) => text)
}
