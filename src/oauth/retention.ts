import { DAY_MS, HOUR_MS } from '../clock.ts'
import { sql } from 'drizzle-orm'
import { deleteWhere, type RetentionRule } from '../store/retention.ts'
import { LOST_ANSWER_MS } from './tokens.ts'

const ENDED_RETENTION_MS = 400 * DAY_MS

/** Used codes and rotated tokens of active authorizations stay, so that a late replay is noticed. */
export const oauthRetention: readonly RetentionRule[] = [
  {
    rows: 'access tokens',
    kept: '24 hours after their end, so that they can be told from unknown ones',
    statement: (now, limit) => deleteWhere('access_tokens', 'token_hash', sql`expires_at <= ${now - DAY_MS}`, limit),
  },
  {
    rows: 'unused authorization codes',
    kept: '1 hour after their end, so that they can be told from unknown ones',
    statement: (now, limit) =>
      deleteWhere(
        'authorization_codes',
        'code_hash',
        sql`expires_at <= ${now - HOUR_MS} AND authorization_id IS NULL`,
        limit,
      ),
  },
  {
    rows: 'authorization codes of ended authorizations',
    kept: '1 hour after their end',
    statement: (now, limit) => sql`
      DELETE FROM authorization_codes WHERE code_hash IN (
        SELECT code.code_hash
        FROM authorizations ended JOIN authorization_codes code ON code.authorization_id = ended.id
        WHERE ended.revoked_at IS NOT NULL AND code.expires_at <= ${now - HOUR_MS} LIMIT ${limit})
      RETURNING 1`,
  },
  {
    rows: 'stored answers to refresh requests',
    kept: '24 hours',
    statement: (now, limit) => sql`
      UPDATE refresh_tokens SET sealed_answer = NULL WHERE token_hash IN (
        SELECT token_hash FROM refresh_tokens
        WHERE sealed_answer IS NOT NULL AND rotated_at <= ${now - LOST_ANSWER_MS} LIMIT ${limit})
      RETURNING 1`,
  },
  {
    rows: 'refresh tokens',
    kept: 'as long as their authorization',
    statement: (_, limit) => sql`
      DELETE FROM refresh_tokens WHERE token_hash IN (
        SELECT token.token_hash FROM authorizations ended JOIN refresh_tokens token ON token.authorization_id = ended.id
        WHERE ended.revoked_at IS NOT NULL LIMIT ${limit})
      RETURNING 1`,
  },
  {
    rows: 'ended authorizations',
    kept: '400 days',
    statement: (now, limit) =>
      deleteWhere('authorizations', 'id', sql`revoked_at <= ${now - ENDED_RETENTION_MS}`, limit),
  },
  {
    rows: 'revoked secrets of apps',
    kept: '400 days',
    statement: (now, limit) => deleteWhere('app_secrets', 'id', sql`revoked_at <= ${now - ENDED_RETENTION_MS}`, limit),
  },
  {
    rows: 'pushed authorization requests',
    kept: 'until they expire',
    statement: (now, limit) => deleteWhere('pushed_requests', 'request_hash', sql`expires_at <= ${now}`, limit),
  },
]
