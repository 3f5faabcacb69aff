import { eq, lte } from 'drizzle-orm'
import { newToken, tokenHash } from '../secrets.ts'
import type { Tx } from '../store/open.ts'
import { sessions } from '../store/tables/accounts.ts'

/** Where a session was begun from; shown to its owner. */
export interface Visit {
  address: string
  user_agent: string
}

const HOUR_MS = 60 * 60 * 1000

/** Begins a session and answers its token, which is stored as a hash only. Sessions that have run out are removed. */
export async function startSession(tx: Tx, user_id: string, visit: Visit, ttl_hours: number, now: number): Promise<string> {
  const token = newToken('svc_ss_')
  await tx.delete(sessions).where(lte(sessions.expires_at, now))
  await tx.insert(sessions).values({
    token_hash: tokenHash(token), user_id, created_at: now, last_used_at: now, expires_at: now + ttl_hours * HOUR_MS,
    address: visit.address, user_agent: visit.user_agent,
  })
  return token
}

export async function endSession(tx: Tx, token_hash: string): Promise<void> {
  await tx.delete(sessions).where(eq(sessions.token_hash, token_hash))
}

export async function endSessionsOf(tx: Tx, user_id: string): Promise<void> {
  await tx.delete(sessions).where(eq(sessions.user_id, user_id))
}
