import { afterEach, beforeEach, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { processMetrics } from '../../../src/metrics.ts'
import { writeLedger } from '../../../src/newsletter/outbox/ledger.ts'
import { type Lease, mark, settle } from '../../../src/newsletter/outbox/outbox.ts'
import { limitsOf } from '../../../src/newsletter/outbox/paced-batch.ts'
import { recoverBatch, recoverLease, recoverWorkers } from '../../../src/newsletter/outbox/recovery.ts'
import { workers } from '../../../src/store/tables/operation.ts'
import type { PageRecord } from '../../../src/store/journal.ts'
import { campaigns, events } from '../../../src/store/tables/delivery.ts'
import { loopContext } from '../../support/world.ts'
import { createScene, OURS, type OutboxScene } from './support.ts'

let scene: OutboxScene
beforeEach(async () => {
  scene = await createScene(6)
})
afterEach(() => scene.world.close())

const store = () => scene.world.service.runtime.store
const now = () => scene.world.clock.now()
const markRows = (lease: Lease, ids: number[]) =>
  store().write((tx) =>
    mark(tx, lease, {
      messages: ids.map((id) => ({ id, message_id: `${id}@test.example` })),
      may_send: sql`1`,
      running: sql`1`,
      skipped_because: '',
    }),
  )
const recoverAs = (worker_id: string) =>
  recoverWorkers(loopContext(scene.world.service.runtime, worker_id), { are_tidy: false })
const bury = (worker_id: string) => store().write((tx) => tx.delete(workers).where(eq(workers.id, worker_id)))

test("A dead worker's leased rows are queued again, and its marked rows are in doubt, with an event.", async () => {
  const ids = (await scene.lease(OURS, 4)).map(({ id }) => id)
  await markRows(OURS, ids.slice(0, 1))
  await bury(OURS.worker_id)
  await recoverAs('wrk_other')
  expect(await scene.statuses()).toEqual({ uncertain: 1, queued: 5 })
  const [doubtful] = await scene.rows()
  expect(doubtful).toMatchObject({
    worker_id: null,
    lease_id: null,
    last_error: expect.stringContaining('process ended'),
  })
  const logged = await store().db.select().from(events).where(eq(events.type, 'uncertain'))
  expect(logged).toMatchObject([{ delivery_id: ids[0], campaign_id: scene.campaign_id }])
})

test("A living worker's rows stay, on whatever machine it runs.", async () => {
  await store().write((tx) => tx.update(workers).set({ host: 'another machine' }).where(eq(workers.id, OURS.worker_id)))
  await scene.lease(OURS, 4)
  await recoverAs('wrk_other')
  expect(await scene.statuses()).toEqual({ leased: 4, queued: 2 })
})

test('The asking worker is alive although its heartbeat is late.', async () => {
  await scene.lease(OURS, 4)
  await bury(OURS.worker_id)
  await recoverAs(OURS.worker_id)
  expect(await scene.statuses()).toEqual({ leased: 4, queued: 2 })
})

test('A worker frozen beyond its lease can neither mark nor settle what was recovered and leased again.', async () => {
  const ids = (await scene.lease(OURS)).map(({ id }) => id)
  await markRows(OURS, ids.slice(0, 1))
  await bury(OURS.worker_id)
  await recoverAs('wrk_other')
  const theirs: Lease = { worker_id: 'wrk_other', lease_id: 'prc_other' }
  await scene.lease(theirs)

  // The frozen worker wakes up and goes on.
  expect(await markRows(OURS, ids)).toEqual([])
  const changed = await store().write((tx) =>
    settle(
      tx,
      OURS,
      ids.map((id) => ({ id, to: 'sent', error: null })),
      { in_sandbox: false, now: now() },
    ),
  )
  expect(changed.size).toBe(0)
  expect(await scene.statuses()).toEqual({ uncertain: 1, leased: 5 })
  expect(new Set((await scene.rows()).map(({ lease_id }) => lease_id))).toEqual(new Set([null, 'prc_other']))
})

test('A message in doubt is counted once, when its recovery is committed.', async () => {
  await markRows(
    OURS,
    (await scene.lease(OURS, 1)).map(({ id }) => id),
  )
  await bury(OURS.worker_id)
  const context = loopContext(scene.world.service.runtime, 'wrk_other')
  const failing: typeof context.store.write = (work) =>
    context.store.write(async (tx) => {
      await work(tx)
      throw new Error('The commit failed.')
    })
  const counted = () => Number(/total\{outcome="uncertain"\} (\d+)/.exec(processMetrics.text([]))![1])
  const before = counted()
  const failed = recoverWorkers({ ...context, store: { ...context.store, write: failing } }, { are_tidy: false })
  await expect(failed).rejects.toThrow('The commit failed.')
  expect(counted()).toBe(before)
  await recoverWorkers(context, { are_tidy: false })
  expect([counted(), await scene.statuses()]).toEqual([before + 1, { uncertain: 1, queued: 5 }])
})

test('One lease of a living worker is recovered without touching its others.', async () => {
  const other: Lease = { ...OURS, lease_id: 'prc_second' }
  await scene.lease(OURS, 3)
  await scene.lease(other, 3)
  await store().write((tx) => recoverLease(tx, OURS, new Map(), now()))
  expect((await scene.rows()).map(({ lease_id }) => lease_id)).toEqual([
    null,
    null,
    null,
    ...Array(3).fill('prc_second'),
  ])
})

test('A test of a campaign that is recovered counts for no campaign, settled or in doubt.', async () => {
  const ids = (await scene.lease(OURS, 4)).map(({ id }) => id) as [number, number, number, number]
  const tests = JSON.stringify(ids.slice(2))
  await store().write((tx) =>
    tx.run(sql`UPDATE deliveries SET kind = 'test' WHERE id IN (SELECT value FROM json_each(${tests}))`),
  )
  await markRows(OURS, ids)
  const answer = { status: 'failed', error: '554 no' }
  await store().write((tx) => tx.update(campaigns).set({ handed_over: 10 }))
  const items = new Map<number, object>(ids.map((id, at) => [id, at % 2 ? { answer } : {}]))
  const page = { about: scene.stream.connection.id, items } as unknown as PageRecord
  await store().write((tx) => recoverLease(tx, OURS, new Map([[OURS.lease_id, page]]), now()))
  expect(await scene.statuses()).toEqual({ failed: 2, uncertain: 2, queued: 2 })
  const logged = await store().db.select().from(events).orderBy(events.delivery_id)
  expect(
    logged.filter(({ type }) => type === 'uncertain').map((event) => [event.delivery_id, event.campaign_id]),
  ).toEqual([
    [ids[0], scene.campaign_id],
    [ids[2], null],
  ])
  const [campaign] = await store().db.select().from(campaigns).where(eq(campaigns.id, scene.campaign_id))
  expect(campaign!.handed_over).toBe(9)
})

test('A failed batch writes the outcomes that are known before it recovers the rest.', async () => {
  const rows = await scene.lease(OURS)
  await markRows(
    OURS,
    rows.slice(0, 2).map(({ id }) => id),
  )
  const ledger = {
    lease: OURS,
    limits: limitsOf(scene.stream, now()),
    may_send: sql`1`,
    running: sql`1`,
    messageId: () => '',
  }
  const handed = [{ message: rows[0]!, outcome: { status: 'sent' as const } }]
  await recoverBatch(scene.context, OURS, (tx) => writeLedger(tx, ledger, { handed, next: [], now: now() }))
  expect(await scene.statuses()).toEqual({ sent: 1, uncertain: 1, queued: 4 })
})

test('A process that stops does not wait for a store that fails: the next one recovers its rows.', async () => {
  await scene.lease(OURS)
  const context = { ...scene.failingAt(1), stopping: () => true }
  await recoverBatch(context, OURS)
  expect(await scene.statuses()).toEqual({ leased: 6 })
})
