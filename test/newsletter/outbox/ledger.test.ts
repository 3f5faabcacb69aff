import { afterEach, beforeEach, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { type LedgerOptions, writeLedger } from '../../../src/newsletter/outbox/ledger.ts'
import { cancel, defer, type Lease, type Leased, release } from '../../../src/newsletter/outbox/outbox.ts'
import type { Outcome } from '../../../src/newsletter/outbox/outcome.ts'
import { limitsOf } from '../../../src/newsletter/outbox/paced-batch.ts'
import { sentInLastDay } from '../../../src/newsletter/outbox/quota.ts'
import { suppressions } from '../../../src/store/tables/audience.ts'
import { campaigns, deliveries, events } from '../../../src/store/tables/delivery.ts'
import { createScene, OURS, type OutboxScene } from './support.ts'

let scene: OutboxScene
beforeEach(async () => {
  scene = await createScene(5)
})
afterEach(() => scene.world.close())

const THEIRS: Lease = { worker_id: 'wrk_theirs', lease_id: 'prc_theirs' }
const store = () => scene.world.service.runtime.store
const now = () => scene.world.clock.now()

const options = (lease: Lease = OURS, more: Partial<LedgerOptions> = {}): LedgerOptions => ({
  lease,
  limits: limitsOf(scene.stream, now()),
  may_send: sql`1`,
  running: sql`1`,
  messageId: ({ id }) => `${id}@test.example`,
  ...more,
})
const markAll = (rows: Leased[], ...how: Parameters<typeof options>) =>
  store().write((tx) => writeLedger(tx, options(...how), { handed: [], next: rows, now: now() }))
const settleAll = (rows: Leased[], outcomeOf: (index: number) => Outcome, lease?: Lease) =>
  store().write((tx) =>
    writeLedger(tx, options(lease), {
      handed: rows.map((message, index) => ({ message, outcome: outcomeOf(index) })),
      next: [],
      now: now(),
    }),
  )
const counted = async () => {
  const [campaign] = await store().db.select({ handed_over: campaigns.handed_over }).from(campaigns)
  const sent = await sentInLastDay(store().db, scene.world.project.id, scene.stream.connection.id, now())
  return { handed_over: campaign!.handed_over, sent }
}
const eventTypes = async () =>
  (await store().db.select({ type: events.type }).from(events))
    .map(({ type }) => type)
    .filter((type) => !['subscribed', 'confirmed'].includes(type))
    .toSorted()

test('A worker whose lease ended marks nothing.', async () => {
  const rows = await scene.lease(OURS)
  expect((await markAll(rows, THEIRS)).size).toBe(0)
  expect(await scene.statuses()).toEqual({ leased: 5 })
  expect(await counted()).toEqual({ handed_over: 0, sent: 0 })
})

test('A worker whose lease ended changes no status, count, event or suppression.', async () => {
  const rows = await scene.lease(OURS)
  await markAll(rows)
  await settleAll(rows, () => ({ status: 'bounced', error: '550 5.1.1 no such user' }), THEIRS)
  expect(await scene.statuses()).toEqual({ sending: 5 })
  expect(await counted()).toEqual({ handed_over: 5, sent: 5 })
  expect(await eventTypes()).toEqual([])
  expect(await store().db.select().from(suppressions)).toEqual([])
})

test('A worker neither releases nor defers rows of another lease.', async () => {
  const ids = (await scene.lease(OURS)).map(({ id }) => id)
  await store().write((tx) => release(tx, THEIRS, ids))
  await store().write((tx) => defer(tx, THEIRS, new Map(ids.map((id) => [id, 0]))))
  expect(await scene.statuses()).toEqual({ leased: 5 })
  await store().write((tx) => release(tx, OURS, ids))
  expect(await scene.statuses()).toEqual({ queued: 5 })
})

test('The cancellation of a campaign leaves its test messages.', async () => {
  const [tested] = await scene.rows()
  await store().write((tx) => tx.update(deliveries).set({ kind: 'test' }).where(eq(deliveries.id, tested!.id)))
  const cancelled = await store().write((tx) => cancel(tx, { campaign_id: scene.campaign_id, limit: 10 }))
  expect([cancelled, await scene.statuses()]).toEqual([4, { queued: 1, cancelled: 4 }])
})

test('A mark counts as an attempt and stores the Message-ID before the message is handed over.', async () => {
  const rows = await scene.lease(OURS)
  expect([...(await markAll(rows)).values()]).toEqual(Array.from({ length: 5 }, () => 'sending'))
  expect(
    (await scene.rows()).map(({ attempts, message_id, id }) => [attempts, message_id === `${id}@test.example`]),
  ).toEqual(Array.from({ length: 5 }, () => [1, true]))
  expect(await counted()).toEqual({ handed_over: 5, sent: 5 })
})

test('A message that may not go any more is skipped, with an event, and counts nowhere.', async () => {
  const rows = await scene.lease(OURS)
  const verdicts = await markAll(rows, OURS, { may_send: sql`delivery.id <> ${rows[0]!.id}` })
  expect(verdicts.get(rows[0]!.id)).toBe('skipped')
  const [skipped] = await scene.rows()
  expect(skipped).toMatchObject({ status: 'skipped', attempts: 0, lease_id: null, worker_id: null, message_id: null })
  expect(await eventTypes()).toEqual(['skipped'])
  expect(await counted()).toEqual({ handed_over: 4, sent: 4 })
})

test('Nothing is marked while the stream does not run.', async () => {
  const rows = await scene.lease(OURS)
  expect((await markAll(rows, OURS, { running: sql`0` })).size).toBe(0)
  expect(await scene.statuses()).toEqual({ leased: 5 })
})

test('Only as many are marked as the limit of the day allows.', async () => {
  const rows = await scene.lease(OURS)
  const limits = { ...options().limits, max_per_day: 3 }
  expect((await markAll(rows, OURS, { limits })).size).toBe(3)
  expect((await markAll(rows, OURS, { limits })).size).toBe(0)
  expect(await scene.statuses()).toEqual({ sending: 3, leased: 2 })
})

test('Each outcome leads to its status; only a refusal is given back to the quota.', async () => {
  const rows = await scene.lease(OURS)
  await markAll(rows)
  const outcomes: Outcome[] = [
    { status: 'sent' },
    { status: 'uncertain', error: 'lost' },
    { status: 'failed', error: 'no' },
    { status: 'bounced', error: 'who?' },
    { status: 'retry', error: 'later', due_at: now() + 60_000 },
  ]
  await settleAll(rows, (index) => outcomes[index]!)
  expect((await scene.rows()).map(({ status }) => status)).toEqual(['sent', 'uncertain', 'failed', 'bounced', 'queued'])
  // A message in doubt may have arrived, so it stays counted, and so does one to an address that does not exist.
  expect(await counted()).toEqual({ handed_over: 3, sent: 3 })
  expect(await eventTypes()).toEqual(['bounce', 'failed', 'sent', 'suppressed', 'uncertain'])
  const told = await store().db.select({ type: events.type, detail: events.detail }).from(events).orderBy(events.id)
  expect(Object.fromEntries(told.map(({ type, detail }) => [type, detail]))).toMatchObject({
    ...{ sent: null, uncertain: 'lost', failed: 'no', bounce: '{"kind":"hard","response":"who?"}' },
  })
  expect(await store().db.select().from(suppressions)).toMatchObject([{ email: rows[3]!.email, reason: 'hard_bounce' }])
  expect((await scene.rows())[4]).toMatchObject({ attempts: 1, next_attempt_at: now() + 60_000, last_error: 'later' })
})

test('The outcome of a test message is no event of its campaign.', async () => {
  const rows = await scene.lease(OURS)
  await markAll(rows)
  const kinds = ['campaign', 'test', 'confirmation'] as const
  await settleAll(
    kinds.map((kind, at) => ({ ...rows[at]!, kind })),
    () => ({ status: 'sent' }),
  )
  const about = { delivery_id: events.delivery_id, campaign_id: events.campaign_id }
  const sent = await store().db.select(about).from(events).where(eq(events.type, 'sent')).orderBy(events.id)
  expect(sent).toEqual(
    kinds.map((kind, at) => ({
      delivery_id: rows[at]!.id,
      campaign_id: kind === 'campaign' ? scene.campaign_id : null,
    })),
  )
})

test('An unreachable relay is not an attempt.', async () => {
  const rows = await scene.lease(OURS)
  await markAll(rows)
  await settleAll(rows, () => ({ status: 'unreachable', error: 'refused', due_at: now() + 30_000 }))
  expect((await scene.rows()).map(({ status, attempts }) => [status, attempts])).toEqual(
    Array.from({ length: 5 }, () => ['queued', 0]),
  )
  expect(await counted()).toEqual({ handed_over: 0, sent: 0 })
})

test('A campaign cancelled under a lease: leased rows cannot be marked, and a retry ends as cancelled.', async () => {
  const rows = await scene.lease(OURS, 3)
  await markAll(rows.slice(0, 1))
  await scene.world.ok('campaigns/cancel', { campaign_id: scene.campaign_id })
  expect(await scene.statuses()).toEqual({ sending: 1, cancelled: 4 })
  expect((await markAll(rows.slice(1))).size).toBe(0)
  await settleAll(rows, () => ({ status: 'retry', error: 'later', due_at: now() }))
  expect(await scene.statuses()).toEqual({ cancelled: 5 })
})

test('Cancel ends at most as many messages as it is told to.', async () => {
  await scene.lease(OURS, 2)
  const some = await store().write((tx) => cancel(tx, { campaign_id: scene.campaign_id, limit: 3 }))
  const others = await store().write((tx) => cancel(tx, { campaign_id: scene.campaign_id, limit: 3 }))
  expect([some, others, await scene.statuses()]).toEqual([3, 2, { cancelled: 5 }])
})
