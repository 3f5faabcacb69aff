import { DAY_MS } from '../clock.ts'
import { and, asc, eq, gt, isNull, or, sql } from 'drizzle-orm'
import { note } from '../audit/record.ts'
import { requireAddress, sameMailbox, type User } from '../accounts/users.ts'
import { AppError, conflict } from '../errors.ts'
import { newId } from '../ids.ts'
import { emailKey } from '../address.ts'
import { newToken, tokenHash } from '../secrets.ts'
import type { Reader, Tx } from '../store/open.ts'
import { deleteWhere, type RetentionRule } from '../store/retention.ts'
import { oneOrNotFound } from '../store/rows.ts'
import { users } from '../store/tables/accounts.ts'
import { apps } from '../store/tables/apps.ts'
import { app_invitations } from '../store/tables/developer.ts'
import { joinTeam, listTeam } from './team.ts'

/** Invites an address to the team of an app, for seven days. The user with that address may accept it once. */
export interface TeamInvitation {
  id: string
  app_id: string
  app_name: string
  email: string
  /** The inviter's name, or address when there is no name. */
  inviter: string
  expires_at: number
}

export const TEAM_INVITATION_MS = 7 * DAY_MS
/** Open invitations of one app. */
const MAX_OPEN = 50

/**
 * Invites an address; a repeated invitation replaces the earlier one. Returns the token for the message, which is not
 * stored. CONFLICT for somebody in the team, or beyond the limit.
 */
export async function inviteToTeam(
  tx: Tx,
  app: { id: string; user_id: string },
  { email: given, invited_by }: Record<'email' | 'invited_by', string>,
  now: number,
): Promise<{ invitation: TeamInvitation; token: string }> {
  const email = requireAddress(given)
  const email_key = emailKey(email)
  if ((await listTeam(tx, app.id)).some((member) => emailKey(member.email) === email_key))
    throw conflict('/email', 'This person is already in the team.')
  await tx
    .delete(app_invitations)
    .where(and(eq(app_invitations.app_id, app.id), eq(app_invitations.email_key, email_key)))
  const open = and(eq(app_invitations.app_id, app.id), gt(app_invitations.expires_at, now))
  if ((await tx.$count(app_invitations, open)) >= MAX_OPEN)
    throw new AppError('CONFLICT', `An app has at most ${MAX_OPEN} open invitations.`)
  const id = newId('inv')
  const token = newToken('svc_iv_')
  const row = { app_id: app.id, email, email_key, invited_by, created_at: now, expires_at: now + TEAM_INVITATION_MS }
  await tx.insert(app_invitations).values({ id, token_hash: tokenHash(token), ...row })
  return { invitation: await getTeamInvitation(tx, { id }, now), token }
}

/** The open invitations of an app. */
export function listTeamInvitations(db: Reader, app_id: string, now: number): Promise<TeamInvitation[]> {
  return select(db, eq(app_invitations.app_id, app_id), now)
}

/** The open invitations to an address, of all apps. */
export function teamInvitationsFor(db: Reader, email: string, now: number): Promise<TeamInvitation[]> {
  return select(db, eq(app_invitations.email_key, emailKey(email)), now)
}

/** Whether this address has an open invitation to a team. */
export async function isInvitedToTeam(db: Reader, email: string, now: number): Promise<boolean> {
  return (await teamInvitationsFor(db, email, now)).some((invitation) => sameMailbox(invitation.email, email))
}

/** An open invitation, by the token of its link, or by its id. Else NOT_FOUND. */
export async function getTeamInvitation(
  db: Reader,
  by: { token: string } | { id: string },
  now: number,
): Promise<TeamInvitation> {
  const [invitation] = await select(
    db,
    'token' in by ? eq(app_invitations.token_hash, tokenHash(by.token)) : eq(app_invitations.id, by.id),
    now,
  )
  if (!invitation)
    throw new AppError('NOT_FOUND', 'This invitation is unknown, used, revoked, or older than seven days.')
  return invitation
}

/** Revokes an open invitation. NOT_FOUND for one of another app. */
export async function revokeTeamInvitation(tx: Tx, app_id: string, id: string): Promise<void> {
  const own = and(eq(app_invitations.app_id, app_id), eq(app_invitations.id, id))
  oneOrNotFound(await tx.delete(app_invitations).where(own).returning({ id: app_invitations.id }), 'invitation')
}

/** Accepts an invitation: the user with its address joins the team. Else FORBIDDEN. */
export async function acceptTeamInvitation(tx: Tx, id: string, user: User, now: number): Promise<void> {
  const { app_id, email } = await getTeamInvitation(tx, { id }, now)
  if (!sameMailbox(user.email, email))
    throw new AppError('FORBIDDEN', `This invitation is for ${email}. Sign in with that address.`)
  await tx.delete(app_invitations).where(eq(app_invitations.id, id))
  await joinTeam(tx, app_id, user.id, now)
  const actor = `user:${user.id}`
  note(tx, { action: 'team-invitation-accept', actor, target: `app:${app_id}`, details: { invitation_id: id } })
}

/** Open invitations whose inviter can still sign in and is in the team. Invitations of former members are void. */
async function select(db: Reader, which: ReturnType<typeof eq>, now: number): Promise<TeamInvitation[]> {
  const rows = await db
    .select({
      id: app_invitations.id,
      app_id: app_invitations.app_id,
      app_name: apps.display_name,
      email: app_invitations.email,
      expires_at: app_invitations.expires_at,
      first_name: users.first_name,
      last_name: users.last_name,
      inviter_email: users.email,
    })
    .from(app_invitations)
    .innerJoin(apps, eq(apps.id, app_invitations.app_id))
    .innerJoin(users, and(eq(users.id, app_invitations.invited_by), isNull(users.disabled_at)))
    .where(
      and(
        which,
        gt(app_invitations.expires_at, now),
        or(
          eq(apps.user_id, app_invitations.invited_by),
          sql`EXISTS (SELECT 1 FROM app_team t
            WHERE t.app_id = ${app_invitations.app_id} AND t.user_id = ${app_invitations.invited_by})`,
        ),
      ),
    )
    .orderBy(asc(app_invitations.created_at), asc(app_invitations.id))
  return rows.map(({ first_name, last_name, inviter_email, ...row }) => ({
    ...row,
    inviter: `${first_name} ${last_name}`.trim() || inviter_email,
  }))
}

export const teamInvitationRetention: RetentionRule = {
  rows: 'invitations to teams of apps',
  kept: 'until they expire',
  statement: (now, limit) => deleteWhere('app_invitations', 'id', sql`expires_at <= ${now}`, limit),
}
