import type { ProjectId } from '../ids.ts'
import { and, eq } from 'drizzle-orm'
import { AppError, invalid } from '../errors.ts'
import type { Reader } from '../store/open.ts'
import { members, type Role } from '../store/tables/accounts.ts'
import type { Admitted, Caller } from './caller.ts'

const RANK: Record<Role, number> = { member: 0, editor: 1, administrator: 2, owner: 3 }

export function hasRole(role: Role, least: Role): boolean {
  return RANK[role] >= RANK[least]
}

/**
 * Lets a caller into a project: the one of the key, or the one the request names and the grant covers. The role
 * is what the user has in it at this moment; whoever is no member any more is not authorized.
 */
export async function admit(db: Reader, caller: Caller, named: unknown): Promise<Admitted> {
  const project_id = projectOf(caller, named)
  const role = await roleIn(db, caller, project_id)
  if (!role) throw projectNotAuthorized()
  return { caller, project_id, role }
}

/** Credentials of the API were read together with the roles of their user; only a session has to be asked about. */
async function roleIn(db: Reader, caller: Caller, project_id: ProjectId): Promise<Role | null> {
  if (caller.kind === 'api_key') return caller.role
  if (caller.kind === 'oauth') return Object.hasOwn(caller.roles, project_id) ? caller.roles[project_id]! : null
  const [member] = await db
    .select({ role: members.role })
    .from(members)
    .where(and(eq(members.project_id, project_id), eq(members.user_id, caller.user_id)))
  return member?.role ?? null
}

function projectOf(caller: Caller, named: unknown): string {
  if (named !== undefined && typeof named !== 'string') throw invalid('/project_id', 'Expected string.')
  if (caller.kind === 'api_key') {
    if (named !== undefined && named !== caller.project_id) throw projectNotAuthorized()
    return caller.project_id
  }
  if (named === undefined || named === '') throw invalid('/project_id', 'Required.')
  if (caller.kind === 'oauth' && !caller.project_ids.includes(named)) throw projectNotAuthorized()
  return named
}

/** Scopes are the app's limit, roles the person's: both must allow it. API keys and the dashboard have no scopes. */
export function requireScope(caller: Caller, scope: string): void {
  if (caller.kind !== 'oauth' || caller.scopes.has(scope)) return
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

function projectNotAuthorized(): AppError {
  return new AppError('PROJECT_NOT_AUTHORIZED', 'These credentials have no access to the project.')
}
