import { sql } from 'drizzle-orm'
import { AppError, requireRoom } from '../errors.ts'
import type { ProjectId } from '../ids.ts'
import type { Tx } from '../store/open.ts'
import { one } from '../store/rows.ts'
import type { UsageKind } from '../store/tables/accounts.ts'

/** What a project may hold of one kind (docs/api/limits.md#stored-data). */
export interface UsageLimit {
  kind: UsageKind
  /** The plural that a refusal names. */
  what: string
  rows: number
  /** Most bytes of all rows together. */
  bytes: number
}

/**
 * Counts new rows of a project. Counters are kept beside the rows, because counting rows takes longer the more there
 * are. INVALID_STATE when the rows or their bytes would exceed the limit; the caller's transaction then rolls back.
 */
export async function addUsage(
  tx: Tx,
  project_id: ProjectId,
  added: { rows: number; bytes: number },
  { kind, what, rows, bytes }: UsageLimit,
): Promise<void> {
  const used = one(
    await tx.all<{ rows: number; bytes: number }>(sql`
      INSERT INTO project_usage (project_id, kind, rows, bytes)
      VALUES (${project_id}, ${kind}, ${added.rows}, ${added.bytes})
      ON CONFLICT (project_id, kind) DO UPDATE SET rows = rows + ${added.rows}, bytes = bytes + ${added.bytes}
      RETURNING rows, bytes`),
  )
  requireRoom(used.rows - 1, rows, what)
  if (used.bytes > bytes)
    throw new AppError('INVALID_STATE', `The ${what} of a project can take at most ${bytes} bytes.`, {
      details: { state: 'full', limit: bytes },
    })
}
