/**
 * What each route declares, and what requests and answers may hold, each field with a limit behind its route or schema:
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

/** Facts of routes and of schemas. A schema with a name stands once, under that name. */
class Facts {
  private readonly facts = new Map<string, Set<string>>()
  private readonly named = new Set<string>()

  note(subject: string, fact: string): void {
    const known = this.facts.get(subject) ?? new Set()
    this.facts.set(subject, known.add(fact))
  }

  /** Adds a request, or a part of one. Schemas that were met in it are named by the place where they stood. */
  add(subject: string, schema: Schema, part = ''): void {
    this.walk([subject, part], schema, new Map(), true)
  }

  private walk([subject, where]: [string, string], schema: Schema, met: Map<Schema, string>, is_root = false): void {
    const note = (fact: string) => this.note(subject, `${where} ${fact}`.trim())
    if (schema.$id !== undefined && !is_root) {
      note(schema.$id)
      if (!this.named.has(schema.$id)) this.add(schema.$id, this.once(schema))
      return
    }
    const before = schema.properties ? met.get(schema) : undefined
    if (before !== undefined) return note(`as ${before}`)
    met.set(schema, where)
    const limits = limitsOf(schema)
    if (limits !== '') note(limits)
    for (const [key, inner] of partsOf(schema)) this.walk([subject, `${where}${key}`], inner, met)
  }

  /** A paragraph for each subject, in lines of about this width. */
  text(width = 116): string {
    const lines = PATTERNS.map(([means, pattern]) => `${means}: pattern ${pattern}`)
    for (const [subject, facts] of this.facts) {
      lines.push(`${subject}:`)
      for (const fact of facts) {
        const line = `${lines.at(-1)} ${fact};`
        if (line.length <= width) lines[lines.length - 1] = line
        else lines.push(`  ${fact};`)
      }
    }
    return `${lines.join('\n')}\n`
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
  const all = new Facts()
  for (const { path, act, scope, role, cost, status, max_body, request, audit } of operations) {
    const units = cost({}) === 1 ? '' : `, ${cost({})} units`
    const answers = status === 200 ? '' : `, answers ${status}`
    all.note(path, `${act.kind}, ${scope}, ${role}${units}, body of at most ${max_body} bytes${answers}`)
    if (act.kind === 'stream') all.note(path, `answers with ${act.filename} of type ${act.media_type}`)
    for (const fact of rowOf(audit)) all.note(path, fact)
    all.add(path, request)
  }
  return all.text()
}

/** The limits of the answer of each operation. */
export function newsletterAnswers(): string {
  const all = new Facts()
  for (const { path, response } of operations) all.add(path, response)
  return all.text()
}

const platformRoutes = (): Route[] => declaredRoutes().filter(({ auth }) => auth !== 'api')
const nameOf = ({ methods, path }: Route): string => `${methods.join('|')} ${path}`

/** Of all other routes: what they declare, and the limits of their parameters, queries and bodies. */
export function platformLimits(): string {
  const all = new Facts()
  for (const route of platformRoutes()) {
    const name = nameOf(route)
    for (const fact of [callers(route), ...promises(route)]) all.note(name, fact)
    for (const part of ['params', 'query', 'body'] as const) if (route[part] !== null) all.add(name, route[part], part)
  }
  return all.text()
}

/** The limits of the answer of each other route. */
export function platformAnswers(): string {
  const all = new Facts()
  for (const route of platformRoutes()) if (typeof route.response === 'object') all.add(nameOf(route), route.response)
  return all.text()
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

if (import.meta.main) {
  await Bun.write(RECORDED.newsletter, newsletterLimits())
  await Bun.write(RECORDED.newsletterAnswers, newsletterAnswers())
  await Bun.write(RECORDED.platform, platformLimits())
  await Bun.write(RECORDED.platformAnswers, platformAnswers())
}
