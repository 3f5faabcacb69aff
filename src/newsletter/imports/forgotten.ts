import type { ProjectId } from '../../ids.ts'
import { isEmail } from '../../address.ts'
import type { Reader } from '../../store/open.ts'
import type { imports } from '../../store/tables/imports.ts'
import { forgottenAmong } from '../contacts/erasure.ts'

type ImportRow = typeof imports.$inferSelect

/** An import without the addresses of contacts that were deleted, and without samples from the same file. */
export async function withoutForgotten(db: Reader, project_id: ProjectId, row: ImportRow): Promise<ImportRow> {
  const samples = row.columns.flatMap((column) => column.samples)
  const values = row.row_errors.flatMap(({ value }) => value ?? [])
  const addresses = [...new Set([...samples, ...values])].filter((text) => isEmail(text))
  if (addresses.length === 0) return row
  const forgotten = await forgottenAmong(db, project_id, addresses)
  if (forgotten.size === 0) return row
  const hides = samples.some((sample) => forgotten.has(sample))
  return {
    ...row,
    columns: hides ? row.columns.map((column) => ({ ...column, samples: [] })) : row.columns,
    row_errors: row.row_errors.map((error) =>
      error.value !== null && forgotten.has(error.value) ? { ...error, value: null } : error,
    ),
  }
}
