import { Type } from '@sinclair/typebox'
import { requireFreeDisk } from '../../../disk.ts'
import { JobResource, jobResource } from '../../../newsletter/jobs/job.ts'
import { enqueueJob } from '../../../newsletter/jobs/queue.ts'
import { collectAfterPart } from '../../../newsletter/imports/collect.ts'
import { ImportOptions, Mapping } from '../../../newsletter/imports/mapping.ts'
import { prepareReading } from '../../../newsletter/imports/reading.ts'
import { getImport, Import, importResource } from '../../../newsletter/imports/resource.ts'
import { headOfPart, MAX_PART_BYTES, partRange, receivePart } from '../../../newsletter/imports/upload.ts'
import { Id, line, obj } from '../../../schema.ts'
import { readBytes } from '../../core/body.ts'
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
      return { bytes, range, head }
    },
    async write({ import_id, filename = '' }, { tx, project_id, now, afterCommit }, part) {
      const row = await receivePart(tx, { project_id, import_id, filename, now, ...part })
      afterCommit(collectAfterPart)
      return { import: importResource(row), received: row.size_bytes, total: row.upload_total ?? row.size_bytes }
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
      return prepareReading(store, await getImport(db, project_id, import_id), { mapping, options, now })
    },
    async write({ import_id, mapping }, { tx, project_id, now, afterCommit, wake }, { options, reading }) {
      const payload = { import_id, mapping, options, has_header: reading.has_header }
      const job = await enqueueJob(tx, { project_id, kind: 'import_examine', payload, now })
      afterCommit(() => wake('jobs'))
      return {
        import: importResource(await getImport(tx, project_id, import_id)),
        job: await jobResource(tx, job),
      }
    },
  }),
]
