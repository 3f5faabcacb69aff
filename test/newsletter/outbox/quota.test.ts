import { afterAll, beforeAll, expect, test } from 'bun:test'
import { countSent, HOUR_MS, sentInLastDay, sentThisMonth, withinLimits } from '../../../src/newsletter/outbox/quota.ts'
import { readyToSend } from '../../support/campaigns.ts'
import { createWorld, type World } from '../../support/world.ts'

let world: World

beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

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
  // The day of a message ends with the hour in which it left, a day later; the month ends with the calendar.
  expect(await sentInLastDay(store.db, project_id, first, now + 24 * HOUR_MS)).toBe(30)
  expect(await sentInLastDay(store.db, project_id, first, now + 25 * HOUR_MS)).toBe(0)
  expect(await sentThisMonth(store.db, project_id, Date.UTC(2026, 1, 1) - 1)).toBe(65)
  expect(await sentThisMonth(store.db, project_id, Date.UTC(2026, 1, 1))).toBe(0)
})
