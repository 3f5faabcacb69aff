import { afterEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { leaseBatch, limitsOf, type Source } from '../../../src/newsletter/outbox/paced-batch.ts'
import { countSent, takeTokens } from '../../../src/newsletter/outbox/quota.ts'
import { connections, newsletter_settings, send_buckets } from '../../../src/store/tables/delivery.ts'
import { createScene, OURS, type OutboxScene } from './support.ts'

/** Batches leased directly. The clock of the scene stands still. */

let scene: OutboxScene
afterEach(() => scene.world.close())

const store = () => scene.context.store
const now = () => scene.world.clock.now()
const lease = (source: Partial<Source> = {}, opened_at = now()) =>
  leaseBatch(scene.context, { ...scene.stream, ...source }, OURS, opened_at)
/** What is left in the bucket of the connection. */
const tokens = async () => (await store().db.select().from(send_buckets))[0]?.tokens

test('A connection without a pace leases what is due at once, and takes no tokens.', async () => {
  scene = await createScene(7)
  const batch = await lease()
  expect([batch?.rows.length, batch?.send_at, batch?.wait_ms]).toEqual([7, null, null])
  expect(await tokens()).toBeUndefined()
})

test('A batch holds no more than the limits of day and month leave.', async () => {
  scene = await createScene(7)
  const connection = { ...scene.stream.connection, max_per_day: 3 }
  expect((await lease({ connection }))?.rows).toHaveLength(3)
  expect((await lease({ monthly_limit: 2 }))?.rows).toHaveLength(2)
  const limits = limitsOf({ ...scene.stream, connection }, now())
  expect(limits).toMatchObject({ max_per_day: 3, campaign_id: scene.campaign_id, connection_id: connection.id })
  await store().write((tx) => countSent(tx, limits, 3, now()))
  expect(await lease({ connection })).toEqual({ rows: [], send_at: null, wait_ms: null })
  expect(await scene.statuses()).toEqual({ leased: 5, queued: 2 })
})

test('A paced connection leases for a quarter of a second, and spaces the send times by its rate.', async () => {
  scene = await createScene(20, { max_per_second: 20 })
  const begun_at = performance.now()
  const batch = (await lease())!
  expect(batch.rows).toHaveLength(5)
  const gaps = batch.send_at!.slice(1).map((at, index) => Math.round(at - batch.send_at![index]!))
  // 1 % below the limit: 19.8 messages a second.
  expect(gaps).toEqual([51, 51, 51, 51])
  expect(batch.send_at![0]).toBeGreaterThanOrEqual(begun_at)
})

test('Batches take tokens of the next half second; after that the caller waits.', async () => {
  scene = await createScene(40, { max_per_second: 20 })
  const sizes: number[] = []
  let batch = (await lease())!
  for (; batch.rows.length > 0; batch = (await lease())!) sizes.push(batch.rows.length)
  // One token at the start, and those of 500 ms at 19.8 a second.
  expect(sizes).toEqual([5, 5])
  expect(batch.wait_ms).toBeGreaterThan(0)
  expect(batch.wait_ms).toBeLessThanOrEqual(51)
})

test('Tokens of messages that do not exist are returned.', async () => {
  scene = await createScene(2, { max_per_second: 20 })
  const batch = (await lease())!
  expect([batch.rows.length, batch.send_at?.length]).toEqual([2, 5])
  expect(await tokens()).toBe(-1)
})

test('A paced source is opened again when its connection, its settings or the monthly limit changed.', async () => {
  scene = await createScene(4, { max_per_second: 20 })
  const { connection, project_id } = scene.stream
  expect(await lease({ connection: { ...connection, updated_at: connection.updated_at - 1 } })).toBeNull()
  expect(await lease({ monthly_limit: 1000 })).toBeNull()
  const saved = { project_id, updated_at: now() }
  await store().write((tx) =>
    tx
      .insert(newsletter_settings)
      .values(saved)
      .onConflictDoUpdate({ target: newsletter_settings.project_id, set: saved }),
  )
  expect(await lease({}, now() - 1)).toBeNull()
  expect(await scene.statuses()).toEqual({ queued: 4 })
  expect((await lease({}, now()))?.rows).toHaveLength(4)
  await store().write((tx) => tx.delete(connections).where(eq(connections.id, connection.id)))
  expect(await lease({}, now())).toBeNull()
})

test('The pace of a connection is shared with others that take its tokens.', async () => {
  scene = await createScene(10, { max_per_second: 20 })
  const bucket = { connection_id: scene.stream.connection.id, lane: '' as const, per_second: 20 }
  await store().write((tx) => takeTokens(tx, bucket, { wanted: 8, now: now(), ahead_ms: 500 }))
  expect((await lease())?.rows).toHaveLength(2)
})
