import type { ProjectId } from '../ids.ts'
import { sql } from 'drizzle-orm'
import { AppError } from '../errors.ts'
import { tokenHash } from '../secrets.ts'
import type { Reader, Store, Tx } from '../store/open.ts'
import { first } from '../store/rows.ts'
import type { Role } from '../shared/roles.ts'
import { lowerRole } from './permission.ts'
import type { ApiKeyCaller, LastUse, OAuthCaller } from './caller.ts'

/**
 * The caller of the v1 API, from the Authorization header: `Bearer svc_at_…` (RFC 6750) or a project API key alone.
 * Throws UNAUTHORIZED without credentials, INVALID_TOKEN when they are unknown, expired, revoked or in the form of the
 * other kind, and FORBIDDEN for a suspended app (docs/api/oauth.md#tokens, docs/api/oauth.md#project-api-keys).
 */
export async function authenticate(
  { db, readCache }: Pick<Store, 'db' | 'readCache'>,
  authorization: string | null,
  now: number,
): Promise<ApiKeyCaller | OAuthCaller> {
  const header = authorization?.trim() ?? ''
  if (header === '')
    throw new AppError('UNAUTHORIZED', 'Credentials are missing.', {
      headers: { 'WWW-Authenticate': 'Bearer realm="masthead"' },
    })
  const bearer = /^bearer +(\S+)$/i.exec(header)?.[1]
  const hash = tokenHash(bearer ?? header)
  if (bearer?.startsWith('svc_at_'))
    return inForce(await readCache(`token ${hash}`, async () => accessToken(await findToken(db, hash))), now)
  if (bearer === undefined && header.startsWith('svc_pk_'))
    return inForce(await readCache(`key ${hash}`, async () => apiKey(await findKey(db, hash))), now)
  throw invalidToken()
}

/** As `authenticate`, inside a write transaction: credentials that ended meanwhile are refused. */
export function authenticateIn(tx: Tx, authorization: string | null, now: number): Promise<ApiKeyCaller | OAuthCaller> {
  return authenticate({ db: tx, readCache: tx.readCache }, authorization, now)
}

/** Credentials as they were read, whose time is asked at each request. */
interface Known<Caller> {
  caller: Caller
  expires_at: number | null
  suspended: boolean
}

function inForce<Caller>(known: Known<Caller> | null, now: number): Caller {
  if (!known || (known.expires_at !== null && known.expires_at <= now)) throw invalidToken()
  if (known.suspended) throw new AppError('FORBIDDEN', 'The app is suspended.')
  return known.caller
}

interface TokenRow {
  authorization_id: string
  app_id: string
  client_id: string
  user_id: string
  scope: string
  expires_at: number
  suspended: number
  /** JSON: public id to `[project_id, role]`; the role is null where the user is no longer a member. */
  projects: string
}

async function findToken(db: Reader, token_hash: string): Promise<TokenRow | null> {
  return first(
    await db.all<TokenRow>(sql`
    SELECT z.id AS authorization_id, z.app_id, a.client_id, z.user_id, t.scope, t.expires_at,
      EXISTS (SELECT 1 FROM app_suspensions s WHERE s.app_id = z.app_id) AS suspended,
      (SELECT json_group_object(project.public_id, json_array(project.id, member.role))
        FROM authorization_projects granted JOIN projects project ON project.id = granted.project_id
        LEFT JOIN members member ON member.project_id = granted.project_id AND member.user_id = z.user_id
        WHERE granted.authorization_id = z.id) AS projects
    FROM access_tokens t
    JOIN authorizations z ON z.id = t.authorization_id AND z.revoked_at IS NULL
    JOIN apps a ON a.id = z.app_id
    JOIN users u ON u.id = z.user_id AND u.disabled_at IS NULL
    WHERE t.token_hash = ${token_hash} AND t.revoked_at IS NULL`),
  )
}

function accessToken(row: TokenRow | null): Known<OAuthCaller> | null {
  if (!row) return null
  const projects = Object.entries(JSON.parse(row.projects) as Record<string, [ProjectId, Role | null]>)
  const caller: OAuthCaller = {
    kind: 'oauth',
    authorization_id: row.authorization_id,
    app_id: row.app_id,
    client_id: row.client_id,
    user_id: row.user_id,
    scopes: new Set(row.scope.split(' ').filter(Boolean)),
    projects: new Map(projects.map(([public_id, [project_id, role]]) => [public_id, { project_id, role }])),
  }
  return { caller, expires_at: row.expires_at, suspended: row.suspended === 1 }
}

interface KeyRow extends LastUse {
  id: string
  user_id: string
  project_id: ProjectId
  project_public_id: string
  /** The current role of its creator. */
  creator_role: Role | null
  role: Role | null
  /** JSON. */
  scopes: string | null
  expires_at: number | null
}

async function findKey(db: Reader, key_hash: string): Promise<KeyRow | null> {
  return first(
    await db.all<KeyRow>(sql`
    SELECT k.id, k.user_id, k.project_id, p.public_id AS project_public_id, k.last_used_at,
      m.role AS creator_role, k.role, k.scopes, k.expires_at FROM api_keys k
    JOIN projects p ON p.id = k.project_id
    JOIN users u ON u.id = k.user_id AND u.disabled_at IS NULL
    LEFT JOIN members m ON m.project_id = k.project_id AND m.user_id = k.user_id
    WHERE k.key_hash = ${key_hash} AND k.revoked_at IS NULL`),
  )
}

function apiKey(row: KeyRow | null): Known<ApiKeyCaller> | null {
  if (!row) return null
  const { id, creator_role, role, scopes, user_id, project_id, project_public_id } = row
  const caller: ApiKeyCaller = {
    kind: 'api_key',
    api_key_id: id,
    ...{ user_id, project_id, project_public_id, use: row },
    role: creator_role && role ? lowerRole(creator_role, role) : creator_role,
    scopes: scopes === null ? null : new Set(JSON.parse(scopes) as string[]),
  }
  return { caller, expires_at: row.expires_at, suspended: false }
}

function invalidToken(): AppError {
  return new AppError('INVALID_TOKEN', 'The credentials are unknown, expired or revoked.', {
    headers: { 'WWW-Authenticate': 'Bearer realm="masthead", error="invalid_token"' },
  })
}
