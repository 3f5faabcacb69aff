import type { ProjectId } from '../../ids.ts'
import { and, eq, getTableColumns, inArray, sql } from 'drizzle-orm'
import { invalidState, requireRoom } from '../../errors.ts'
import type { Tx } from '../../store/open.ts'
import { type Encoding, imports, type ImportStatus } from '../../store/tables/imports.ts'
import { one, oneOrNotFound } from '../../store/rows.ts'

/**
 * The states of an import (docs/api/imports.md#steps).
 *
 *   staged ◄─► validated ──► queued ──► processing ──► completed
 *     ↺            ↺                     │      ▲
 *                                        ▼      │
 *                                        failed ┘
 *
 *   staged, validated, queued, processing ──► cancelled
 *   queued ──► failed
 *
 *   staged      the file is stored; a choice of another encoding leads back here, and so does a dry-run by a job, until
 *               it is done
 *   validated   a dry-run has read it; a later dry-run replaces this one
 *   queued      committed; its job waits
 *   processing  its job saves page after page
 *   completed   every row was saved, or counted as skipped or failed
 *   failed      the job gave up; `jobs/requeue` runs it again
 *   cancelled   ended by `imports/cancel`, or by the cleanup of failed imports and of those that were not committed
 *               (storage.ts); contacts that were saved stay
 */
const FROM: Record<ImportStatus, readonly ImportStatus[]> = {
  staged: ['staged', 'validated'],
  validated: ['staged', 'validated'],
  queued: ['validated'],
  processing: ['queued', 'failed'],
  completed: ['processing'],
  failed: ['queued', 'processing', 'failed'],
  cancelled: ['staged', 'validated', 'queued', 'processing'],
}

export type ImportRow = typeof imports.$inferSelect

/** Inserts an import in its first state. */
export async function stageImport(
  tx: Tx,
  {
    now,
    ...row
  }: Pick<ImportRow, 'project_id' | 'filename' | 'size_bytes' | 'delimiter' | 'columns'> & {
    upload_total?: number
    encoding_found?: Encoding
    now: number
  },
): Promise<ImportRow> {
  const staged = { ...row, status: 'staged' as const, created_at: now, updated_at: now }
  return one(await tx.insert(imports).values(staged).returning())
}

const UNFINISHED: ImportStatus[] = ['staged', 'validated', 'queued', 'processing']
const MAX_UNFINISHED = 20
/** The most bytes of all unfinished files of a project together: two of the largest uploads. */
const MAX_UNFINISHED_BYTES = 2 * 1024 ** 3

/**
 * INVALID_STATE when too many imports of the project have not ended, or with a file of this size would take too much.
 */
export async function requireRoomForImport(tx: Tx, project_id: ProjectId, bytes: number): Promise<void> {
  const { count, held } = one(
    await tx
      .select({
        count: sql<number>`count(*)`,
        held: sql<number>`coalesce(sum(coalesce(${imports.upload_total}, ${imports.size_bytes})), 0)`,
      })
      .from(imports)
      .where(and(eq(imports.project_id, project_id), inArray(imports.status, UNFINISHED))),
  )
  requireRoom(count, MAX_UNFINISHED, 'unfinished imports')
  if (held + bytes > MAX_UNFINISHED_BYTES)
    throw invalidState(`The unfinished imports of a project take at most ${MAX_UNFINISHED_BYTES} bytes.`, 'full')
}

interface ImportMove {
  project_id: ProjectId
  import_id: number
  to: ImportStatus
  /** Columns that change together with the state. */
  set?: Partial<Omit<ImportRow, 'id' | 'project_id' | 'status'>>
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
  const present = oneOrNotFound(
    await tx.select({ status: imports.status }).from(imports).where(own),
    'import',
    '/import_id',
  )
  throw invalidMove(present.status, to)
}

/** INVALID_STATE while parts of the file are missing. */
export function requireWhole({ upload_total, size_bytes, status }: ImportRow): void {
  if (upload_total !== null) throw invalidState(`Only ${size_bytes} of ${upload_total} bytes are uploaded.`, status)
}

/** Throws as `moveImport` would, before the work that precedes the move. */
export function requireMove({ status }: ImportRow, to: ImportStatus): void {
  if (!FROM[to].includes(status)) throw invalidMove(status, to)
}

function invalidMove(present: ImportStatus, to: ImportStatus) {
  if (present === 'staged' && to === 'queued') return invalidState('Run imports/dry-run first.', present)
  return invalidState(`The import is ${present} and cannot be ${WORDS[to] ?? to}.`, present)
}

/** What a move into these states is called. */
const WORDS: Partial<Record<ImportStatus, string>> = { queued: 'committed', staged: 'read again' }
