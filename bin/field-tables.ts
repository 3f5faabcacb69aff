/**
 * Writes the tables of calls, fields and scopes in docs/api from the OpenAPI documents, between comments such as
 * `<!-- fields: request of imports/dry-run options -->` and `<!-- end -->`. A test fails where one is out of date.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { apiDocuments } from '../src/http/documents.ts'
import { SCOPES } from '../src/shared/scopes.ts'

const FOLDER = join(import.meta.dir, '../docs/api')
const MARKED = /(<!-- (calls|fields|scopes):([^>]*)-->)\n[\s\S]*?<!-- end -->/g

interface Schema {
  $ref?: string
  type?: string | string[]
  const?: unknown
  enum?: readonly unknown[]
  anyOf?: readonly Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: readonly string[]
  format?: string
  description?: string
  default?: unknown
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  maxItems?: number
}
interface Described {
  parameters: readonly { name: string; in: string; required?: boolean; description?: string; schema: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}
interface Document {
  paths: Record<string, Record<string, Described>>
  components: { schemas: Record<string, Schema> }
}

const { newsletter, platform } = apiDocuments() as Record<'newsletter' | 'platform', Document>
const SHARED = { ...platform.components.schemas, ...newsletter.components.schemas }

/** The page with its tables as they are now. */
export function withTables(page: string): string {
  return page.replace(MARKED, (_, begin: string, kind: keyof typeof TABLES, about: string) => {
    const table = TABLES[kind](about.trim().replaceAll(/\s+/g, ' '))
    return `${begin}\n${table.join('\n')}\n<!-- end -->`
  })
}

/** The pages of docs/api, by name. */
export function pages(): { path: string; text: string }[] {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.md'))
  return names.map((name) => ({ path: join(FOLDER, name), text: readFileSync(join(FOLDER, name), 'utf8') }))
}

const TABLES = { calls, fields, scopes }

/** `calls: NAME, NAME…`: the properties of requests and answers. */
function calls(about: string): string[] {
  const rows = about.split(', ').map((name) => {
    return row(code(name), code(membersOf(requestOf(name))), code(membersOf(answerOf(name))))
  })
  return ['| Call | Request | Answer |', '|---|---|---|', ...rows]
}

/** `fields: request|answer of NAME [PROPERTY…] [only FIELD…]`: one row for each property of an object. */
function fields(about: string): string[] {
  const [, side = '', name = '', path = '', only = ''] =
    /^(request|answer) of ((?:[A-Z]+ )?\S+)((?: (?!only\b)\w+)*)(?: only (.+))?$/.exec(about)!
  const whole = side === 'request' ? requestOf(name) : answerOf(name)
  const schema = path
    .trim()
    .split(' ')
    .filter(Boolean)
    .reduce((at, step) => inside(at.properties![step]!), whole)
  const { properties = {}, required = [] } = schema
  const chosen = only === '' ? Object.keys(properties) : only.split(' ')
  const rows = chosen.map((field) => {
    const { [field]: property } = properties
    const isOptional = side === 'request' && !required.includes(field)
    return row(code(isOptional ? `${field}?` : field), typeOf(property!), meaningOf(property!))
  })
  return ['| Field | Type | Meaning |', '|---|---|---|', ...rows]
}

function scopes(): string[] {
  const rows = Object.entries(SCOPES).map(([name, { label, least_role }]) =>
    row(code(name), label, least_role[0]!.toUpperCase() + least_role.slice(1)),
  )
  return ['| Scope | Allows | Least role |', '|---|---|---|', ...rows]
}

const row = (...cells: string[]): string => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
const code = (text: string): string => (text === '' ? '' : `\`${text}\``)

function described(name: string): Described {
  const [method, path] = name.includes(' ') ? name.split(' ') : ['post', name]
  const found = isOperation(name)
    ? newsletter.paths[`/${name}`]?.post
    : platform.paths[path!.replace(/:(\w+)/g, '{$1}')]?.[method!.toLowerCase()]
  if (!found) throw new Error(`No document has ${name}.`)
  return found
}

/** Query and body in one object, without the project and the key of an operation, which all of them have. */
function requestOf(name: string): Schema {
  const { parameters, requestBody } = described(name)
  const body = inside(requestBody?.content['application/json']?.schema ?? {})
  const query = parameters.filter((parameter) => parameter.in === 'query')
  const properties: Record<string, Schema> = {
    ...Object.fromEntries(query.map(({ name: own, schema, description }) => [own, { description, ...schema }])),
    ...body.properties,
  }
  if (isOperation(name)) for (const every of ['project_id', 'idempotency_key']) delete properties[every]
  const required = query.filter((parameter) => parameter.required).map((parameter) => parameter.name)
  return { properties, required: [...required, ...(body.required ?? [])] }
}

function answerOf(name: string): Schema {
  const { responses } = described(name)
  const content = (responses[200] ?? responses[202] ?? responses[201])?.content
  const schema = inside(content?.['application/json']?.schema ?? {})
  return isOperation(name) ? inside(schema.properties?.data ?? {}) : schema
}

/** A name as `contacts/get`, for an operation; else a path, with its method unless that is POST. */
const isOperation = (name: string): boolean => !name.includes(' ') && !name.startsWith('/')

/** The properties of an object, with the members of objects in it that have no name of their own. */
function membersOf({ properties = {}, required = [] }: Schema): string {
  const members = Object.entries(properties).map(([name, property]) => {
    const members = within(property)
    return `${name}${required.includes(name) ? '' : '?'}${members === null ? '' : `: ${members}`}`
  })
  return members.join(', ')
}

function within(property: Schema): string | null {
  if (property.type === 'array' && property.items) {
    const members = within(property.items)
    return members && `[${members}]`
  }
  return property.properties ? `{ ${Object.keys(property.properties).join(', ')} }` : null
}

/** The schema behind a reference, or the one beside null. */
function inside(schema: Schema): Schema {
  if (schema.$ref !== undefined) return { ...SHARED[schema.$ref.split('/').at(-1)!]!, ...schema, $ref: undefined }
  const [only, ...more] = (schema.anyOf ?? []).filter(({ type }) => type !== 'null')
  return only && more.length === 0 && schema.type === undefined
    ? { ...inside(only), description: schema.description }
    : schema
}

/** The description, with names of fields and codes set as code. */
function meaningOf(schema: Schema): string {
  return (schema.description ?? inside(schema).description ?? '').replace(
    /(?<![\w/.-])[a-zA-Z]+(?:_[a-zA-Z]+)+(?![\w/-]|\.\w)/g,
    '`$&`',
  )
}

/** The type of a value with its limits and its default, for people. */
function typeOf(schema: Schema): string {
  const standard = schema.default === undefined ? '' : `; ${code(JSON.stringify(schema.default))} when left out`
  return kindOf(schema) + standard
}

function kindOf(schema: Schema): string {
  const { anyOf, items, maxItems } = schema
  if (schema.$ref !== undefined) return kindOf(inside(schema))
  if (anyOf && schema.type === undefined) return [...new Set(anyOf.map(kindOf))].join(' or ')
  if ('const' in schema)
    return schema.const === '' ? 'empty text' : code(JSON.stringify(schema.const).replaceAll('"', ''))
  if (schema.enum) return schema.enum.map((one) => code(JSON.stringify(one).replaceAll('"', ''))).join(', ')
  switch (schema.type) {
    case 'array':
      return `array of ${items ? kindOf(items) : 'anything'}${maxItems === undefined ? '' : `, at most ${maxItems}`}`
    case 'integer':
    case 'number':
      return numberOf(schema)
    case 'string':
      return textOf(schema)
    case 'object':
      return schema.properties ? code(within(schema)!) : 'object'
    default:
      return String(schema.type ?? 'anything')
  }
}

function numberOf({ type, minimum, maximum }: Schema): string {
  if (minimum === 1 && maximum === Number.MAX_SAFE_INTEGER) return 'id'
  const name = type === 'integer' ? 'integer' : 'number'
  if (minimum !== undefined && maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER)
    return `${name}, ${minimum} to ${maximum}`
  return name
}

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': 'time',
  date: 'day',
  'idn-email': 'address',
  uri: 'URL',
}

function textOf({ format, minLength = 0, maxLength }: Schema): string {
  const name = FORMATS[format ?? ''] ?? 'text'
  if (maxLength === undefined || name !== 'text') return name
  return minLength > 0 ? `text of ${minLength} to ${maxLength} characters` : `text of at most ${maxLength} characters`
}

if (import.meta.main)
  for (const { path, text } of pages()) {
    const now = withTables(text)
    if (now !== text) writeFileSync(path, now)
  }
