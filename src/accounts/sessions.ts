import { HOUR_MS } from '../clock.ts'
import { note } from '../audit/record.ts'
import { and, desc, eq, gt, lte, ne, sql } from 'drizzle-orm'
import { notFound } from '../errors.ts'
import { newToken, sha256, tokenHash } from '../secrets.ts'
import type { Reader, Tx } from '../store/open.ts'
import { deleteWhere, type RetentionRule } from '../store/retention.ts'
import { sessions } from '../store/tables/accounts.ts'

/** The client address and user agent that started a session, which its user sees. */
export interface Visit {
  address: string
  user_agent: string
  /** The browser's device, once it is known. */
  device_id?: string
}

/** Most sessions of a user; beyond it, those that were used longest ago end. */
const MAX_SESSIONS = 100

/** Starts a session and returns its token; only the hash is stored. Also deletes expired sessions. */
export async function startSession(
  tx: Tx,
  user_id: string,
  { ttl_hours, ...visit }: Visit & { ttl_hours: number },
  now: number,
): Promise<string> {
  const token = newToken('svc_ss_')
  await tx.delete(sessions).where(lte(sessions.expires_at, now))
  await tx.insert(sessions).values({
    token_hash: tokenHash(token),
    user_id,
    created_at: now,
    last_used_at: now,
    expires_at: now + ttl_hours * HOUR_MS,
    confirmed_at: now,
    device_id: visit.device_id ?? null,
    address: visit.address,
    user_agent: visit.user_agent,
  })
  await tx.run(sql`
    DELETE FROM sessions WHERE token_hash IN (
      SELECT token_hash FROM sessions WHERE user_id = ${user_id}
      ORDER BY last_used_at DESC, created_at DESC LIMIT -1 OFFSET ${MAX_SESSIONS})`)
  return token
}

export async function endSession(tx: Tx, token_hash: string): Promise<void> {
  await tx.delete(sessions).where(eq(sessions.token_hash, token_hash))
}

/** Ends a session because its user signs out. */
export async function signOut(tx: Tx, token_hash: string): Promise<void> {
  const [ended] = await tx
    .delete(sessions)
    .where(eq(sessions.token_hash, token_hash))
    .returning({ user_id: sessions.user_id })
  if (ended) note(tx, { action: 'sign-out', actor: `user:${ended.user_id}`, target: `user:${ended.user_id}` })
}

export async function endSessionsOf(tx: Tx, user_id: string): Promise<void> {
  await tx.delete(sessions).where(eq(sessions.user_id, user_id))
}

/** Ends the sessions of a user, or of all users, and answers how many there were. */
export async function endSessions(tx: Tx, user_id?: string): Promise<number> {
  const of = user_id === undefined ? undefined : eq(sessions.user_id, user_id)
  return (await tx.delete(sessions).where(of).returning({ user_id: sessions.user_id })).length
}

/** Ends the sessions of a user, except one. */
export async function endOtherSessions(tx: Tx, user_id: string, session_hash: string): Promise<void> {
  await tx.delete(sessions).where(and(eq(sessions.user_id, user_id), ne(sessions.token_hash, session_hash)))
}

/** Records that the user of a session confirmed the password or another proof of presence now. */
export async function confirmSession(tx: Tx, session_hash: string, now: number): Promise<void> {
  await tx.update(sessions).set({ confirmed_at: now }).where(eq(sessions.token_hash, session_hash))
}

/** A session as its user sees it. */
export interface SessionEntry extends Omit<Visit, 'device_id'> {
  id: string
  token_hash: string
  created_at: number
  last_used_at: number
  expires_at: number
}

/** The active sessions of a user, last used first. */
export async function listSessions(db: Reader, user_id: string, now: number): Promise<SessionEntry[]> {
  const rows = await db
    .select()
    .from(sessions)
    .where(and(eq(sessions.user_id, user_id), gt(sessions.expires_at, now)))
    .orderBy(desc(sessions.last_used_at), desc(sessions.created_at))
  return rows.map((row) => ({ ...row, id: idOf(row.token_hash) }))
}

/** Ends one session of a user and returns its token's hash. NOT_FOUND for another user's session. */
export async function endSessionOf(tx: Tx, user_id: string, id: string, now: number): Promise<string> {
  const session = (await listSessions(tx, user_id, now)).find((entry) => entry.id === id)
  if (!session) throw notFound('session')
  await endSession(tx, session.token_hash)
  return session.token_hash
}

/** A public id derived from the token's hash; the hash cannot be recovered from it. */
function idOf(token_hash: string): string {
  return `ses_${sha256(`session id:${token_hash}`).slice(0, 24)}`
}

export const sessionRetention: RetentionRule = {
  rows: 'sessions',
  kept: 'until they expire',
  statement: (now, limit) => deleteWhere('sessions', 'token_hash', sql`expires_at <= ${now}`, limit),
}
