import { type SQL, sql } from 'drizzle-orm'
import type { ProjectId } from '../ids.ts'
import { scopeNames } from '../shared/scopes.ts'
import type { Keys } from '../secrets.ts'
import type { Reader, Store } from '../store/open.ts'
import { type CursorPosition, type Page, page } from '../store/page.ts'
import { one } from '../store/rows.ts'
import type { ScriptType } from '../store/tables/scripts.ts'

/** A project that uses an app: what the app may do there, and which of its scripts are connected. */
export interface Install {
  project_id: string
  name: string
  domain: string | null
  scope: string
  /** Users who have authorized the app for the project. */
  users: number
  connected_at: number
  last_used_at: number | null
  scripts: InstalledScript[]
}

interface InstalledScript {
  script_id: number
  name: string
  type: ScriptType
  /** False once the owner of the site switched it off. */
  enabled: boolean
}

interface Row {
  id: number
  created_at: number
  public_id: string
  name: string
  domain: string | null
  scopes: string
  users: number
  last_used_at: number | null
  scripts: string
}

/** One page of the projects that use an app now, those that connected last first. Throws INVALID_CURSOR. */
export function listInstalls(
  { heavy }: Pick<Store, 'heavy'>,
  keys: Keys,
  app_id: string,
  { limit, cursor }: { limit?: number | undefined; cursor?: string | undefined },
): Promise<Page<Install>> {
  const request = { project_id: 0 as ProjectId, filters: { app_id }, order: 'newest' as const, cursor, limit }
  return page(
    { keys, operation: 'installs', ...request },
    (after, most) => heavy<Row>(installs(app_id, after, most)),
    ({ public_id, scopes, scripts, created_at, id: _, ...row }) => ({
      ...row,
      project_id: public_id,
      scope: scopeNames(scopes).join(' '),
      connected_at: created_at,
      scripts: (JSON.parse(scripts) as (Omit<InstalledScript, 'enabled'> & { enabled: number })[]).map((script) => ({
        ...script,
        enabled: script.enabled === 1,
      })),
    }),
  )
}

/** How many projects and users an app has now, and how many of its scripts are on sites. */
export async function countInstalls(
  db: Reader,
  app_id: string,
): Promise<Record<'projects' | 'users' | 'script_connections', number>> {
  return one(
    await db.all<Record<'projects' | 'users' | 'script_connections', number>>(sql`
      SELECT
        ${projectsUsing(sql`${app_id}`)} AS projects,
        (SELECT count(DISTINCT z.user_id) FROM ${HELD} WHERE z.app_id = ${app_id} AND z.revoked_at IS NULL) AS users,
        ${scriptsOnSites(sql`${app_id}`)} AS script_connections`),
  )
}

/** The number of projects that use an app now, as a part of a query. */
export function projectsUsing(app_id: SQL): SQL {
  return sql`(SELECT count(DISTINCT p.project_id) FROM ${HELD} WHERE z.app_id = ${app_id} AND z.revoked_at IS NULL)`
}

/** The number of script connections of an app, as a part of a query. */
export function scriptsOnSites(app_id: SQL): SQL {
  return sql`(
    SELECT count(*) FROM scripts t JOIN script_connections c ON c.script_id = t.id WHERE t.app_id = ${app_id})`
}

const HELD = sql`authorizations z JOIN authorization_projects p ON p.authorization_id = z.id`

function installs(app_id: string, after: CursorPosition | null, most: number): SQL {
  const beyond = after ? sql`WHERE (created_at, id) < (${after.created_at}, ${after.id})` : sql``
  return sql`
    SELECT * FROM (
      SELECT project.id, min(z.created_at) AS created_at, project.public_id, project.name, project.domain,
        group_concat(z.scope, ' ') AS scopes, count(DISTINCT z.user_id) AS users, max(z.last_used_at) AS last_used_at, (
          SELECT json_group_array(json_object('script_id', s.id, 'name', s.name, 'type', s.type, 'enabled',
            NOT EXISTS (SELECT 1 FROM switched_off_scripts f WHERE f.project_id = project.id AND f.script_id = s.id)))
          FROM script_connections c JOIN scripts s ON s.id = c.script_id
          WHERE c.project_id = project.id AND s.app_id = ${app_id}) AS scripts
      FROM ${HELD} JOIN projects project ON project.id = p.project_id
      WHERE z.app_id = ${app_id} AND z.revoked_at IS NULL GROUP BY project.id)
    ${beyond} ORDER BY created_at DESC, id DESC LIMIT ${most}`
}
