import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { enqueueJob, type Job } from '../../../src/newsletter/jobs/queue.ts'
import { type JobKind, jobs } from '../../../src/store/tables/jobs.ts'
import { createWorld, type World } from '../../support/world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld({ log_level: 'error' })
})
afterAll(() => world.close())

const store = () => world.service.runtime.store
const payload = { segment_id: 1, tag_id: 1 }
const enqueue = (kind: JobKind, project_id = world.project.id) =>
  store().write((tx) => enqueueJob(tx, { project_id, kind, payload, now: world.clock.now() }))
const row = async (id: number): Promise<Job> => (await store().db.select().from(jobs).where(eq(jobs.id, id)))[0]!
const shown = async (job_id: number) => (await world.ok('jobs/get', { job_id })).job
const setStatus = (id: number, status: Job['status']) =>
  store().write((tx) => tx.update(jobs).set({ status }).where(eq(jobs.id, id)))
const clear = () => store().write((tx) => tx.delete(jobs))

test('jobs/list filters by kind and status, oldest first, in pages, for one project only', async () => {
  const ids: number[] = []
  for (const kind of ['bulk', 'import', 'bulk', 'segment_materialize', 'bulk'] as const) {
    ids.push((await enqueue(kind)).id)
    if (ids.length === 2) world.clock.advance(1000)
  }
  await enqueue('bulk', world.other.id)
  await setStatus(ids[2]!, 'completed')
  const list = async (body: Record<string, unknown>) =>
    (await world.ok('jobs/list', body)).items.map(({ id }: Job) => id)
  expect(await list({})).toEqual(ids)
  expect(await list({ kinds: ['bulk'] })).toEqual([ids[0], ids[2], ids[4]])
  expect(await list({ kinds: ['import', 'segment_materialize'] })).toEqual([ids[1], ids[3]])
  expect(await list({ kinds: ['bulk'], statuses: ['completed', 'failed'] })).toEqual([ids[2]])

  const paged: number[] = []
  for (let cursor: string | null | undefined; cursor !== null;) {
    const { items, next_cursor } = await world.ok('jobs/list', { limit: 2, ...(cursor ? { cursor } : {}) })
    paged.push(...items.map(({ id }: Job) => id))
    cursor = next_cursor
  }
  expect(paged).toEqual(ids)
  const { next_cursor } = await world.ok('jobs/list', { limit: 2, kinds: ['bulk'] })
  expect((await world.call('jobs/list', { limit: 2, cursor: next_cursor })).body.error.code).toBe('INVALID_CURSOR')
  for (const body of [{ kinds: ['export'] }, { statuses: ['done'] }, { kinds: 'bulk' }])
    expect((await world.call('jobs/list', body)).status).toBe(400)
  await clear()
})

test("jobs/get shows exactly the fields of a job and answers 404 for another project's job", async () => {
  const { id } = await enqueue('bulk')
  const at = new Date(world.clock.now()).toISOString()
  expect(await shown(id)).toEqual({
    id,
    kind: 'bulk',
    status: 'queued',
    processed: 0,
    total: null,
    error: null,
    attempts: 0,
    created_at: at,
    updated_at: at,
  })
  for (const operation of ['jobs/get', 'jobs/requeue']) {
    const { status, body } = await world.call(operation, { job_id: id }, { as: world.keys.other })
    expect([status, body.error.code, body.error.details]).toEqual([404, 'NOT_FOUND', [{ path: '/job_id' }]])
  }
  await clear()
})

test('jobs/requeue accepts only a failed job, and the job continues at its position', async () => {
  const { id } = await enqueue('bulk')
  for (const status of ['queued', 'running', 'completed', 'cancelled'] as const) {
    await setStatus(id, status)
    const answer = await world.call('jobs/requeue', { job_id: id })
    expect([answer.status, answer.body.error.code, answer.body.error.details]).toEqual([
      409,
      'INVALID_STATE',
      { state: status },
    ])
  }
  await store().write((tx) =>
    tx
      .update(jobs)
      .set({ status: 'failed', attempts: 3, error: 'It broke.', position: 7, processed: 5 })
      .where(eq(jobs.id, id)),
  )
  const answer = await world.call('jobs/requeue', { job_id: id })
  expect([answer.status, answer.body.data.job]).toEqual([
    202,
    expect.objectContaining({ id, status: 'queued', attempts: 0, error: null, processed: 5 }),
  ])
  expect((await row(id)).position).toBe(7)
  await clear()
})

test('a failed job of another project is not found, and stays failed', async () => {
  const { id } = await enqueue('bulk', world.other.id)
  await setStatus(id, 'failed')
  const answer = await world.call('jobs/requeue', { job_id: id })
  expect([answer.status, answer.body.error.code, answer.body.error.details]).toEqual([
    404,
    'NOT_FOUND',
    [{ path: '/job_id' }],
  ])
  expect((await row(id)).status).toBe('failed')
  await clear()
})
