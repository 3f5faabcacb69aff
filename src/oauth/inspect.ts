import { note } from '../audit/record.ts'
import { and, eq, isNull, type SQL } from 'drizzle-orm'
import { tokenHash } from '../secrets.ts'
import type { Runtime } from '../runtime.ts'
import type { Reader, Store, Tx } from '../store/open.ts'
import { users } from '../store/tables/accounts.ts'
import { access_tokens, authorizations } from '../store/tables/apps.ts'
import { refresh_tokens } from '../store/tables/oauth.ts'
import { endAuthorization } from './authorizations.ts'
import type { App, KnownClient } from './clients.ts'
import { refreshTokenEnd, refreshTokenLife } from './tokens.ts'

/** RFC 7662, 2.2: `{ active: false }` and nothing else for any token that the caller may not use or know about. */
type Introspection =
  | { active: false }
  | {
      active: true
      scope: string
      client_id: string
      sub: string
      /** The user's email address; absent for a public client, which cannot keep a secret of its own. */
      username?: string
      token_type: 'Bearer' | 'refresh_token'
      /** Seconds since 1970; a refresh token ends then unless it is used before. */
      exp: number
      iat: number
      iss: string
    }

/** The present state of a token of this client (docs/api/oauth.md#introspection). */
export async function introspect(
  { db, readCache }: Pick<Store, 'db' | 'readCache'>,
  { app, is_suspended }: KnownClient,
  token: string,
  { base_url, config, now }: Pick<Runtime, 'base_url' | 'config'> & { now: number },
): Promise<Introspection> {
  const token_hash = tokenHash(token)
  const found =
    (await readCache(`inspected ${app.id} ${token_hash}`, () => findAccessToken(db, app, token_hash))) ??
    // Rotation, which changes no caller, ends a refresh token. So what was read of one is not kept.
    (await findRefreshToken(db, app, token_hash))
  if (!found || is_suspended) return { active: false }
  const expires_at = found.kind === 'access' ? found.expires_at : refreshTokenEnd(found, refreshTokenLife(config))
  if (expires_at <= now) return { active: false }
  return {
    active: true,
    scope: found.scope,
    client_id: app.client_id,
    sub: found.user_id,
    ...(app.client_type === 'public' ? {} : { username: found.email }),
    token_type: found.kind === 'access' ? 'Bearer' : 'refresh_token',
    exp: Math.floor(expires_at / 1000),
    iat: Math.floor(found.created_at / 1000),
    iss: base_url,
  }
}

/**
 * Revokes a token of this client (RFC 7009): a refresh token with its whole authorization, an access token alone.
 * Unknown tokens and those of other clients change nothing, and the caller cannot tell them apart.
 */
export async function revokeToken(tx: Tx, app: App, token: string, now: number): Promise<void> {
  const token_hash = tokenHash(token)
  const own = and(eq(authorizations.app_id, app.id), isNull(authorizations.revoked_at))
  const [refresh] = await tx
    .select({ authorization_id: authorizations.id })
    .from(refresh_tokens)
    .innerJoin(authorizations, eq(authorizations.id, refresh_tokens.authorization_id))
    .where(and(eq(refresh_tokens.token_hash, token_hash), own))
  if (refresh) {
    await endAuthorization(tx, refresh.authorization_id, now)
    return
  }
  const [access] = await tx
    .select({ authorization_id: authorizations.id })
    .from(access_tokens)
    .innerJoin(authorizations, eq(authorizations.id, access_tokens.authorization_id))
    .where(and(eq(access_tokens.token_hash, token_hash), own))
  if (!access) return
  note(tx, { action: 'token-revoke', target: `authorization:${access.authorization_id}` })
  await tx
    .update(access_tokens)
    .set({ revoked_at: now })
    .where(and(eq(access_tokens.token_hash, token_hash), isNull(access_tokens.revoked_at)))
}

/** An active access token of the app; null for any other (RFC 7009, 2.1: the kind is not known before). */
async function findAccessToken(db: Reader, app: App, token_hash: string) {
  const [found] = await db
    .select({
      ...HOLDER,
      scope: access_tokens.scope,
      created_at: access_tokens.created_at,
      expires_at: access_tokens.expires_at,
    })
    .from(access_tokens)
    .innerJoin(authorizations, eq(authorizations.id, access_tokens.authorization_id))
    .innerJoin(users, eq(users.id, authorizations.user_id))
    .where(and(eq(access_tokens.token_hash, token_hash), isNull(access_tokens.revoked_at), isLive(app)))
  return found ? { kind: 'access' as const, ...found } : null
}

/** An active refresh token of the app; null for any other. */
async function findRefreshToken(db: Reader, app: App, token_hash: string) {
  const [found] = await db
    .select({
      ...HOLDER,
      scope: authorizations.scope,
      created_at: refresh_tokens.created_at,
      authorized_at: authorizations.created_at,
    })
    .from(refresh_tokens)
    .innerJoin(authorizations, eq(authorizations.id, refresh_tokens.authorization_id))
    .innerJoin(users, eq(users.id, authorizations.user_id))
    .where(and(eq(refresh_tokens.token_hash, token_hash), isNull(refresh_tokens.rotated_at), isLive(app)))
  return found ? { kind: 'refresh' as const, ...found } : null
}

const HOLDER = { user_id: users.id, email: users.email }

function isLive(app: App): SQL | undefined {
  return and(eq(authorizations.app_id, app.id), isNull(authorizations.revoked_at), isNull(users.disabled_at))
}
