import { normalForm } from '../../normal-form.ts'
import { CONTACT_FIELD_NAMES, type ContactFieldName, type ContactTexts } from '../../shared/contact-fields.ts'
import type { ProjectId } from '../../ids.ts'
import { type SQL, sql } from 'drizzle-orm'
import { jsonText } from '../../store/json-text.ts'
import type { Tx } from '../../store/open.ts'
import type { CustomValues, FieldType } from '../../store/tables/audience.ts'

/**
 * The columns that rules compare with: standard fields and custom values in lower case. A statement that writes
 * standard fields or custom values also writes these columns.
 *
 *   first_name_key …   the standard fields
 *   slot_1 … slot_12   the values of the custom fields that have a slot: the first twelve of a project
 *   more_keys          the values of the other custom fields, a JSON object by key, or null
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

interface Compared extends ContactTexts {
  custom_fields: CustomValues
}

/** The column that rules compare a standard field with. */
export function keyColumn<Name extends ContactFieldName>(name: Name): `${Name}_key` {
  return `${name}_key`
}

const TEXT_KEYS = CONTACT_FIELD_NAMES.map(keyColumn)

/** Folds text for comparison: Unicode NFC, lower case, one form of sigma. */
export function foldText(text: string): string {
  return normalForm(text).toLowerCase().replaceAll('ς', 'σ')
}

/** The columns to write for a project with these fields; without fields only the standard ones, and custom values stay. */
export function keyColumns(fields: readonly IndexedField[]): string[] {
  const slots = fields.flatMap(({ slot }) => (slot === null ? [] : [`slot_${slot}`]))
  return [...TEXT_KEYS, ...slots, ...(fields.some(({ slot }) => slot === null) ? ['more_keys'] : [])]
}

/** A contact's values for `keyColumns`, in the same order. */
export function keyValues(contact: Compared, fields: readonly IndexedField[]): (string | number | null)[] {
  const { custom_fields } = contact
  const values: (string | number | null)[] = CONTACT_FIELD_NAMES.map((name) => foldText(contact[name]))
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
