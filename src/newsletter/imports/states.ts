import type { ProjectId } from '../../ids.ts'
import { and, eq, getTableColumns, inArray } from 'drizzle-orm'
import { invalidState, notFound } from '../../errors.ts'
import type { Tx } from '../../store/open.ts'
import { imports, type ImportStatus } from '../../store/tables/imports.ts'

/**
 * The life of an import.
 *
 *   staged ──► validated ──► queued ──► processing ──► completed
 *                  ↺                     │      ▲
 *                                        ▼      │
 *                                        failed ┘
 *
 *   staged, validated, queued, processing ──► cancelled
 *   queued ──► failed ──► cancelled
 *
 *   staged      its file is there
 *   validated   a dry-run has read it; another dry-run takes the place of that one
 *   queued      committed: its job waits
 *   processing  its job takes in page after page
 *   completed   every row was taken in, or counted as skipped or failed
 *   failed      the job cannot go on; `jobs/requeue` makes it try again, and it may fail again
 *   cancelled   ended by people, or never committed or tried again (storage.ts); what was taken in stays
 */
const FROM: Record<ImportStatus, readonly ImportStatus[]> = {
  staged: [],
  validated: ['staged', 'validated'],
  queued: ['validated'],
  processing: ['queued', 'failed'],
  completed: ['processing'],
  failed: ['queued', 'processing', 'failed'],
  cancelled: ['staged', 'validated', 'queued', 'processing'],
}

export type ImportRow = typeof imports.$inferSelect

/** What of an import changes together with its state. */
export type ImportChanges = Partial<
  Pick<
    ImportRow,
    | 'size_bytes'
    | 'delimiter'
    | 'columns'
    | 'mapping'
    | 'options'
    | 'fields'
    | 'summary'
    | 'row_errors'
    | 'job_id'
    | 'error'
    | 'finished_at'
  >
>

export interface ImportMove {
  project_id: ProjectId
  import_id: number
  to: ImportStatus
  set?: ImportChanges
  now: number
}

/**
 * Moves an import to another state. Throws NOT_FOUND for one that the project does not have, and INVALID_STATE with
 * `details.state` when its present state does not allow the move.
 */
export async function moveImport(tx: Tx, { project_id, import_id, to, set = {}, now }: ImportMove): Promise<ImportRow> {
  const own = and(eq(imports.id, import_id), eq(imports.project_id, project_id))
  const [moved] = await tx
    .update(imports)
    .set({ ...set, status: to, updated_at: now })
    .where(and(own, inArray(imports.status, [...FROM[to]])))
    .returning(getTableColumns(imports))
  if (moved) return moved
  const [present] = await tx.select({ status: imports.status }).from(imports).where(own)
  if (!present) throw notFound('import', '/import_id')
  throw invalidMove(present.status, to)
}

/** Throws as `moveImport` would; for work that comes before the move. */
export function requireMove({ status }: ImportRow, to: ImportStatus): void {
  if (!FROM[to].includes(status)) throw invalidMove(status, to)
}

function invalidMove(present: ImportStatus, to: ImportStatus) {
  return invalidState(`The import is ${PRESENT[present]} and cannot be ${ASKED[to]}.`, present)
}

const PRESENT: Record<ImportStatus, string> = {
  staged: 'staged, without a dry-run,',
  validated: 'validated',
  queued: 'queued',
  processing: 'being processed',
  completed: 'completed',
  failed: 'failed',
  cancelled: 'cancelled',
}

const ASKED: Record<ImportStatus, string> = {
  staged: 'staged',
  validated: 'validated',
  queued: 'committed',
  processing: 'processed',
  completed: 'completed',
  failed: 'failed',
  cancelled: 'cancelled',
}
