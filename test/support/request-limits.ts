/**
 * What each route declares, and what requests and answers may hold, one line for each field with a limit:
 * `bun test/support/request-limits.ts` records it in test/recorded/. All of it is a promise to callers, so a change is
 * seen in a review and in test/operation-types.test.ts. Types, choices and required fields stand in
 * static/app/api/operations.d.ts.
 */
import { join } from 'node:path'
import type { AuditRule } from '../../src/audit/call.ts'
import { impliedErrors } from '../../src/http/core/route-errors.ts'
import type { Route } from '../../src/http/core/route.ts'
import { declaredRoutes } from '../../src/http/routes.ts'
import { operations } from '../../src/newsletter/operations.ts'
import { Instant, line, name, prose, requiredProse } from '../../src/schema.ts'

export const RECORDED = {
  newsletter: join(import.meta.dir, '../recorded/newsletter-requests.txt'),
  newsletterAnswers: join(import.meta.dir, '../recorded/newsletter-answers.txt'),
  platform: join(import.meta.dir, '../recorded/platform-requests.txt'),
  platformAnswers: join(import.meta.dir, '../recorded/platform-answers.txt'),
}

interface Schema {
  $id?: string
  type?: string
  const?: unknown
  enum?: readonly unknown[]
  required?: readonly string[]
  default?: unknown
  format?: string
  pattern?: string
  uniqueItems?: boolean
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  minProperties?: number
  maxProperties?: number
  properties?: Record<string, Schema>
  patternProperties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
}

/** The patterns that most texts share. */
const PATTERNS: readonly [name: string, pattern: string][] = [
  ['one line', line(1)],
  ['a name', name(1)],
  ['prose', prose(1)],
  ['prose that is not blank', requiredProse(1)],
  ['a time', Instant],
].map(([means, schema]) => [means as string, (schema as Schema).pattern!])

const GREATEST_ID = String(Number.MAX_SAFE_INTEGER)

const ends = (what: string, least: number | undefined, most: number | undefined): string[] =>
  least === undefined && most === undefined
    ? []
    : [`${what} ${least ?? 0} to ${most ?? 'any'}`.replace(GREATEST_ID, 'any id')]

const patternOf = (pattern: string): string =>
  PATTERNS.find(([, known]) => known === pattern)?.[0] ?? `pattern ${pattern}`

/** The limits of one field itself, such as `length 1 to 25, default "x"`. */
function limitsOf(schema: Schema): string {
  return [
    ...ends('length', schema.minLength, schema.maxLength),
    ...ends('value', schema.minimum, schema.maximum),
    ...ends('items', schema.minItems, schema.maxItems),
    ...ends('properties', schema.minProperties, schema.maxProperties),
    ...(schema.uniqueItems ? ['no item twice'] : []),
    ...(schema.default === undefined ? [] : [`default ${JSON.stringify(schema.default)}`]),
    ...(schema.format === undefined ? [] : [`format ${schema.format}`]),
    ...(schema.pattern === undefined ? [] : [patternOf(schema.pattern)]),
    ...(schema.type === undefined ? ruleOf(schema) : []),
  ].join(', ')
}

/** What a schema without a type adds to the types: the rule that one field of an object needs another. */
function ruleOf({ const: only, enum: choices = only === undefined ? [] : [only], required = [] }: Schema): string[] {
  return [
    ...(choices.length > 0 ? [`one of ${choices.map((choice) => JSON.stringify(choice)).join(' ')}`] : []),
    ...(required.length > 0 ? [`needs ${required.join(' and ')}`] : []),
  ]
}

/** Schemas with a name stand once, under that name. */
class Lines {
  readonly lines: string[] = []
  private readonly named = new Set<string>()

  /** Adds a request, or a part of one. Schemas that were met in it are named by the place where they stood. */
  add(where: string, schema: Schema): void {
    this.walk(where, schema, new Map(), true)
  }

  private walk(where: string, schema: Schema, met: Map<Schema, string>, is_root = false): void {
    if (schema.$id !== undefined && !is_root) {
      this.lines.push(`${where}: ${schema.$id}`)
      if (!this.named.has(schema.$id)) this.add(schema.$id, this.once(schema))
      return
    }
    const before = schema.properties ? met.get(schema) : undefined
    if (before !== undefined) return void this.lines.push(`${where}: as ${before}`)
    met.set(schema, where)
    const limits = limitsOf(schema)
    if (limits !== '') this.lines.push(`${where}: ${limits}`)
    for (const [key, inner] of partsOf(schema)) this.walk(`${where}${key}`, inner, met)
  }

  private once(schema: Schema): Schema {
    this.named.add(schema.$id!)
    return schema
  }
}

function partsOf(schema: Schema): [key: string, Schema][] {
  const { properties = {}, patternProperties = {}, additionalProperties: others, items } = schema
  return [
    ...Object.entries(properties).map(([key, inner]) => [`/${key}`, inner] as [string, Schema]),
    ...Object.entries(patternProperties).map(([keys, inner]) => [`/{${keys}}`, inner] as [string, Schema]),
    ...(typeof others === 'object' ? [['/{}', others] as [string, Schema]] : []),
    ...(items ? [['/*', items] as [string, Schema]] : []),
    ...[schema.anyOf, schema.oneOf, schema.allOf].flatMap((variants = []) => variants.map(variant)),
  ]
}

/** A variant is named by its `type`; where it has none it adds nothing to the place. */
function variant(schema: Schema): [key: string, Schema] {
  const type = schema.properties?.type?.const
  return [type === undefined ? '' : `(${String(type)})`, schema]
}

/** What each operation declares, and the limits of its request. */
export function newsletterLimits(): string {
  const all = new Lines()
  for (const { path, act, scope, role, cost, status, max_body, request, audit } of operations) {
    const units = cost({}) === 1 ? '' : `, ${cost({})} units`
    const answers = status === 200 ? '' : `, answers ${status}`
    all.lines.push(`${path}: ${act.kind}, ${scope}, ${role}${units}, body of at most ${max_body} bytes${answers}`)
    if (act.kind === 'stream') all.lines.push(`${path}: answers with ${act.filename} of type ${act.media_type}`)
    all.lines.push(...rowOf(audit).map((fact) => `${path}: ${fact}`))
    all.add(path, request)
  }
  return written(all.lines)
}

/** The limits of the answer of each operation. */
export function newsletterAnswers(): string {
  const all = new Lines()
  for (const { path, response } of operations) all.add(path, response)
  return written(all.lines)
}

const platformRoutes = (): Route[] => declaredRoutes().filter(({ auth }) => auth !== 'api')
const nameOf = ({ methods, path }: Route): string => `${methods.join('|')} ${path}`

/** Of all other routes: what they declare, and the limits of their parameters, queries and bodies. */
export function platformLimits(): string {
  const all = new Lines()
  for (const route of platformRoutes()) {
    const name = nameOf(route)
    all.lines.push(...[callers(route), ...promises(route)].map((fact) => `${name}: ${fact}`))
    for (const part of ['params', 'query', 'body'] as const)
      if (route[part] !== null) all.add(`${name} ${part}`, route[part])
  }
  return written(all.lines)
}

/** The limits of the answer of each other route. */
export function platformAnswers(): string {
  const all = new Lines()
  for (const route of platformRoutes()) if (typeof route.response === 'object') all.add(nameOf(route), route.response)
  return written(all.lines)
}

function callers(route: Route): string {
  return [
    [route.auth, route.operator ? 'operator' : '', route.scope ?? '', route.role ?? ''].filter(Boolean).join(' '),
    ...(route.confirmed ? ['confirmed'] : []),
    ...(route.own_pages ? ['from its own pages'] : []),
    ...(route.cost === 1 ? [] : [`${route.cost} units`]),
    ...(route.body === null && route.takes.length === 0 ? [] : [`body of at most ${route.max_body} bytes`]),
    ...(route.status === 200 ? [] : [`answers ${route.status}`]),
  ].join(', ')
}

/** What a route declares besides: the errors are those of the handler itself. */
function promises(route: Route): string[] {
  const implied = impliedErrors(route)
  return [
    ...route.takes.map((type) => `takes ${type}`),
    ...(typeof route.response === 'string' ? [`answers with a ${route.response}`] : []),
    ...(route.catch_all ? ['takes the rest of the path'] : []),
    ...(route.every_process ? ['is in every process'] : []),
    ...[...route.errors].filter((code) => !implied.includes(code)).map((code) => `may answer ${code}`),
    ...rowsOf(route.audit),
  ]
}

/** What the audit log shows of a call, where that is not what it shows of most. */
function rowsOf({ rows, reads, ip, ...row }: AuditRule): string[] {
  return [
    ...(rows === 'all' ? [] : ['leaves only the rows that it notes']),
    ...(reads ? ['leaves a row of each reading'] : []),
    ...(ip === 'address' ? [] : ['leaves rows with the network of the caller']),
    ...rowOf(row),
  ]
}

/** The target of its row, the other ids in it, and what else stands there. */
function rowOf({
  targets,
  ids,
  details,
  changes,
}: Pick<AuditRule, 'targets' | 'ids' | 'details' | 'changes'>): string[] {
  const places = targets.map((target) => {
    if (typeof target === 'string') return target
    return 'input' in target ? `${target.kind} of ${target.input}` : `${target.answer} of the answer`
  })
  return [
    ...(places.length > 0 ? [`leaves a row about the ${places.join(', or the ')}`] : []),
    ...ids.map(([shown, property]) => `leaves rows with ${shown} of ${property}`),
    ...details.map((property) => `leaves rows with ${property}`),
    ...(changes ? ['leaves rows that name the changed properties'] : []),
  ]
}

const written = (lines: readonly string[]): string => {
  const shared = PATTERNS.map(([means, pattern]) => `${means}: pattern ${pattern}`)
  // Two variants of one union may say the same.
  return `${[...new Set([...shared, ...lines])].join('\n')}\n`
}

if (import.meta.main) {
  await Bun.write(RECORDED.newsletter, newsletterLimits())
  await Bun.write(RECORDED.newsletterAnswers, newsletterAnswers())
  await Bun.write(RECORDED.platform, platformLimits())
  await Bun.write(RECORDED.platformAnswers, platformAnswers())
}
