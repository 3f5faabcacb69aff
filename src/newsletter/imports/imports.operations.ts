import { Type } from '@sinclair/typebox'
import { getTableColumns, sql } from 'drizzle-orm'
import { canonicalJson } from '../../canonical-json.ts'
import { AppError, invalidState } from '../../errors.ts'
import { mutation, read } from '../../operation/declare.ts'
import { Cursor, Id, Limit, line, nullable, obj, Order, text } from '../../schema.ts'
import { inOrder, page, rowsAfter } from '../../store/page.ts'
import { imports } from '../../store/tables/imports.ts'
import { JobResource, jobResource } from '../jobs/job.ts'
import { cancelJob } from '../jobs/queue.ts'
import { Column } from './columns.ts'
import { commit } from './commit.ts'
import { examineImport } from './dry-run.ts'
import { cancelExaminations } from './examine-job.ts'
import { findHead } from './head.ts'
import { ImportOptions, Mapping, settledOptions } from './mapping.ts'
import { prepareReading } from './reading.ts'
import { withoutForgotten } from './forgotten.ts'
import { getImport, Import, importResource, ImportSummary, importSummary, Summary } from './resource.ts'
import { MAX_ROW_ERRORS, RowError } from './rows.ts'
import { requireEncoding } from './recode.ts'
import { moveImport, requireMove, requireRoomForImport, stageImport } from './states.ts'
import { dropPages, dropText, storePage, storeText } from './storage.ts'

/** Largest CSV, in bytes of UTF-8 (docs/api/limits.md#page-sizes). */
export const MAX_CSV_BYTES = 5 * 1024 * 1024
/** JSON escapes can make a text six times as long. */
const MAX_BODY_BYTES = 32 * 1024 * 1024

export const createImport = mutation({
  path: '/imports/create',
  scope: 'write',
  audit: { target: { answer: 'import' } },
  errors: ['INVALID_STATE'],
  summary: 'Stages a CSV file of at most 5 MiB and answers its columns. Imports nothing.',
  max_body: MAX_BODY_BYTES,
  request: obj({
    csv: text({
      minLength: 1,
      pattern: '^(?=[\\s\\S]*\\S)[^\\u0000]*$',
      description: 'The text of the file, without NUL.',
    }),
    filename: Type.Optional(line(255)),
  }),
  response: obj({
    import: Import,
    columns: Type.Array(Column),
    replacement_characters: Type.Integer({
      minimum: 0,
      description:
        'How often the text has U+FFFD, which decoders put in place of bytes that they cannot read. Decode the file ' +
        'again with its own encoding when it is not 0.',
    }),
  }),
  async prepare({ csv }, { store, project_id }) {
    const bytes = Buffer.byteLength(csv)
    if (bytes > MAX_CSV_BYTES)
      throw new AppError(
        'PAYLOAD_TOO_LARGE',
        `The CSV is larger than ${MAX_CSV_BYTES} bytes. Split it into several imports.`,
      )
    const head = await findHead(store, { project_id, file: { csv }, cells_of: [] }, '/csv')
    const replacement_characters = csv.split('\uFFFD').length - 1
    return { ...head, replacement_characters, text: new TextEncoder().encode(csv) }
  },
  async run({ filename = '' }, { tx, project_id, now }, { text, delimiter, columns, replacement_characters }) {
    await requireRoomForImport(tx, project_id, text.byteLength)
    const row = await stageImport(tx, { project_id, filename, size_bytes: text.byteLength, delimiter, columns, now })
    await storeText(tx, row.id, text)
    return { import: importResource(row), columns, replacement_characters }
  },
})

export const listImports = read({
  path: '/imports/list',
  scope: 'read',
  summary: 'Lists the imports, without their columns and row errors.',
  request: obj({ order: Type.Optional(Order), limit: Type.Optional(Limit), cursor: Type.Optional(Cursor) }),
  response: obj({ items: Type.Array(ImportSummary), next_cursor: nullable(Type.String()) }),
  async run({ order, limit, cursor }, { db, keys, project_id }) {
    return page(
      { keys, operation: '/imports/list', project_id, filters: {}, order, cursor, limit },
      (after, most) =>
        db
          .select({ row: summaryColumns, created_at: imports.created_at, id: imports.id })
          .from(imports)
          .innerJoin(
            sql`(${rowsAfter('imports', sql`project_id = ${project_id}`, { after, most, order })}) AS place`,
            sql`${imports.id} = place.id`,
          )
          .orderBy(inOrder(imports, order)),
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
    const row = await withoutForgotten(db, project_id, await getImport(db, project_id, import_id))
    return { import: importResource(row) }
  },
})

export const dryRunImport = mutation({
  path: '/imports/dry-run',
  scope: 'write',
  audit: { target: { kind: 'import', input: 'import_id' } },
  errors: ['INVALID_STATE'],
  summary:
    'Reads the whole file by the mapping and the options, and answers counts of rows and the first errors. ' +
    'Imports nothing. A later dry-run replaces this one.',
  request: obj({ import_id: Id, mapping: Mapping, options: ImportOptions }),
  response: obj({ import: Import, summary: Summary, row_errors: Type.Array(RowError, { maxItems: MAX_ROW_ERRORS }) }),
  async prepare({ import_id, mapping, options }, { db, store, project_id, now }) {
    const row = await getImport(db, project_id, import_id)
    const { encoding } = row
    if (row.size_bytes > MAX_CSV_BYTES)
      throw invalidState('The file is too large for imports/dry-run: use /project/imports/examine.', row.status)
    const prepared = await prepareReading(store, row, { mapping, options, now })
    const { reading } = prepared
    return { ...prepared, encoding, examined: await store.heavyTask(examineImport, { import_id, encoding, reading }) }
  },
  async run(
    { import_id, mapping },
    { tx, project_id, now },
    { columns, options, fields, encoding, examined: { summary, findings, row_errors, pages } },
  ) {
    await requireEncoding(tx, { project_id, import_id, encoding })
    const set = { delimiter: options.delimiter, columns, mapping, options, fields, summary, findings, row_errors }
    const row = await moveImport(tx, { project_id, import_id, to: 'validated', set, now })
    await cancelExaminations(tx, { project_id, import_id, now })
    await dropPages(tx, import_id)
    for (const page of pages) await storePage(tx, import_id, page)
    return { import: importResource(row), summary, row_errors }
  },
})

export const commitImport = mutation({
  path: '/imports/commit',
  scope: 'write',
  audit: { target: { kind: 'import', input: 'import_id' } },
  errors: ['PLAN_LIMIT_EXCEEDED', 'INVALID_STATE'],
  status: 202,
  summary:
    'Queues an import as its dry-run read it. Mapping and options are optional; when given, they must equal ' +
    'those of the dry-run.',
  request: obj({ import_id: Id, mapping: Type.Optional(Mapping), options: Type.Optional(ImportOptions) }),
  response: obj({ import: Import, job: JobResource }),
  async run({ import_id, mapping, options }, { tx, project_id, config, now, address, user_agent, afterCommit, wake }) {
    const before = await getImport(tx, project_id, import_id)
    requireMove(before, 'queued')
    if (mapping && canonicalJson(mapping) !== canonicalJson(before.mapping))
      throw invalidState('The mapping differs from that of the dry-run.', before.status)
    if (options && canonicalJson(settledOptions(options, before.options!)) !== canonicalJson(before.options))
      throw invalidState('The options differ from those of the dry-run.', before.status)
    const committed = await commit(tx, before, { address, user_agent }, { ...config, now })
    afterCommit(() => wake('jobs'))
    return { import: importResource(committed.row), job: await jobResource(tx, committed.job) }
  },
})

export const cancelImport = mutation({
  path: '/imports/cancel',
  scope: 'write',
  audit: { target: { kind: 'import', input: 'import_id' } },
  errors: ['INVALID_STATE'],
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
      job: row.job_id === null ? null : await jobResource(tx, await cancelJob(tx, row.job_id, now)),
    }
  },
})

type Columns = ReturnType<typeof getTableColumns<typeof imports>>
const summaryColumns = Object.fromEntries(
  Object.entries(getTableColumns(imports)).filter(([name]) => name !== 'columns' && name !== 'row_errors'),
) as Omit<Columns, 'columns' | 'row_errors'>
