import type { Runtime } from '../../runtime.ts'
import type { Reader, Tx } from '../../store/open.ts'
import { fieldDefinitions } from '../contacts/custom-values.ts'
import type { Job, JobKindHandler, Progress } from '../jobs/queue.ts'
import { collectAfterPage } from './collect.ts'
import { fieldsOf } from './dry-run.ts'
import { type Examination, examine, FEW_KEYS, type Reading } from './examine.ts'
import { requireMapping } from './mapping.ts'
import { getImport } from './resource.ts'
import { moveImport } from './states.ts'
import { dropAllPages, type Page, storedText, storePage } from './storage.ts'

/**
 * The dry-run of a file of any size: a page each step, so that memory does not grow with the file. Reading goes on in
 * memory between the steps; after a crash, or when a step was rolled back, it begins again.
 */
export const examineJob: JobKindHandler<'import_examine'> = {
  kind: 'import_examine',
  step,
  afterStep: collectAfterPage,
}

/** What is being read, by job. */
const underway = new Map<number, PagedExamination>()

async function step(
  tx: Tx,
  job: Job<'import_examine'>,
  { store }: Pick<Runtime, 'store'>,
  now: number,
): Promise<Progress> {
  const { import_id } = job.payload
  const { project_id } = job
  try {
    const row = await getImport(tx, project_id, import_id)
    if (row.status !== 'staged' && row.status !== 'validated') return end(job.id, { state: 'cancelled' })
    const known = underway.get(job.id)
    if (job.position === 0 || known?.position !== job.position) {
      end(job.id)
      await dropAllPages(tx, import_id)
      if (job.position !== 0) return { state: 'more', position: 0, processed: -job.processed }
      underway.set(job.id, await begin(store.db, job, row.columns.length, now))
    }
    const reading = underway.get(job.id)!
    const page = await reading.next()
    if (page) {
      await storePage(tx, import_id, page)
      return { state: 'more', position: page.last_row, processed: page.rows }
    }
    const { mapping, options } = job.payload
    const set = { mapping, options, fields: reading.fields, ...(await reading.result) }
    await moveImport(tx, { project_id, import_id, to: 'validated', set, now })
    return end(job.id, { state: 'completed' })
  } catch (error) {
    end(job.id)
    throw error
  }
}

function end(job_id: number, progress: Progress = { state: 'more' }): Progress {
  underway.get(job_id)?.abort()
  underway.delete(job_id)
  return progress
}

async function begin(db: Reader, job: Job<'import_examine'>, columns: number, now: number): Promise<PagedExamination> {
  const { import_id, mapping, options, has_header } = job.payload
  const { project_id } = job
  const targets = requireMapping(mapping, columns, await fieldDefinitions(db, project_id))
  const { delimiter } = options
  const reading = { project_id, delimiter, has_header, columns, targets, options, now }
  return pagedExamination(db, import_id, reading)
}

interface PagedExamination {
  /** The last row of the page that was given last. */
  readonly position: number
  readonly fields: ReturnType<typeof fieldsOf>
  /** The next page, null after the last one. */
  next(): Promise<Page | null>
  result: Promise<Examination>
  abort(): void
}

function pagedExamination(db: Reader, import_id: number, reading: Reading): PagedExamination {
  let wanted = Promise.withResolvers<void>()
  let given = Promise.withResolvers<Page | null>()
  let position = 0
  const keep = async (page: Page): Promise<void> => {
    position = page.last_row
    wanted = Promise.withResolvers()
    given.resolve(page)
    await wanted.promise
  }
  const result = wanted.promise.then(() =>
    examine(db, storedText(db, import_id), reading, { keep, keys_in_memory: FEW_KEYS }),
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
