import { createGenerations } from './generations.ts'
import type { ResultSet } from './server-stream.ts'

/**
 * Results of small reads from a libSQL server, which a write may take for current until it has asked again: a request
 * reads its caller before it writes, and once more in the transaction. The transaction sends the read with its next
 * statement instead of waiting for it, and runs the write again when the result is another (server-pipeline.ts).
 */
export interface RememberedReads {
  find(sql: string, params: readonly unknown[]): ResultSet | null
  /** Keeps a result that is small. */
  note(sql: string, params: readonly unknown[], result: ResultSet): void
}

const KEPT = 500
const MAX_ROWS = 4
const MAX_CHARACTERS = 2_000
const READ = /^\s*SELECT\b/i

export function createRememberedReads(): RememberedReads {
  const known = createGenerations<ResultSet>(KEPT)
  return {
    find: (sql, params) => (isRead(sql) ? (known.get(keyOf(sql, params)) ?? null) : null),
    note(sql, params, result) {
      if (isRead(sql) && isSmall(result)) known.set(keyOf(sql, params), result)
    },
  }
}

export function isRead(sql: string): boolean {
  return READ.test(sql)
}

export function keyOf(sql: string, params: readonly unknown[]): string {
  return `${JSON.stringify(params)} ${sql}`
}

function isSmall({ rows }: ResultSet): boolean {
  if (rows.length > MAX_ROWS) return false
  let characters = 0
  for (const value of rows.flat()) {
    if (typeof value === 'object' && value !== null) return false
    characters += typeof value === 'string' ? value.length : 8
  }
  return characters <= MAX_CHARACTERS
}
