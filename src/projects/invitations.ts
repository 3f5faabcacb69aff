import { DAY_MS } from '../clock.ts'
import { note } from '../audit/record.ts'
import type { ProjectId } from '../ids.ts'
import { and, asc, eq, gt, inArray, isNull, ne, or } from 'drizzle-orm'
import { requireAddress, sameMailbox, type User } from '../accounts/users.ts'
import { AppError } from '../errors.ts'
import { newId } from '../ids.ts'
import { allKeys, emailKey } from '../address.ts'
import { newToken, tokenHash } from '../secrets.ts'
import type { Reader, Tx } from '../store/open.ts'
import { one, oneOrNotFound } from '../store/rows.ts'
import type { Role } from '../shared/roles.ts'
import { invitations, members, projects, users } from '../store/tables/accounts.ts'
import { type Acting, addMember, isMember, requireMayManage } from './members.ts'

/**
 * An invitation offers an address one role in one project. The user with that address can accept it once, within seven
 * days, and only while the inviter may still give that role.
 */
export interface Invitation {
  id: string
  project_id: ProjectId
  project_name: string
  project_slug: string
  email: string
  role: Role
  /** The inviter's name, or address when there is no name. */
  inviter: string
  expires_at: number
}

export const INVITATION_MS = 7 * DAY_MS
/** Open invitations of one project. */
const MAX_OPEN = 200

/**
 * Invites an address. A repeated invitation replaces the earlier one. Returns the token for the message, which is not
 * stored. Throws FORBIDDEN when the inviter may not give the role, CONFLICT for a member or too many open invitations.
 */
export async function invite(
  tx: Tx,
  { project_id, role, ...input }: Pick<Invitation, 'project_id' | 'email' | 'role'>,
  acting: Acting,
  now: number,
): Promise<{ invitation: Invitation; token: string }> {
  requireMayManage(acting.role, role)
  const email = requireAddress(input.email)
  const email_key = emailKey(email)
  await requireNoMember(tx, project_id, email_key)
  await endEarlier(tx, { project_id, email_key }, acting, now)
  const open = and(eq(invitations.project_id, project_id), gt(invitations.expires_at, now))
  if ((await tx.$count(invitations, open)) >= MAX_OPEN)
    throw new AppError('CONFLICT', `A project has at most ${MAX_OPEN} open invitations.`)
  const token = newToken('svc_iv_')
  const id = newId('inv')
  await tx.insert(invitations).values({
    id,
    project_id,
    email,
    email_key,
    role,
    token_hash: tokenHash(token),
    invited_by: acting.user_id,
    created_at: now,
    expires_at: now + INVITATION_MS,
  })
  return { invitation: one(await select(tx, eq(invitations.id, id), now)), token }
}

async function requireNoMember(tx: Tx, project_id: ProjectId, email_key: string): Promise<void> {
  const rows = await tx
    .select({ user_id: members.user_id })
    .from(members)
    .innerJoin(users, eq(users.id, members.user_id))
    .where(and(eq(members.project_id, project_id), inArray(users.email_key, allKeys(email_key))))
  if (rows.length > 0) throw new AppError('CONFLICT', 'This person is a member of the project already.')
}

async function endEarlier(
  tx: Tx,
  { project_id, email_key }: Pick<typeof invitations.$inferSelect, 'project_id' | 'email_key'>,
  acting: Acting,
  now: number,
): Promise<void> {
  const ended = await tx
    .delete(invitations)
    .where(and(eq(invitations.project_id, project_id), eq(invitations.email_key, email_key)))
    .returning({ role: invitations.role, expires_at: invitations.expires_at })
  requireMayManage(acting.role, ...ended.filter(({ expires_at }) => expires_at > now).map(({ role }) => role))
}

/** Revokes an invitation. NOT_FOUND, or FORBIDDEN when it offers the role owner and the caller is not an owner. */
export async function revokeInvitation(
  tx: Tx,
  project_id: ProjectId,
  acting: Acting,
  invitation_id: string,
): Promise<void> {
  requireMayManage(acting.role)
  const ended = oneOrNotFound(
    await tx
      .delete(invitations)
      .where(and(eq(invitations.project_id, project_id), eq(invitations.id, invitation_id)))
      .returning({ role: invitations.role }),
    'invitation',
    '/invitation_id',
  )
  requireMayManage(acting.role, ended.role)
}

/** The open invitations to a project. */
export function listInvitations(db: Reader, project_id: ProjectId, now: number): Promise<Invitation[]> {
  return select(db, eq(invitations.project_id, project_id), now)
}

/** The open invitations to an address, of all projects. */
export function invitationsFor(db: Reader, email: string, now: number): Promise<Invitation[]> {
  return select(db, eq(invitations.email_key, emailKey(email)), now)
}

export async function isInvited(db: Reader, email: string, now: number): Promise<boolean> {
  return (await invitationsFor(db, email, now)).some((invitation) => sameMailbox(invitation.email, email))
}

/** An open invitation, by the token of its link, or by its id for the user with its address. Else NOT_FOUND. */
export async function getInvitation(
  db: Reader,
  by: { token: string } | { id: string },
  now: number,
): Promise<Invitation> {
  const [invitation] = await select(
    db,
    'token' in by ? eq(invitations.token_hash, tokenHash(by.token)) : eq(invitations.id, by.id),
    now,
  )
  if (!invitation)
    throw new AppError('NOT_FOUND', 'This invitation is unknown, used, revoked, or older than seven days.')
  return invitation
}

/** Accepts an invitation: the user with its address becomes a member; a member keeps their role. Else FORBIDDEN. */
export async function acceptInvitation(tx: Tx, invitation: Invitation, user: User, now: number): Promise<void> {
  const { id, project_id, email, role } = await getInvitation(tx, { id: invitation.id }, now)
  if (!sameMailbox(user.email, email))
    throw new AppError('FORBIDDEN', `This invitation is for ${email}. Sign in with that address.`)
  await tx.delete(invitations).where(eq(invitations.id, id))
  if (!(await isMember(tx, project_id, user.id))) await addMember(tx, project_id, { user_id: user.id, role }, now)
  const actor = `user:${user.id}`
  note(tx, { action: 'invitation-accept', actor, target: `invitation:${id}`, project_id, details: { role } })
}

/** Open invitations: not expired, and from an inviter who may still give the role. */
async function select(db: Reader, which: ReturnType<typeof eq>, now: number): Promise<Invitation[]> {
  const rows = await db
    .select({
      id: invitations.id,
      project_id: invitations.project_id,
      project_name: projects.name,
      project_slug: projects.slug,
      email: invitations.email,
      role: invitations.role,
      expires_at: invitations.expires_at,
      first_name: users.first_name,
      last_name: users.last_name,
      inviter_email: users.email,
    })
    .from(invitations)
    .innerJoin(projects, eq(projects.id, invitations.project_id))
    .innerJoin(users, and(eq(users.id, invitations.invited_by), isNull(users.disabled_at)))
    .innerJoin(
      members,
      and(eq(members.project_id, invitations.project_id), eq(members.user_id, invitations.invited_by)),
    )
    .where(
      and(
        which,
        gt(invitations.expires_at, now),
        or(eq(members.role, 'owner'), and(eq(members.role, 'administrator'), ne(invitations.role, 'owner'))),
      ),
    )
    .orderBy(asc(invitations.created_at), asc(invitations.id))
  return rows.map(({ first_name, last_name, inviter_email, ...row }) => ({
    ...row,
    inviter: `${first_name} ${last_name}`.trim() || inviter_email,
  }))
}
