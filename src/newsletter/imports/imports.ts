import type { ProjectId } from '../../ids.ts'
import { Type } from '@sinclair/typebox'
import { getTableColumns, sql } from 'drizzle-orm'
import { AppError, invalid } from '../../errors.ts'
import { mutation, read } from '../../operation/declare.ts'
import { Cursor, Id, Limit, line, nullable, obj } from '../../schema.ts'
import type { Reader } from '../../store/open.ts'
import { page, rowsAfter } from '../../store/page.ts'
import { imports } from '../../store/tables/imports.ts'
import { JobResource, jobResource } from '../jobs/job.ts'
import { cancelJob } from '../jobs/queue.ts'
import { Column, type Head, readHead } from './columns.ts'
import { type Delimiter, guessDelimiter } from './csv.ts'
import { getImport, Import, importResource, ImportSummary, importSummary } from './resource.ts'
import { moveImport } from './states.ts'
import { dropPages, dropText, storeText } from './storage.ts'

/** Largest CSV, in bytes of UTF-8 (docs/api/limits.md#page-sizes). */
export const MAX_CSV_BYTES = 5 * 1024 * 1024
/** JSON escapes can make a text six times as long. */
const MAX_BODY_BYTES = 32 * 1024 * 1024
const MAX_COLUMNS = 1000

export const createImport = mutation({
  path: '/imports/create',
  scope: 'write',
  summary: 'Stages a CSV file of at most 5 MiB and answers its columns. Imports nothing.',
  max_body: MAX_BODY_BYTES,
  request: obj({ csv: Type.String({ minLength: 1, pattern: '\\S' }), filename: Type.Optional(line(255)) }),
  response: obj({ import: Import, columns: Type.Array(Column) }),
  async prepare({ csv }, { db, project_id }) {
    const text = new TextEncoder().encode(csv)
    if (text.byteLength > MAX_CSV_BYTES)
      throw new AppError(
        'PAYLOAD_TOO_LARGE',
        `The CSV is larger than ${MAX_CSV_BYTES} bytes. Split it into several imports.`,
      )
    const delimiter = guessDelimiter(csv)
    return { text, delimiter, head: requireHead(pieces(csv), delimiter, await customFields(db, project_id), '/csv') }
  },
  async run({ filename = '' }, { tx, project_id, now }, { text, delimiter, head: { columns } }) {
    const [row] = await tx
      .insert(imports)
      .values({
        project_id,
        filename,
        status: 'staged',
        size_bytes: text.byteLength,
        delimiter,
        columns,
        created_at: now,
        updated_at: now,
      })
      .returning()
    await storeText(tx, row!.id, text)
    return { import: importResource(row!), columns }
  },
})

export const listImports = read({
  path: '/imports/list',
  scope: 'read',
  summary: 'Lists the imports, without their columns and row errors.',
  request: obj({ limit: Type.Optional(Limit), cursor: Type.Optional(Cursor) }),
  response: obj({ items: Type.Array(ImportSummary), next_cursor: nullable(Type.String()) }),
  async run({ limit, cursor }, { db, keys, project_id }) {
    return page(
      { keys, operation: '/imports/list', project_id, filters: {}, cursor, limit },
      (after, most) =>
        db
          .select({ row: summaryColumns, created_at: imports.created_at, id: imports.id })
          .from(imports)
          .innerJoin(
            sql`(${rowsAfter('imports', sql`project_id = ${project_id}`, after, most)}) AS place`,
            sql`${imports.id} = place.id`,
          )

          .orderBy(imports.created_at, imports.id),
      ({ row }) => importSummary(row),
    )
  },
})

export const showImport = read({
  path: '/imports/get',
  scope: 'read',
  summary: 'An import with its progress and its first row errors.',
  request: obj({ import_id: Id }),
  response: obj({ import: Import }),
  async run({ import_id }, { db, project_id }) {
    return { import: importResource(await getImport(db, project_id, import_id)) }
  },
})

export const cancelImport = mutation({
  path: '/imports/cancel',
  scope: 'write',
  statusOf: ({ job }) => (job ? 202 : 200),
  summary: 'Cancels an import. Contacts that it has imported already stay.',
  request: obj({ import_id: Id }),
  response: obj({ import: Import, job: nullable(JobResource) }),
  async run({ import_id }, { tx, project_id, now }) {
    const row = await moveImport(tx, { project_id, import_id, to: 'cancelled', set: { finished_at: now }, now })
    await dropText(tx, import_id)
    await dropPages(tx, import_id)
    return {
      import: importResource(row),
      job: row.job_id === null ? null : jobResource(await cancelJob(tx, row.job_id, now)),
    }
  },
})

type Columns = ReturnType<typeof getTableColumns<typeof imports>>
const summaryColumns = Object.fromEntries(
  Object.entries(getTableColumns(imports)).filter(([name]) => name !== 'columns' && name !== 'row_errors'),
) as Omit<Columns, 'columns' | 'row_errors'>

/** The columns of a file from its beginning; throws VALIDATION_FAILED, pointing at `path`, for none or too many. */
export function requireHead(
  texts: Iterable<string>,
  delimiter: Delimiter,
  custom: readonly { key: string; label: string }[],
  path: string,
): Head {
  const head = readHead(texts, delimiter, custom)
  if (!head) throw invalid(path, 'The file has no rows.')
  if (head.columns.length > MAX_COLUMNS)
    throw invalid(path, `The file has ${head.columns.length} columns; at most ${MAX_COLUMNS} are allowed.`)
  return head
}

export async function customFields(db: Reader, project_id: ProjectId): Promise<{ key: string; label: string }[]> {
  return db.all(sql`SELECT key, label FROM custom_fields WHERE project_id = ${project_id}`)
}

const PIECE = 64 * 1024

function* pieces(text: string): Generator<string> {
  for (let at = 0; at < text.length; at += PIECE) yield text.slice(at, at + PIECE)
}
