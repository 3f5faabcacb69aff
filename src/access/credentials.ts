import { and, eq, isNull, sql } from 'drizzle-orm'
import { AppError } from '../errors.ts'
import { tokenHash } from '../secrets.ts'
import type { Reader } from '../store/open.ts'
import { api_keys, users } from '../store/tables/accounts.ts'
import { access_tokens, apps, authorization_projects, authorizations } from '../store/tables/apps.ts'
import { app_suspensions } from '../store/tables/developer.ts'
import type { ApiKeyCaller, OAuthCaller } from './caller.ts'

/**
 * The caller of the v1 API, by the Authorization header: `Bearer svc_at_…` (RFC 6750) or a bare project API key.
 * Throws UNAUTHORIZED when there is none and INVALID_TOKEN for what is unknown, expired or revoked, or in the
 * other's form (contract-details 50). A suspended app is FORBIDDEN, whatever its tokens say.
 */
export async function authenticate(db: Reader, authorization: string | null, now: number): Promise<ApiKeyCaller | OAuthCaller> {
  const header = authorization?.trim() ?? ''
  if (header === '') throw new AppError('UNAUTHORIZED', 'Credentials are missing.', { headers: { 'WWW-Authenticate': 'Bearer realm="masthead"' } })
  const bearer = /^bearer +(\S+)$/i.exec(header)?.[1]
  if (bearer?.startsWith('svc_at_')) return accessToken(db, bearer, now)
  if (bearer === undefined && header.startsWith('svc_pk_')) return apiKey(db, header)
  throw invalidToken()
}

async function accessToken(db: Reader, token: string, now: number): Promise<OAuthCaller> {
  const [row] = await db
    .select({
      authorization_id: authorizations.id,
      app_id: authorizations.app_id,
      user_id: authorizations.user_id,
      scope: access_tokens.scope,
      expires_at: access_tokens.expires_at,
      suspended: sql<number>`EXISTS (SELECT 1 FROM ${app_suspensions} s WHERE s.app_id = ${authorizations.app_id})`,
      project_ids: sql<string>`(SELECT json_group_array(p.project_id) FROM ${authorization_projects} p WHERE p.authorization_id = ${authorizations.id})`,
    })
    .from(access_tokens)
    .innerJoin(authorizations, eq(authorizations.id, access_tokens.authorization_id))
    .innerJoin(apps, eq(apps.id, authorizations.app_id))
    .innerJoin(users, eq(users.id, authorizations.user_id))
    .where(and(eq(access_tokens.token_hash, tokenHash(token)), isNull(access_tokens.revoked_at), isNull(authorizations.revoked_at), isNull(users.disabled_at)))
  if (!row || row.expires_at <= now) throw invalidToken()
  if (row.suspended) throw new AppError('FORBIDDEN', 'The app is suspended.')
  return {
    kind: 'oauth',
    authorization_id: row.authorization_id,
    app_id: row.app_id,
    user_id: row.user_id,
    scopes: new Set(row.scope.split(' ').filter(Boolean)),
    project_ids: JSON.parse(row.project_ids) as string[],
  }
}

async function apiKey(db: Reader, key: string): Promise<ApiKeyCaller> {
  const [row] = await db
    .select({ id: api_keys.id, user_id: api_keys.user_id, project_id: api_keys.project_id, last_used_at: api_keys.last_used_at })
    .from(api_keys)
    .innerJoin(users, eq(users.id, api_keys.user_id))
    .where(and(eq(api_keys.key_hash, tokenHash(key)), isNull(api_keys.revoked_at), isNull(users.disabled_at)))
  if (!row) throw invalidToken()
  return { kind: 'api_key', api_key_id: row.id, user_id: row.user_id, project_id: row.project_id, last_used_at: row.last_used_at }
}

function invalidToken(): AppError {
  return new AppError('INVALID_TOKEN', 'The credentials are unknown, expired or revoked.', {
    headers: { 'WWW-Authenticate': 'Bearer realm="masthead", error="invalid_token"' },
  })
}
