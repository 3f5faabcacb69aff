import { validate } from '@cfworker/json-schema'
import { API_ROOT } from '../../src/http/core/paths.ts'
import { apiDocuments } from '../../src/http/documents.ts'

/**
 * From now on every answer that a test fetches from the service is compared with the OpenAPI document of its route: the
 * status, the media type and, by a validator that the service does not use, the JSON. What does not fit fails the test.
 * Paths and methods that no document has pass.
 */
export function proveAnswers(): void {
  const unproven = globalThis.fetch
  const proven = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const response = await unproven(input, init)
    // Every answer of the service has this header. A 304 has no content, and a test may ask for compressed bytes.
    if (response.headers.has('x-request-id') && response.status !== 304 && !(init && 'decompress' in init))
      await prove(init?.method ?? 'GET', new URL(input instanceof Request ? input.url : input).pathname, response)
    return response
  }
  globalThis.fetch = Object.assign(proven, { preconnect: unproven.preconnect })
}

async function prove(method: string, path: string, response: Response): Promise<void> {
  const found = callAt(method, path)
  if (!found) return
  const { document, call } = found
  const answered = `${method} ${path} answered ${response.status}`
  const given = call.responses[response.status] ?? call.responses[`${String(response.status)[0]}XX`]
  const type = response.headers.get('content-type')?.split(';')[0]
  if (!given && (await isOfNoRoute(response))) return
  if (!given) throw new Error(`${answered}, which its document does not have.`)
  if (type === undefined || response.body === null) return
  const { content } = given.$ref === undefined ? given : document.components.responses[given.$ref.split('/').at(-1)!]!
  const schema = (content?.[type] ?? content?.[type.replace(/\/.*/, '/*')])?.schema
  if (!schema) throw new Error(`${answered} as ${type}, which its document does not have.`)
  if (type !== 'application/json') return
  const seen = proven.get(schema) ?? new Set<string>()
  if (response.status < 400 && seen.size >= ENOUGH) return
  const text = await response.clone().text()
  const answer = text.replace(REQUEST_ID, '')
  if (seen.has(answer)) return
  const { errors } = validate(JSON.parse(text), schema, '2020-12', document.named)
  if (errors.length > 0) throw new Error(`${answered}, which its document does not have: ${JSON.stringify(errors)}`)
  proven.set(schema, seen.add(answer))
}

/** The answers of each schema that fit it. */
const proven = new Map<object, Set<string>>()
/** The service compares every success with its declaration, so that some of each are enough here. */
const ENOUGH = 5
const REQUEST_ID = /"request_id":"[^"]*"/

/** Whether a process that does not serve the route answered, or a host of a site. */
async function isOfNoRoute(response: Response): Promise<boolean> {
  if (response.status !== 404 && response.status !== 405) return false
  const text = await response.clone().text()
  return !text.startsWith('{') || text.includes('"There is nothing here."')
}

interface Answer {
  $ref?: string
  content?: Readonly<Record<string, { schema: object }>>
}
interface Call {
  responses: Readonly<Record<string, Answer>>
}
interface Document {
  paths: Readonly<Record<string, Readonly<Record<string, Call>>>>
  components: { responses: Readonly<Record<string, Answer>>; schemas: Readonly<Record<string, object>> }
}
/** With the schemas by the references to them. */
type Prepared = Document & { named: Record<string, object> }

const OPERATION = new RegExp(`^(?:${API_ROOT}|/project)/newsletter(/.+)$`)
let prepared:
  | { newsletter: Prepared; platform: Prepared; templates: readonly (readonly [RegExp, string])[] }
  | undefined

function callAt(method: string, path: string): { document: Prepared; call: Call } | undefined {
  const { newsletter, platform, templates } = (prepared ??= prepare())
  const operation = OPERATION.exec(path)?.[1]
  const isOperation = operation !== undefined && operation in newsletter.paths
  const document = isOperation ? newsletter : platform
  const fixed = isOperation ? operation : path
  const template = fixed in document.paths ? fixed : templates.find(([pattern]) => pattern.test(path))?.[1]
  const call = document.paths[template ?? '']?.[method.toLowerCase()]
  return call && { document, call }
}

function prepare() {
  const { newsletter, platform } = apiDocuments() as Record<'newsletter' | 'platform', Document>
  const templates = Object.keys(platform.paths)
    .filter((path) => path.includes('{'))
    .map((path) => [new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`), path] as const)
  return { newsletter: withNames(newsletter), platform: withNames(platform), templates }
}

function withNames(document: Document): Prepared {
  return { ...document, named: schemasByReference(document) }
}

/** The named schemas of a document as the validator takes them. */
export function schemasByReference({ components }: Pick<Document, 'components'>): Record<string, object> {
  const schemas = Object.entries(components.schemas)
  return Object.fromEntries(schemas.map(([name, schema]) => [`#/components/schemas/${name}`, schema]))
}
