import type { ProjectId } from '../../ids.ts'
import { Type } from '@sinclair/typebox'
import { and, eq, sql, type SQL } from 'drizzle-orm'
import { iso } from '../../clock.ts'
import { invalid, invalidState, requireRoom } from '../../errors.ts'
import { mutation, read } from '../../operation/declare.ts'
import { Cursor, Id, Limit, name, nullable, obj, Timestamp, enumOf } from '../../schema.ts'
import { orConflict } from '../../store/constraint.ts'
import type { Reader, Tx } from '../../store/open.ts'
import { isAfter, page } from '../../store/page.ts'
import { custom_fields, FIELD_TYPES } from '../../store/tables/audience.ts'
import { dropKey, freeSlot } from './rule-columns.ts'
import { oneOrNotFound, one, hasRows } from '../../store/rows.ts'

const MAX_FIELDS = 100
const MAX_OPTIONS = 100

const CustomField = obj(
  {
    id: Id,
    key: Type.String(),
    label: Type.String(),
    type: enumOf(FIELD_TYPES),
    options: nullable(Type.Array(Type.String())),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { $id: 'CustomField' },
)

const Key = Type.String({ pattern: '^[a-z0-9_]{1,40}$', description: 'a to z, 0 to 9 and _, at most 40' })
const Options = Type.Array(name(100), {
  minItems: 1,
  maxItems: MAX_OPTIONS,
  uniqueItems: true,
  description: 'For type select only.',
})

export const listCustomFields = read({
  path: '/custom-fields/list',
  scope: 'read',
  summary: 'Lists the custom fields of contacts.',
  request: obj({ limit: Type.Optional(Limit), cursor: Type.Optional(Cursor) }),
  response: obj({ items: Type.Array(CustomField), next_cursor: nullable(Type.String()) }),
  async run({ limit, cursor }, { db, keys, project_id }) {
    return page(
      { keys, operation: '/custom-fields/list', project_id, filters: {}, cursor, limit },
      (after, most) =>
        db
          .select()
          .from(custom_fields)
          .where(and(eq(custom_fields.project_id, project_id), isAfter(after, custom_fields)))
          .orderBy(custom_fields.created_at, custom_fields.id)
          .limit(most),
      toCustomField,
    )
  },
})

/** States in the OpenAPI document that options belong to select fields only. */
const OPTIONS_FOR_SELECT = {
  oneOf: [
    { properties: { type: { const: 'select' } }, required: ['options'] },
    { properties: { type: { enum: FIELD_TYPES.filter((type) => type !== 'select') } }, not: { required: ['options'] } },
  ],
}

export const createCustomField = mutation({
  path: '/custom-fields/create',
  scope: 'write',
  audit: { target: { answer: 'custom_field' } },
  errors: ['CONFLICT', 'INVALID_STATE'],
  summary: 'Creates a custom field. From then on contacts can have values for it.',
  request: obj(
    { key: Key, label: name(100), type: enumOf(FIELD_TYPES), options: Type.Optional(Options) },
    OPTIONS_FOR_SELECT,
  ),
  response: obj({ custom_field: CustomField }),
  async run({ key, label, type, options }, { tx, project_id, now }) {
    requireOptions(type, options)
    requireRoom(await tx.$count(custom_fields, eq(custom_fields.project_id, project_id)), MAX_FIELDS, 'custom fields')
    const row = {
      project_id,
      key,
      label: label.trim(),
      type,
      options: options ?? null,
      slot: await freeSlot(tx, project_id),
      created_at: now,
      updated_at: now,
    }
    const made = await orConflict(
      tx.insert(custom_fields).values(row).returning(),
      { key: '/key' },
      'Another custom field has this key.',
    )
    return { custom_field: toCustomField(one(made)) }
  },
})

export const updateCustomField = mutation({
  path: '/custom-fields/update',
  scope: 'write',
  audit: { target: { answer: 'custom_field' }, ids: { field_id: 'field_id' }, changes: true },
  errors: ['INVALID_STATE'],
  summary:
    'Changes label, options or type of a custom field; the type only while no contact has a value. Its key ' +
    'never changes.',
  request: obj({
    field_id: Id,
    label: Type.Optional(name(100)),
    type: Type.Optional(enumOf(FIELD_TYPES)),
    options: Type.Optional(Options),
  }),
  response: obj({ custom_field: CustomField }),
  async run({ field_id, label, type, options }, { tx, project_id, now }) {
    const field = await getField(tx, project_id, field_id)
    const become = type ?? field.type
    const choices = options ?? (become === 'select' ? (field.options ?? undefined) : undefined)
    requireOptions(become, choices)
    if (become !== field.type && (await hasValues(tx, project_id, field.key))) {
      throw invalidState('The type of a custom field cannot change once contacts have values for it.', 'in_use')
    }
    const changed = await tx
      .update(custom_fields)
      .set({ label: label?.trim() ?? field.label, type: become, options: choices ?? null, updated_at: now })
      .where(eq(custom_fields.id, field_id))
      .returning()
    return { custom_field: toCustomField(one(changed)) }
  },
})

export const deleteCustomField = mutation({
  path: '/custom-fields/delete',
  scope: 'write',
  audit: { target: { answer: 'custom_field' }, ids: { field_id: 'field_id' } },
  summary: 'Deletes a custom field and its values from all contacts.',
  request: obj({ field_id: Id }),
  response: obj({ custom_field: CustomField }),
  async run({ field_id }, { tx, project_id, now }) {
    const field = await getField(tx, project_id, field_id)
    await tx.delete(custom_fields).where(eq(custom_fields.id, field_id))
    await tx.run(
      sql`
        UPDATE contacts SET custom_fields = json_remove(custom_fields, ${jsonPath(field.key)}), ${dropKey(field)},
          updated_at = ${now}
        WHERE project_id = ${project_id} AND ${hasKey(field.key)}`,
    )
    return { custom_field: toCustomField(field) }
  },
})

type Row = typeof custom_fields.$inferSelect

async function getField(db: Reader, project_id: ProjectId, field_id: number): Promise<Row> {
  return oneOrNotFound(
    await db
      .select()
      .from(custom_fields)
      .where(and(eq(custom_fields.project_id, project_id), eq(custom_fields.id, field_id))),
    'custom field',
    '/field_id',
  )
}

function requireOptions(type: Row['type'], options: readonly string[] | undefined): void {
  if (type === 'select' && options === undefined) throw invalid('/options', 'Required for type select.')
  if (type !== 'select' && options !== undefined) throw invalid('/options', 'Only for type select.')
}

async function hasValues(tx: Tx, project_id: ProjectId, key: string): Promise<boolean> {
  return hasRows(await tx.all(sql`SELECT 1 FROM contacts WHERE project_id = ${project_id} AND ${hasKey(key)} LIMIT 1`))
}

/**
 * Contacts with a value for the key. `"key":` occurs nowhere else in the stored JSON, because quotes in values are
 * escaped. Searching the text is several times faster than parsing the JSON of a million contacts.
 */
function hasKey(key: string): SQL {
  return sql`instr(custom_fields, ${`"${key}":`}) > 0`
}

function jsonPath(key: string): string {
  return `$."${key}"`
}

function toCustomField({ id, key, label, type, options, created_at, updated_at }: Row) {
  return { id, key, label, type, options, created_at: iso(created_at), updated_at: iso(updated_at) }
}
