import { HOUR_MS } from '../clock.ts'
import { sql } from 'drizzle-orm'
import { AppError, requireRoom } from '../errors.ts'
import type { ProjectId } from '../ids.ts'
import type { Reader, Tx } from '../store/open.ts'
import { first } from '../store/rows.ts'
import type { UsageKind } from '../store/tables/accounts.ts'

/**
 * Counters of what a project holds, beside the rows, because counting rows takes longer the more there are. Triggers of
 * the database keep them (docs/architecture.md#triggers).
 */

/** The limit of one kind of stored data in a project (docs/api/limits.md#stored-data). */
interface UsageLimit {
  kind: UsageKind
  /** The plural that a refusal names. */
  what: string
  rows: number
  /** Most bytes of all rows together. */
  bytes: number
}

const MEBIBYTE = 1024 ** 2

/** The limits of what a project holds. Settings replace `rows` of form entries and files. */
export const USAGE_LIMITS: Readonly<Record<Exclude<UsageKind, 'contacts'>, UsageLimit>> = {
  suppressions: { kind: 'suppressions', what: 'suppressions', rows: 5_000_000, bytes: 0 },
  pages: { kind: 'pages', what: 'pages', rows: 5000, bytes: 1024 * MEBIBYTE },
  posts: { kind: 'posts', what: 'posts', rows: 50_000, bytes: 512 * MEBIBYTE },
  directory_items: { kind: 'directory_items', what: 'directory items', rows: 50_000, bytes: 256 * MEBIBYTE },
  form_entries: { kind: 'form_entries', what: 'form entries', rows: 50_000, bytes: 256 * MEBIBYTE },
  files: { kind: 'files', what: 'files', rows: 5000, bytes: 1024 * MEBIBYTE },
  site_files: { kind: 'site_files', what: 'files of the site', rows: 5000, bytes: 1024 * MEBIBYTE },
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

/** Whether a project may get another row of a kind. */
export async function hasRoomFor(db: Reader, project_id: ProjectId, { kind, rows }: UsageLimit): Promise<boolean> {
  const used = await db.all<{ rows: number }>(
    sql`SELECT rows FROM project_usage WHERE project_id = ${project_id} AND kind = ${kind}`,
  )
  return (first(used)?.rows ?? 0) < rows
}

/** The first hour, counted since 1970, of the calendar month (UTC) for which messages are counted. */
export function firstHourOfMonth(now: number): number {
  const date = new Date(now)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1) / HOUR_MS
}

interface Used {
  kind: UsageKind
  rows: number
  bytes: number
}

/** A project's usage of each counted kind; kinds that it never had are missing. */
export function usageOf(db: Reader, project_id: ProjectId): Promise<Used[]> {
  return db.all(sql`SELECT kind, rows, bytes FROM project_usage WHERE project_id = ${project_id}`)
}
