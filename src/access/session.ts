import { and, eq, gt, isNull } from 'drizzle-orm'
import { AppError } from '../errors.ts'
import { errorFields } from '../log.ts'
import { tokenHash } from '../secrets.ts'
import type { Runtime } from '../runtime.ts'
import type { Reader, Tx } from '../store/open.ts'
import { first } from '../store/rows.ts'
import { sessions, users } from '../store/tables/accounts.ts'
import type { SessionCaller } from './caller.ts'

export const SESSION_COOKIE = 'masthead_session'

const HOUR_MS = 60 * 60 * 1000

/** The hash of the session token that a Cookie header carries, or null. */
export function sessionHashIn(cookies: string | null): string | null {
  for (const pair of (cookies ?? '').split(';')) {
    const [name, value] = pair.trim().split('=', 2)
    if (name === SESSION_COOKIE && value !== undefined && /^svc_ss_[\w-]{43}$/.test(value)) return tokenHash(value)
  }
  return null
}

/** The signed-in user, or null: no cookie, an ended or expired session, a disabled user. Use extends the session. */
export async function findSession(
  runtime: Runtime,
  cookies: string | null,
  now: number,
): Promise<SessionCaller | null> {
  const session_hash = sessionHashIn(cookies)
  if (session_hash === null) return null
  const row = await readSession(runtime.store.db, session_hash, now)
  if (!row) return null
  await extend(runtime, session_hash, row.last_used_at, now)
  return { kind: 'session', session_hash, user_id: row.user_id }
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
      .select({ user_id: sessions.user_id, last_used_at: sessions.last_used_at })
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

/** Extends a session, at most once an hour (twice in the life of a session that is shorter than that). */
async function extend(runtime: Runtime, session_hash: string, last_used_at: number, now: number): Promise<void> {
  const ttl_ms = runtime.config.session_ttl_hours * HOUR_MS
  if (now - last_used_at < Math.min(HOUR_MS, ttl_ms / 2)) return
  try {
    await runtime.store.write((tx) =>
      tx
        .update(sessions)
        .set({ last_used_at: now, expires_at: now + ttl_ms })
        .where(eq(sessions.token_hash, session_hash)),
    )
  } catch (error) {
    runtime.log.warn('the last use of a session was not stored', errorFields(error))
  }
}
