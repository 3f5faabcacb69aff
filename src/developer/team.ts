import { and, asc, count, eq, sql } from 'drizzle-orm'
import { findUser } from '../accounts/users.ts'
import { AppError, conflict, notFound } from '../errors.ts'
import { orConflict } from '../store/constraint.ts'
import type { Reader, Tx } from '../store/open.ts'
import { users } from '../store/tables/accounts.ts'
import { apps } from '../store/tables/apps.ts'
import { app_team } from '../store/tables/developer.ts'

/** Someone who develops an app: all of a team may do the same. */
export interface TeamMember {
  user_id: string
  email: string
  first_name: string
  last_name: string
  /** Made the app, and cannot be removed. */
  creator: boolean
  added_at: number
}

const MAX_TEAM = 50

/** The creator first, then in the order they were added. */
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

/** Adds someone by address. NOT_FOUND when nobody has it, CONFLICT when they belong to the team already. */
export async function addToTeam(
  tx: Tx,
  app: { id: string; user_id: string },
  email: string,
  now: number,
): Promise<TeamMember> {
  const user = await findUser(tx, email)
  if (!user || user.disabled_at !== null || !email.includes('@')) throw notFound('person with this address', '/email')
  const [team] = await tx.select({ count: count() }).from(app_team).where(eq(app_team.app_id, app.id))
  if ((team?.count ?? 0) >= MAX_TEAM) throw new AppError('CONFLICT', `A team has at most ${MAX_TEAM} people.`)
  if (user.id === app.user_id) throw conflict('/email', ON_TEAM)
  await orConflict(
    tx.insert(app_team).values({ app_id: app.id, user_id: user.id, added_at: now }),
    { user_id: '/email' },
    ON_TEAM,
  )
  const { id: user_id, first_name, last_name } = user
  return { user_id, email: user.email, first_name, last_name, creator: false, added_at: now }
}

/** Removes someone, or oneself. NOT_FOUND for who is not in the team, CONFLICT for the creator. */
export async function removeFromTeam(tx: Tx, app: { id: string; user_id: string }, user_id: string): Promise<void> {
  if (user_id === app.user_id) throw new AppError('CONFLICT', 'Whoever made the app stays in its team.')
  const removed = await tx
    .delete(app_team)
    .where(and(eq(app_team.app_id, app.id), eq(app_team.user_id, user_id)))
    .returning({ one: sql`1` })
  if (removed.length === 0) throw notFound('member of the team')
}

const ON_TEAM = 'This person belongs to the team already.'
