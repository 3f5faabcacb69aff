import type { ProjectId } from '../../ids.ts'
import { type Static, Type } from '@sinclair/typebox'
import { and, eq } from 'drizzle-orm'
import { iso, isoOrNull } from '../../clock.ts'
import { Id, nullable, obj, Timestamp, enumOf } from '../../schema.ts'
import type { Reader } from '../../store/open.ts'
import { DELIMITERS, ENCODINGS, IMPORT_STATUSES, imports } from '../../store/tables/imports.ts'
import { Column } from './columns.ts'
import { ImportOptions, Mapping } from './mapping.ts'
import { MAX_ROW_ERRORS, RowError } from './rows.ts'
import type { ImportRow } from './states.ts'
import { oneOrNotFound } from '../../store/rows.ts'

const Count = Type.Integer({ minimum: 0 })

/** The counts of a dry-run (docs/api/imports.md#counters). */
export const Summary = obj({
  rows: Count,
  valid: Count,
  invalid: Count,
  new: Count,
  existing: Count,
  suppressed: Count,
  duplicates_in_file: Count,
})

/** Further counts of a dry-run over the valid rows. */
const Findings = obj(
  {
    joining: Count,
    opted_out: Count,
    dropped_values: Count,
    new_tags: Count,
    unknown_tags: Count,
    unreadable: Type.Integer({
      minimum: 0,
      description: 'Rows with U+FFFD, which stands for a character that could not be read.',
    }),
    reasons: Type.Array(obj({ code: RowError.properties.code, field: RowError.properties.field, errors: Count }), {
      description: 'How many errors of rows there are of each kind and field, most first.',
    }),
  },
  {
    description:
      'In the valid rows: joining are new people whom the import subscribes or asks to confirm; opted_out say that ' +
      'their person unsubscribed, bounced or complained; dropped_values are values that are not imported; new_tags ' +
      'are tags that the commit creates; unknown_tags are tags that the project lacks and create_tags would make.',
  },
)

/** created + updated + skipped + failed = processed (docs/api/imports.md#counters). */
const Counters = obj({ processed: Count, created: Count, updated: Count, skipped: Count, failed: Count })

const summary = {
  id: Id,
  filename: Type.String(),
  status: enumOf(IMPORT_STATUSES),
  size_bytes: Count,
  delimiter: enumOf(DELIMITERS),
  encoding_found: nullable(
    enumOf(ENCODINGS, { description: 'The encoding that an upload was found to have. Null: it came as text.' }),
  ),
  encoding: nullable(enumOf(ENCODINGS, { description: 'The encoding that was chosen instead.' })),
  mapping: nullable(Mapping),
  options: nullable(ImportOptions),
  summary: nullable(Summary),
  findings: nullable(Findings),
  counters: Counters,
  error: nullable(Type.String()),
  job_id: nullable(Id),
  created_at: Timestamp,
  updated_at: Timestamp,
  finished_at: nullable(Timestamp),
}

/** An import in a list. */
export const ImportSummary = obj(summary, { $id: 'ImportSummary' })

/** An import with its columns and row errors. */
export const Import = obj(
  {
    ...summary,
    columns: Type.Array(Column),
    row_errors: Type.Array(RowError, { maxItems: MAX_ROW_ERRORS, description: `The first ${MAX_ROW_ERRORS}.` }),
  },
  { $id: 'Import' },
)

export function importSummary(row: Omit<ImportRow, 'columns' | 'row_errors'>): Static<typeof ImportSummary> {
  const { id, filename, status, size_bytes, processed, created, updated, skipped, failed, error, job_id } = row
  return {
    id,
    filename,
    status,
    size_bytes,
    error,
    job_id,
    delimiter: row.delimiter,
    encoding_found: row.encoding_found,
    encoding: row.encoding,
    mapping: row.mapping,
    options: row.options,
    summary: row.summary,
    // A dry-run of an earlier release lacks some of these counts.
    findings: row.findings && {
      ...row.findings,
      unknown_tags: row.findings.unknown_tags ?? 0,
      unreadable: row.findings.unreadable ?? 0,
      reasons: row.findings.reasons ?? [],
      joining: row.findings.joining ?? row.summary?.new ?? 0,
    },
    counters: { processed, created, updated, skipped, failed },
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
    finished_at: isoOrNull(row.finished_at),
  }
}

export function importResource(row: ImportRow): Static<typeof Import> {
  return { ...importSummary(row), columns: row.columns, row_errors: row.row_errors }
}

/** Finds an import by id; throws NOT_FOUND when the project has none. */
export async function getImport(db: Reader, project_id: ProjectId, import_id: number): Promise<ImportRow> {
  return oneOrNotFound(
    await db
      .select()
      .from(imports)
      .where(and(eq(imports.id, import_id), eq(imports.project_id, project_id))),
    'import',
    '/import_id',
  )
}
