import type { ProjectId } from '../../ids.ts'
import { type SQL, sql } from 'drizzle-orm'
import { jsonText } from '../../store/json-text.ts'
import type { Tx } from '../../store/open.ts'
import type { CustomValues, FieldType } from '../../store/tables/audience.ts'

/**
 * The columns that rules compare with: names and custom values in lower case. A statement that writes names or custom
 * values also writes these columns.
 *
 *   first_name_key, last_name_key   the names
 *   slot_1 … slot_12                the values of the custom fields that have a slot: the first twelve of a project
 *   more_keys                       the values of the other custom fields, a JSON object by key, or null
 *
 * Text is folded, true and false are 1 and 0, numbers and days are stored as they are. An empty text is no value.
 */
const SLOTS = 12

/** A custom field, and the slot that holds its values for comparison. */
export interface IndexedField {
  key: string
  type: FieldType
  slot: number | null
}

interface Named {
  first_name: string
  last_name: string
  custom_fields: CustomValues
}

/** Folds text for comparison: Unicode NFC, lower case, one form of sigma. */
export function foldText(text: string): string {
  return text.normalize('NFC').toLowerCase().replaceAll('ς', 'σ')
}

/** The columns to write for a project with these fields; without fields only the names, and custom values stay. */
export function keyColumns(fields: readonly IndexedField[]): string[] {
  const slots = fields.flatMap(({ slot }) => (slot === null ? [] : [`slot_${slot}`]))
  return [
    'first_name_key',
    'last_name_key',
    ...slots,
    ...(fields.some(({ slot }) => slot === null) ? ['more_keys'] : []),
  ]
}

/** A contact's values for `keyColumns`, in the same order. */
export function keyValues(
  { first_name, last_name, custom_fields }: Named,
  fields: readonly IndexedField[],
): (string | number | null)[] {
  const values = [foldText(first_name), foldText(last_name)] as (string | number | null)[]
  for (const { key, slot } of fields) if (slot !== null) values.push(foldedValue(custom_fields, key))
  if (fields.some(({ slot }) => slot === null)) values.push(moreKeys(fields, custom_fields))
  return values
}

/** An expression on a row `contact` of contacts for a field's comparison value; null where there is none. */
export function comparisonValue({ key, slot }: IndexedField): SQL {
  return slot === null ? sql`(contact.more_keys ->> ${jsonPath(key)})` : sql.raw(`contact.slot_${slot}`)
}

/** The first free slot for a new custom field, or null when all are in use. */
export async function freeSlot(tx: Tx, project_id: ProjectId): Promise<number | null> {
  const taken = await tx.all<{ slot: number }>(
    sql`SELECT slot FROM custom_fields WHERE project_id = ${project_id} AND slot IS NOT NULL`,
  )
  const slots = Array.from({ length: SLOTS }, (_, index) => index + 1)
  return slots.find((slot) => !taken.some((field) => field.slot === slot)) ?? null
}

/** `column = expression` for an UPDATE of contacts that removes a deleted field's values. */
export function dropKey({ key, slot }: IndexedField): SQL {
  return slot === null ? sql`more_keys = json_remove(more_keys, ${jsonPath(key)})` : sql.raw(`slot_${slot} = NULL`)
}

function moreKeys(fields: readonly IndexedField[], custom_fields: CustomValues): string | null {
  const stored = fields
    .filter(({ slot }) => slot === null)
    .map(({ key }) => [key, foldedValue(custom_fields, key)] as const)
    .filter(([, value]) => value !== null)
  return stored.length === 0 ? null : jsonText(Object.fromEntries(stored))
}

/** A custom value for comparison. A key may be `__proto__`, so only the object's own properties count. */
function foldedValue(custom_fields: CustomValues, key: string): string | number | null {
  const value = Object.hasOwn(custom_fields, key) ? custom_fields[key]! : ''
  if (value === '') return null
  if (typeof value === 'boolean') return value ? 1 : 0
  return typeof value === 'string' ? foldText(value) : value
}

function jsonPath(key: string): string {
  return `$."${key}"`
}
