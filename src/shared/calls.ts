import { type Chapter, chapterOfCall, inOrder } from './chapter-list.ts'
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
  /** A body that the call takes. */
  example: unknown
  body_type: string | null
  /** The schema of a successful answer; of an operation its `data`. */
  answer: Schema
  /** An example of a successful answer; null for one that is not JSON. */
  answer_example: unknown
  refusals: readonly { status: string; codes: readonly Refusal[] }[]
}

/** The meaning of an error code, and an answer with it; undefined where a page answers. */
export interface Refusal {
  code: string
  says: string
  example?: unknown
}

interface Parameter {
  name: string
  in: string
  required: boolean
  schema: Schema
  description?: string
  example?: unknown
}

/** The calls of one page, and the named schemas that they use. */
export interface CallGroup extends Chapter {
  href: string
  calls: readonly Call[]
  schemas: Schemas
}

/** The parts of an OpenAPI document that this file reads. */
export interface ApiDocument {
  paths: Record<string, Record<string, Described>>
  components: { schemas: Schemas; responses: Readonly<Record<string, Response>> }
}

interface Response {
  description: string
  content?: Record<string, { schema: Schema; example?: unknown; examples?: Record<string, { value: unknown }> }>
}

interface Described {
  operationId: string
  summary: string
  description?: string
  tags: readonly [string]
  security: readonly Record<string, readonly string[]>[]
  parameters: readonly Parameter[]
  requestBody?: { content: Record<string, { schema: Schema; example?: unknown }> }
  responses: Record<string, Response | { $ref: string }>
}

/** The calls of an OpenAPI document by the names of their chapters. Paths are below `root`, chapters below `href`. */
export function groupsOf({ paths, components }: ApiDocument, root: string, href: string): Map<string, CallGroup> {
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) =>
      callOf(`${method.toUpperCase()} ${path}`, described, components, root),
    ),
  )
  const groups = [...Map.groupBy(calls, (call) => chapterOfCall(call).name).values()].map((found): CallGroup => {
    const { section, name, title } = chapterOfCall(found[0]!)
    return { section, name, title, href: `${href}/${name}`, calls: found, schemas: components.schemas }
  })
  return new Map(groups.toSorted(inOrder).map((group) => [group.name, group]))
}

function callOf(line: string, described: Described, components: ApiDocument['components'], root: string): Call {
  const [method = '', path = ''] = line.split(' ')
  const { operationId, summary, description = '', security, parameters, requestBody, responses } = described
  const bodies = Object.entries(requestBody?.content ?? {})
  // JSON before a form, and a file as the whole body before a part of a form.
  const [body_type = null, body] =
    bodies.find(([type]) => type === 'application/json') ??
    bodies.find(([type]) => !type.startsWith('multipart/')) ??
    []
  const answers = Object.entries(responses).map(([status, response]): [string, Response] => [
    status,
    '$ref' in response ? components.responses[response.$ref.split('/').at(-1)!]! : response,
  ])
  const success = Object.values(answers.find(([status]) => status.startsWith('2'))?.[1].content ?? {})[0]
  const answer = success?.schema ?? {}
  const answer_example = answer.type === 'object' ? success?.example : null
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
    ...{ body: body?.schema ?? null, body_type, example: body?.example ?? null },
    answer: root === '' ? answer : (answer.properties?.data ?? answer),
    answer_example: answer_example ?? null,
    refusals: answers
      .filter(([status]) => !/^[23]/.test(status))
      .map(([status, response]) => ({ status, codes: refusalsIn(response) })),
  }
}

/** The name of a call for the typed client (docs/api/conventions.md#typed-client); null for what it does not have. */
export function typedName({ auth, name }: Pick<Call, 'auth' | 'name'>): string | null {
  if (auth === 'key') return name
  return auth === 'oauth2' ? name.replaceAll(/\{(\w+)\}/g, ':$1') : null
}

function authOf(security: Described['security']): Call['auth'] {
  const names = new Set(security.flatMap((scheme) => Object.keys(scheme)))
  if (names.has('apiKey')) return 'key'
  return (['session', 'oauth2', 'client'] as const).find((name) => names.has(name)) ?? 'none'
}

/** The codes of a refusal: its description says each, followed by what it means. */
function refusalsIn({ description, content }: Response): Refusal[] {
  const examples = content?.['application/json']?.examples
  const found = [...description.matchAll(/`(\w+)`: ([^`]+?)(?= `|$)/g)].map(([, code, says]) => {
    const example = examples?.[code!]?.value
    return { code: code!, says: says!, ...(example === undefined ? {} : { example }) }
  })
  return found.length > 0 ? found : [{ code: '', says: description }]
}
