import { DAY_MS, HOUR_MS, MINUTE_MS } from '../clock.ts'
import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import { unaudited } from '../audit/record.ts'
import { AppError } from '../errors.ts'
import { errorFields } from '../log.ts'
import { tokenHash } from '../secrets.ts'
import type { Runtime } from '../runtime.ts'
import type { Reader, Tx } from '../store/open.ts'
import { first } from '../store/rows.ts'
import { sessions, users } from '../store/tables/accounts.ts'
import type { SessionCaller } from './caller.ts'

export const SESSION_COOKIE = 'masthead_session'

/** How long a sign-in or a confirmation counts as fresh. */
const FRESH_MS = 10 * MINUTE_MS

/**
 * The name of a cookie of the whole service. On https the prefix makes browsers refuse one that another host, another
 * path or an unencrypted page has set (RFC 6265bis, 4.1.3.2).
 */
export function cookieName(base_url: string, plain: string): string {
  return base_url.startsWith('https:') ? `__Host-${plain}` : plain
}

/** The values of a cookie in a Cookie header. */
function cookieValues(cookies: string | null, name: string): string[] {
  return (cookies ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
}

/** The value of a cookie of the service, or null. */
export function cookieIn(base_url: string, cookies: string | null, plain: string): string | null {
  return cookieValues(cookies, cookieName(base_url, plain))[0] ?? null
}

/**
 * The hash of the session token that a Cookie header carries, or null. VALIDATION_FAILED for two session cookies: one
 * of them may be another person's, planted to be used in place of the user's own.
 */
export function sessionHashIn({ base_url }: Pick<Runtime, 'base_url'>, cookies: string | null): string | null {
  const [value, second] = cookieValues(cookies, cookieName(base_url, SESSION_COOKIE))
  if (second !== undefined)
    throw new AppError(
      'VALIDATION_FAILED',
      'The request has two session cookies. Delete the cookies of this site, then sign in again.',
    )
  return value !== undefined && /^svc_ss_[\w-]{43}$/.test(value) ? tokenHash(value) : null
}

/** The signed-in user, or null: no cookie, an ended or expired session, a disabled user. Use extends the session. */
export async function findSession(
  runtime: Runtime,
  cookies: string | null,
  now: number,
): Promise<SessionCaller | null> {
  const session_hash = sessionHashIn(runtime, cookies)
  if (session_hash === null) return null
  const row = await readSession(runtime.store.db, session_hash, now)
  if (!row) return null
  const { user_id, last_used_at, confirmed_at } = row
  await extend(runtime, session_hash, last_used_at, now)
  return { kind: 'session', session_hash, user_id, confirmed_at }
}

/**
 * Throws CONFIRMATION_REQUIRED when the user neither signed in nor confirmed within 10 minutes, so that an open browser
 * cannot be used to take the account over (docs/api/platform.md#confirmation).
 */
export function requireConfirmed({ confirmed_at }: SessionCaller, now: number): void {
  if (now - confirmed_at >= FRESH_MS)
    throw new AppError('CONFIRMATION_REQUIRED', 'Confirm that it is you: with your password or a passkey.')
}

/** Until when a session counts as confirmed. */
export function confirmedUntil({ confirmed_at }: SessionCaller): number {
  return confirmed_at + FRESH_MS
}

/** As `findSession`; throws UNAUTHORIZED without a session. */
export async function requireSession(runtime: Runtime, cookies: string | null, now: number): Promise<SessionCaller> {
  const caller = await findSession(runtime, cookies, now)
  if (!caller) throw signInFirst()
  return caller
}

/** UNAUTHORIZED when a session that was found before has ended, as a write transaction sees it. */
export async function requireSessionIn(tx: Tx, { session_hash }: SessionCaller, now: number): Promise<void> {
  if (!(await readSession(tx, session_hash, now))) throw signInFirst()
}

async function readSession(db: Reader, session_hash: string, now: number) {
  return first(
    await db
      .select({
        user_id: sessions.user_id,
        last_used_at: sessions.last_used_at,
        confirmed_at: sessions.confirmed_at,
      })
      .from(sessions)
      .innerJoin(users, eq(users.id, sessions.user_id))
      .where(and(eq(sessions.token_hash, session_hash), gt(sessions.expires_at, now), isNull(users.disabled_at))),
  )
}

function signInFirst(): AppError {
  return new AppError('UNAUTHORIZED', 'Sign in first.', {
    headers: { 'WWW-Authenticate': 'Bearer realm="masthead"' },
  })
}

/**
 * Extends a session, at most once an hour (twice in the life of a session that is shorter than that), and never beyond
 * the longest life of a session.
 */
async function extend(runtime: Runtime, session_hash: string, last_used_at: number, now: number): Promise<void> {
  const { session_ttl_hours, session_longest_days } = runtime.config
  const ttl_ms = session_ttl_hours * HOUR_MS
  const longest_ms = session_longest_days * DAY_MS
  if (now - last_used_at < Math.min(HOUR_MS, ttl_ms / 2)) return
  try {
    await unaudited(runtime.store).write(
      (tx) =>
        tx
          .update(sessions)
          .set({ last_used_at: now, expires_at: sql`min(${now + ttl_ms}, ${sessions.created_at} + ${longest_ms})` })
          .where(eq(sessions.token_hash, session_hash)),
      { durable: false },
    )
  } catch (error) {
    runtime.log.warn('the last use of a session was not stored', errorFields(error))
  }
}
