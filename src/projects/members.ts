import { and, asc, eq } from 'drizzle-orm'
import { AppError } from '../errors.ts'
import { brokenUnique } from '../store/constraint.ts'
import type { Reader, Tx } from '../store/open.ts'
import { members, type Role, users } from '../store/tables/accounts.ts'

export interface Member {
  user_id: string
  email: string
  first_name: string
  last_name: string
  role: Role
  added_at: number
}

/** Makes a user a member; CONFLICT when they are one. */
export async function addMember(tx: Tx, project_id: string, user_id: string, role: Role, now: number): Promise<void> {
  await tx.insert(members).values({ project_id, user_id, role, added_at: now }).catch((error: unknown) => {
    throw brokenUnique(error) ? new AppError('CONFLICT', 'This person is a member of the project already.', { cause: error }) : error
  })
}

export async function listMembers(db: Reader, project_id: string): Promise<Member[]> {
  return db
    .select({ user_id: members.user_id, email: users.email, first_name: users.first_name, last_name: users.last_name, role: members.role, added_at: members.added_at })
    .from(members)
    .innerJoin(users, eq(users.id, members.user_id))
    .where(eq(members.project_id, project_id))
    .orderBy(asc(members.added_at), asc(members.user_id))
}

export async function isMember(db: Reader, project_id: string, user_id: string): Promise<boolean> {
  const rows = await db.select({ role: members.role }).from(members).where(and(eq(members.project_id, project_id), eq(members.user_id, user_id)))
  return rows.length > 0
}
