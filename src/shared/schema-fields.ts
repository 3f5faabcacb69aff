/** The parts of a JSON Schema that this file reads. */
export interface Schema {
  $ref?: string
  type?: string
  const?: unknown
  enum?: readonly unknown[]
  anyOf?: readonly Schema[]
  oneOf?: readonly Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  patternProperties?: Record<string, Schema>
  required?: readonly string[]
  description?: string
  format?: string
  default?: unknown
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
}

export type Schemas = Readonly<Record<string, Schema>>

/** One line of a table of fields. */
export interface FieldRow {
  /** With the names of the objects around it: `consent.at`, `skipped[].reason`. */
  name: string
  required: boolean
  type: string
  /** The named schema that the type leads to. */
  refers_to: string | null
  description: string
  limits: string
}

/** The fields of an object, required ones first, each followed by those inside it. */
export function fieldRows(schema: Schema, prefix = ''): FieldRow[] {
  const { properties = {}, required = [] } = schema
  const isRequired = (name: string) => required.includes(name)
  return Object.entries(properties)
    .toSorted(([one], [other]) => Number(isRequired(other)) - Number(isRequired(one)))
    .flatMap(([name, field]) => {
      const { inner, suffix } = innerObject(field)
      return [
        {
          name: prefix + name,
          required: isRequired(name),
          type: typeWord(field),
          refers_to: namesIn(field)[0] ?? null,
          description: field.description ?? '',
          limits: limitsOf(field),
        },
        ...(inner ? fieldRows(inner, `${prefix}${name}${suffix}.`) : []),
      ]
    })
}

/** The names of the schemas that a schema refers to, at any depth of itself. */
export function namesIn(schema: unknown): string[] {
  if (schema === null || typeof schema !== 'object') return []
  if ('$ref' in schema && typeof schema.$ref === 'string') return [schema.$ref.split('/').at(-1)!]
  return [...new Set(Object.values(schema).flatMap(namesIn))]
}

/** The object that a field holds, alone or in a list. */
function innerObject(field: Schema): { inner?: Schema; suffix: string } {
  const given = withoutNull(field)
  if (given.items) return { ...innerObject(given.items), suffix: '[]' }
  return given.properties ? { inner: given, suffix: '' } : { suffix: '' }
}

function withoutNull(schema: Schema): Schema {
  const variants = schema.anyOf?.filter(({ type }) => type !== 'null') ?? []
  return variants.length === 1 ? variants[0]! : schema
}

function typeWord(schema: Schema): string {
  if (schema.$ref !== undefined) return namesIn(schema)[0]!
  if (schema.anyOf?.some(({ type, $ref, anyOf, const: only }) => type ?? $ref ?? anyOf ?? only))
    return [...new Set(schema.anyOf.map(typeWord))].join(' or ')
  if ('const' in schema) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' or ')
  if (schema.items) return `list of ${typeWord(schema.items)}`
  return schema.type ?? 'any'
}

function limitsOf(schema: Schema): string {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, default: usual } = withoutNull(schema)
  return [
    range(minimum, maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum, ''),
    range(minLength || undefined, maxLength, ' characters'),
    range(minItems || undefined, maxItems, ' entries'),
    usual === undefined ? '' : `default ${JSON.stringify(usual)}`,
  ]
    .filter((part) => part !== '')
    .join('; ')
}

function range(least: number | undefined, most: number | undefined, unit: string): string {
  if (least !== undefined && most !== undefined) return `${least} to ${most}${unit}`
  if (most !== undefined) return `at most ${most}${unit}`
  return least === undefined ? '' : `at least ${least}${unit}`
}
