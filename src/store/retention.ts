import { sql, type SQL } from 'drizzle-orm'
import type { Store } from './store.ts'

/**
 * Removes the rows of a table that are older than their retention period. Each rule is declared beside the code that
 * writes the rows; `src/maintenance.ts` lists them all.
 */
export interface RetentionRule {
  /** The first column of the table in docs/api/limits.md#retention. */
  rows: string
  /** The retention period, in words. */
  kept: string
  /** Most rows that one transaction removes; 1000 when left out. */
  batch?: number
  /** Removes or empties at most `limit` expired rows, with RETURNING. */
  statement(now: number, limit: number): SQL
}

const BATCH = 1000

/** Runs every rule once, each in a transaction of its own. True when a rule has more rows to remove. */
export async function applyRetention(
  store: Pick<Store, 'write'>,
  rules: readonly RetentionRule[],
  now: number,
): Promise<boolean> {
  let more = false
  for (const { statement, batch = BATCH } of rules) {
    const removed = await store.write((tx) => tx.all(statement(now, batch)), { durable: false })
    more ||= removed.length === batch
  }
  return more
}

/** SQL condition: rows of a project that match `condition`, beyond the `most` newest of them. */
export function surplusOf(table: string, condition: SQL, most: number): SQL {
  return sql`id IN (
    SELECT id FROM (
      SELECT id, row_number() OVER (PARTITION BY project_id ORDER BY created_at DESC, id DESC) AS place
      FROM ${sql.raw(table)} WHERE ${condition})
    WHERE place > ${most})`
}

/** Deletes at most `limit` rows of a table that fulfill a condition. `key` is its primary key, as a list of columns. */
export function deleteWhere(table: string, key: string, condition: SQL, limit: number): SQL {
  const [from, columns] = [sql.raw(table), sql.raw(key)]
  return sql`
    DELETE FROM ${from} WHERE (${columns}) IN (SELECT ${columns} FROM ${from} WHERE ${condition} LIMIT ${limit})
    RETURNING 1`
}
