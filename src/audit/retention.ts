import { DAY_MS } from '../clock.ts'
import { sql } from 'drizzle-orm'
import type { Keys } from '../secrets.ts'
import type { Store } from '../store/open.ts'
import type { RetentionRule } from '../store/retention.ts'
import { writeChain } from './chain.ts'

const AUDIT_RETENTION_MS = 400 * DAY_MS

/** Removes the oldest rows only: nothing before a row that stays. */
export const auditRetention: RetentionRule = {
  rows: 'audit log',
  kept: '400 days',
  statement: (now, limit) => sql`
    WITH oldest AS (SELECT id, at FROM audit_log ORDER BY id LIMIT ${limit})
    DELETE FROM audit_log WHERE id IN (
      SELECT id FROM oldest WHERE id < coalesce(
        (SELECT min(id) FROM oldest WHERE at > ${now - AUDIT_RETENTION_MS}), 9223372036854775807))
    RETURNING id, hash`,
}

/**
 * Removes a batch of expired rows and moves the beginning of the chain behind them. Also signs the ends with the newest
 * key once an earlier one has signed them. True when more may follow.
 */
export async function removeOldRows(store: Pick<Store, 'write'>, keys: Keys, now: number): Promise<boolean> {
  const limit = auditRetention.batch ?? 1000
  return store.write(async (tx) => {
    const removed = await tx.all<{ id: number; hash: string }>(auditRetention.statement(now, limit))
    const last = removed.toSorted((a, b) => a.id - b.id).at(-1)
    if (last) tx.beforeCommit(writeChain, { keys, removed: last })
    const [chain] = await tx.all<{ seal: string }>(sql`SELECT seal FROM audit_chain`)
    if (chain && chain.seal !== '' && !chain.seal.startsWith(keys.newest_id))
      tx.beforeCommit(writeChain, { keys, seal: 'again' })
    return removed.length === limit
  })
}
