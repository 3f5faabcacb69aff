import type { TSchema } from '@sinclair/typebox'
import { described, type Place, type Wording } from './vocabulary.ts'

/** Schemas with a name (`$id`), described once and referenced. */
export type NamedSchemas = Record<string, unknown>

/** A TypeBox schema as plain JSON, without symbols and undefined values; named parts become references. */
export function plain(schema: TSchema, named: NamedSchemas): unknown {
  return JSON.parse(JSON.stringify(schema), (_, value: unknown) => {
    if (value === null || typeof value !== 'object' || !('$id' in value) || typeof value.$id !== 'string') return value
    const { $id, ...rest } = value
    named[$id] = rest
    return { $ref: `#/components/schemas/${$id}` }
  })
}

/** As `plain`, with a description of every property. */
export function describedSchema(schema: TSchema, named: NamedSchemas, wording: Wording, place: Place): unknown {
  return described(plain(schema, named), wording, place)
}

/** The named schemas with a description of every property. */
export function describedNames(named: NamedSchemas, wording: Wording): NamedSchemas {
  return Object.fromEntries(
    Object.entries(named).map(([group, schema]) => [group, described(schema, wording, { parent: group, group })]),
  )
}
