import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { HOUR_MS } from '../../../src/clock.ts'
import {
  type Bucket,
  countHandedOver,
  countSent,
  returnTokens,
  sentByConnection,
  sentInLastDay,
  sentThisMonth,
  takeTokens,
  withinLimits,
} from '../../../src/newsletter/outbox/quota.ts'
import { campaigns, send_buckets } from '../../../src/store/tables/delivery.ts'
import { draft } from '../campaigns/support.ts'
import { readyToSend } from '../../support/campaigns.ts'
import { createWorld, type World } from '../../support/world.ts'

let home: World
let world: World

beforeAll(async () => {
  home = await createWorld()
})
beforeEach(async () => {
  world = await home.fresh()
})
afterAll(() => home.close())

test('Each connection has its own daily limit, and all share the monthly limit of the project.', async () => {
  const { store } = world.service.runtime
  const first: number = (await readyToSend(world)).connection_id
  const second: number = (await world.ok('connections/create', { name: 'Second', provider: 'sandbox' })).connection.id
  const project_id = world.project.id
  const limits = (connection_id: number) => ({
    project_id,
    connection_id,
    campaign_id: null,
    max_per_day: 40,
    monthly_limit: 70,
    in_sandbox: false,
  })
  const now = Date.UTC(2026, 0, 15, 9, 30)
  const allowed = (connection_id: number, at = now) =>
    store.write((tx) => withinLimits(tx, limits(connection_id), 100, at))
  await store.write((tx) => countSent(tx, limits(first), 30, now))
  expect([await sentInLastDay(store.db, project_id, first, now), await allowed(first)]).toEqual([30, 10])
  expect([await sentInLastDay(store.db, project_id, second, now), await allowed(second)]).toEqual([0, 40])
  await store.write((tx) => countSent(tx, limits(second), 35, now))
  expect([await sentThisMonth(store.db, project_id, now), await allowed(second), await allowed(first)]).toEqual([
    65, 5, 5,
  ])
  expect(await sentByConnection(store.db, project_id, now + 24 * HOUR_MS)).toEqual(
    new Map([
      [first, 30],
      [second, 35],
    ]),
  )
  expect(await sentByConnection(store.db, project_id, now + 25 * HOUR_MS)).toEqual(new Map())
  expect(await sentByConnection(store.db, world.other.id, now)).toEqual(new Map())
  // The day of a message ends with the hour in which it left, a day later; the month ends with the calendar.
  expect(await sentInLastDay(store.db, project_id, first, now + 24 * HOUR_MS)).toBe(30)
  expect(await sentInLastDay(store.db, project_id, first, now + 25 * HOUR_MS)).toBe(0)
  expect(await sentThisMonth(store.db, project_id, Date.UTC(2026, 1, 1) - 1)).toBe(65)
  expect(await sentThisMonth(store.db, project_id, Date.UTC(2026, 1, 1))).toBe(0)
  await store.write((tx) => countSent(tx, limits(second), 1, Date.UTC(2026, 1, 1)))
  expect(await sentThisMonth(store.db, project_id, Date.UTC(2026, 1, 28))).toBe(1)
})

describe('a bucket', () => {
  const now = Date.UTC(2026, 0, 20)
  const bucket = (lane: '' | 'gmail' = ''): Bucket => ({ connection_id, lane, per_second: 10 })
  let connection_id: number
  beforeEach(async () => {
    connection_id = (await world.ok('connections/create', { name: 'Buckets', provider: 'sandbox' })).connection.id
  })
  beforeEach(() => world.service.runtime.store.write(async (tx) => void (await tx.delete(send_buckets))))

  const take = (of: Bucket, wanted: number, at = now, ahead_ms = 0) =>
    world.service.runtime.store.write(
      async (tx) => (await takeTokens(tx, of, { wanted, now: at, ahead_ms })).send_in_ms,
    )
  const giveBack = (of: Bucket, tokens: number) =>
    world.service.runtime.store.write((tx) => returnTokens(tx, of, tokens))

  test('A bucket begins with one token, and gives no more than are wanted.', async () => {
    expect(await take(bucket(), 0)).toEqual([])
    expect(await take(bucket(), 3)).toHaveLength(1)
  })

  test('A bucket gets returned tokens back, and only those of its own lane.', async () => {
    expect(await take(bucket(), 1)).toHaveLength(1)
    await giveBack(bucket('gmail'), 1)
    expect(await take(bucket(), 1)).toEqual([])
    await giveBack(bucket(), 1)
    expect(await take(bucket(), 1)).toHaveLength(1)
  })

  test('An idle connection starts without a burst; a mailbox provider has a quarter of a second.', async () => {
    for (const lane of ['', 'gmail'] as const) {
      await take(bucket(lane), 1)
      expect(await take(bucket(lane), 100, now + 60_000)).toHaveLength(lane === '' ? 1 : 2)
    }
  })

  test('A bucket is never in debt for more than a second, so that a lower limit soon sends again.', async () => {
    await take(bucket(), 1)
    await giveBack(bucket(), -500)
    expect(await take(bucket(), 1, now + 1000)).toEqual([])
    expect(await take(bucket(), 1, now + 2300)).toHaveLength(1)
  })

  test('A bucket that was filled in the future starts anew: a clock was set back.', async () => {
    await take(bucket(), 1, now + 3_600_000)
    expect(await take(bucket(), 1)).toHaveLength(1)
    // Clocks of two processes may differ a little.
    await take(bucket('gmail'), 1, now + 5_000)
    expect(await take(bucket('gmail'), 1)).toEqual([])
  })

  test('The time by which a clock was set back a little does not refill a bucket twice.', async () => {
    await take(bucket(), 1, now + 1_000)
    expect(await take(bucket(), 0, now)).toEqual([])
    expect(await take(bucket(), 5, now + 1_000)).toEqual([])
  })

  test('A process whose clock is a little behind takes no token away.', async () => {
    await take(bucket(), 1, now + 5_000)
    expect(await take(bucket(), 0, now)).toEqual([])
    expect(await take(bucket(), 1, now + 6_000)).toHaveLength(1)
  })
})

test('More than the limit leaves no room instead of a negative one, and null is no limit.', async () => {
  const { store } = world.service.runtime
  const now = Date.UTC(2026, 2, 1)
  const limits = {
    project_id: world.other.id,
    connection_id: 77,
    campaign_id: null,
    max_per_day: 5,
    monthly_limit: null,
    in_sandbox: false,
  }
  await store.write((tx) => countSent(tx, limits, 9, now))
  const room = (more: object) => store.write((tx) => withinLimits(tx, { ...limits, ...more }, 4, now))
  expect([await room({}), await room({ max_per_day: null }), await room({ max_per_day: 12 })]).toEqual([0, 4, 3])
  await store.write((tx) => countSent(tx, limits, -9, now))
  expect(await room({})).toBe(4)
})

test('Messages that belong to no campaign change no count of a campaign.', async () => {
  const { store } = world.service.runtime
  const { id } = await draft(world)
  const limits = {
    project_id: world.project.id,
    connection_id: 1,
    max_per_day: null,
    monthly_limit: null,
    in_sandbox: false,
  }
  const count = (campaign_id: number | null, messages: number) =>
    store.write((tx) => countHandedOver(tx, { ...limits, campaign_id }, messages))
  await count(null, 5)
  await count(id, 3)
  await count(id, -1)
  const [row] = await store.db.select({ sum: sql<number>`sum(handed_over)` }).from(campaigns)
  expect(row?.sum).toBe(2)
})
