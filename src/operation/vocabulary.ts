import { SHARED_VOCABULARY } from './shared-vocabulary.ts'

/**
 * Descriptions and example values of properties whose schemas have none. A key is the name of a property; `parent.name`
 * is one in an object that stands under `parent`, and `group/name` one in a named schema or in a family of calls. The
 * most specific key counts, and of several values the first that the schema accepts.
 */
export type Vocabulary = Readonly<Record<string, readonly [says: string, ...examples: unknown[]]>>

/** The texts from which an OpenAPI document is generated. */
export interface Wording {
  words: Vocabulary
  /** Requests by the name of their call, where the required properties alone say too little. */
  requests: Readonly<Record<string, unknown>>
  /** Example answers by path, where the required properties alone say too little. */
  answers?: Readonly<Record<string, unknown>>
}

/** The context of a property: its parent property, and its named schema or family of calls. */
export interface Place {
  parent: string
  group: string
}

type Schema = Record<string, unknown>

/** The description and examples of a property; undefined when the vocabulary has none. */
export function wordFor({ words }: Wording, { parent, group }: Place, name: string): Vocabulary[string] | undefined {
  const keys = [`${parent}.${name}`, `${group}/${name}`, name]
  return keys.map((key) => words[key] ?? SHARED_VOCABULARY[key]).find((word) => word !== undefined)
}

/** A JSON Schema in which every property has a description: its own, or that of the vocabulary. */
export function described(schema: unknown, wording: Wording, place: Place): unknown {
  if (Array.isArray(schema)) return schema.map((part) => described(part, wording, place))
  if (schema === null || typeof schema !== 'object') return schema
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) =>
      key === 'properties'
        ? [key, describedProperties(value as Record<string, Schema>, wording, place)]
        : // Values of these are data, and may look like a schema.
          [key, ['enum', 'const', 'default', 'example'].includes(key) ? value : described(value, wording, place)],
    ),
  )
}

function describedProperties(
  properties: Record<string, Schema>,
  wording: Wording,
  place: Place,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => {
      const inner = described(property, wording, { ...place, parent: name }) as Schema
      const says = wordFor(wording, place, name)?.[0]
      return [name, inner.description !== undefined || says === undefined ? inner : { ...inner, description: says }]
    }),
  )
}
