import { expect, mock, test } from 'bun:test'
import { existsSync, statSync, writeFileSync } from 'node:fs'
import * as files from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FixedClock } from '../src/clock.ts'
import { configOf } from '../src/config.ts'
import { diskSpace, keepReserve, requireFreeDisk, requireRoomForCopy } from '../src/disk.ts'
import { scratchFolder } from './support/folder.ts'

/** What a measurement needs, with a last measurement of its own. */
function runtime(min_free_disk_megabytes = 1) {
  const warnings: string[] = []
  return {
    store: {} as never,
    config: configOf({ data_dir: tmpdir(), min_free_disk_megabytes }),
    clock: new FixedClock(1_000_000),
    disk: { last: null },
    log: { warn: (message: string) => void warnings.push(message) } as never,
    warnings,
  }
}
const FULL = 1_000_000_000
const MEBIBYTE = 1024 * 1024
const BLOCK = 4096

const succeeds = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  )

/** Runs `work` on a disk of this size, of which as much is free. */
async function onDisk(total_bytes: number, free_bytes: number, work: () => Promise<void>): Promise<void> {
  const before = { ...files }
  const disk = { blocks: total_bytes / BLOCK, bavail: free_bytes / BLOCK, bsize: BLOCK }
  await mock.module('node:fs/promises', () => ({ ...before, statfs: async () => disk }))
  await work().finally(() => mock.module('node:fs/promises', () => before))
}

test('The disk is asked at most once in five seconds.', async () => {
  const asking = runtime()
  const first = diskSpace(asking)
  asking.clock.advance(4_999)
  expect(diskSpace({ ...asking, store: {} } as typeof asking)).toBe(first)
  asking.clock.advance(1)
  const second = diskSpace(asking)
  expect(second).not.toBe(first)
  // A clock that was set back does not keep a measurement for ever.
  asking.clock.advance(-1)
  expect(diskSpace(asking)).not.toBe(second)
  const { free_bytes, total_bytes } = await second
  expect(free_bytes).toBeLessThanOrEqual(total_bytes)
})

test('With too little space a request is refused, and one warning is logged for each measurement.', async () => {
  const full = runtime(FULL)
  await expect(requireFreeDisk(full)).rejects.toMatchObject({ code: 'INSUFFICIENT_STORAGE' })
  await expect(requireFreeDisk(full)).rejects.toMatchObject({ code: 'INSUFFICIENT_STORAGE' })
  expect(full.warnings).toHaveLength(1)
  full.clock.advance(5_000)
  await expect(requireFreeDisk(full)).rejects.toThrow('too little free disk space')
  expect(full.warnings).toHaveLength(2)
})

test('A limit of zero turns the check off.', async () => {
  expect(await requireFreeDisk(runtime(0))).toBeUndefined()
})

test('A copy needs room for the file beside the configured space.', async () => {
  await expect(requireRoomForCopy(runtime(FULL), import.meta.path)).rejects.toMatchObject({
    code: 'INSUFFICIENT_STORAGE',
  })
  expect(await requireRoomForCopy(runtime(0), import.meta.path)).toBeUndefined()
})

test('Five percent of the disk stay free, or the configured space where that is more.', async () => {
  for (const [total, free, minimum, isFree] of [
    [1000, 50, 1, true],
    [1000, 49, 1, false],
    [1000, 50, 50, true],
    [1000, 50, 51, false],
    [1000, 51, 51, true],
  ] as const)
    await onDisk(total * MEBIBYTE, free * MEBIBYTE, async () => {
      const is_enough = await succeeds(requireFreeDisk(runtime(minimum)))
      expect([total, free, minimum, is_enough]).toEqual([total, free, minimum, isFree])
    })
})

test('A copy may leave exactly the configured space.', async () => {
  const { size } = statSync(import.meta.path)
  const isTaken = () => succeeds(requireRoomForCopy(runtime(7), import.meta.path))
  await onDisk(1000 * MEBIBYTE, 7 * MEBIBYTE + size, async () => expect(await isTaken()).toBe(true))
  await onDisk(1000 * MEBIBYTE, 7 * MEBIBYTE + size - 1, async () => expect(await isTaken()).toBe(false))
})

test('A service that reserves no room removes the file of an earlier setting.', () => {
  const database = join(scratchFolder(), 'masthead.db')
  writeFileSync(`${database}.reserve`, 'x')
  const { store, log } = runtime()
  keepReserve({ store, log, config: configOf({ disk_reserve_megabytes: 0 }) }, database)()
  expect(existsSync(`${database}.reserve`)).toBe(false)
})
