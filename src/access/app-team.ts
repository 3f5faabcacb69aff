import { and, eq } from 'drizzle-orm'
import type { Reader } from '../store/open.ts'
import { hasRows } from '../store/rows.ts'
import { apps } from '../store/tables/apps.ts'
import { app_suspensions, app_team } from '../store/tables/developer.ts'

/** Whether a user belongs to an app's team: its creator and added people (docs/api/platform.md#developer-apps). */
export async function isOnTeam(db: Reader, app_id: string, user_id: string): Promise<boolean> {
  const created = await db
    .select({ id: apps.id })
    .from(apps)
    .where(and(eq(apps.id, app_id), eq(apps.user_id, user_id)))
  if (created.length > 0) return true
  return hasRows(
    await db
      .select({ app_id: app_team.app_id })
      .from(app_team)
      .where(and(eq(app_team.app_id, app_id), eq(app_team.user_id, user_id))),
  )
}

/** Whether a reviewer has suspended the app: users cannot authorize it, and its tokens and scripts do not work. */
export async function isSuspended(db: Reader, app_id: string): Promise<boolean> {
  return hasRows(
    await db.select({ app_id: app_suspensions.app_id }).from(app_suspensions).where(eq(app_suspensions.app_id, app_id)),
  )
}
