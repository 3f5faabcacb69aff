import { invalid, invalidState } from '../../errors.ts'
import type { ProjectId } from '../../ids.ts'
import type { Store, Tx } from '../../store/open.ts'
import { type Encoding, imports } from '../../store/tables/imports.ts'
import { and, eq } from 'drizzle-orm'
import { findHead, type FoundHead } from './head.ts'
import { getImport } from './resource.ts'
import { type ImportRow, requireRoomForImport, stageImport } from './states.ts'
import { appendText } from './storage.ts'
import { one } from '../../store/rows.ts'

/** The upload of a file in parts, each at most this large (docs/api/imports.md#large-files). */
export const MAX_PART_BYTES = 8 * 1024 * 1024
/** Largest file of an upload. */
const MAX_UPLOAD_BYTES = 1024 * 1024 * 1024

/** Where a part belongs, by Content-Range (RFC 9110, section 14.4); `from` is null for a question how much is there. */
interface PartRange {
  from: number | null
  total: number
}

const RANGE = /^bytes (?:(\d{1,15})-(\d{1,15})|\*)\/(\d{1,15})$/

/** Reads a Content-Range; without one the part is the whole file. Throws VALIDATION_FAILED. */
export function partRange(header: string | null, length: number): PartRange {
  if (header === null) return { from: 0, total: length }
  const [, first, last, all] = RANGE.exec(header.trim()) ?? []
  if (all === undefined) throw invalid('', 'Expected Content-Range: bytes FIRST-LAST/TOTAL, or bytes */TOTAL.')
  const total = Number(all)
  if (total === 0 || total > MAX_UPLOAD_BYTES)
    throw invalid('', `A file has at most ${MAX_UPLOAD_BYTES} bytes: use masthead contacts import for a larger one.`)
  if (first === undefined) {
    if (length > 0) throw invalid('', 'A request that asks how much is there has no body.')
    return { from: null, total }
  }
  const [from, to] = [Number(first), Number(last)]
  if (to - from + 1 !== length || to >= total) throw invalid('', 'Content-Range does not fit the body.')
  return { from, total }
}

/** Finds the columns in the first part of a file. */
export function headOfPart(store: Omit<Store, 'write'>, project_id: ProjectId, bytes: Uint8Array): Promise<FoundHead> {
  return findHead(store, { project_id, file: { bytes }, cells_of: [] }, '')
}

export interface Part {
  project_id: ProjectId
  /** The columns, in the first part. */
  head: FoundHead | null
  /** The import that the first part began; undefined in the first part. */
  import_id: number | undefined
  filename: string
  range: PartRange
  bytes: Uint8Array
  /** As `encodingOf` finds it. */
  encoding: Encoding
  now: number
}

/** Stores a part; INVALID_STATE, with the next byte, when it is not the next one. */
export async function receivePart(tx: Tx, part: Part): Promise<ImportRow> {
  const { project_id, import_id, range, bytes, now } = part
  const row = import_id === undefined ? await begin(tx, part) : await getImport(tx, project_id, import_id)
  if (range.from === null || (row.upload_total === null && range.total === row.size_bytes)) return row
  const { size_bytes: received } = row
  if (row.status !== 'staged' || range.total !== row.upload_total || range.from !== received)
    throw invalidState(`The next byte is ${received} of ${row.upload_total ?? received}.`, row.status)
  await appendText(tx, row.id, bytes)
  const size_bytes = received + bytes.byteLength
  // The first part that is not UTF-8 tells how the file is read.
  const encoding_found = row.encoding_found === 'utf-8' ? part.encoding : row.encoding_found
  const upload_total = size_bytes === range.total ? null : range.total
  const set = { size_bytes, encoding_found, upload_total, updated_at: now }
  return one(
    await tx
      .update(imports)
      .set(set)
      .where(and(eq(imports.id, row.id), eq(imports.project_id, project_id)))
      .returning(),
  )
}

async function begin(tx: Tx, { project_id, head, filename, range, now }: Part): Promise<ImportRow> {
  if (range.from !== 0 || !head) throw invalid('/import_id', 'Required for every part but the first.')
  await requireRoomForImport(tx, project_id, range.total)
  const { delimiter, columns } = head
  const begun = { filename, size_bytes: 0, upload_total: range.total, encoding_found: 'utf-8' as const }
  return stageImport(tx, { project_id, ...begun, delimiter, columns, now })
}
