import { eq, sql } from 'drizzle-orm'
import type { LastUse } from '../access/caller.ts'
import { isOnTeam } from '../access/app-team.ts'
import { sameSecret, tokenHash } from '../secrets.ts'
import type { Reader, Store, Tx } from '../store/open.ts'
import { first } from '../store/rows.ts'
import { apps } from '../store/tables/apps.ts'
import { app_secrets } from '../store/tables/oauth.ts'
import { OAuthError } from './errors.ts'

export type App = typeof apps.$inferSelect

/** The client that a request claims to come from. Only a public client has no secret. */
export interface ClientCredentials {
  /** Possible readings of the Authorization header or the body, most likely first; see `clientCredentials`. */
  claims: readonly { client_id: string; secret: string | null }[]
  method: 'basic' | 'post'
}

export interface KnownClient {
  app: App
  is_suspended: boolean
  /** The secret that matched; null for a public client. */
  secret: ({ id: string } & LastUse) | null
}

/** Anyone may authorize an approved app, only its team any other (docs/api/oauth.md#authorization-request). */
export async function mayAuthorize(db: Reader, app: Pick<App, 'id' | 'status'>, user_id: string): Promise<boolean> {
  return app.status === 'approved' || isOnTeam(db, app.id, user_id)
}

/** Throws `unauthorized_client` for a suspended app. Its tokens work again when the suspension ends. */
export function requireRunning({ is_suspended }: Pick<KnownClient, 'is_suspended'>): void {
  if (is_suspended) throw new OAuthError('unauthorized_client', 'This app has been suspended.')
}

export async function findApp(db: Reader, client_id: string): Promise<App | null> {
  return first(await db.select().from(apps).where(eq(apps.client_id, client_id)))
}

/** The client that the credentials prove. An unknown client and a wrong secret are the same `invalid_client`. */
export async function authenticateClient(
  { db, readCache }: Pick<Store, 'db' | 'readCache'>,
  credentials: ClientCredentials | null,
): Promise<KnownClient> {
  for (const { client_id, secret } of credentials?.claims ?? []) {
    const known = await knownClient(await readCache(`client ${client_id}`, () => findClient(db, client_id)), secret)
    if (known) return known
  }
  // RFC 6749, 5.2: a client that used the Authorization header gets a challenge.
  const challenge: Record<string, string> =
    credentials?.method === 'basic' ? { 'WWW-Authenticate': 'Basic realm="masthead", charset="UTF-8"' } : {}
  throw new OAuthError('invalid_client', 'The client is unknown, or its authentication failed.', 401, challenge)
}

interface FoundClient extends Pick<KnownClient, 'app' | 'is_suspended'> {
  secrets: ({ id: string; secret_hash: string } & LastUse)[]
}

async function findClient(db: Reader, client_id: string): Promise<FoundClient | null> {
  const [found] = await db
    .select({
      app: apps,
      suspended: sql<number>`EXISTS (SELECT 1 FROM app_suspensions WHERE app_id = apps.id)`,
      secrets: sql<string>`(
        SELECT json_group_array(json_object('id', id, 'secret_hash', secret_hash, 'last_used_at', last_used_at))
        FROM app_secrets WHERE app_id = apps.id AND revoked_at IS NULL)`,
    })
    .from(apps)
    .where(eq(apps.client_id, client_id))
  return found
    ? {
        app: found.app,
        is_suspended: found.suspended === 1,
        secrets: JSON.parse(found.secrets) as FoundClient['secrets'],
      }
    : null
}

function knownClient(found: FoundClient | null, secret: string | null): KnownClient | null {
  if (!found) return null
  const { app, is_suspended, secrets } = found
  if (app.client_type === 'public') return secret === null ? { app, is_suspended, secret: null } : null
  if (secret === null) return null
  const hash = tokenHash(secret)
  const shown = secrets.find(({ secret_hash }) => sameSecret(secret_hash, hash))
  return shown ? { app, is_suspended, secret: shown } : null
}

const SECRET_TOUCH_MS = 60_000

/** Whether the secret's `last_used_at` is due for an update; once a minute is enough to see which secret is unused. */
export function shouldNoteSecretUse({ secret }: KnownClient, now: number): boolean {
  return secret !== null && (secret.last_used_at === null || secret.last_used_at <= now - SECRET_TOUCH_MS)
}

export async function noteSecretUse(tx: Tx, { secret }: KnownClient, now: number): Promise<void> {
  if (!secret) return
  secret.last_used_at = now
  await tx.update(app_secrets).set({ last_used_at: now }).where(eq(app_secrets.id, secret.id))
}

/**
 * Whether this redirect URI of an app is in force. Compared as text (RFC 9700, 4.1.3); only the port of a loopback
 * address may differ, because a native app listens on any free port (RFC 8252, 7.3).
 */
export function isRegistered(app: Pick<App, 'redirect_uris'>, redirect_uri: string): boolean {
  const requested = withoutLoopbackPort(redirect_uri)
  return app.redirect_uris.some(
    (registered) =>
      registered === redirect_uri || (requested !== null && withoutLoopbackPort(registered) === requested),
  )
}

const LOOPBACK = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(?::\d{1,5})?(?=[/?]|$)/

/** A loopback address without its port; null for any other, and for a port above the highest one. */
function withoutLoopbackPort(address: string): string | null {
  return LOOPBACK.test(address) && URL.canParse(address) ? address.replace(LOOPBACK, 'http://$1') : null
}
