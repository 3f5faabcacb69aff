import { type SQL, sql } from 'drizzle-orm'
import { pushedSweep } from './pushed.ts'
import { LOST_ANSWER_MS } from './tokens.ts'

/** Expired codes are kept for an hour, so that they can be told from unknown ones. */
const CODE_RETENTION_MS = 3_600_000

/**
 * The statements of the hourly cleanup, each removing at most `limit` rows, with RETURNING: expired unused codes, stored
 * refresh responses older than a day, and the codes and refresh tokens of ended authorizations. Used codes and rotated
 * tokens of active authorizations stay, so that a late replay is noticed.
 */
export function oauthSweeps(limit: number, now: number): SQL[] {
  return [
    sql`
      DELETE FROM authorization_codes WHERE code_hash IN (
        SELECT code_hash FROM authorization_codes
        WHERE expires_at <= ${now - CODE_RETENTION_MS} AND authorization_id IS NULL LIMIT ${limit})
      RETURNING 1`,
    sql`
      DELETE FROM authorization_codes WHERE code_hash IN (
        SELECT code.code_hash FROM authorizations ended JOIN authorization_codes code ON code.authorization_id = ended.id
        WHERE ended.revoked_at IS NOT NULL AND code.expires_at <= ${now - CODE_RETENTION_MS} LIMIT ${limit})
      RETURNING 1`,
    sql`
      UPDATE refresh_tokens SET sealed_answer = NULL WHERE token_hash IN (
        SELECT token_hash FROM refresh_tokens
        WHERE sealed_answer IS NOT NULL AND rotated_at <= ${now - LOST_ANSWER_MS} LIMIT ${limit})
      RETURNING 1`,
    sql`
      DELETE FROM refresh_tokens WHERE token_hash IN (
        SELECT token.token_hash FROM authorizations ended JOIN refresh_tokens token ON token.authorization_id = ended.id
        WHERE ended.revoked_at IS NOT NULL LIMIT ${limit})
      RETURNING 1`,
    pushedSweep(limit, now),
  ]
}
