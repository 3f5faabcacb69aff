import { desc, sql } from 'drizzle-orm'
import { canonicalJson } from '../../canonical-json.ts'
import type { ProjectId } from '../../ids.ts'
import type { Reader, Store, Tx } from '../../store/open.ts'
import type { MappedField } from '../../store/tables/imports.ts'
import { jobs } from '../../store/tables/jobs.ts'
import { fieldDefinitions } from '../contacts/custom-values.ts'
import { cancelJob, enqueueJob, type Job, type JobKindHandler, type Progress } from '../jobs/queue.ts'
import { collectAfterPage } from './collect.ts'
import { fieldsOf, type StoredReading } from './dry-run.ts'
import { type Examination, examine, FEW_KEYS } from './examine.ts'
import { requireMapping } from './mapping.ts'
import { getImport } from './resource.ts'
import { moveImport } from './states.ts'
import { dropAllPages, hasPage, type ReadPage, storedText, storePage } from './storage.ts'

/**
 * The dry-run of a file of any size: a page each step, so that memory does not grow with the file. Reading goes on in
 * memory between the steps; after a crash, or when a step was rolled back, it begins again.
 */
export function createExamineJob(): JobKindHandler<'import_examine', Prepared> {
  const underway: Underway = new Map()
  return {
    kind: 'import_examine',
    prepare: (job, { store }, now) => prepare(underway, store, job, now),
    step,
    release: (job_id) => release(underway, job_id),
    afterStep: collectAfterPage,
  }
}

type Payload = Job<'import_examine'>['payload']

/**
 * The job that reads the file by these choices: the one that does so already, or a new one. An earlier job that reads
 * it by other choices is cancelled, because only one result is stored. What an earlier dry-run found cannot be
 * committed from now on.
 */
export async function enqueueExamination(
  tx: Tx,
  { project_id, payload, now }: { project_id: ProjectId; payload: Payload; now: number },
): Promise<Job> {
  let same: Job | null = null
  for (const job of await examinationsOf(tx, project_id, payload.import_id))
    if (same === null && canonicalJson(job.payload) === canonicalJson(payload)) same = job
    else await cancelJob(tx, job.id, now)
  if (same) return same
  await moveImport(tx, { project_id, import_id: payload.import_id, to: 'staged', now })
  return enqueueJob(tx, { project_id, kind: 'import_examine', payload, now })
}

/** Cancels the jobs that read a file, because it is read otherwise from now on. */
export async function cancelExaminations(
  tx: Tx,
  { project_id, import_id, now }: { project_id: ProjectId; import_id: number; now: number },
): Promise<void> {
  for (const job of await examinationsOf(tx, project_id, import_id)) await cancelJob(tx, job.id, now)
}

/** The jobs that wait or run, newest first. A project has few of them, and many that ended. */
async function examinationsOf(tx: Tx, project_id: ProjectId, import_id: number): Promise<Job[]> {
  const reads = sql`kind = 'import_examine' AND project_id = ${project_id}
    AND json_extract(payload, '$.import_id') = ${import_id}`
  const living = sql`
    SELECT id FROM jobs INDEXED BY jobs_waiting WHERE status = 'queued' AND ${reads}
    UNION ALL SELECT id FROM jobs INDEXED BY jobs_running WHERE status = 'running' AND ${reads}`
  return tx
    .select()
    .from(jobs)
    .where(sql`${jobs.id} IN (${living})`)
    .orderBy(desc(jobs.id))
}

/** Readings in progress, by job. Each continues where its last page ended, until the job is released. */
type Underway = Map<number, PagedExamination>

interface Prepared {
  /** The next page of the file, what was found in all of it, or nothing to go on with. */
  read: { page: ReadPage } | { found: Examination; fields: MappedField[] } | null
}

async function prepare(
  underway: Underway,
  { db }: Pick<Store, 'db'>,
  job: Job<'import_examine'>,
  now: number,
): Promise<Prepared> {
  const known = underway.get(job.id)
  if (job.position > 0 && known?.position !== job.position) return { read: null }
  const row = await getImport(db, job.project_id, job.payload.import_id)
  if (job.position === 0) {
    release(underway, job.id)
    underway.set(job.id, await begin(db, job, row.columns.length, now))
  }
  const reading = underway.get(job.id)!
  const page = await reading.next()
  return { read: page ? { page } : { found: await reading.result, fields: reading.fields } }
}

async function step(tx: Tx, job: Job<'import_examine'>, { read }: Prepared, now: number): Promise<Progress> {
  const { import_id, mapping, options, encoding = null } = job.payload
  const { project_id } = job
  const row = await getImport(tx, project_id, import_id)
  if (row.status !== 'staged' && row.status !== 'validated') return { state: 'cancelled' }
  // Somebody chose another encoding, or made another dry-run, meanwhile: this reading counts no longer.
  if (row.encoding !== encoding) return { state: 'cancelled' }
  if (job.position === 0 || read === null) {
    await dropAllPages(tx, import_id)
    // A job that failed and was queued again drops the pages of a later dry-run, which cannot be committed then.
    await moveImport(tx, { project_id, import_id, to: 'staged', now })
  } else if (!(await hasPage(tx, import_id, job.position))) return { state: 'cancelled' }
  if (read === null) return { state: 'more', position: 0, processed: -job.processed }
  if ('page' in read) {
    await storePage(tx, import_id, read.page)
    return { state: 'more', position: read.page.last_row, processed: read.page.rows }
  }
  const set = { mapping, options, fields: read.fields, ...read.found }
  await moveImport(tx, { project_id, import_id, to: 'validated', set, now })
  return { state: 'completed' }
}

function release(underway: Underway, job_id: number): void {
  underway.get(job_id)?.abort()
  underway.delete(job_id)
}

async function begin(db: Reader, job: Job<'import_examine'>, columns: number, now: number): Promise<PagedExamination> {
  const { import_id, mapping, options, has_header, encoding = null } = job.payload
  const { project_id } = job
  const targets = requireMapping(mapping, columns, await fieldDefinitions(db, project_id))
  const { delimiter } = options
  const reading = { project_id, delimiter, has_header, columns, targets, options, now }
  return pagedExamination(db, { import_id, encoding, reading })
}

interface PagedExamination {
  /** The last row of the page that was given last. */
  readonly position: number
  readonly fields: MappedField[]
  /** The next page, null after the last one. */
  next(): Promise<ReadPage | null>
  result: Promise<Examination>
  abort(): void
}

function pagedExamination(db: Reader, { reading, ...file }: StoredReading): PagedExamination {
  let wanted = Promise.withResolvers<void>()
  let given = Promise.withResolvers<ReadPage | null>()
  let position = 0
  const keep = async (page: ReadPage): Promise<void> => {
    position = page.last_row
    wanted = Promise.withResolvers()
    given.resolve(page)
    await wanted.promise
  }
  const result = wanted.promise.then(() =>
    examine(db, storedText(db, file), reading, { keep, keys_in_memory: FEW_KEYS }),
  )
  result.then(
    () => given.resolve(null),
    (error: unknown) => given.reject(error),
  )
  return {
    get position() {
      return position
    },
    fields: fieldsOf(reading.targets),
    next() {
      given = Promise.withResolvers()
      wanted.resolve()
      return given.promise
    },
    result,
    abort: () => wanted.reject(new Error('The dry-run was given up.')),
  }
}
