import { statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dataFolder } from './instance.ts'
import { AppError } from './errors.ts'
import { errorFields } from './log.ts'
import type { DiskMeasurement, Runtime } from './runtime.ts'
import { type Faults, requireRoomOnDisk } from './store/faults.ts'
import { hasRoomForReserve, makeReserve, releaseReserve } from './store/reserve.ts'

/** A measurement counts for this time, so the file system is asked at most once in it. */
const CHECK_MS = 5_000
const MEBIBYTE = 1024 * 1024

/** The dependencies of a measurement. */
type Asking = Pick<Runtime, 'config' | 'clock' | 'disk'>

/** The space of the file system that holds the data folder, as of the last five seconds. */
export function diskSpace(asking: Asking): DiskMeasurement['space'] {
  return measured(asking).space
}

function measured({ config, clock, disk }: Asking): DiskMeasurement {
  const at = clock.now()
  const { last } = disk
  if (last && at >= last.at && at - last.at < CHECK_MS) return last
  const space = statfs(dataFolder(config)).then(({ bavail, blocks, bsize }) => ({
    free_bytes: bavail * bsize,
    total_bytes: blocks * bsize,
  }))
  disk.last = { at, space, is_warned: false }
  return disk.last
}

/**
 * INSUFFICIENT_STORAGE while less than 5 % or less than the configured space of the disk is free. Uploads, and requests
 * that anyone can send, leave room for those that must succeed, such as opt-outs (docs/api/limits.md#stored-data).
 */
export async function requireFreeDisk(
  runtime: Asking & Pick<Runtime, 'log'> & { store: { faults?: Faults } },
): Promise<void> {
  requireRoomOnDisk(runtime.store)
  const { min_free_disk_megabytes } = runtime.config
  if (min_free_disk_megabytes === 0) return
  const measurement = measured(runtime)
  const space = await measurement.space
  const least_bytes = Math.max(space.total_bytes / 20, min_free_disk_megabytes * MEBIBYTE)
  if (space.free_bytes >= least_bytes) return
  if (!measurement.is_warned) {
    measurement.is_warned = true
    runtime.log.warn('signups, form entries and uploads are refused: the disk is nearly full', {
      free_bytes: space.free_bytes,
      least_bytes,
    })
  }
  throw new AppError('INSUFFICIENT_STORAGE', 'The service has too little free disk space. Try again later.')
}

/** INSUFFICIENT_STORAGE when a copy of a file would leave less than the configured space of the disk free. */
export async function requireRoomForCopy(runtime: Asking, path: string): Promise<void> {
  const { free_bytes } = await diskSpace(runtime)
  if (free_bytes - statSync(path).size >= runtime.config.min_free_disk_megabytes * MEBIBYTE) return
  throw new AppError('INSUFFICIENT_STORAGE', 'The disk has too little free space for a copy of the database.')
}

/** The interval between two checks whether a full disk has room again. */
const ROOM_CHECK_MS = 1_000

/**
 * Keeps the reserve of a database file: makes it now, and again once a full disk has room, which also ends the state of
 * a full disk in all threads. Answers a function that ends it.
 */
export function keepReserve({ config, store, log }: Pick<Runtime, 'config' | 'store' | 'log'>, database: string) {
  const bytes = config.disk_reserve_megabytes * MEBIBYTE
  const make = async (): Promise<void> => {
    if (bytes === 0) releaseReserve(database)
    else if (!(await makeReserve(database, bytes)))
      log.info('no room is reserved for a full disk: the disk is too small', {
        megabytes: config.disk_reserve_megabytes,
      })
  }
  let running = make().catch((error: unknown) => log.warn('no room is reserved for a full disk', errorFields(error)))
  let checks = false
  const check = async (): Promise<void> => {
    await running
    if (!hasRoomForReserve(database, bytes)) return
    await make()
    store.faults.hasRoom()
    log.info('the disk has room again')
  }
  const timer = setInterval(() => {
    if (checks || store.faults.current() !== 'full') return
    checks = true
    running = check()
      .catch((error: unknown) => log.warn('the reserve of the disk was not made', errorFields(error)))
      .finally(() => (checks = false))
  }, ROOM_CHECK_MS)
  timer.unref()
  return () => clearInterval(timer)
}
