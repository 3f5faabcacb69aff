import type { ProjectId } from '../ids.ts'
import { and, eq } from 'drizzle-orm'
import { AppError, invalid } from '../errors.ts'
import type { Reader } from '../store/open.ts'
import type { Role } from '../shared/roles.ts'
import { members, projects, users } from '../store/tables/accounts.ts'
import type { Admitted, Caller } from './caller.ts'

const RANK: Record<Role, number> = { member: 0, editor: 1, administrator: 2, owner: 3 }

export function hasRole(role: Role, least: Role): boolean {
  return RANK[role] >= RANK[least]
}

/** The lower of two roles. */
export function lowerRole(one: Role, other: Role): Role {
  return hasRole(one, other) ? other : one
}

/**
 * The project of a request with the caller's current role in it. `named` is the request's `project_id`, a public id: an
 * API key may leave it out, since it works in its own project only. VALIDATION_FAILED when it is missing or no string,
 * PROJECT_NOT_AUTHORIZED when the caller has no access or its user is no longer a member.
 */
export async function admit(db: Reader, caller: Caller, named: unknown): Promise<Admitted> {
  if (named !== undefined && typeof named !== 'string') throw invalid('/project_id', 'Expected string.')
  const { project_id, role, project_public_id } = await projectOf(db, caller, named)
  if (role === null) throw projectNotAuthorized()
  return { caller, project_id, project_public_id, role }
}

interface NamedProject {
  project_id: ProjectId
  project_public_id: string
  role: Role | null
}

/** The role in a project. API credentials carry their roles; only a session needs a query. */
async function projectOf(db: Reader, caller: Caller, named: string | undefined): Promise<NamedProject> {
  if (caller.kind === 'api_key') {
    if (named !== undefined && named !== caller.project_public_id) throw projectNotAuthorized()
    return caller
  }
  if (named === undefined || named === '') throw invalid('/project_id', 'Required.')
  const project = caller.kind === 'oauth' ? caller.projects.get(named) : await projectOfUser(db, caller.user_id, named)
  if (!project) throw projectNotAuthorized()
  return { ...project, project_public_id: named }
}

async function projectOfUser(db: Reader, user_id: string, public_id: string) {
  const [project] = await db
    .select({ project_id: members.project_id, role: members.role })
    .from(members)
    .innerJoin(projects, eq(projects.id, members.project_id))
    .where(and(eq(projects.public_id, public_id), eq(members.user_id, user_id)))
  return project
}

/** Scopes limit the app or key, roles the user; both must allow the call. Sessions have every scope. */
export function requireScope(caller: Caller, scope: string): void {
  if (caller.kind === 'session' || caller.scopes === null || caller.scopes.has(scope)) return
  throw new AppError('INSUFFICIENT_SCOPE', `This needs the scope ${scope}.`, {
    details: { scope },
    headers: { 'WWW-Authenticate': `Bearer realm="masthead", error="insufficient_scope", scope="${scope}"` },
  })
}

export function requireRole(role: Role, least: Role): void {
  if (!hasRole(role, least))
    throw new AppError('INSUFFICIENT_ROLE', `This needs the role ${least} or a higher one.`, {
      details: { role: least },
    })
}

/** Administrators of the service operate it and review apps. */
export async function isAdministrator(db: Reader, user_id: string): Promise<boolean> {
  const [user] = await db.select({ admin: users.admin }).from(users).where(eq(users.id, user_id))
  return user?.admin ?? false
}

/** FORBIDDEN for a user who does not administer the service. */
export async function requireAdministrator(db: Reader, user_id: string): Promise<void> {
  if (!(await isAdministrator(db, user_id)))
    throw new AppError('FORBIDDEN', 'Only an administrator of the service may do this.')
}

function projectNotAuthorized(): AppError {
  return new AppError('PROJECT_NOT_AUTHORIZED', 'These credentials have no access to the project.')
}
