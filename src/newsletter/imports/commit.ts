import { canonicalJson } from '../../canonical-json.ts'
import { AppError, invalidState } from '../../errors.ts'
import type { Tx } from '../../store/open.ts'
import type { JobPayloads } from '../../store/tables/jobs.ts'
import { fieldDefinitions } from '../contacts/custom-values.ts'
import { requireRoomFor } from '../contacts/plan-limit.ts'
import { enqueueJob, type Job } from '../jobs/queue.ts'
import { fieldsOf, requireOptions } from './dry-run.ts'
import { requireMapping } from './mapping.ts'
import { type ImportRow, moveImport } from './states.ts'
import { dropText } from './storage.ts'

/** Where a call came from; stored with the consents of the import. */
type CallOrigin = Omit<JobPayloads['import'], 'import_id'>

/** Queues a validated import; throws INVALID_STATE when its dry-run no longer allows it. */
export async function commit(
  tx: Tx,
  before: ImportRow,
  from: CallOrigin,
  { contacts_per_project, now }: { contacts_per_project: number; now: number },
): Promise<{ row: ImportRow; job: Job }> {
  const { id: import_id, project_id } = before
  const summary = before.summary!
  const options = before.options!
  if (options.on_invalid === 'abort' && summary.invalid > 0)
    throw invalidState(`Rows are invalid (${summary.invalid}), and on_invalid is abort.`, before.status)
  await requireOptions(tx, project_id, options, before.mapping!)
  await requireSameFields(tx, before)
  await requireRoomFor(tx, project_id, summary.new, contacts_per_project)
  const job = await enqueueJob(tx, {
    project_id,
    kind: 'import',
    payload: { import_id, ...from },
    total: summary.rows,
    now,
  })
  const row = await moveImport(tx, { project_id, import_id, to: 'queued', set: { job_id: job.id }, now })
  await dropText(tx, import_id)
  return { row, job }
}

/** Throws INVALID_STATE when a custom field of the mapping has changed since the dry-run. */
async function requireSameFields(tx: Tx, { project_id, mapping, columns, fields, status }: ImportRow): Promise<void> {
  const changed = () =>
    invalidState('A custom field of the mapping has changed since the dry-run. Run imports/dry-run again.', status)
  try {
    const targets = requireMapping(mapping!, columns.length, await fieldDefinitions(tx, project_id))
    if (canonicalJson(fieldsOf(targets)) !== canonicalJson(fields)) throw changed()
  } catch (error) {
    throw error instanceof AppError && error.code === 'VALIDATION_FAILED' ? changed() : error
  }
}
