import { type SQL, sql } from 'drizzle-orm'
import type { ProjectId } from '../ids.ts'
import { jsonText } from '../store/json-text.ts'
import type { Reader, Store } from '../store/open.ts'
import { deleteWhere } from '../store/retention.ts'
import { first } from '../store/rows.ts'

/** Rows that one transaction erases; their dependents go with them. */
const BATCH = 500
/** Ids of the outbox and the history that one step scans. */
const SCAN_ROWS = 20_000
const MAX_PROJECTS = 20

interface Step {
  table: string
  /** Its primary key, as a list of columns. */
  key: string
  /** Which rows of a project; `project_id` unless said otherwise. */
  of?: (project_id: ProjectId) => SQL
  /** Rows that refer to a row of the table by this column, and go before it. */
  dependents?: { by: string; steps: readonly Pick<Step, 'table' | 'key'>[] }
  /** Rows at once; BATCH unless said otherwise. */
  batch?: number
}

/** Rows of up to 4.9 MB: a hundred of them hold other writes up for a third of a second. */
const LARGE = { batch: 20 }

const ofCampaigns = (id: ProjectId) => sql`campaign_id IN (SELECT id FROM campaigns WHERE project_id = ${id})`

/** The tables to empty when a project is deleted, besides those of SCANNED. Tables that refer to others come first. */
export const ERASED: readonly Step[] = [
  {
    table: 'contacts',
    key: 'id',
    dependents: {
      by: 'contact_id',
      steps: [
        { table: 'consents', key: 'id' },
        { table: 'memberships', key: 'contact_id, list_id' },
        { table: 'contact_tags', key: 'contact_id, tag_id' },
      ],
    },
  },
  { table: 'consent_wordings', key: 'id' },
  { table: 'message_requests', key: 'id' },
  { table: 'erasures', key: 'contact_id' },
  { table: 'address_keys', key: 'project_id' },
  { table: 'suppressions', key: 'id' },
  { table: 'soft_bounces', key: 'project_id, email_key' },
  {
    table: 'imports',
    key: 'id',
    dependents: {
      by: 'import_id',
      steps: [
        { table: 'import_pages', key: 'import_id, last_row' },
        { table: 'import_texts', key: 'import_id, number' },
        { table: 'import_refusals', key: 'id' },
      ],
    },
  },
  { table: 'campaign_links', key: 'campaign_id, position', of: ofCampaigns },
  { table: 'templates', key: 'id' },
  { table: 'segments', key: 'id' },
  { table: 'sign_up_forms', key: 'id' },
  { table: 'lists', key: 'id' },
  { table: 'tags', key: 'id' },
  { table: 'custom_fields', key: 'id' },
  {
    table: 'connections',
    key: 'id',
    dependents: {
      by: 'connection_id',
      steps: [
        { table: 'provider_events', key: 'connection_id, event_id' },
        { table: 'unread_reports', key: 'connection_id, reason, about, media_type, sender_domain' },
      ],
    },
  },
  { table: 'delivery_days', key: 'project_id, day, provider' },
  { table: 'sending_hours', key: 'project_id, connection_id, hour' },
  { table: 'newsletter_settings', key: 'project_id' },
  { table: 'sandbox_messages', key: 'id' },
  { table: 'jobs', key: 'id' },
  { table: 'receipts', key: 'id' },
  { table: 'app_test_projects', key: 'app_id, project_id' },
  { table: 'app_calls', key: 'project_id, app_id, day' },
  { table: 'script_connections', key: 'id' },
  { table: 'switched_off_scripts', key: 'project_id, script_id' },
  { table: 'script_settings', key: 'project_id' },
  { table: 'pages', key: 'id', ...LARGE },
  {
    table: 'cms_posts',
    key: 'id',
    ...LARGE,
    dependents: { by: 'post_id', steps: [{ table: 'cms_post_tags', key: 'post_id, tag' }] },
  },
  { table: 'directory_items', key: 'id' },
  { table: 'form_entries', key: 'id' },
  { table: 'files', key: 'id', ...LARGE },
  { table: 'site_files', key: 'id', ...LARGE },
  { table: 'form_settings', key: 'project_id, form' },
  { table: 'site_templates', key: 'project_id, kind' },
  { table: 'site_settings', key: 'project_id' },
  { table: 'project_usage', key: 'project_id, kind' },
]

/** Large tables without an index by project: they are scanned once, in ranges of ids. */
export const SCANNED = ['deliveries', 'events'] as const

/**
 * Erases what deleted projects hold, for the loop `maintenance`. A project whose messages are still in flight waits for
 * the next run.
 */
export async function eraseProjects(store: Pick<Store, 'db' | 'write'>, stopping: () => boolean): Promise<void> {
  const due = await store.db.all<{ id: ProjectId }>(sql`
    SELECT id FROM projects p WHERE deleted_at IS NOT NULL AND erased_at IS NULL AND NOT EXISTS (
      SELECT 1 FROM deliveries WHERE status IN ('leased', 'sending') AND project_id = p.id)
    ORDER BY id LIMIT ${MAX_PROJECTS}`)
  if (due.length === 0) return
  const ids = jsonText(due.map(({ id }) => id))
  for (const table of SCANNED) await eraseScanned(store, table, ids, stopping)
  for (const { id } of due) {
    for (const step of ERASED) await eraseTable(store, step, id, stopping)
    if (stopping()) return
    await store.write(async (tx) => {
      // The cleanup removes campaigns that are deleted and sent nothing: those of the project have no messages now.
      await tx.run(sql`
        UPDATE campaigns SET name = '', search_key = '', subject = '', preheader = '', editor_json = '{}',
          from_name = '', from_email = '', reply_to = '', failure = NULL, posts = NULL, status = 'cancelled',
          deleted_at = coalesce(deleted_at, updated_at)
        WHERE project_id = ${id}`)
      await tx.run(sql`UPDATE projects SET erased_at = deleted_at WHERE id = ${id}`)
    })
  }
}

/** Deletes the rows of some projects, and lets other work of the thread run between two ranges. */
async function eraseScanned(
  { db, write }: Pick<Store, 'db' | 'write'>,
  table: (typeof SCANNED)[number],
  ids: string,
  stopping: () => boolean,
): Promise<void> {
  const last = await lastId(db, table)
  for (let from = 0; from < last && !stopping(); from += SCAN_ROWS) {
    const found = await db.all<{ id: number }>(sql`
      SELECT id FROM ${sql.raw(table)} WHERE id > ${from} AND id <= ${from + SCAN_ROWS}
        AND project_id IN (SELECT value FROM json_each(${ids}))`)
    for (let start = 0; start < found.length; start += BATCH) {
      const batch = jsonText(found.slice(start, start + BATCH).map(({ id }) => id))
      await write(
        (tx) => tx.run(sql`DELETE FROM ${sql.raw(table)} WHERE id IN (SELECT value FROM json_each(${batch}))`),
        { durable: false },
      )
    }
    await Bun.sleep(0)
  }
}

async function lastId(db: Reader, table: string): Promise<number> {
  return first(await db.all<{ id: number }>(sql`SELECT id FROM ${sql.raw(table)} ORDER BY id DESC LIMIT 1`))?.id ?? 0
}

async function eraseTable(
  store: Pick<Store, 'db' | 'write'>,
  step: Step,
  id: ProjectId,
  stopping: () => boolean,
): Promise<void> {
  const { table, of, dependents } = step
  const rows = of ? of(id) : sql`project_id = ${id}`
  if (!dependents) return eraseRows(store, step, rows, stopping)
  // Dependents are found by the rows of one batch: scanning the whole table for each batch would take ever longer.
  while (!stopping()) {
    const found = await store.db.all<{ id: number }>(
      sql`SELECT id FROM ${sql.raw(table)} WHERE ${rows} LIMIT ${step.batch ?? BATCH}`,
    )
    if (found.length === 0) return
    const ids = sql`IN (SELECT value FROM json_each(${jsonText(found.map((row) => row.id))}))`
    for (const dependent of dependents.steps)
      await eraseRows(store, dependent, sql`${sql.raw(dependents.by)} ${ids}`, stopping)
    await eraseRows(store, step, sql`id ${ids}`, stopping)
  }
}

/** Deletes the rows that fulfill a condition, in batches. */
async function eraseRows(
  { write }: Pick<Store, 'write'>,
  { table, key, batch = BATCH }: Step,
  condition: SQL,
  stopping: () => boolean,
): Promise<void> {
  const erase = () => write((tx) => tx.all(deleteWhere(table, key, condition, batch)), { durable: false })
  while (!stopping() && (await erase()).length === batch);
}
