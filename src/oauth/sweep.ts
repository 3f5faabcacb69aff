import { type SQL, sql } from 'drizzle-orm'
import { pushedSweep } from './pushed.ts'
import { LOST_ANSWER_MS } from './tokens.ts'

/** Codes that have run out unused are told from unknown ones for a while. */
const CODES_KEPT_MS = 3_600_000

/**
 * What the hourly tidying takes away, at most `limit` rows a statement, each with RETURNING: codes out of date that
 * nobody used, kept answers past their day, and the codes and refresh tokens of authorizations that have ended. Used
 * codes and rotated tokens of those that live stay, or a late replay would go unnoticed.
 */
export function oauthSweeps(limit: number, now: number): SQL[] {
  return [
    sql`DELETE FROM authorization_codes WHERE code_hash IN (SELECT code_hash FROM authorization_codes WHERE expires_at <= ${now - CODES_KEPT_MS} AND authorization_id IS NULL LIMIT ${limit}) RETURNING 1`,
    sql`DELETE FROM authorization_codes WHERE code_hash IN (SELECT c.code_hash FROM authorizations a JOIN authorization_codes c ON c.authorization_id = a.id WHERE a.revoked_at IS NOT NULL AND c.expires_at <= ${now - CODES_KEPT_MS} LIMIT ${limit}) RETURNING 1`,
    sql`UPDATE refresh_tokens SET sealed_answer = NULL WHERE token_hash IN (SELECT token_hash FROM refresh_tokens WHERE sealed_answer IS NOT NULL AND rotated_at <= ${now - LOST_ANSWER_MS} LIMIT ${limit}) RETURNING 1`,
    sql`DELETE FROM refresh_tokens WHERE token_hash IN (SELECT r.token_hash FROM authorizations a JOIN refresh_tokens r ON r.authorization_id = a.id WHERE a.revoked_at IS NOT NULL LIMIT ${limit}) RETURNING 1`,
    pushedSweep(limit, now),
  ]
}
