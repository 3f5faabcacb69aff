import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import {
  addressBucket,
  allowCode,
  allowPassword,
  type Bucket,
  type Counting,
  failureRetention,
  forgetFailures,
  recordFailure,
  requireNoPause,
} from '../../src/accounts/failures.ts'
import { configOf } from '../../src/config.ts'
import type { AppError } from '../../src/errors.ts'
import { sign_in_failures } from '../../src/store/tables/sign-in.ts'
import { NOW, sharedStore, write } from '../support/shared-store.ts'
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

/** Failures of a bucket, at a time after NOW. Answers the seconds of the pause that follows. */
async function failAt(bucket: Bucket, after_ms: number): Promise<number> {
  const store = await sharedStore()
  await recordFailure(store, [bucket], { action: 'sign-in', user_id: null }, NOW + after_ms)
  return pauseOf(bucket, after_ms)
}
async function pauseOf(bucket: Bucket, after_ms: number): Promise<number> {
  return requireNoPause((await sharedStore()).db, [bucket], NOW + after_ms).then(
    () => 0,
    (error: AppError) => Number(error.headers['Retry-After']),
  )
}

test('From the last free failure on each begins a pause twice as long as the one before.', async () => {
  const bucket = { name: 'pair:pauses', free: 3, longest_pause_ms: 10 * 60_000 }
  const pauses = []
  for (let count = 0; count < 9; count++) pauses.push(await failAt(bucket, count))
  expect(pauses).toEqual([0, 0, 60, 120, 240, 480, 600, 600, 600])
  expect([await pauseOf(bucket, 600_007), await pauseOf(bucket, 600_008)]).toEqual([1, 0])
  const told = requireNoPause((await sharedStore()).db, [bucket], NOW + 8 + 600_000 - 61_000)
  await expect(told).rejects.toThrow('Try again in 2 minutes.')
  await expect(requireNoPause((await sharedStore()).db, [bucket], NOW + 8 + 600_000 - 60_000)).rejects.toThrow(
    'Try again in 60 seconds.',
  )
})

test('A failure a whole day after the last one is the first of a new count.', async () => {
  const bucket = { name: 'pair:day', free: 2, longest_pause_ms: 60_000 }
  const day_ms = 24 * 3_600_000
  expect([await failAt(bucket, 0), await failAt(bucket, day_ms), await failAt(bucket, 2 * day_ms - 1)]).toEqual([
    0, 0, 60,
  ])
})

test('A success ends the counts of the account and the device, and not that of the address.', async () => {
  const [own, address] = [{ name: 'pair:own', free: 1, longest_pause_ms: 60_000 }, addressBucket('192.0.2.77', 1)]
  for (const bucket of [own, address]) await failAt(bucket, 0)
  await write((tx) => forgetFailures(tx, [own, address]))
  await write((tx) => forgetFailures(tx, [address]))
  expect([await pauseOf(own, 0), await pauseOf(address, 0)]).toEqual([0, 60])
})

test('A password counts for the pair and the address, or for a known device; a code for the account.', async () => {
  const asked: [string, number][] = []
  const take = async (bucket: string, limit: number) => {
    asked.push([bucket.split(':').slice(0, 2).join(':'), limit])
    return { allowed: true }
  }
  const { db } = await sharedStore()
  const counting = (logins_per_minute: number) =>
    ({ db, config: configOf({ logins_per_minute }), limiter: { take } }) as unknown as Counting
  const guess = { address: '2001:db8::1', email: 'Ada@example.com' }
  const stranger = await allowPassword(counting(9), { ...guess, device_id: null }, NOW)
  expect(stranger.map(({ free, longest_pause_ms }) => [free, longest_pause_ms / 60_000])).toEqual([
    [4, 60],
    [9, 15],
  ])
  const again = await allowPassword(
    counting(9),
    { address: '2001:db8::2', email: 'ada@EXAMPLE.com', device_id: null },
    NOW,
  )
  expect(again).toEqual(stranger)
  const known = await allowPassword(counting(1), { ...guess, device_id: 'dev_1' }, NOW)
  expect(known).toEqual([{ name: 'device:dev_1', free: 1, longest_pause_ms: 3_600_000 }])
  const codes = [
    await allowCode(counting(9), { user_id: 'usr_1', device_id: null }, NOW),
    await allowCode(counting(1), { user_id: 'usr_1', device_id: 'dev_1' }, NOW),
  ]
  expect(codes.map(([bucket]) => [bucket!.name, bucket!.free])).toEqual([
    ['code:user:usr_1', 4],
    ['code:device:dev_1', 1],
  ])
  expect(asked).toEqual([
    ...[
      ['login:address', 9],
      ['login:account', 4],
      ['login:address', 9],
      ['login:account', 4],
    ],
    ...[
      ['login:device', 1],
      ['code:user', 4],
      ['code:device', 1],
    ],
  ] as [string, number][])
  for (let count = 0; count < 4; count++) await failAt(codes[0]![0]!, count)
  const paused = allowCode(counting(9), { user_id: 'usr_1', device_id: null }, NOW + 4)
  await expect(paused).rejects.toMatchObject({ code: 'RATE_LIMITED' })
})

test('A count is deleted a day after its last failure.', async () => {
  const { db } = await sharedStore()
  const bucket = { name: 'pair:kept', free: 1, longest_pause_ms: 1 }
  await failAt(bucket, 5)
  const left = () => db.$count(sign_in_failures, eq(sign_in_failures.bucket, bucket.name))
  const clean = (now: number) => write((tx) => tx.run(failureRetention.statement(now, 1000)))
  await clean(NOW + 4 + 24 * 3_600_000)
  expect(await left()).toBe(1)
  await clean(NOW + 5 + 24 * 3_600_000)
  expect(await left()).toBe(0)
})
