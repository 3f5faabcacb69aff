import type { ProjectId } from '../ids.ts'
import { and, asc, count, eq, isNull, ne } from 'drizzle-orm'
import { requireRole } from '../access/permission.ts'
import { AppError, requireRoom } from '../errors.ts'
import { orConflict } from '../store/constraint.ts'
import type { Reader, Tx } from '../store/open.ts'
import { first, hasRows, one, oneOrNotFound } from '../store/rows.ts'
import type { Role } from '../shared/roles.ts'
import { invitations, members, users } from '../store/tables/accounts.ts'

export interface Member {
  user_id: string
  email: string
  first_name: string
  last_name: string
  role: Role
  added_at: number
}

/** The user who makes a change, with their current role. */
export interface Acting {
  user_id: string
  role: Role
}

export const MAX_MEMBERS = 1000

/** Makes a user a member. CONFLICT when they already are, INVALID_STATE beyond the limit. */
export async function addMember(tx: Tx, project_id: ProjectId, { user_id, role }: Acting, now: number): Promise<void> {
  requireRoom(await tx.$count(members, eq(members.project_id, project_id)), MAX_MEMBERS, 'members')
  await orConflict(
    tx.insert(members).values({ project_id, user_id, role, added_at: now }),
    { user_id: '/user_id' },
    'This person is a member of the project already.',
  )
}

/**
 * Changes a member's role (docs/api/platform.md#members). INSUFFICIENT_ROLE or FORBIDDEN when the caller may not,
 * NOT_FOUND when the user is not a member, CONFLICT for the last owner.
 */
export async function changeRole(
  tx: Tx,
  project_id: ProjectId,
  acting: Acting,
  { user_id, role }: Pick<Member, 'user_id' | 'role'>,
): Promise<Member> {
  requireRole(acting.role, 'administrator')
  const before = await getMember(tx, project_id, user_id)
  requireMayManage(acting.role, before.role, role)
  if (role !== 'owner') await requireNotLastOwner(tx, project_id, before)
  await setRole(tx, project_id, user_id, role)
  return { ...before, role }
}

/**
 * Makes another member the owner in the caller's place, who stays an administrator. NOT_FOUND when the user is not a
 * member, CONFLICT for the caller.
 */
export async function handOver(tx: Tx, project_id: ProjectId, owner_id: string, user_id: string): Promise<Member> {
  if (user_id === owner_id) throw new AppError('CONFLICT', 'This is your own project already.')
  const member = await getMember(tx, project_id, user_id)
  if (!(await canSignIn(tx, user_id))) throw new AppError('CONFLICT', 'This account is disabled.')
  await setRole(tx, project_id, user_id, 'owner')
  await setRole(tx, project_id, owner_id, 'administrator')
  return { ...member, role: 'owner' }
}

/** Whether the account of a user is enabled. */
export async function canSignIn(db: Reader, user_id: string): Promise<boolean> {
  return hasRows(
    await db
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.id, user_id), isNull(users.disabled_at))),
  )
}

async function setRole(tx: Tx, project_id: ProjectId, user_id: string, role: Role): Promise<void> {
  await tx
    .update(members)
    .set({ role })
    .where(and(eq(members.project_id, project_id), eq(members.user_id, user_id)))
}

/** Removes a member with their open invitations. Everyone may remove themselves. Errors as `changeRole`. */
export async function removeMember(tx: Tx, project_id: ProjectId, acting: Acting, user_id: string): Promise<void> {
  if (user_id !== acting.user_id) requireRole(acting.role, 'administrator')
  const member = await getMember(tx, project_id, user_id)
  if (user_id !== acting.user_id) requireMayManage(acting.role, member.role)
  await requireNotLastOwner(tx, project_id, member)
  await tx.delete(members).where(and(eq(members.project_id, project_id), eq(members.user_id, user_id)))
  // Somebody who joins the project again must not bring back what they offered before.
  await tx.delete(invitations).where(and(eq(invitations.project_id, project_id), eq(invitations.invited_by, user_id)))
}

/** Administrators manage everyone but owners; only owners make owners. */
export function requireMayManage(acting: Role, ...roles: Role[]): void {
  requireRole(acting, 'administrator')
  if (acting !== 'owner' && roles.includes('owner')) throw new AppError('FORBIDDEN', 'Only an owner can manage owners.')
}

/** A project keeps at least one owner who can sign in. */
async function requireNotLastOwner(tx: Tx, project_id: ProjectId, { user_id, role }: Member): Promise<void> {
  if (role !== 'owner') return
  const { others } = one(
    await tx
      .select({ others: count() })
      .from(members)
      .innerJoin(users, eq(users.id, members.user_id))
      .where(
        and(
          eq(members.project_id, project_id),
          eq(members.role, 'owner'),
          ne(members.user_id, user_id),
          isNull(users.disabled_at),
        ),
      ),
  )
  if (others === 0)
    throw new AppError('CONFLICT', 'This is the last owner of the project. Make another member an owner first.')
}

export async function listMembers(db: Reader, project_id: ProjectId): Promise<Member[]> {
  return db
    .select(MEMBER)
    .from(members)
    .innerJoin(users, eq(users.id, members.user_id))
    .where(eq(members.project_id, project_id))
    .orderBy(asc(members.added_at), asc(members.user_id))
}

export async function isMember(db: Reader, project_id: ProjectId, user_id: string): Promise<boolean> {
  return (await roleOf(db, project_id, user_id)) !== null
}

/** The role of a user in a project; null for a user who is no member. */
export async function roleOf(db: Reader, project_id: ProjectId, user_id: string): Promise<Role | null> {
  const rows = await db
    .select({ role: members.role })
    .from(members)
    .where(and(eq(members.project_id, project_id), eq(members.user_id, user_id)))
  return first(rows)?.role ?? null
}

async function getMember(db: Reader, project_id: ProjectId, user_id: string): Promise<Member> {
  return oneOrNotFound(
    await db
      .select(MEMBER)
      .from(members)
      .innerJoin(users, eq(users.id, members.user_id))
      .where(and(eq(members.project_id, project_id), eq(members.user_id, user_id))),
    'member',
    '/user_id',
  )
}

const MEMBER = {
  user_id: members.user_id,
  email: users.email,
  first_name: users.first_name,
  last_name: users.last_name,
  role: members.role,
  added_at: members.added_at,
}
