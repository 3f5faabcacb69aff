import { invalidState } from '../../errors.ts'
import type { ProjectId } from '../../ids.ts'
import type { Store, Tx } from '../../store/open.ts'
import type { Encoding } from '../../store/tables/imports.ts'
import { cancelExaminations } from './examine-job.ts'
import { findHead, type FoundHead } from './head.ts'
import { getImport } from './resource.ts'
import { type ImportRow, moveImport, requireMove, requireWhole } from './states.ts'
import { dropPages } from './storage.ts'

/** Another encoding for an uploaded file (docs/api/imports.md#encoding). */
interface Choice {
  project_id: ProjectId
  import_id: number
  /** Null to read the file as it was found. */
  encoding: Encoding | null
}

/** Finds the columns of a stored file by an encoding. Throws INVALID_STATE, or VALIDATION_FAILED for no columns. */
export async function headByEncoding(store: Omit<Store, 'write'>, { encoding, ...which }: Choice): Promise<FoundHead> {
  const { project_id, import_id } = which
  const row = await getImport(store.db, project_id, import_id)
  requireMove(row, 'staged')
  requireWhole(row)
  const file = { import_id, encoding, delimiter: null }
  return findHead(store, { project_id, file, cells_of: [] }, '/encoding')
}

/** Stores the encoding and the columns that were read by it. What a dry-run found goes: another one has to follow. */
export async function chooseEncoding(
  tx: Tx,
  { project_id, import_id, encoding }: Choice,
  { delimiter, columns, now }: Pick<FoundHead, 'delimiter' | 'columns'> & { now: number },
): Promise<ImportRow> {
  await cancelExaminations(tx, { project_id, import_id, now })
  await dropPages(tx, import_id)
  const former = { mapping: null, options: null, fields: null, summary: null, findings: null, row_errors: [] }
  const set = { encoding, delimiter, columns, ...former }
  return moveImport(tx, { project_id, import_id, to: 'staged', set, now })
}

/** INVALID_STATE when somebody chose another encoding since the file was read. */
export async function requireEncoding(tx: Tx, { project_id, import_id, encoding }: Choice): Promise<void> {
  const row = await getImport(tx, project_id, import_id)
  if (row.encoding !== encoding) throw invalidState('Another encoding was chosen meanwhile. Check again.', row.status)
}
