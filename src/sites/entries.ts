import { note } from '../audit/record.ts'
import { one } from '../store/rows.ts'
import type { ProjectId } from '../ids.ts'
import { type Static, Type } from '@sinclair/typebox'
import { and, desc, eq, sql } from 'drizzle-orm'
import { iso } from '../clock.ts'
import { Cursor, Id, Limit, name, obj, prose, Timestamp } from '../schema.ts'
import type { Keys } from '../secrets.ts'
import type { Reader, Tx } from '../store/open.ts'
import { type Page, page } from '../store/page.ts'
import { requireUsage, USAGE_LIMITS } from '../projects/usage.ts'
import { form_entries } from '../store/tables/sites.ts'

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

export interface NewEntry {
  form: string
  fields: Static<typeof EntryFields>
}

/** An entry as the API shows it. */
export const Entry = obj({ id: Id, form: Type.String(), fields: EntryFields, created_on: Timestamp })

/**
 * Stores what a site's form sent (docs/api/sites.md#form-entries). INVALID_STATE when the project holds as many entries
 * as it may.
 */
export async function addEntry(
  tx: Tx,
  { project_id, most, now }: { project_id: ProjectId; most: number; now: number },
  { form, fields }: NewEntry,
): Promise<void> {
  const values = { project_id, form: form.trim(), fields, created_at: now }
  const { id } = one(await tx.insert(form_entries).values(values).returning({ id: form_entries.id }))
  note(tx, { target: `form_entry:${id}`, project_id })
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
