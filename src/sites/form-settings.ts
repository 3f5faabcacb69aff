import { DAY_MS, MINUTE_MS } from '../clock.ts'
import { and, asc, eq, inArray, sql, type SQL } from 'drizzle-orm'
import { addressFlaw, tidyAddress } from '../address.ts'
import { type Flaw, invalidRequest, notFound, requireRoom } from '../errors.ts'
import type { ProjectId } from '../ids.ts'
import { pointerTo } from '../pointer.ts'
import type { Reader, Store, Tx } from '../store/open.ts'
import type { RetentionRule } from '../store/retention.ts'
import { first, one } from '../store/rows.ts'
import { members } from '../store/tables/accounts.ts'
import {
  DEFAULT_FORM_SETTINGS,
  type EntryFields,
  type EntryValue,
  EVERY_OTHER_FORM,
  form_settings,
  OWNER,
} from '../store/tables/sites.ts'

/**
 * Settings of a form: the members who get its entries by mail, and how long entries are kept
 * (docs/api/sites.md#notices-and-retention).
 */
export interface FormSettings {
  /** The form; null for the settings of every form without settings of its own. */
  form: string | null
  /** Public ids of members; `owner` stands for whoever owns the project. */
  notify: string[]
  /** Names of fields that must be filled in. */
  required: string[]
  /** Names of fields that hold an address when they are filled in. */
  addresses: string[]
  /** Null keeps the entries. */
  keep_days: number | null
  updated_at: number
}

const MAX_SETTINGS = 200
/** Least time between two mails about a form. Entries that arrive meanwhile are in the next mail. */
const PAUSE_MS = 5 * MINUTE_MS

/** The settings of a project's forms, those of every other form first. Members who left are not named. */
export async function listFormSettings(db: Reader, project_id: ProjectId): Promise<FormSettings[]> {
  const [rows, present] = await Promise.all([
    db.select().from(form_settings).where(eq(form_settings.project_id, project_id)).orderBy(asc(form_settings.form)),
    memberIds(db, project_id),
  ])
  return rows.map((row) => ({ ...shown(row), notify: row.notify.filter((id) => id === OWNER || present.has(id)) }))
}

async function memberIds(db: Reader, project_id: ProjectId): Promise<ReadonlySet<string>> {
  const rows = await db.select({ user_id: members.user_id }).from(members).where(eq(members.project_id, project_id))
  return new Set(rows.map(({ user_id }) => user_id))
}

type GivenSettings = Omit<FormSettings, 'updated_at' | Checks> & Partial<Pick<FormSettings, Checks>>
type Checks = 'required' | 'addresses'

/** Sets them; checks that are left out stay as they are. NOT_FOUND for somebody who is no member, INVALID_STATE when too many forms have settings. */
export async function setFormSettings(
  tx: Tx,
  project_id: ProjectId,
  { form, notify, keep_days, ...given }: GivenSettings,
  now: number,
): Promise<FormSettings> {
  const present = await memberIds(tx, project_id)
  const stranger = notify.findIndex((user_id) => user_id !== OWNER && !present.has(user_id))
  if (stranger >= 0) throw notFound('member', `/notify/${stranger}`)
  const key = keyOf(form)
  const before = first(await tx.select().from(form_settings).where(ofForm(project_id, key)))
  const all = eq(form_settings.project_id, project_id)
  if (!before) requireRoom(await tx.$count(form_settings, all), MAX_SETTINGS, 'forms with settings')
  // Without recipients no notice is due.
  const waiting = notify.length === 0 ? { tell_from: null, tell_at: null } : {}
  const { required = before?.required ?? [], addresses = before?.addresses ?? [] } = given
  const changes = { notify, keep_days, required, addresses, updated_at: now, ...waiting }
  const row = { project_id, form: key, tell_from: null, tell_at: null, told_at: null, ...changes }
  const target = [form_settings.project_id, form_settings.form]
  return shown(one(await tx.insert(form_settings).values(row).onConflictDoUpdate({ target, set: changes }).returning()))
}

/** Removes the settings of a form, so that those of every other form apply; these become what they were at first. */
export async function resetFormSettings(
  tx: Tx,
  project_id: ProjectId,
  form: string | null,
  now: number,
): Promise<void> {
  await tx.delete(form_settings).where(ofForm(project_id, keyOf(form)))
  if (form === null) await tx.insert(form_settings).values({ ...DEFAULT_FORM_SETTINGS, project_id, updated_at: now })
}

/** Throws VALIDATION_FAILED, with a flaw for each field, for an entry that its form's settings do not allow. */
export async function requireChecked(
  tx: Tx,
  project_id: ProjectId,
  { form, fields }: { form: string; fields: EntryFields },
): Promise<void> {
  const rows = await tx
    .select({ form: form_settings.form, required: form_settings.required, addresses: form_settings.addresses })
    .from(form_settings)
    .where(and(eq(form_settings.project_id, project_id), inArray(form_settings.form, [form, EVERY_OTHER_FORM])))
  const settings = rows.find((row) => row.form === form) ?? rows[0]
  if (!settings) return
  const given = Object.entries(fields).map(([name, value]) => ({ name, texts: filledIn(value) }))
  const named = (wanted: string) => given.filter(({ name }) => name.toLowerCase() === wanted.toLowerCase())
  const flaws: Flaw[] = []
  for (const wanted of settings.required) {
    const found = named(wanted)
    if (found.every(({ texts }) => texts.length === 0))
      flaws.push({ path: pointerTo('/fields', found[0]?.name ?? wanted), message: 'Required.' })
  }
  for (const { name, texts } of settings.addresses.flatMap(named)) {
    const flaw = texts.map((text) => addressFlaw(tidyAddress(text))).find(Boolean)
    if (flaw) flaws.push({ path: pointerTo('/fields', name), message: flaw })
  }
  if (flaws.length > 0) throw invalidRequest(flaws)
}

/** The texts of a field without those that are blank. */
function filledIn(value: EntryValue): string[] {
  const texts = [value].flat().map((text) => String(text).trim())
  return texts.filter((text) => text !== '')
}

/** Schedules a notice about a new entry for a form with recipients: at once, or with the next mail about the form. */
export async function announceEntry(
  tx: Tx,
  { id, project_id, form }: { id: number; project_id: ProjectId; form: string },
  now: number,
): Promise<void> {
  await tx.run(sql`
    UPDATE form_settings SET tell_from = ${id}, tell_at = max(${now}, coalesce(told_at + ${PAUSE_MS}, 0))
    WHERE project_id = ${project_id} AND tell_at IS NULL AND notify <> '[]' AND form = coalesce(
      (SELECT form FROM form_settings WHERE project_id = ${project_id} AND form = ${form}), ${EVERY_OTHER_FORM})`)
}

/** How many entries of a form a retention would delete. */
export async function countExpired(
  { heavy }: Pick<Store, 'heavy'>,
  project_id: ProjectId,
  { form, keep_days }: { form: string | null; keep_days: number },
  now: number,
): Promise<number> {
  const of = form === null ? withoutOwn(sql`${project_id}`) : sql`entry.form = ${form.trim()}`
  const [row] = await heavy<{ entries: number }>(sql`
    SELECT count(*) AS entries FROM form_entries entry
    WHERE entry.project_id = ${project_id} AND entry.created_at <= ${now - keep_days * DAY_MS} AND ${of}`)
  return row!.entries
}

export const entryRetention: RetentionRule = {
  rows: 'form entries',
  kept: 'the days that an editor chose for the form; for ever without a choice',
  statement: (now, limit) => sql`
    DELETE FROM form_entries WHERE id IN (
      SELECT entry.id FROM form_settings own JOIN form_entries entry
        ON entry.project_id = own.project_id AND entry.form = own.form
      WHERE entry.created_at <= ${now} - own.keep_days * ${DAY_MS}
      UNION ALL
      SELECT entry.id FROM form_settings own JOIN form_entries entry ON entry.project_id = own.project_id
      WHERE own.form = ${EVERY_OTHER_FORM} AND entry.created_at <= ${now} - own.keep_days * ${DAY_MS}
        AND ${withoutOwn(sql`own.project_id`)}
      LIMIT ${limit})
    RETURNING 1`,
}

/** The entries whose form has no settings of its own. */
export function withoutOwn(project_id: SQL): SQL {
  return sql`NOT EXISTS (
    SELECT 1 FROM form_settings other WHERE other.project_id = ${project_id} AND other.form = entry.form)`
}

function ofForm(project_id: ProjectId, form: string): SQL {
  return and(eq(form_settings.project_id, project_id), eq(form_settings.form, form))!
}

function keyOf(form: string | null): string {
  return form === null ? EVERY_OTHER_FORM : form.trim()
}

function shown(row: typeof form_settings.$inferSelect): FormSettings {
  const { form, notify, keep_days, required, addresses, updated_at } = row
  return { form: form === EVERY_OTHER_FORM ? null : form, notify, keep_days, required, addresses, updated_at }
}
