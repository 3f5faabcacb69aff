import { note } from '../audit/record.ts'
import { one } from '../store/rows.ts'
import type { ProjectId } from '../ids.ts'
import { type Static, Type } from '@sinclair/typebox'
import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import { iso } from '../clock.ts'
import { Cursor, Id, Limit, name, obj, prose, Timestamp } from '../schema.ts'
import type { Keys } from '../secrets.ts'
import { jsonText } from '../store/json-text.ts'
import type { Reader, Store, Tx } from '../store/open.ts'
import { type Page, page } from '../store/page.ts'
import { requireUsage, USAGE_LIMITS } from '../projects/usage.ts'
import { type EntryValue, form_entries } from '../store/tables/sites.ts'
import { announceEntry, requireChecked } from './form-settings.ts'

const MAX_FIELDS = 60
const FIELD = prose(10_000)

export const FormName = name(100)
export const EntryFields = Type.Record(
  Type.String({ pattern: '^[^\\u0000-\\u001F\\u007F-\\u009F]{1,100}$' }),
  Type.Union([FIELD, Type.Number(), Type.Boolean(), Type.Array(FIELD, { maxItems: 100 })]),
  {
    maxProperties: MAX_FIELDS,
    additionalProperties: false,
    description: 'By field name: a string, a number, a boolean or an array of strings.',
  },
)

/** The value of a field as one text, in messages and in the export. */
export function fieldText(value: EntryValue): string {
  return Array.isArray(value) ? value.join('; ') : String(value)
}

interface NewEntry {
  form: string
  fields: Static<typeof EntryFields>
}

/** An entry as the API shows it. */
export const Entry = obj({ id: Id, form: Type.String(), fields: EntryFields, created_on: Timestamp })

/**
 * Stores what a site's form sent (docs/api/sites.md#form-entries). INVALID_STATE when the project holds as many entries
 * as it may, VALIDATION_FAILED when a field is missing or no address.
 */
export async function addEntry(
  tx: Tx,
  { project_id, most, now }: { project_id: ProjectId; most: number; now: number },
  { form, fields }: NewEntry,
): Promise<void> {
  const values = { project_id, form: form.trim(), fields, created_at: now }
  await requireChecked(tx, project_id, values)
  const { id } = one(await tx.insert(form_entries).values(values).returning({ id: form_entries.id }))
  note(tx, { target: `form_entry:${id}`, project_id })
  await announceEntry(tx, { id, project_id, form: values.form }, now)
  await requireUsage(tx, project_id, { ...USAGE_LIMITS.form_entries, rows: most })
}

export const EntryQuery = obj({
  form: Type.Optional(FormName),
  limit: Type.Optional(Limit),
  cursor: Type.Optional(Cursor),
})

/** One page of the entries of a project, or of one of its forms, newest first. Throws INVALID_CURSOR. */
export async function listEntries(
  db: Reader,
  keys: Keys,
  project_id: ProjectId,
  { form, limit, cursor }: Static<typeof EntryQuery>,
): Promise<Page<Static<typeof Entry>>> {
  const { id, form: of, fields, created_at } = form_entries
  return page(
    { keys, operation: 'form-entries/list', project_id, filters: { form }, cursor, limit },
    (after, most) =>
      db
        .select({ id, form: of, fields, created_at })
        .from(form_entries)
        .where(
          and(
            eq(form_entries.project_id, project_id),
            form === undefined ? undefined : eq(form_entries.form, form.trim()),
            after === null ? undefined : sql`(${created_at}, ${id}) < (${after.created_at}, ${after.id})`,
          ),
        )
        .orderBy(desc(created_at), desc(id))
        .limit(most),
    ({ created_at, ...entry }) => ({ ...entry, created_on: iso(created_at) }),
  )
}

/** The most forms that a list of forms holds. Visitors choose the names, so there may be more. */
const MAX_FORMS = 500

interface FormSummary {
  form: string
  entries: number
  last_at: number
}

/** The forms of a project with the numbers of their entries, the one with the newest entry first. */
export function listForms({ heavy }: Pick<Store, 'heavy'>, project_id: ProjectId): Promise<FormSummary[]> {
  return heavy(sql`
    SELECT form, count(*) AS entries, max(created_at) AS last_at FROM form_entries
    WHERE project_id = ${project_id} GROUP BY form ORDER BY last_at DESC, form LIMIT ${MAX_FORMS}`)
}

/** Entries that one request deletes at most. */
export const MAX_DELETED = 5000

/** Which entries to delete: some by id, or those of a form, the oldest first. */
type EntrySelection = { entry_ids: number[] } | { form: string }

/** Deletes entries; tells how many, and how many of the selection are left. */
export async function deleteEntries(
  tx: Tx,
  project_id: ProjectId,
  selection: EntrySelection,
): Promise<{ deleted: number; left: number }> {
  const chosen =
    'form' in selection
      ? sql`form = ${selection.form.trim()}`
      : sql`id IN (SELECT value FROM json_each(${jsonText(selection.entry_ids)}))`
  const rows = await tx.all<{ id: number }>(sql`
    DELETE FROM form_entries WHERE id IN (
      SELECT id FROM form_entries WHERE project_id = ${project_id} AND ${chosen} ORDER BY created_at, id
      LIMIT ${MAX_DELETED})
    RETURNING id`)
  const left = await tx.$count(form_entries, sql`project_id = ${project_id} AND ${chosen}`)
  return { deleted: rows.length, left }
}

/** Columns of a CSV; fields beyond them are left out. */
const MAX_COLUMNS = 300
/** Entries that one read takes; each has up to 64 KB. */
const CSV_PAGE = 50

type Which = { project_id: ProjectId; form?: string | undefined }

/** The names of the fields that entries have, in the order in which they came up. */
export async function fieldsOf({ heavy }: Pick<Store, 'heavy'>, which: Which): Promise<string[]> {
  const rows = await heavy<{ name: string }>(sql`
    SELECT field.key AS name FROM form_entries entry, json_each(entry.fields) field WHERE ${ofForm(which)}
    GROUP BY field.key ORDER BY min(entry.id), min(field.id) LIMIT ${MAX_COLUMNS}`)
  return rows.map(({ name }) => name)
}

/** All entries, oldest first, in pages. */
export async function* allEntries(
  { heavy }: Pick<Store, 'heavy'>,
  which: Which,
): AsyncGenerator<{ id: number; form: string; fields: NewEntry['fields']; created_at: number }[]> {
  for (let after = { created_at: 0, id: 0 }; ;) {
    const rows = await heavy<{ id: number; form: string; fields: string; created_at: number }>(sql`
      SELECT id, form, fields, created_at FROM form_entries entry
      WHERE ${ofForm(which)} AND (created_at, id) > (${after.created_at}, ${after.id})
      ORDER BY created_at, id LIMIT ${CSV_PAGE}`)
    if (rows.length > 0) yield rows.map((row) => ({ ...row, fields: JSON.parse(row.fields) as NewEntry['fields'] }))
    if (rows.length < CSV_PAGE) return
    after = rows.at(-1)!
  }
}

function ofForm({ project_id, form }: Which): SQL {
  return form === undefined
    ? sql`entry.project_id = ${project_id}`
    : sql`entry.project_id = ${project_id} AND entry.form = ${form.trim()}`
}
