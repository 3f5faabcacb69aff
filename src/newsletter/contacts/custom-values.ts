import type { ProjectId } from '../../ids.ts'
import { Type } from '@sinclair/typebox'
import { sql, type SQL } from 'drizzle-orm'
import { type Flaw, invalidRequest } from '../../errors.ts'
import { pointerTo } from '../../pointer.ts'
import { isDay } from '../../schema.ts'
import type { Reader } from '../../store/open.ts'
import type { CustomValue, CustomValues, FieldType } from '../../store/tables/audience.ts'
import type { IndexedField } from './rule-columns.ts'
import { one } from '../../store/rows.ts'

/** Custom values in a request, by key; null removes a value. */
export const CustomValuesInput = Type.Record(
  Type.String(),
  Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]),
  {
    description: 'Values by the key of a custom field of the project; null removes a value.',
  },
)
export type CustomValuesInput = Record<string, CustomValue | null>

/** The part of a custom field that its values are checked against (docs/api/contacts.md#custom-fields). */
export interface FieldDefinition extends IndexedField {
  options: string[] | null
}

const MAX_TEXT = 1000

/** Throws VALIDATION_FAILED for each key that is unknown or whose value does not match its field. */
export function requireCustomValues(
  definitions: readonly FieldDefinition[],
  values: CustomValuesInput | undefined,
): void {
  const flaws = customFlaws(definitions, values ?? {})
  if (flaws.length > 0) throw invalidRequest(flaws)
}

/** An expression for a project's definitions: JSON of `FieldDefinition[]`. */
export function definitionsOf(project_id: SQL): SQL {
  return sql`
    (SELECT json_group_array(json_object('key', field.key, 'type', field.type, 'options', json(field.options),
      'slot', field.slot))
      FROM custom_fields field WHERE field.project_id = ${project_id})`
}

export async function fieldDefinitions(db: Reader, project_id: ProjectId): Promise<FieldDefinition[]> {
  const { packed } = one(await db.all<{ packed: string }>(sql`SELECT ${definitionsOf(sql`${project_id}`)} AS packed`))
  return JSON.parse(packed) as FieldDefinition[]
}

function customFlaws(definitions: readonly FieldDefinition[], values: CustomValuesInput): Flaw[] {
  const byKey = new Map(definitions.map((definition) => [definition.key, definition]))
  return Object.entries(values).flatMap(([key, value]) => {
    const definition = byKey.get(key)
    const message = definition ? valueFlaw(definition, value) : 'The project has no such custom field.'
    return message === null ? [] : [{ path: pointerTo('/custom_fields', key), message }]
  })
}

/** The stored values, replaced by the given ones. Built from entries, because a key may be `__proto__`. */
export function mergeValues(stored: CustomValues, given: CustomValuesInput | undefined): CustomValues {
  if (!given) return stored
  if (Object.keys(stored).length === 0 && hasNoNull(given)) return given
  const merged = new Map<string, CustomValue | null>([...Object.entries(stored), ...Object.entries(given)])
  return Object.fromEntries([...merged].filter((entry): entry is [string, CustomValue] => entry[1] !== null))
}

function hasNoNull(values: CustomValuesInput): values is CustomValues {
  return Object.values(values).every((value) => value !== null)
}

/** What is wrong with a value for a field, as a sentence; null when it is valid. */
export function valueFlaw({ type, options }: FieldDefinition, value: CustomValue | null): string | null {
  const { accepts, expected } = VALUES[type]
  const choices = options ?? []
  return value === null || accepts(value, choices) ? null : `Expected ${expected(choices)}.`
}

interface ValueRule {
  accepts(value: CustomValue, options: readonly string[]): boolean
  expected(options: readonly string[]): string
}

const VALUES: Readonly<Record<FieldType, ValueRule>> = {
  text: {
    accepts: (value) =>
      typeof value === 'string' && value.length <= MAX_TEXT && value.isWellFormed() && !value.includes('\u0000'),
    expected: () => `a text of at most ${MAX_TEXT} characters, in well-formed Unicode without NUL`,
  },
  number: { accepts: (value) => typeof value === 'number' && Number.isFinite(value), expected: () => 'a number' },
  boolean: { accepts: (value) => typeof value === 'boolean', expected: () => 'true or false' },
  date: { accepts: (value) => typeof value === 'string' && isDay(value), expected: () => 'a day as YYYY-MM-DD' },
  select: {
    accepts: (value, options) => typeof value === 'string' && options.includes(value),
    expected: (options) => `one of: ${options.join(', ')}`,
  },
}
