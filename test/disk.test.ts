import { expect, test } from 'bun:test'
import { tmpdir } from 'node:os'
import { FixedClock } from '../src/clock.ts'
import { configOf } from '../src/config.ts'
import { diskSpace, requireFreeDisk, requireRoomForCopy } from '../src/disk.ts'

/** What a measurement needs, with a store of its own so that none is shared. */
function runtime(min_free_disk_megabytes = 1) {
  const warnings: string[] = []
  return {
    store: {} as never,
    config: configOf({ data_dir: tmpdir(), min_free_disk_megabytes }),
    clock: new FixedClock(1_000_000),
    log: { warn: (message: string) => void warnings.push(message) } as never,
    warnings,
  }
}
const FULL = 1_000_000_000

test('The disk is asked at most once in five seconds.', async () => {
  const asking = runtime()
  const first = diskSpace(asking)
  asking.clock.advance(4_999)
  expect(diskSpace(asking)).toBe(first)
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
