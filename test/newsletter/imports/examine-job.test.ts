import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import type { ProjectId } from '../../../src/ids.ts'
import { examineJob } from '../../../src/newsletter/imports/examine-job.ts'
import { settledOptions } from '../../../src/newsletter/imports/mapping.ts'
import { getImport } from '../../../src/newsletter/imports/resource.ts'
import { stageImport } from '../../../src/newsletter/imports/states.ts'
import { storeText } from '../../../src/newsletter/imports/storage.ts'
import { enqueueJob, type Job, type Progress } from '../../../src/newsletter/jobs/queue.ts'
import type { Runtime } from '../../../src/runtime.ts'
import type { Tx } from '../../../src/store/open.ts'
import { newProject, NOW, sharedStore, write } from '../../support/shared-store.ts'

/** A staged file of 2,500 people, which are three pages, and the job of its dry-run. */
async function staged() {
  const project_id = await newProject()
  const text = ['email', ...Array.from({ length: 2500 }, (_, n) => `p${n}@example.com`)].join('\n')
  const columns = [{ index: 0, header: 'email', samples: [], suggested_field: 'email' as const }]
  return write(async (tx) => {
    const row = { project_id, filename: '', size_bytes: text.length, delimiter: ',' as const, columns, now: NOW }
    const { id: import_id } = await stageImport(tx, row)
    await storeText(tx, import_id, Buffer.from(text))
    const options = settledOptions({}, { delimiter: ',', date_format: 'iso' })
    const payload = { import_id, mapping: { 0: 'email' }, options, has_header: true }
    const job = await enqueueJob(tx, { project_id, kind: 'import_examine', payload, now: NOW })
    return { import_id, project_id, job: job as Job<'import_examine'> }
  })
}

const stepIn = async (tx: Tx, job: Job<'import_examine'>): Promise<Progress> =>
  examineJob.step(tx, job, { store: await sharedStore() } as Runtime, NOW + 1)
/** One step, of which the job keeps what the queue would keep. */
async function step(job: Job<'import_examine'>): Promise<Progress> {
  const progress = await write((tx) => stepIn(tx, job))
  job.position = progress.position ?? job.position
  job.processed += progress.processed ?? 0
  return progress
}
const pages = async (import_id: number) =>
  (await (await sharedStore()).query('SELECT last_row FROM import_pages WHERE import_id = ?', [import_id])).map(
    ({ last_row }) => last_row,
  )
const statusOf = async (project_id: ProjectId, import_id: number) =>
  (await getImport((await sharedStore()).db, project_id, import_id)).status

test('Each step stores a page, and the last one validates the import with what was counted.', async () => {
  const { import_id, project_id, job } = await staged()
  expect([await step(job), await step(job), await step(job)]).toEqual([
    { state: 'more', position: 1001, processed: 1000 },
    { state: 'more', position: 2001, processed: 1000 },
    { state: 'more', position: 2501, processed: 500 },
  ])
  expect(await pages(import_id)).toEqual([1001, 2001, 2501])
  expect(await step(job)).toEqual({ state: 'completed' })
  expect(await getImport((await sharedStore()).db, project_id, import_id)).toMatchObject({
    status: 'validated',
    mapping: { 0: 'email' },
    fields: [],
    summary: { rows: 2500, valid: 2500, new: 2500 },
    updated_at: NOW + 1,
  })
})

test('After a step that was rolled back, the reading begins again, and no row counts twice.', async () => {
  const { import_id, project_id, job } = await staged()
  await step(job)
  const broken = write(async (tx) => {
    await stepIn(tx, job)
    throw new Error('broken on purpose')
  })
  await expect(broken).rejects.toThrow('broken on purpose')
  expect(await step(job)).toEqual({ state: 'more', position: 0, processed: -1000 })
  expect([job.processed, await pages(import_id)]).toEqual([0, []])
  while ((await step(job)).state === 'more') {
    /* until the file is read */
  }
  expect(job.processed).toBe(2500)
  expect(await pages(import_id)).toEqual([1001, 2001, 2501])
  expect(await statusOf(project_id, import_id)).toBe('validated')
})

test('A first step that runs again drops the pages of an earlier dry-run and begins with the first row.', async () => {
  const { import_id, job } = await staged()
  await step(job)
  await step(job)
  Object.assign(job, { position: 0, processed: 0 })
  expect(await step(job)).toMatchObject({ position: 1001, processed: 1000 })
  expect(await pages(import_id)).toEqual([1001])
})

test('The dry-run of an import that was canceled ends, and of one that is validated runs again.', async () => {
  const { import_id, project_id, job } = await staged()
  await step(job)
  const setStatus = (status: string) =>
    write((tx) => tx.run(sql`UPDATE imports SET status = ${status} WHERE id = ${import_id}`))
  await setStatus('cancelled')
  expect(await step(job)).toEqual({ state: 'cancelled' })
  expect(await statusOf(project_id, import_id)).toBe('cancelled')
  await setStatus('validated')
  // What was read before is not held any longer.
  expect(await step(job)).toEqual({ state: 'more', position: 0, processed: -1000 })
  expect(await step(job)).toMatchObject({ state: 'more', position: 1001 })
})

test('A dry-run that fails forgets what it has read, and begins again.', async () => {
  const { import_id, job } = await staged()
  await step(job)
  const broken = write(async (tx) => {
    await tx.run(sql`DROP TABLE import_pages`)
    await stepIn(tx, job)
  })
  await expect(broken).rejects.toThrow()
  expect(await step(job)).toEqual({ state: 'more', position: 0, processed: -1000 })
  expect(await step(job)).toMatchObject({ state: 'more', position: 1001 })
  expect(await pages(import_id)).toEqual([1001])
})
