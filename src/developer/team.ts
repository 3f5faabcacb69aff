import { and, asc, eq, sql } from 'drizzle-orm'
import { isOnTeam } from '../access/app-team.ts'
import { AppError } from '../errors.ts'
import { endGrantsTo } from '../oauth/authorizations.ts'
import { type App, mayAuthorize } from '../oauth/clients.ts'
import type { Reader, Tx } from '../store/open.ts'
import { oneOrNotFound } from '../store/rows.ts'
import { users } from '../store/tables/accounts.ts'
import { apps } from '../store/tables/apps.ts'
import { app_invitations, app_team } from '../store/tables/developer.ts'

/** A developer of an app. All members of a team have the same rights. */
export interface TeamMember {
  user_id: string
  email: string
  first_name: string
  last_name: string
  /** Created the app, and cannot be removed. */
  creator: boolean
  added_at: number
}

const MAX_TEAM = 50

/** The team: the creator first, then the others in the order they were added. */
export async function listTeam(db: Reader, app_id: string): Promise<TeamMember[]> {
  const person = { user_id: users.id, email: users.email, first_name: users.first_name, last_name: users.last_name }
  const [creator] = await db
    .select({ ...person, added_at: apps.created_at })
    .from(apps)
    .innerJoin(users, eq(users.id, apps.user_id))
    .where(eq(apps.id, app_id))
  const added = await db
    .select({ ...person, added_at: app_team.added_at })
    .from(app_team)
    .innerJoin(users, eq(users.id, app_team.user_id))
    .where(eq(app_team.app_id, app_id))
    .orderBy(asc(app_team.added_at), asc(app_team.user_id))
  return [...(creator ? [{ ...creator, creator: true }] : []), ...added.map((row) => ({ ...row, creator: false }))]
}

/** Adds a user who accepted an invitation; one who is in the team already stays. CONFLICT when the team is full. */
export async function joinTeam(tx: Tx, app_id: string, user_id: string, now: number): Promise<void> {
  if (await isOnTeam(tx, app_id, user_id)) return
  await requireRoomInTeam(tx, app_id)
  await tx.insert(app_team).values({ app_id, user_id, added_at: now })
}

async function requireRoomInTeam(tx: Tx, app_id: string): Promise<void> {
  if ((await tx.$count(app_team, eq(app_team.app_id, app_id))) >= MAX_TEAM)
    throw new AppError('CONFLICT', `A team has at most ${MAX_TEAM} people.`)
}

/**
 * Removes a member with their open invitations, and with what they granted an app that only its team may authorize;
 * members may remove themselves. NOT_FOUND for a user outside the team, CONFLICT for the creator.
 */
export async function removeFromTeam(
  tx: Tx,
  app: Pick<App, 'id' | 'user_id' | 'status'>,
  user_id: string,
  now: number,
): Promise<void> {
  if (user_id === app.user_id) throw new AppError('CONFLICT', 'The creator of the app cannot leave its team.')
  oneOrNotFound(
    await tx
      .delete(app_team)
      .where(and(eq(app_team.app_id, app.id), eq(app_team.user_id, user_id)))
      .returning({ one: sql`1` }),
    'member of the team',
  )
  // Somebody who joins the team again must not bring back what they offered before.
  await tx
    .delete(app_invitations)
    .where(and(eq(app_invitations.app_id, app.id), eq(app_invitations.invited_by, user_id)))
  if (!(await mayAuthorize(tx, app, user_id))) await endGrantsTo(tx, app.id, user_id, now)
}
