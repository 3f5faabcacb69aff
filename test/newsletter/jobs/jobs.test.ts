import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import {
  cancelJob,
  enqueueJob,
  type Job,
  type JobKindHandler,
  type Progress,
  runNextJob,
} from '../../../src/newsletter/jobs/queue.ts'
import { enterWorker, leaveWorker } from '../../../src/store/lease.ts'
import type { Tx } from '../../../src/store/open.ts'
import type { LoopContext } from '../../../src/runtime.ts'
import { type JobKind, jobs } from '../../../src/store/tables/delivery.ts'
import { createWorld, type World } from '../../support/world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld({ log_level: 'error' })
})
afterAll(() => world.close())

const store = () => world.service.runtime.store
const enqueue = (kind: JobKind, payload: Record<string, unknown> = {}, project_id = world.project.id) =>
  store().write((tx) => enqueueJob(tx, { project_id, kind, payload, now: world.clock.now() }))
const row = async (id: number): Promise<Job> => (await store().db.select().from(jobs).where(eq(jobs.id, id)))[0]!
const shown = async (job_id: number) => (await world.ok('jobs/get', { job_id })).job
const setStatus = (id: number, status: Job['status']) =>
  store().write((tx) => tx.update(jobs).set({ status }).where(eq(jobs.id, id)))
const clear = () => store().write((tx) => tx.delete(jobs))

describe('the operations', () => {
  test("list by kind and status, oldest first, in pages, and only the project's own", async () => {
    const ids: number[] = []
    for (const kind of ['bulk', 'import', 'bulk', 'segment_materialize', 'bulk'] as const) {
      ids.push((await enqueue(kind)).id)
      if (ids.length === 2) world.clock.advance(1000)
    }
    await enqueue('bulk', {}, world.other.id)
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

  test("a job has exactly its fields; another project's is a 404", async () => {
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

  test('only a failed job is queued again', async () => {
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
})

describe('working on them', () => {
  const kind: JobKind = 'segment_materialize'
  const worker = { id: 'prc_first', host: 'here', pid: process.pid }
  const contextOf = (worker_id: string, stopping = () => false): LoopContext => ({
    ...world.service.runtime,
    worker_id,
    stopping,
  })
  /** Counts to `upto`, one a step, and keeps what it counted in the job itself. */
  const counter = (upto: number, during?: (tx: Tx, job: Job) => Promise<void>): JobKindHandler => ({
    kind,
    async step(tx, job): Promise<Progress> {
      await during?.(tx, job)
      return job.position === upto
        ? { state: 'completed' }
        : { state: 'more', position: job.position + 1, processed: 1 }
    },
  })
  beforeAll(() => store().write((tx) => enterWorker(tx, worker, 'server', world.clock.now())))

  test('goes step by step to its end', async () => {
    const { id } = await enqueue(kind)
    expect(await runNextJob(contextOf(worker.id), [counter(5)])).toBe(true)
    expect(await runNextJob(contextOf(worker.id), [counter(5)])).toBe(false)
    expect(await shown(id)).toMatchObject({ status: 'completed', processed: 5, total: 5 })
  })

  test('asked to stop, it gives the job back where it is', async () => {
    const { id } = await enqueue(kind)
    let steps = 0
    expect(
      await runNextJob(
        contextOf(worker.id, () => steps >= 3),
        [
          counter(5, async () => {
            steps += 1
          }),
        ],
      ),
    ).toBe(false)
    expect(await row(id)).toMatchObject({ status: 'queued', position: 3, processed: 3, worker_id: null })
    await runNextJob(contextOf(worker.id), [counter(5)])
    expect(await shown(id)).toMatchObject({ status: 'completed', processed: 5 })
  })

  test('a step that fails is undone and tried three times, a while apart', async () => {
    const { id } = await enqueue(kind)
    const broken = counter(5, async (tx, job) => {
      await tx.run(sql`UPDATE projects SET name = 'Changed' WHERE id = ${job.project_id}`)
      if (job.position === 2) throw new Error('broken on purpose')
    })
    world.service.runtime.log.error = () => undefined
    for (const attempt of [1, 2, 3]) {
      expect(await runNextJob(contextOf(worker.id), [broken])).toBe(true)
      expect(await row(id)).toMatchObject({
        status: attempt === 3 ? 'failed' : 'queued',
        attempts: attempt,
        position: 2,
        processed: 2,
      })
      expect(await runNextJob(contextOf(worker.id), [broken])).toBe(false)
      world.clock.advance(15_000)
      await store().write((tx) =>
        tx.run(sql`UPDATE workers SET alive_until = ${world.clock.now() + 20_000} WHERE id = ${worker.id}`),
      )
    }
    const { error } = await shown(id)
    expect([error.includes('log'), error.includes('purpose')]).toEqual([true, false])
    await world.ok('jobs/requeue', { job_id: id })
    await runNextJob(contextOf(worker.id), [counter(5)])
    expect(await shown(id)).toMatchObject({ status: 'completed', processed: 5, error: null })
  })

  test('a long one lets others go first after a while', async () => {
    const long = await enqueue(kind)
    const order: number[] = []
    const noting = counter(60, async (_, job) => {
      order.push(job.id)
      world.clock.advance(1)
    })
    await runNextJob(
      contextOf(worker.id, () => order.length === 5),
      [noting],
    )
    const other = await enqueue(kind)
    while (await runNextJob(contextOf(worker.id), [noting])) {
      /* until both are done */
    }
    expect([await shown(long.id), await shown(other.id)]).toMatchObject([
      { status: 'completed', processed: 60 },
      { status: 'completed', processed: 60 },
    ])
    const turns = order.slice(5).filter((id, index, all) => id !== all[index - 1])
    expect(turns.length).toBeGreaterThan(4)
  })

  test('cancelled in the midst of it, it does no further step', async () => {
    const { id } = await enqueue(kind)
    const context = contextOf(worker.id)
    const write = context.store.write
    let steps = 0
    const handler = counter(5, async () => {
      steps += 1
    })
    await runNextJob(
      {
        ...context,
        store: {
          ...context.store,
          write: async (work) => {
            if (steps === 2) await write((tx) => cancelJob(tx, id, world.clock.now()))
            return write(work)
          },
        },
      },
      [handler],
    )
    expect([steps, (await shown(id)).status]).toEqual([2, 'cancelled'])
  })

  test('of a worker that died, another goes on at its place, and the first cannot write any more', async () => {
    const { id } = await enqueue(kind)
    const second = { id: 'prc_second', host: 'there', pid: process.pid }
    let steps = 0
    const stolen = counter(5, async () => {
      steps += 1
    })
    const context = contextOf(worker.id)
    const write = context.store.write
    await runNextJob(
      {
        ...context,
        store: {
          ...context.store,
          write: async (work) => {
            if (steps === 2) {
              await write((tx) => leaveWorker(tx, worker.id))
              await write((tx) => enterWorker(tx, second, 'server', world.clock.now()))
              await runNextJob(contextOf(second.id), [counter(5)])
              steps += 1
            }
            return write(work)
          },
        },
      },
      [stolen],
    )
    expect([steps, await shown(id)]).toEqual([3, expect.objectContaining({ status: 'completed', processed: 5 })])
  })
})
