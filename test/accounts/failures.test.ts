import { expect, test } from 'bun:test'
import { addressBucket, recordFailure, requireNoPause } from '../../src/accounts/failures.ts'
import { createWorld } from '../support/world.ts'

test('Failures are counted until a day after the last one; then the first mistake pauses nobody.', async () => {
  const world = await createWorld()
  const { store, clock } = world.service.runtime
  const buckets = [addressBucket('192.0.2.1', 3)]
  const day_ms = 24 * 3_600_000
  const fail = (now: number) => recordFailure(store, buckets, { action: 'sign-in', user_id: null }, now)
  const isPaused = (now: number) =>
    requireNoPause(store.db, buckets, now).then(
      () => false,
      () => true,
    )
  const start = clock.now()
  for (let count = 0; count < 2; count++) await fail(start)
  expect(await isPaused(start)).toBe(false)
  await fail(start + day_ms - 1)
  expect(await isPaused(start + day_ms - 1)).toBe(true)
  await fail(start + 2 * day_ms)
  expect(await isPaused(start + 2 * day_ms)).toBe(false)
  await world.close()
})
