import {
  FormatRegistry,
  Kind,
  type ObjectOptions,
  type Static,
  type TProperties,
  type TSchema,
  Type,
  TypeRegistry,
} from '@sinclair/typebox'
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler'
import { ValueErrorType, type ValueError } from '@sinclair/typebox/errors'
import { flawOfEmail, isEmail } from './address.ts'
import { iso } from './clock.ts'
import { type Flaw, invalid, invalidRequest, MAX_FLAWS } from './errors.ts'

/** A strict object: an unknown property is an error. */
export const obj = <P extends TProperties>(properties: P, options: ObjectOptions = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options })

export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

/** `T` narrowed to one of the properties that `K` names. */
type OneOf<T, K extends keyof T> = { [P in K]-?: { [Q in P]-?: Exclude<T[Q], undefined> } }[K]

/**
 * The rule that an object has exactly one of some optional properties: `keywords` states it in the JSON Schema,
 * `of` checks an input and answers the property that is given. VALIDATION_FAILED for none or several.
 */
export function exactlyOneOf<const K extends string>(...names: readonly K[]) {
  return {
    keywords: { oneOf: names.map((name) => ({ required: [name] })) },
    of<T extends { [P in K]?: unknown }>(input: T): OneOf<T, K> {
      const given = names.filter((name) => input[name] !== undefined)
      if (given.length !== 1) throw invalid('', `Expected exactly one of: ${names.join(', ')}.`)
      return { [given[0]!]: input[given[0]!] } as OneOf<T, K>
    },
  }
}

/** As `exactlyOneOf`, for at least one of the properties; `check` answers nothing. */
export function atLeastOneOf<const K extends string>(...names: readonly K[]) {
  return {
    keywords: { anyOf: names.map((name) => ({ required: [name] })) },
    check(input: { readonly [P in K]?: unknown }): void {
      if (names.every((name) => input[name] === undefined))
        throw invalid('', `Expected at least one of: ${names.join(', ')}.`)
    },
  }
}

TypeRegistry.Set<{ enum: string[] }>(
  'Choice',
  (schema, value) => typeof value === 'string' && schema.enum.includes(value),
)

/** One of a set of strings, as a JSON Schema `enum`. */
export const enumOf = <const W extends readonly string[]>(
  choices: W,
  options: { description?: string; default?: W[number] } = {},
) => Type.Unsafe<W[number]>({ [Kind]: 'Choice', type: 'string', enum: [...choices], ...options })

/**
 * The schema with rules that code checks, because their flaws have sentences of their own. JSON Schema and with it the
 * OpenAPI documents read `allOf`; the check of a request does not.
 */
export function ruled<T extends TSchema>(schema: T, ...rules: readonly object[]): T {
  return { ...schema, allOf: [...((schema.allOf as object[] | undefined) ?? []), ...rules] }
}

/** The id of a newsletter resource. */
export const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })

interface TextRule {
  minLength?: number
  maxLength?: number
  pattern?: string
}

/** Whether a text has at most this many code points, which is how JSON Schema counts characters. */
function isWithin(text: string, most: number): boolean {
  if (text.length <= most) return true
  return text.length <= 2 * most && [...text].length <= most
}

const patterns = new Map<string, RegExp>()

function patternOf(source: string): RegExp {
  let pattern = patterns.get(source)
  if (!pattern) patterns.set(source, (pattern = new RegExp(source, 'u')))
  return pattern
}

// The database cannot store half of a surrogate pair, so text must be well-formed Unicode.
TypeRegistry.Set<TextRule>(
  'Text',
  ({ minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern }, value) =>
    typeof value === 'string' &&
    value.length >= minLength &&
    isWithin(value, maxLength) &&
    value.isWellFormed() &&
    (pattern === undefined || patternOf(pattern).test(value)),
)

/** A text with its length in code points. */
export const text = (rule: TextRule & { description?: string }) =>
  Type.Unsafe<string>({ [Kind]: 'Text', type: 'string', ...rule })

/** A text on one line, without control characters, so that it is safe in a header or a label. */
export const line = (max: number, options: { min?: number; description?: string } = {}) =>
  text({
    minLength: options.min ?? 0,
    maxLength: max,
    pattern: '^[^\\u0000-\\u001F\\u007F-\\u009F\\u2028\\u2029]*$',
    description: options.description,
  })

/**
 * As `line`, and not blank. Characters that change the direction of the surrounding text are refused, because pages
 * show names inside sentences, the OAuth consent page among them.
 */
export const name = (max: number) =>
  text({
    minLength: 1,
    maxLength: max,
    pattern: '^(?=.*\\S)[^\\u0000-\\u001F\\u007F-\\u009F\\u2028-\\u202E\\u2066-\\u2069]*$',
  })

/** Text of several lines, without NUL. */
export const prose = (max: number, options: { min?: number; description?: string } = {}) =>
  text({ minLength: options.min ?? 0, maxLength: max, pattern: '^[^\\u0000]*$', description: options.description })

/** As `prose`, and not blank. */
export const requiredProse = (max: number, description?: string) =>
  text({ minLength: 1, maxLength: max, pattern: '^(?=[\\s\\S]*\\S)[^\\u0000]*$', description })

export const Timestamp = Type.String({ format: 'date-time', description: 'ISO 8601 UTC with milliseconds.' })

/** A time in a request, with an offset and optional seconds. `instantOf` checks the day against the calendar. */
export const Instant = Type.String({
  pattern:
    '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])T([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d(\\.\\d{1,' +
    '9})?)?(Z|[+-]([01]\\d|2[0-3]):[0-5]\\d)$',
  description: 'ISO 8601 with an offset, e.g. 2026-05-01T09:30+02:00',
})

/** The milliseconds of an `Instant`, or null for a day that does not exist. */
export function instantOf(given: string): number | null {
  const day = given.slice(0, 10)
  return iso(Date.parse(`${day}T00:00:00Z`)).startsWith(day) ? Date.parse(given) : null
}

/** An email address; local part and domain may be in any script. */
export const Email = Type.String({ format: 'idn-email', maxLength: 320 })

/** `limit` of every list: 1 to 200, 50 by default (docs/api/limits.md#page-sizes). */
export const Limit = Type.Integer({ minimum: 1, maximum: 200, default: 50 })
/** Which end of a list comes first, by time of creation. */
export const Order = enumOf(['oldest', 'newest'], { default: 'oldest' })
export type Order = Static<typeof Order>
/** Any flaw of a cursor, its length included, is an INVALID_CURSOR (docs/api/conventions.md#lists-and-cursors). */
export const Cursor = Type.String({ description: "The previous answer's next_cursor." })

FormatRegistry.Set('idn-email', isEmail)
FormatRegistry.Set('date-time', isTimestamp)
FormatRegistry.Set('date', isDay)
FormatRegistry.Set('uri', (text) => {
  const url = URL.parse(text)
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:')
})

const TIMESTAMP = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/

/** ISO 8601 with an offset and optional seconds; the day must exist. */
export function isTimestamp(text: string): boolean {
  const day = TIMESTAMP.exec(text)?.[1]
  if (day === undefined || Number.isNaN(Date.parse(text))) return false
  const midnight = Date.parse(`${day}T00:00:00Z`)
  return !Number.isNaN(midnight) && iso(midnight).startsWith(day)
}

/** Whether a text is a day of the calendar, `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  return isTimestamp(`${text}T00:00:00Z`)
}

const CHECK = Symbol('check')

/** The compiled check of a schema, which keeps it. */
export function checker<T extends TSchema>(schema: T & { [CHECK]?: TypeCheck<T> }): TypeCheck<T> {
  return (schema[CHECK] ??= TypeCompiler.Compile(schema))
}

/** The flaws of a value, at most 20 and one for each path. They do not echo the values. */
export function flaws(schema: TSchema, value: unknown): Flaw[] {
  const found = new Map<string, string>()
  collect(checker(schema).Errors(value), found)
  return [...found].map(([path, message]) => ({ path, message }))
}

function collect(errors: Iterable<ValueError>, found: Map<string, string>): void {
  for (const error of errors) {
    if (found.size >= MAX_FLAWS) return
    const variants = variantsOf(error)
    const meant = error.type === ValueErrorType.Union ? meantVariant(error, variants) : null
    if (meant) collect(meant, found)
    else if (!found.has(error.path)) found.set(error.path, sentence(error, variants))
  }
}

/** The errors of each variant of a union. They can be read once only. */
function variantsOf(error: ValueError): ValueError[][] {
  return error.errors.map((variant) => [...variant].slice(0, MAX_FLAWS))
}

/** The errors of the union's variant that the value most likely is: the only one whose type and `type` property match. */
function meantVariant(error: ValueError, variants: readonly ValueError[][]): ValueError[] | null {
  const candidates = variants.filter(
    (variant) =>
      variant.length > 0 &&
      variant.every(
        ({ path, type }) =>
          (path !== error.path || type === ValueErrorType.ObjectAdditionalProperties) && path !== `${error.path}/type`,
      ),
  )
  return candidates.length === 1 ? candidates[0]! : null
}

function sentence(error: ValueError, variants: readonly ValueError[][]): string {
  if (error.type === ValueErrorType.ObjectAdditionalProperties) return 'Unknown property.'
  if (error.type === ValueErrorType.ObjectRequiredProperty) return 'Required.'
  const { description, enum: choices } = error.schema as { description?: string; enum?: unknown[] }
  return `${expectation(error, variants)}${description && !choices ? ` (${description})` : ''}.`
}

/** Describes the expected value, as the beginning of an error sentence. */
function expectation(error: ValueError, variants: readonly ValueError[][]): string {
  const choices = (error.schema as { enum?: unknown[] }).enum
  if (choices) return `Expected one of: ${choices.join(', ')}`
  if (error.schema[Kind] === 'Text') return textSentence(error.schema as TextRule, error.value)
  if ((error.schema as { format?: unknown }).format === 'idn-email' && typeof error.value === 'string')
    return emailSentence(error)
  if (error.type !== ValueErrorType.Union) return error.message
  const own = variants.flatMap(([first]) => (first?.path === error.path ? [first] : []))
  if (own.length < variants.length) return 'Expected one of the documented forms'
  const expected = own.map((first) => expectation(first, variantsOf(first)).replace(/^Expected (?:one of: )?/, ''))
  return `Expected ${expected.join(' or ')}`
}

function textSentence({ minLength = 0, maxLength }: TextRule, value: unknown): string {
  if (typeof value !== 'string') return 'Expected string'
  if (value.length < minLength || value.trim() === '') return 'Expected non-empty text'
  if (maxLength !== undefined && !isWithin(value, maxLength)) return `Expected at most ${maxLength} characters`
  return 'Expected well-formed Unicode without control characters'
}

/** An address may also be too long, or have what its schema does not allow before the @. */
function emailSentence({ value, message }: ValueError): string {
  const flaw = flawOfEmail(String(value))
  if (flaw === 'domain') return 'Expected an email address whose domain is valid'
  if (flaw === 'invisible') return 'Expected an email address without invisible characters'
  return flaw === 'form' ? 'Expected an email address' : message
}

/** The value with the schema's type; throws VALIDATION_FAILED with the path of each flaw. */
export function check<T extends TSchema>(schema: T, value: unknown): Static<T> {
  if (checker(schema).Check(value)) return value as Static<T>
  throw invalidRequest(flaws(schema, value))
}
