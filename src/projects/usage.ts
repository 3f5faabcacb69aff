import { sql } from 'drizzle-orm'
import { AppError, requireRoom } from '../errors.ts'
import type { ProjectId } from '../ids.ts'
import type { Tx } from '../store/open.ts'
import { first } from '../store/rows.ts'
import type { UsageKind } from '../store/tables/accounts.ts'

/**
 * Counters of what a project holds, beside the rows, because counting rows takes longer the more there are. Triggers of
 * the database keep them (migrations/0001_baseline.sql), except that of contacts, which come in thousands.
 */

/** What a project may hold of one kind (docs/api/limits.md#stored-data). */
export interface UsageLimit {
  kind: UsageKind
  /** The plural that a refusal names. */
  what: string
  rows: number
  /** Most bytes of all rows together. */
  bytes: number
}

/** Throws INVALID_STATE when what this transaction wrote exceeds a limit; the transaction then rolls back. */
export async function requireUsage(
  tx: Tx,
  project_id: ProjectId,
  { kind, what, rows, bytes }: UsageLimit,
): Promise<void> {
  const used = first(
    await tx.all<{ rows: number; bytes: number }>(
      sql`SELECT rows, bytes FROM project_usage WHERE project_id = ${project_id} AND kind = ${kind}`,
    ),
  )
  if (!used) return
  requireRoom(used.rows - 1, rows, what)
  if (used.bytes > bytes)
    throw new AppError('INVALID_STATE', `The ${what} of a project can take at most ${bytes} bytes.`, {
      details: { state: 'full', limit: bytes },
    })
}

/** Adds to the number of a project's contacts, or takes from it. */
export async function countContacts(tx: Tx, project_id: ProjectId, added: number): Promise<void> {
  await tx.run(sql`
    INSERT INTO project_usage (project_id, kind, rows, bytes) VALUES (${project_id}, 'contacts', ${added}, 0)
    ON CONFLICT (project_id, kind) DO UPDATE SET rows = rows + ${added}`)
}

/** The first hour, counted since 1970, of the calendar month (UTC) for which messages are counted. */
export function firstHourOfMonth(now: number): number {
  const date = new Date(now)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1) / 3_600_000
}
