import type { ProjectId } from '../ids.ts'
import { and, asc, eq, exists, isNull, sql } from 'drizzle-orm'
import type { Reader } from '../store/open.ts'
import { first } from '../store/rows.ts'
import { members, projects } from '../store/tables/accounts.ts'
import { apps, authorization_projects, authorizations } from '../store/tables/apps.ts'

/** An active authorization with its app and projects. */
export interface Authorization {
  authorization_id: string
  user_id: string
  grant_type: string
  scope: string
  created_at: number
  last_used_at: number | null
  /** Public ids of the granted projects that the user is still a member of. */
  project_public_ids: string[]
  app: { id: string; display_name: string; description: string; homepage: string }
}

/** The active authorizations of a user, oldest first. */
export function authorizationsOfUser(db: Reader, user_id: string): Promise<Authorization[]> {
  return activeAuthorizations(db, eq(authorizations.user_id, user_id))
}

/** The authorizations of a project's members for that project, oldest first. */
export async function authorizationsOfProject(db: Reader, project_id: ProjectId): Promise<Authorization[]> {
  const holds = exists(
    db
      .select({ one: sql`1` })
      .from(authorization_projects)
      .innerJoin(
        members,
        and(eq(members.project_id, authorization_projects.project_id), eq(members.user_id, authorizations.user_id)),
      )
      .where(
        and(
          eq(authorization_projects.authorization_id, authorizations.id),
          eq(authorization_projects.project_id, project_id),
        ),
      ),
  )
  return activeAuthorizations(db, holds)
}

/** An active authorization; null when it has ended. */
export async function findAuthorization(db: Reader, authorization_id: string): Promise<Authorization | null> {
  return first(await activeAuthorizations(db, eq(authorizations.id, authorization_id)))
}

async function activeAuthorizations(db: Reader, which: ReturnType<typeof exists>): Promise<Authorization[]> {
  const rows = await db
    .select({
      authorization_id: authorizations.id,
      user_id: authorizations.user_id,
      grant_type: authorizations.grant_type,
      scope: authorizations.scope,
      created_at: authorizations.created_at,
      last_used_at: authorizations.last_used_at,
      project_public_ids: sql<string>`(
        SELECT json_group_array(project.public_id) FROM ${authorization_projects} granted
        JOIN ${projects} project ON project.id = granted.project_id
        JOIN ${members} member ON member.project_id = granted.project_id AND member.user_id = ${authorizations.user_id}
        WHERE granted.authorization_id = ${authorizations.id})`,
      app: { id: apps.id, display_name: apps.display_name, description: apps.description, homepage: apps.homepage },
    })
    .from(authorizations)
    .innerJoin(apps, eq(apps.id, authorizations.app_id))
    .where(and(which, isNull(authorizations.revoked_at)))
    .orderBy(asc(authorizations.created_at), asc(authorizations.id))
  return rows.map((row) => ({ ...row, project_public_ids: JSON.parse(row.project_public_ids) as string[] }))
}
