import { type SQL, sql } from 'drizzle-orm'
import { iso } from '../clock.ts'
import type { ProjectId } from '../ids.ts'
import type { Keys } from '../secrets.ts'
import { jsonText } from '../store/json-text.ts'
import type { Reader, Store } from '../store/open.ts'
import { type CursorPosition, type Page, page } from '../store/page.ts'
import type { AuditOutcome } from '../store/tables/audit.ts'
import type { StoredRow } from './chain.ts'

/** A row with the public id of its project. */
export type AuditRecord = Omit<StoredRow, 'project_id'> & { project_id: string | null }

/** Filters of a list of rows. Times are milliseconds; `from` is inclusive, `to` exclusive. */
interface AuditFilter {
  actor?: string | undefined
  action?: string | undefined
  /** Only rows whose target is one of these, such as `contact:5`. */
  targets?: readonly string[] | undefined
  from?: number | undefined
  to?: number | undefined
}

export interface AuditQuery extends AuditFilter {
  limit?: number | undefined
  cursor?: string | undefined
}

/** A row as the API shows it. */
export interface AuditItem {
  id: number
  at: string
  actor: string
  action: string
  target: string | null
  ip: string | null
  request_id: string | null
  project_id: string | null
  outcome: AuditOutcome
  details: Record<string, unknown>
}

/** One page of the rows of a project, or of the whole service, newest first. Throws INVALID_CURSOR. */
export function listAudit(
  { db, heavy }: Pick<Store, 'db' | 'heavy'>,
  keys: Keys,
  project_id: ProjectId | null,
  { limit, cursor, ...filter }: AuditQuery,
): Promise<Page<AuditItem>> {
  const { actor, action, targets } = filter
  // A filter without an index may read the whole log.
  const scans = actor !== undefined || action !== undefined || targets !== undefined || project_id === null
  const of = project_id ?? (0 as ProjectId)
  return page(
    { keys, operation: 'audit/list', project_id: of, filters: filter, cursor, limit },
    async (after, most) => {
      const query = auditPage(project_id, filter, after, most)
      const rows = await (scans ? heavy<AuditRecord>(query) : db.all<AuditRecord>(query))
      return rows.map((row) => ({ ...row, created_at: row.at }))
    },
    ({ id, at, actor, action, target, ip, request_id, project_id, outcome, details }) => ({
      id,
      at: iso(at),
      actor,
      action,
      target,
      ip,
      request_id,
      project_id,
      outcome,
      details: detailsOf(details),
    }),
  )
}

export function detailsOf(text: string | null): Record<string, unknown> {
  return text === null ? {} : (JSON.parse(text) as Record<string, unknown>)
}

const COLUMNS = sql`
  log.id, log.at, log.actor, log.action, log.target, log.ip, log.request_id, log.outcome, log.details, log.hash,
  (SELECT public_id FROM projects WHERE id = log.project_id) AS project_id`

export function auditPage(
  project_id: ProjectId | null,
  { actor, action, targets, from, to }: AuditFilter,
  after: CursorPosition | null,
  limit: number,
): SQL {
  const conditions = [
    project_id === null ? sql`true` : sql`log.project_id = ${project_id}`,
    actor !== undefined && sql`log.actor = ${actor}`,
    action !== undefined && sql`log.action = ${action}`,
    targets !== undefined && sql`log.target IN (SELECT value FROM json_each(${jsonText(targets)}))`,
    from !== undefined && sql`log.at >= ${from}`,
    to !== undefined && sql`log.at < ${to}`,
    after !== null && before(project_id, after),
  ].filter((condition) => condition !== false)
  const order = project_id === null ? sql`log.id DESC` : sql`log.at DESC, log.id DESC`
  return sql`
    SELECT ${COLUMNS} FROM audit_log log WHERE ${sql.join(conditions, sql` AND `)} ORDER BY ${order} LIMIT ${limit}`
}

/** The service's rows are paged by their ids, which the chain gives out in order, so they need no further index. */
function before(project_id: ProjectId | null, { created_at, id }: CursorPosition): SQL {
  return project_id === null ? sql`log.id < ${id}` : sql`(log.at, log.id) < (${created_at}, ${id})`
}

/** The rows after one, oldest first, for copying them to another place. */
export function rowsToCopy(
  db: Reader,
  project_id: ProjectId | null,
  after_id: number,
  limit: number,
): Promise<AuditRecord[]> {
  const of = project_id === null ? sql`true` : sql`log.project_id = ${project_id}`
  return db.all(sql`
    SELECT ${COLUMNS} FROM audit_log log WHERE ${of} AND log.id > ${after_id} ORDER BY log.id LIMIT ${limit}`)
}
