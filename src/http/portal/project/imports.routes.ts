import { Type } from '@sinclair/typebox'
import { requireFreeDisk } from '../../../disk.ts'
import { JobResource, jobResource } from '../../../newsletter/jobs/job.ts'
import { collectAfterPart } from '../../../newsletter/imports/collect.ts'
import { encodingOf } from '../../../newsletter/imports/decode.ts'
import { enqueueExamination } from '../../../newsletter/imports/examine-job.ts'
import { ImportOptions, Mapping } from '../../../newsletter/imports/mapping.ts'
import { providersOf } from '../../../newsletter/imports/providers.ts'
import { chooseEncoding, headByEncoding } from '../../../newsletter/imports/recode.ts'
import { refusedRows } from '../../../newsletter/imports/refused-file.ts'
import { prepareReading } from '../../../newsletter/imports/reading.ts'
import { withoutForgotten } from '../../../newsletter/imports/forgotten.ts'
import { getImport, Import, importResource } from '../../../newsletter/imports/resource.ts'
import { headOfPart, MAX_PART_BYTES, partRange, receivePart } from '../../../newsletter/imports/upload.ts'
import { enumOf, Id, line, nullable, obj } from '../../../schema.ts'
import { ENCODINGS, ROW_STATUSES } from '../../../store/tables/imports.ts'
import { readBytes } from '../../core/body.ts'
import { streamed } from '../../core/stream.ts'
import { route } from '../../core/route.ts'

const TAKES = ['text/csv', 'application/octet-stream']

/** `/project/imports/…`: files of any size (docs/api/imports.md#large-files). */
export const importRoutes = [
  route({
    method: 'POST',
    path: '/project/imports/upload',
    summary: 'Uploads a CSV file in parts, by Content-Range. The last part answers the staged import with its columns.',
    auth: 'session',
    role: 'editor',
    audit: { target: { answer: 'import' } },
    project: 'query',
    query: obj({ import_id: Type.Optional(Id), filename: Type.Optional(line(255)) }),
    takes: TAKES,
    max_body: MAX_PART_BYTES,
    response: obj({
      import: Import,
      received: Type.Integer({ minimum: 0, description: 'Bytes that are stored.' }),
      total: Type.Integer({ minimum: 1 }),
    }),
    errors: ['INVALID_STATE', 'NOT_FOUND', 'INSUFFICIENT_STORAGE'],
    async prepare({ import_id }, context) {
      await requireFreeDisk(context)
      const bytes = await readBytes(context, MAX_PART_BYTES, 'known')
      const range = partRange(context.request.headers.get('content-range'), bytes.byteLength)
      const head =
        import_id === undefined && range.from === 0 ? await headOfPart(context.store, context.project_id, bytes) : null
      const ends = { isFirst: range.from === 0, isLast: (range.from ?? 0) + bytes.byteLength === range.total }
      return { bytes, range, head, encoding: encodingOf(bytes, ends) }
    },
    async write({ import_id, filename = '' }, { tx, project_id, now, afterCommit }, part) {
      const row = await receivePart(tx, { project_id, import_id, filename, now, ...part })
      afterCommit(collectAfterPart)
      return { import: importResource(row), received: row.size_bytes, total: row.upload_total ?? row.size_bytes }
    },
  }),

  route({
    method: 'POST',
    path: '/project/imports/encoding',
    summary:
      'Reads an uploaded file by another encoding, and answers its columns. A dry-run has to follow. ' +
      'Null reads it as it was found.',
    auth: 'session',
    role: 'editor',
    audit: { target: { kind: 'import', input: 'import_id' }, details: ['encoding'] },
    body: obj({ import_id: Id, encoding: nullable(enumOf(ENCODINGS)) }),
    response: obj({ import: Import }),
    errors: ['INVALID_STATE', 'NOT_FOUND'],
    prepare: (choice, { store, project_id }) => headByEncoding(store, { project_id, ...choice }),
    async write(choice, { tx, project_id, now }, head) {
      return { import: importResource(await chooseEncoding(tx, { project_id, ...choice }, { ...head, now })) }
    },
  }),

  route({
    method: 'GET',
    path: '/project/imports/providers',
    summary: 'How the columns of an import map to fields if the file is an export of each of the known programs.',
    auth: 'session',
    role: 'member',
    project: 'query',
    query: obj({ import_id: Id }),
    response: obj({
      items: Type.Array(
        obj({
          provider: Type.String(),
          name: Type.String(),
          mapping: Mapping,
          default_status: nullable(
            enumOf(ROW_STATUSES, { description: 'The status that the name of the file says of all rows.' }),
          ),
          knows_status: Type.Boolean({ description: 'Whether a column or the name of the file says who left.' }),
          fits: Type.Boolean({ description: 'Whether the headers are those of this program alone.' }),
          warning: nullable(Type.String()),
        }),
      ),
    }),
    errors: ['NOT_FOUND'],
    async read({ import_id }, { db, project_id }) {
      return { items: providersOf(await getImport(db, project_id, import_id)) }
    },
  }),

  route({
    method: 'GET',
    path: '/project/imports/refused',
    summary: 'Every row error of an import as CSV, until 7 days after it ended.',
    auth: 'session',
    cost: 5,
    role: 'editor',
    project: 'query',
    query: obj({ import_id: Id }),
    response: 'file',
    media_type: 'text/csv',
    audit: { target: { kind: 'import', input: 'import_id' }, reads: true },
    errors: ['NOT_FOUND'],
    async respond(context) {
      const { db, project_id, url } = context
      const row = await getImport(db, project_id, Number(url.searchParams.get('import_id')))
      const pieces = refusedRows(db, await withoutForgotten(db, project_id, row))
      return streamed(context, { status: 200, pieces, media_type: 'text/csv', filename: 'not-imported.csv' })
    },
  }),

  route({
    method: 'POST',
    path: '/project/imports/examine',
    summary:
      'As imports/dry-run, for a file of any size: a job reads it. The import is validated when the job is done.',
    auth: 'session',
    role: 'editor',
    audit: { target: { kind: 'import', input: 'import_id' } },
    body: obj({ import_id: Id, mapping: Mapping, options: ImportOptions }),
    response: obj({ import: Import, job: JobResource }),
    errors: ['INVALID_STATE', 'NOT_FOUND'],
    async prepare({ import_id, mapping, options }, { db, store, project_id, now }) {
      const row = await getImport(db, project_id, import_id)
      return { ...(await prepareReading(store, row, { mapping, options, now })), encoding: row.encoding }
    },
    async write({ import_id, mapping }, { tx, project_id, now, afterCommit, wake }, { options, reading, encoding }) {
      const payload = { import_id, mapping, options, encoding, has_header: reading.has_header }
      const job = await enqueueExamination(tx, { project_id, payload, now })
      afterCommit(() => wake('jobs'))
      return {
        import: importResource(await getImport(tx, project_id, import_id)),
        job: await jobResource(tx, job),
      }
    },
  }),
]
