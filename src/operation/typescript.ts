/** JSON Schemas of the OpenAPI documents as TypeScript types (docs/api/conventions.md#typed-client). */

export interface JsonSchema {
  $ref?: string
  type?: string
  enum?: readonly unknown[]
  const?: unknown
  anyOf?: readonly JsonSchema[]
  items?: JsonSchema
  properties?: Record<string, JsonSchema>
  patternProperties?: Record<string, JsonSchema>
  additionalProperties?: boolean | JsonSchema
  required?: readonly string[]
  format?: string
  description?: string
}

const MAX_COLUMNS = 100
const INDENT = '  '

/**
 * The type of a schema, its lines indented by `depth` levels. References become the names of their schemas; `used`
 * gets each of them. Conditions between properties (`oneOf`, `allOf`, `not`) have no type.
 */
export function typeOf(schema: JsonSchema, used: Set<string>, depth = 0): string {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1)!
    used.add(name)
    return name
  }
  if (schema.anyOf?.some(({ type, $ref, anyOf, const: only }) => type ?? $ref ?? anyOf ?? only))
    return union(schema.anyOf.map((variant) => typeOf(variant, used, depth)))
  if ('const' in schema) return literal(schema.const)
  if (schema.enum) return union(schema.enum.map((value) => literal(value)))
  switch (schema.type) {
    case 'object':
      return objectType(schema, used, depth)
    case 'array':
      return arrayOf(typeOf(schema.items ?? {}, used, depth))
    case 'integer':
      return 'number'
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return schema.type
    default:
      return 'unknown'
  }
}

/** An object type with these members, on one line where it fits. */
export function objectOf(members: readonly Member[], depth: number): string {
  if (members.length === 0) return 'Record<string, never>'
  const line = `{ ${members.map(({ name, type }) => `${name}: ${type}`).join('; ')} }`
  const isShort = members.every(({ about, type }) => about === undefined && !type.includes('\n'))
  if (isShort && depth * INDENT.length + line.length <= MAX_COLUMNS) return line
  const indent = INDENT.repeat(depth + 1)
  return `{\n${members.map((member) => indent + memberLines(member, indent)).join('\n')}\n${INDENT.repeat(depth)}}`
}

/** A member of an object type; `name` is written as it stands, with `?` where it may be left out. */
export interface Member {
  name: string
  type: string
  about?: string | undefined
}

export function memberLines({ name, type, about }: Member, indent: string): string {
  return `${about === undefined ? '' : comment(about, indent)}${name}: ${type}`
}

/** A property name as TypeScript writes it. */
export function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name)
}

function objectType(schema: JsonSchema, used: Set<string>, depth: number): string {
  const { properties = {}, patternProperties, additionalProperties, required = [] } = schema
  const values = Object.values(patternProperties ?? {})
  if (typeof additionalProperties === 'object') values.push(additionalProperties)
  if (values.length > 0) return `Record<string, ${union(values.map((value) => typeOf(value, used, depth)))}>`
  if (Object.keys(properties).length === 0 && additionalProperties !== false) return 'Record<string, unknown>'
  return objectOf(
    Object.entries(properties).map(([name, property]) => ({
      name: propertyName(name) + (required.includes(name) ? '' : '?'),
      type: typeOf(property, used, depth + 1),
      // No comment for times: all have the same format, and the description would repeat in each.
      about: property.format === 'date-time' ? undefined : property.description,
    })),
    depth,
  )
}

function union(types: readonly string[]): string {
  const distinct = [...new Set(types)]
  return distinct.includes('unknown') ? 'unknown' : distinct.join(' | ')
}

function arrayOf(type: string): string {
  return /^\w+$/.test(type) ? `${type}[]` : `Array<${type}>`
}

function literal(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value)
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}

function comment(text: string, indent: string): string {
  return `/** ${text.replaceAll('*/', '*\\/').replaceAll(/\s+/g, ' ')} */\n${indent}`
}
