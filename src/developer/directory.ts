import { type SQL, sql } from 'drizzle-orm'
import type { ProjectId } from '../ids.ts'
import type { Keys } from '../secrets.ts'
import type { Store } from '../store/open.ts'
import { type CursorPosition, type Page, page } from '../store/page.ts'
import type { apps } from '../store/tables/apps.ts'
import { projectsUsing, scriptsOnSites } from './installs.ts'

/** An app as operators see it. */
export interface ListedApp {
  id: string
  display_name: string
  client_type: (typeof apps.$inferSelect)['client_type']
  status: (typeof apps.$inferSelect)['status']
  creator: { user_id: string; email: string }
  /** The number of the version that sites get; null while none is approved. */
  live_version: number | null
  /** The request that waits for a review. */
  pending_review_id: number | null
  /** Users who authorized the app, projects that they chose, and its script connections. */
  users: number
  projects: number
  script_connections: number
  suspension: { at: number; user_id: string; comment: string } | null
  created_at: number
}

export interface AppQuery {
  /** A part of the name, or of the creator's address. */
  search?: string | undefined
  status?: ListedApp['status'] | undefined
  suspended?: boolean | undefined
  /** A version waits for a review. */
  waiting?: boolean | undefined
  limit?: number | undefined
  cursor?: string | undefined
}

/** One page of all apps, newest first. Throws INVALID_CURSOR. */
export function listAllApps(
  { heavy }: Pick<Store, 'heavy'>,
  keys: Keys,
  { limit, cursor, ...filter }: AppQuery,
): Promise<Page<ListedApp>> {
  return page(
    { keys, operation: 'operator/apps', project_id: 0 as ProjectId, filters: filter, order: 'newest', cursor, limit },
    (after, most) => heavy<Row>(appRows(filter, after, most)),
    ({ id: _, app_id, user_id, email, suspended_at, suspended_by, comment, ...row }) => ({
      ...row,
      id: app_id,
      creator: { user_id, email },
      suspension:
        suspended_at === null ? null : { at: suspended_at, user_id: suspended_by ?? '', comment: comment ?? '' },
    }),
  )
}

type Row = Omit<ListedApp, 'id' | 'creator' | 'suspension'> & {
  id: number
  app_id: string
  user_id: string
  email: string
  suspended_at: number | null
  suspended_by: string | null
  comment: string | null
}

/** SQLite's own row ids ascend with the time of creation. */
export function appRows(
  { search, status, suspended, waiting }: AppQuery,
  after: CursorPosition | null,
  most: number,
): SQL {
  const text = search?.trim().toLowerCase()
  const conditions = [
    sql`true`,
    after !== null && sql`a.rowid < ${after.id}`,
    text !== undefined &&
      sql`(instr(lower(a.display_name), ${text}) > 0 OR instr(u.email_key || ' ' || lower(u.email), ${text}) > 0)`,
    status !== undefined && sql`a.status = ${status}`,
    suspended !== undefined && sql`a.id ${is(suspended)} (SELECT app_id FROM app_suspensions)`,
    waiting !== undefined && sql`a.id ${is(waiting)} (SELECT app_id FROM review_requests WHERE status = 'pending')`,
  ].filter((condition) => condition !== false)
  return sql`
    SELECT a.rowid AS id, a.id AS app_id, a.display_name, a.client_type, a.status, a.created_at, a.user_id, u.email,
      s.suspended_at, s.user_id AS suspended_by, s.comment, v.number AS live_version,
      (SELECT id FROM review_requests WHERE app_id = a.id AND status = 'pending') AS pending_review_id,
      (SELECT count(DISTINCT z.user_id) FROM authorizations z
        WHERE z.app_id = a.id AND z.revoked_at IS NULL) AS users,
      ${projectsUsing(sql`a.id`)} AS projects, ${scriptsOnSites(sql`a.id`)} AS script_connections
    FROM apps a JOIN users u ON u.id = a.user_id
    LEFT JOIN app_suspensions s ON s.app_id = a.id
    LEFT JOIN app_drafts d ON d.app_id = a.id LEFT JOIN app_versions v ON v.id = d.live_version_id
    WHERE ${sql.join(conditions, sql` AND `)}
    ORDER BY a.rowid DESC LIMIT ${most}`
}

function is(wanted: boolean): SQL {
  return wanted ? sql`IN` : sql`NOT IN`
}
