import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import {
  cancelExaminations,
  createExamineJob,
  enqueueExamination,
} from '../../../src/newsletter/imports/examine-job.ts'
import { settledOptions } from '../../../src/newsletter/imports/mapping.ts'
import { stageImport } from '../../../src/newsletter/imports/states.ts'
import { dropPages, storeText } from '../../../src/newsletter/imports/storage.ts'
import { enqueueJob, type Job } from '../../../src/newsletter/jobs/queue.ts'
import type { Runtime } from '../../../src/runtime.ts'
import type { Reader, Store } from '../../../src/store/open.ts'
import { import_pages, imports } from '../../../src/store/tables/imports.ts'
import { jobs } from '../../../src/store/tables/jobs.ts'
import { newProject, NOW, sharedStore, write } from '../../support/shared-store.ts'

const LATER = NOW + 1000
const examineJob = createExamineJob()

/** A staged import of 1500 people and its job; `step` examines the next page, or fails to read when told so. */
async function staged(has_header = true) {
  const project_id = await newProject()
  const column = { index: 0, header: 'email', samples: [], suggested_field: null }
  const file = { project_id, filename: '', size_bytes: 9, delimiter: ',' as const, columns: [column], now: NOW }
  const { id: import_id } = await write((tx) => stageImport(tx, file))
  // In two stored pieces, so that the second page needs another read.
  const people = Array.from({ length: 1500 }, (_, n) => `p${n}@${'x'.repeat(60)}.example.com\n`)
  await write((tx) => storeText(tx, import_id, Buffer.from(`email\n${people.join('')}`)))
  const options = settledOptions({}, { delimiter: ',', date_format: 'iso' })
  const payload = { import_id, mapping: { 0: 'email' }, options, has_header }
  const enqueued = await write((tx) => enqueueJob(tx, { project_id, kind: 'import_examine', payload, now: NOW }))
  const job = enqueued as Job<'import_examine'>
  const { db } = await sharedStore()
  const state = { fails: false }
  const reader = new Proxy(db, {
    get(target, name) {
      if (state.fails) throw new Error('The disk is gone.')
      return Reflect.get(target, name) as unknown
    },
  }) as Reader
  return {
    project_id,
    import_id,
    payload,
    state,
    step: async (position: number, processed = 0) => {
      const runtime = { store: { db: reader } as Store } as Runtime
      const at = { ...job, position, processed }
      const prepared = await examineJob.prepare!(at, runtime, LATER)
      return write((tx) => examineJob.step(tx, at, { ...runtime, ...prepared }, LATER))
    },
    release: () => examineJob.release!(job.id),
    pages: () => db.$count(import_pages, eq(import_pages.import_id, import_id)),
    row: async () => (await db.select().from(imports).where(eq(imports.id, import_id)))[0]!,
  }
}

test('A file without a header begins with a row.', async () => {
  const { step, row } = await staged(false)
  for (const position of [0, 1000, 1501]) await step(position)
  expect((await row()).summary).toMatchObject({ rows: 1501, invalid: 1 })
})

test('A dry-run reads a page a step, and the import is validated after the last one.', async () => {
  const { step, pages, row } = await staged()
  expect(await step(0)).toEqual({ state: 'more', position: 1001, processed: 1000 })
  expect([await pages(), (await row()).status]).toEqual([1, 'staged'])
  expect(await step(1001)).toEqual({ state: 'more', position: 1501, processed: 500 })
  expect(await step(1501)).toEqual({ state: 'completed' })
  expect([await pages(), await row()]).toMatchObject([
    2,
    { status: 'validated', mapping: { 0: 'email' }, summary: { rows: 1500, new: 1500 }, fields: [], updated_at: LATER },
  ])
})

test('A dry-run that was interrupted begins again, and gives back what it had counted.', async () => {
  const { step, pages } = await staged()
  await step(0)
  expect(await step(500, 500)).toEqual({ state: 'more', position: 0, processed: -500 })
  expect(await pages()).toBe(0)
  expect(await step(0)).toMatchObject({ position: 1001 })
  expect(await pages()).toBe(1)
})

test('After a failure to read, the next attempt begins again.', async () => {
  const { step, state, pages, release } = await staged()
  await step(0)
  state.fails = true
  await expect(step(1001, 1000)).rejects.toThrow('The disk is gone.')
  release()
  state.fails = false
  expect(await step(1001, 1000)).toEqual({ state: 'more', position: 0, processed: -1000 })
  expect([await step(0), await pages()]).toMatchObject([{ position: 1001 }, 1])
})

test('An import that is examined again can be committed only when all of it is read.', async () => {
  const { step, row, pages } = await staged()
  for (const position of [0, 1001, 1501]) await step(position)
  expect([await step(0), await pages()]).toMatchObject([{ state: 'more', position: 1001 }, 1])
  expect((await row()).status).toBe('staged')
  for (const position of [1001, 1501]) await step(position)
  expect([(await row()).status, await pages()]).toEqual(['validated', 2])
})

test('A dry-run whose pages somebody dropped ends.', async () => {
  const { step, row, import_id, pages } = await staged()
  await step(0)
  await write((tx) => dropPages(tx, import_id))
  expect(await step(1001)).toEqual({ state: 'cancelled' })
  expect([(await row()).status, await pages()]).toEqual(['staged', 0])
})

test('The dry-run of an import that was committed or canceled meanwhile ends.', async () => {
  const { step, import_id, pages } = await staged()
  await step(0)
  for (const status of ['queued', 'cancelled'] as const) {
    await write((tx) => tx.update(imports).set({ status }).where(eq(imports.id, import_id)))
    expect(await step(1001)).toEqual({ state: 'cancelled' })
  }
  expect(await pages()).toBe(1)
})

test('Checking a file again goes on with the job that reads it, and ends one that reads it otherwise.', async () => {
  const { project_id, import_id, payload } = await staged()
  const { db } = await sharedStore()
  const ask = (mapping: Record<string, string>) =>
    write((tx) => enqueueExamination(tx, { project_id, payload: { ...payload, mapping }, now: LATER }))
  const states = async () =>
    (await db.select().from(jobs).where(eq(jobs.project_id, project_id)).orderBy(jobs.id)).map(({ status }) => status)
  const first = await ask({ 0: 'email' })
  expect((await ask({ 0: 'email' })).id).toBe(first.id)
  await write((tx) => tx.update(jobs).set({ status: 'running', worker_id: 'w' }).where(eq(jobs.id, first.id)))
  expect((await ask({ 0: 'tags' })).id).not.toBe(first.id)
  expect(await states()).toEqual(['cancelled', 'queued'])
  await write((tx) => cancelExaminations(tx, { project_id, import_id: import_id + 1, now: LATER }))
  expect(await states()).toEqual(['cancelled', 'queued'])
  await write((tx) => cancelExaminations(tx, { project_id, import_id, now: LATER }))
  expect(await states()).toEqual(['cancelled', 'cancelled'])
})
