import type { Schema, Schemas } from './schema-fields.ts'

/** One operation or route of the OpenAPI documents, as the reference shows it. */
export interface Call {
  /** `contacts/upsert`, or `POST /project/create`. */
  name: string
  /** Its tag in the document. */
  group: string
  /** Its anchor on the page of its group. */
  anchor: string
  method: string
  path: string
  summary: string
  description: string
  /** How the caller shows who they are. */
  auth: 'key' | 'session' | 'oauth2' | 'client' | 'none'
  scope: string | null
  needs_key: boolean
  parameters: readonly Parameter[]
  body: Schema | null
  body_type: string | null
  /** What a success holds; for an operation its `data`. */
  answer: Schema
  refusals: readonly { status: string; description: string }[]
}

interface Parameter {
  name: string
  in: string
  required: boolean
  schema: Schema
  description?: string
}

/** The calls of one page, and the named schemas that they use. */
export interface Group {
  name: string
  href: string
  calls: readonly Call[]
  schemas: Schemas
}

/** What is read of an OpenAPI document. */
export interface ApiDocument {
  paths: Record<string, Record<string, Described>>
  components: { schemas: Schemas }
}

interface Described {
  operationId: string
  summary: string
  description?: string
  tags: readonly [string]
  security: readonly Record<string, readonly string[]>[]
  parameters: readonly Parameter[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { description: string; content?: Record<string, { schema: Schema }> }>
}

/** The calls of an OpenAPI document by their tags. Paths are below `root`; pages of groups are below `href`. */
export function groupsOf({ paths, components }: ApiDocument, root: string, href: string): Map<string, Group> {
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => callOf(method.toUpperCase(), path, described, root)),
  )
  return new Map(
    [...Map.groupBy(calls, ({ group }) => group)].map(([name, found]) => [
      name,
      { name, href: `${href}/${name}`, calls: found, schemas: components.schemas },
    ]),
  )
}

function callOf(method: string, path: string, described: Described, root: string): Call {
  const { operationId, summary, description = '', security, parameters, requestBody, responses } = described
  const bodies = Object.entries(requestBody?.content ?? {})
  // A file can also be a part of a form; as the whole body it is simpler.
  const [body_type = null, body] = bodies.find(([type]) => !type.startsWith('multipart/')) ?? []
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1]
  const answer = Object.values(success?.content ?? {})[0]?.schema ?? {}
  return {
    ...{
      name: root === '' ? `${method} ${path}` : path.slice(1),
      group: described.tags[0],
      anchor: operationId,
      method,
      path: root + path,
    },
    ...{
      summary,
      description,
      auth: authOf(security),
      scope: security.find(({ oauth2 }) => oauth2)?.oauth2?.[0] ?? null,
    },
    needs_key: parameters.some(({ name }) => name === 'Idempotency-Key'),
    parameters: parameters.filter((parameter) => parameter.in !== 'header'),
    ...{ body: body?.schema ?? null, body_type },
    answer: root === '' ? answer : (answer.properties?.data ?? answer),
    refusals: Object.entries(responses)
      .filter(([status]) => !status.startsWith('2'))
      .map(([status, refusal]) => ({ status, description: refusal.description })),
  }
}

function authOf(security: Described['security']): Call['auth'] {
  const names = new Set(security.flatMap((scheme) => Object.keys(scheme)))
  if (names.has('apiKey')) return 'key'
  return (['session', 'oauth2', 'client'] as const).find((name) => names.has(name)) ?? 'none'
}
