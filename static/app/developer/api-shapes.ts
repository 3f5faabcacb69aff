import { namesIn, type Schema, type Schemas } from '../../../src/shared/schema-fields.ts'

export type Values = Readonly<Record<string, unknown>>

/** The kinds of controls that edit a value. */
type Shape =
  | { kind: 'choice'; choices: readonly unknown[] }
  /** One text or number. */
  | { kind: 'single'; types: readonly string[] }
  | { kind: 'list'; items: Schema }
  | { kind: 'object'; schema: Schema }
  /** Values by names that the schema does not list. */
  | { kind: 'record'; values: Schema }
  | { kind: 'variants'; variants: readonly { label: string; schema: Schema }[] }
  /** Any JSON. */
  | { kind: 'json' }

const SINGLE: ReadonlySet<string | undefined> = new Set(['string', 'integer', 'number', 'boolean'])

export function shapeOf(given: Schema | undefined, schemas: Schemas): Shape {
  const schema = given && resolved(given, schemas)
  if (!schema) return { kind: 'json' }
  if ('const' in schema) return { kind: 'choice', choices: [schema.const] }
  if (schema.enum) return { kind: 'choice', choices: schema.enum }
  if (schema.type === 'boolean') return { kind: 'choice', choices: [true, false] }
  if (schema.items) return { kind: 'list', items: schema.items }
  if (schema.properties) return { kind: 'object', schema }
  const [values] = Object.values(schema.patternProperties ?? {})
  if (values) return { kind: 'record', values }
  if (SINGLE.has(schema.type)) return { kind: 'single', types: [schema.type!] }
  const variants = (schema.anyOf ?? []).filter(({ type }) => type !== 'null')
  if (variants.length === 0) return { kind: 'json' }
  if (variants.every((variant) => 'const' in variant))
    return { kind: 'choice', choices: variants.map((variant) => variant.const) }
  if (variants.every(({ type }) => SINGLE.has(type)))
    return { kind: 'single', types: variants.map(({ type }) => type!) }
  return {
    kind: 'variants',
    variants: variants.map((variant, index) => ({
      label: labelOf(variant, schemas) ?? `Variant ${index + 1}`,
      schema: variant,
    })),
  }
}

/** A value to begin with: what the schema requires and nothing else. */
export function firstValue(given: Schema, schemas: Schemas): unknown {
  const shape = shapeOf(given, schemas)
  switch (shape.kind) {
    case 'choice':
      return shape.choices[0]
    case 'single':
      return shape.types[0] === 'string' ? '' : (resolved(given, schemas)?.minimum ?? 0)
    case 'list':
      return []
    case 'object': {
      const { properties = {}, required = [] } = shape.schema
      return Object.fromEntries(required.map((name) => [name, firstValue(properties[name]!, schemas)]))
    }
    case 'record':
      return {}
    case 'variants':
      return firstValue(shape.variants[0]!.schema, schemas)
    case 'json':
      return null
  }
}

/** Whether a value looks like one of a schema: enough to tell variants apart. */
export function fits(given: Schema, value: unknown, schemas: Schemas): boolean {
  const shape = shapeOf(given, schemas)
  switch (shape.kind) {
    case 'choice':
      return shape.choices.includes(value)
    case 'single':
      return shape.types.some((type) => typeof value === (type === 'integer' ? 'number' : type))
    case 'list':
      return Array.isArray(value)
    case 'object': {
      if (!isValues(value)) return false
      const { properties = {}, required = [] } = shape.schema
      return required.every(
        (name) =>
          name in value && (isOpen(properties[name]!, schemas) || fits(properties[name]!, value[name], schemas)),
      )
    }
    case 'record':
      return isValues(value)
    case 'variants':
      return shape.variants.some(({ schema }) => fits(schema, value, schemas))
    case 'json':
      return true
  }
}

/** The text of a field as the value that its schema takes. */
export function singleValue(text: string, types: readonly string[]): unknown {
  const isNumber = types.includes('integer') || types.includes('number')
  if (isNumber && text.trim() !== '' && Number.isFinite(Number(text))) return Number(text)
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true'
  return text
}

export function isValues(value: unknown): value is Values {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

/** Of a required field only what tells variants apart is compared, because the rest may be incomplete. */
function isOpen(schema: Schema, schemas: Schemas): boolean {
  return shapeOf(schema, schemas).kind !== 'choice'
}

function resolved(schema: Schema, schemas: Schemas): Schema | undefined {
  if (schema.$ref !== undefined) return schemas[namesIn(schema)[0]!]
  const variants = schema.anyOf?.filter(({ type }) => type !== 'null') ?? []
  return variants.length === 1 ? resolved(variants[0]!, schemas) : schema
}

function labelOf(schema: Schema, schemas: Schemas): string | null {
  if (schema.$ref !== undefined) return namesIn(schema)[0]!
  const shape = shapeOf(schema, schemas)
  if (shape.kind !== 'object') return shape.kind === 'list' ? 'A list' : (schema.type ?? null)
  for (const field of Object.values(shape.schema.properties!)) {
    const told = shapeOf(field, schemas)
    if (told.kind === 'choice') return told.choices.join(', ')
  }
  return null
}
