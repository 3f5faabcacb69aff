import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { ProjectId } from '../../../src/ids.ts'
import { eq, sql } from 'drizzle-orm'
import {
  cancelJob,
  enqueueJob,
  type Job,
  type JobKindHandler,
  type Progress,
  runNextJob,
} from '../../../src/newsletter/jobs/queue.ts'
import type { YieldedJobs } from '../../../src/newsletter/jobs/yielded.ts'
import { registerWorker, removeWorker } from '../../../src/store/lease.ts'
import type { Tx } from '../../../src/store/open.ts'
import type { LoopContext } from '../../../src/runtime.ts'
import { type JobKind, jobs } from '../../../src/store/tables/jobs.ts'
import { createWorld, loopContext, type World } from '../../support/world.ts'

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

const kind: JobKind = 'segment_materialize'
const worker = { id: 'prc_first', host: 'here', pid: process.pid }
const contextOf = (worker_id: string, stopping = () => false): LoopContext => ({
  ...loopContext(world.service.runtime, worker_id),
  stopping,
})
/** Counts to `upto`, one per step; the job's position holds the count. */
const counter = (upto: number, during?: (tx: Tx, job: Job) => Promise<void>): JobKindHandler => ({
  kind,
  async step(tx, job): Promise<Progress> {
    await during?.(tx, job)
    return job.position === upto ? { state: 'completed' } : { state: 'more', position: job.position + 1, processed: 1 }
  },
})
/** Moves the clock past the wait before the next try; the worker stays alive. */
const waitForRetry = async () => {
  world.clock.advance(15_000)
  await store().write((tx) =>
    tx.run(sql`UPDATE workers SET alive_until = ${world.clock.now() + 20_000} WHERE id = ${worker.id}`),
  )
}
beforeAll(() => store().write((tx) => registerWorker(tx, worker, 'server', world.clock.now())))

test('A job runs step by step until it is completed.', async () => {
  const { id } = await enqueue(kind)
  expect(await runNextJob(contextOf(worker.id), [counter(5)])).toBe(true)
  expect(await runNextJob(contextOf(worker.id), [counter(5)])).toBe(false)
  expect(await shown(id)).toMatchObject({ status: 'completed', processed: 5, total: 5 })
})

test('A worker that is asked to stop queues its job again at its position.', async () => {
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

test('A step that throws is rolled back and tried three times, fifteen seconds apart.', async () => {
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
      error: attempt === 3 ? expect.any(String) : null,
    })
    expect(await runNextJob(contextOf(worker.id), [broken])).toBe(false)
    await waitForRetry()
  }
  const { error } = await shown(id)
  expect([error.includes('log'), error.includes('purpose')]).toEqual([true, false])
  await world.ok('jobs/requeue', { job_id: id })
  await runNextJob(contextOf(worker.id), [counter(5)])
  expect(await shown(id)).toMatchObject({ status: 'completed', processed: 5, error: null })
})

test('A job of many steps yields to waiting jobs.', async () => {
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

test('A job that is canceled while it waits after it yielded is released.', async () => {
  const [long, other] = [await enqueue(kind), await enqueue(kind)]
  const released: number[] = []
  const handler = { ...counter(30), release: (job_id: number) => void released.push(job_id) }
  const yielded: YieldedJobs = new Map()
  const run = () => runNextJob(contextOf(worker.id), [handler], { yielded })
  await run()
  expect([released, (await row(long.id)).status]).toEqual([[], 'queued'])
  await store().write((tx) => cancelJob(tx, long.id, world.clock.now()))
  await run()
  expect([released, yielded.size]).toEqual([[long.id, other.id], 0])
})

test('Projects take turns, so that the many jobs of one do not hold another up.', async () => {
  const { project, other } = world
  for (const project_id of [project.id, project.id, project.id, other.id, other.id]) await enqueue(kind, project_id)
  const order: number[] = []
  const noted = counter(0, async (_, job) => void order.push(job.project_id))
  const turns = new Set<ProjectId>()
  while (await runNextJob(contextOf(worker.id), [noted], { turns }));
  const [a, b] = order
  expect(order).toEqual([a!, b!, a!, b!, project.id])
  expect(new Set(order)).toEqual(new Set([project.id, other.id]))
})

test('A job that is canceled between two steps runs no further step.', async () => {
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

test('Another worker continues the job of a dead worker, which can no longer write.', async () => {
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
            await write((tx) => removeWorker(tx, worker.id))
            await write((tx) => registerWorker(tx, second, 'server', world.clock.now()))
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

test('A step that succeeds clears the count of failures, so only failures in a row end a job.', async () => {
  const { id } = await enqueue(kind)
  const failing = new Set([1, 2, 3])
  const handler = counter(4, async (_, job) => {
    if (failing.delete(job.position)) throw new Error('broken on purpose')
  })
  world.service.runtime.log.error = () => undefined
  for (const position of [1, 2, 3]) {
    await runNextJob(contextOf(worker.id), [handler])
    expect(await row(id)).toMatchObject({ status: 'queued', attempts: 1, position })
    await waitForRetry()
  }
  await runNextJob(contextOf(worker.id), [handler])
  expect(await shown(id)).toMatchObject({ status: 'completed', processed: 4, attempts: 0 })
})

test('A job that fails tells its handler in the same transaction.', async () => {
  const { id } = await enqueue(kind)
  const told: [number, Job['status'], string][] = []
  const handler: JobKindHandler = {
    kind,
    step: () => Promise.reject(new Error('broken on purpose')),
    async onFailure(tx, job, reason) {
      const [present] = await tx.select().from(jobs).where(eq(jobs.id, job.id))
      told.push([job.id, present!.status, reason])
    },
  }
  world.service.runtime.log.error = () => undefined
  for (let attempt = 0; attempt < 3; attempt++) {
    expect(told).toEqual([])
    await runNextJob(contextOf(worker.id), [handler])
    await waitForRetry()
  }
  expect(told).toEqual([[id, 'failed', (await shown(id)).error]])
})

test('A job that is cancelled while its last try fails stays cancelled, and its handler is not told.', async () => {
  const { id } = await enqueue(kind)
  await store().write((tx) => tx.update(jobs).set({ attempts: 2 }).where(eq(jobs.id, id)))
  let told = false
  const handler: JobKindHandler = {
    kind,
    step: () => Promise.reject(new Error('broken on purpose')),
    onFailure: async () => {
      told = true
    },
  }
  const context = contextOf(worker.id)
  // The error is logged after the step was rolled back and before the failure is recorded.
  let cancelled: Promise<Job> | undefined
  const log = {
    ...context.log,
    error: () => {
      cancelled = store().write((tx) => cancelJob(tx, id, world.clock.now()))
    },
  }
  await runNextJob({ ...context, log }, [handler])
  expect([(await cancelled)?.status, (await shown(id)).status, told]).toEqual(['cancelled', 'cancelled', false])
})

test('A running job that its own worker left behind is taken up again.', async () => {
  const { id } = await enqueue(kind)
  const living = { ...worker, id: 'prc_living' }
  await store().write(async (tx) => {
    await registerWorker(tx, living, 'server', world.clock.now())
    await tx.update(jobs).set({ status: 'running', worker_id: living.id }).where(eq(jobs.id, id))
  })
  expect(await runNextJob(contextOf('prc_other'), [counter(2)])).toBe(false)
  expect(await runNextJob(contextOf(living.id), [counter(2)])).toBe(true)
  expect(await shown(id)).toMatchObject({ status: 'completed', processed: 2 })
})

test.each(['completed', 'failed', 'cancelled'] as const)('A job that is %s stays so.', async (status) => {
  const { id } = await enqueue(kind)
  await setStatus(id, status)
  expect((await store().write((tx) => cancelJob(tx, id, world.clock.now()))).status).toBe(status)
})
