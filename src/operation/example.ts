import type { NamedSchemas } from './openapi-schema.ts'
import { type Place, wordFor, type Wording } from './vocabulary.ts'

/** The vocabulary and named schemas from which examples are generated. */
export interface Sources {
  wording: Wording
  schemas: NamedSchemas
}

interface Schema {
  $ref?: string
  type?: string
  const?: unknown
  enum?: readonly unknown[]
  anyOf?: readonly Schema[]
  oneOf?: readonly Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: readonly string[]
  minimum?: number
  minItems?: number
  format?: string
  pattern?: string
}

/** An example value of a schema: its required properties, with values from the vocabulary. */
export function exampleOf(given: unknown, sources: Sources, place: Place, name = ''): unknown {
  const schema = given as Schema
  const word = name === '' ? undefined : wordFor(sources.wording, place, name)
  const known = word?.slice(1).find((value) => fits(value, schema, sources))
  if (known !== undefined) return known
  const inside = name === '' ? place : { ...place, parent: name }
  if (schema.$ref !== undefined) {
    const group = schema.$ref.split('/').at(-1)!
    return exampleOf(sources.schemas[group] ?? {}, sources, { parent: inside.parent, group })
  }
  if ('const' in schema) return schema.const
  if (schema.enum) return schema.enum[0]
  const variant = schema.anyOf?.find(({ type, $ref, const: only }) => (type !== 'null' && type) || $ref || only)
  if (variant) return exampleOf(variant, sources, inside)
  if (schema.items) return [exampleOf(schema.items, sources, inside)]
  return plainValue(schema, sources, inside)
}

function plainValue(schema: Schema, sources: Sources, place: Place): unknown {
  const { properties = {}, type } = schema
  switch (type) {
    case 'object': {
      // Of alternatives that each require a property, takes the first.
      const choice = (schema.oneOf ?? schema.anyOf)?.find((variant) => variant.required)?.required ?? []
      const required = [...new Set([...(schema.required ?? []), ...choice])]
      return Object.fromEntries(required.map((name) => [name, exampleOf(properties[name] ?? {}, sources, place, name)]))
    }
    case 'integer':
    case 'number':
      return schema.minimum ?? 1
    case 'boolean':
      return true
    case 'null':
      return null
    default:
      return schema.format === undefined ? 'text' : (BY_FORMAT[schema.format] ?? 'text')
  }
}

const BY_FORMAT: Readonly<Record<string, string>> = {
  'date-time': '2026-05-01T07:30:00.000Z',
  date: '2026-05-01',
  'idn-email': 'ada@example.com',
  uri: 'https://harbour.example/',
}

/** Whether a value has the type that the schema asks for. Nested values are not checked. */
function fits(value: unknown, schema: Schema, sources: Sources): boolean {
  if (schema.$ref !== undefined) {
    const named = sources.schemas[schema.$ref.split('/').at(-1)!]
    return named === undefined || fits(value, named as Schema, sources)
  }
  if ('const' in schema) return value === schema.const
  if (schema.enum) return schema.enum.includes(value)
  if (schema.anyOf?.some(({ type, $ref, const: only }) => type ?? $ref ?? only))
    return schema.anyOf.some((variant) => fits(value, variant, sources))
  if (typeof value === 'string' && schema.pattern !== undefined && !new RegExp(schema.pattern, 'u').test(value))
    return false
  return (
    schema.type === undefined || schema.type === kindOf(value) || (schema.type === 'number' && Number.isInteger(value))
  )
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}
