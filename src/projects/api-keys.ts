import { DAY_MS } from '../clock.ts'
import type { ProjectId } from '../ids.ts'
import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import { hasRole } from '../access/permission.ts'
import { AppError, invalid, requireRoom } from '../errors.ts'
import type { Role } from '../shared/roles.ts'
import { newId } from '../ids.ts'
import { checker, name } from '../schema.ts'
import { newToken, tokenHash } from '../secrets.ts'
import { KEY_SCOPES } from '../shared/scopes.ts'
import type { Reader, Tx } from '../store/open.ts'
import { deleteWhere, type RetentionRule } from '../store/retention.ts'
import { one, oneOrNotFound } from '../store/rows.ts'
import { api_keys, projects } from '../store/tables/accounts.ts'
import { canSignIn, roleOf } from './members.ts'

/** The limits of a key compared with its creator, and its expiry. */
export interface KeyLimits {
  role?: Role | undefined
  scopes?: readonly string[] | undefined
  expires_at?: number | undefined
}

/** A key as it is shown: its last four characters, never the key. */
export type ApiKey = Omit<typeof api_keys.$inferSelect, 'key_hash' | 'revoked_at'>

const KeyName = name(100)
export const MAX_KEYS = 100

/**
 * Creates a key with which a program acts as this member. Returns the key itself, which is not stored. Throws
 * VALIDATION_FAILED for the name, a role above the user's own, an unknown scope and an end that has
 * passed, FORBIDDEN when the user is not a member, CONFLICT when the account is disabled,
 * INVALID_STATE beyond the limit. The caller of this function checks roles.
 */
export async function createApiKey(
  tx: Tx,
  project_id: ProjectId,
  { user_id, name, ...limits }: Pick<ApiKey, 'user_id' | 'name'> & KeyLimits,
  now: number,
): Promise<{ api_key: ApiKey; key: string }> {
  if (!checker(KeyName).Check(name)) throw invalid('/name', 'A name is one line of 1 to 100 characters.')
  const own = await roleOf(tx, project_id, user_id)
  if (own === null) throw new AppError('FORBIDDEN', 'This person is not a member of the project.')
  if (!(await canSignIn(tx, user_id))) throw new AppError('CONFLICT', 'This account is disabled.')
  checkLimits(limits, own, now)
  const active = and(eq(api_keys.project_id, project_id), isNull(api_keys.revoked_at))
  requireRoom(await tx.$count(api_keys, active), MAX_KEYS, 'API keys')
  const key = newToken('svc_pk_')
  const row = {
    id: newId('key'),
    project_id,
    user_id,
    name: name.trim(),
    key_hash: tokenHash(key),
    hint: key.slice(-4),
    created_at: now,
    role: limits.role ?? null,
    scopes: limits.scopes === undefined ? null : KEY_SCOPES.filter((scope) => limits.scopes!.includes(scope)),
    expires_at: limits.expires_at ?? null,
  }
  return { api_key: one(await tx.insert(api_keys).values(row).returning(API_KEY)), key }
}

function checkLimits({ role, scopes, expires_at }: KeyLimits, own: Role, now: number): void {
  if (role !== undefined && !hasRole(own, role))
    throw invalid('/role', `A key has at most the role ${own} of its user.`)
  const unknown = scopes?.find((scope) => !(KEY_SCOPES as readonly string[]).includes(scope))
  if (unknown !== undefined)
    throw invalid('/scopes', `${unknown} is no scope of a key. They are ${KEY_SCOPES.join(', ')}.`)
  if (scopes?.length === 0) throw invalid('/scopes', 'Name at least one scope, or leave the scopes out.')
  if (expires_at !== undefined && expires_at <= now) throw invalid('/expires_on', 'The end of a key is in the future.')
}

/** Keys that are not revoked, those that have ended included, optionally of one project or member, oldest first. */
export async function listApiKeys(
  db: Reader,
  of: { project_id?: ProjectId; user_id?: string },
): Promise<(ApiKey & { project_public_id: string })[]> {
  return db
    .select({ ...API_KEY, project_public_id: projects.public_id })
    .from(api_keys)
    .innerJoin(projects, eq(projects.id, api_keys.project_id))
    .where(
      and(
        isNull(api_keys.revoked_at),
        of.project_id === undefined ? undefined : eq(api_keys.project_id, of.project_id),
        of.user_id === undefined ? undefined : eq(api_keys.user_id, of.user_id),
      ),
    )
    .orderBy(asc(api_keys.created_at), asc(api_keys.id))
}

/** Revokes a key. NOT_FOUND when it is unknown, revoked, or not of the given project or member. */
export async function revokeApiKey(
  tx: Tx,
  id: string,
  within: { project_id?: ProjectId; user_id?: string },
  now: number,
): Promise<{ project_id: ProjectId }> {
  return oneOrNotFound(
    await tx
      .update(api_keys)
      .set({ revoked_at: now })
      .where(
        and(
          eq(api_keys.id, id),
          isNull(api_keys.revoked_at),
          within.project_id === undefined ? undefined : eq(api_keys.project_id, within.project_id),
          within.user_id === undefined ? undefined : eq(api_keys.user_id, within.user_id),
        ),
      )
      .returning({ project_id: api_keys.project_id }),
    'API key',
  )
}

const API_KEY = {
  id: api_keys.id,
  project_id: api_keys.project_id,
  user_id: api_keys.user_id,
  name: api_keys.name,
  hint: api_keys.hint,
  created_at: api_keys.created_at,
  last_used_at: api_keys.last_used_at,
  role: api_keys.role,
  scopes: api_keys.scopes,
  expires_at: api_keys.expires_at,
}

const REVOKED_RETENTION_MS = 400 * DAY_MS

export const apiKeyRetention: RetentionRule = {
  rows: 'revoked API keys',
  kept: '400 days',
  statement: (now, limit) => deleteWhere('api_keys', 'id', sql`revoked_at <= ${now - REVOKED_RETENTION_MS}`, limit),
}
