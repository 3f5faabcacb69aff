import { rmSync, statfsSync, statSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * A file beside the database that takes room on the disk. It is removed when the disk is full, so that what must not be
 * lost can still be stored: opt-outs, reports of bounces, outcomes of messages (docs/operations.md#full-disk).
 */
const reserveFile = (database: string): string => `${database}.reserve`

const MEBIBYTE = 1024 * 1024
/** A disk with less free space counts as full. */
const LEAST_BYTES = 8 * MEBIBYTE

/** Whether the disk has room for the reserve and for twice its size of other data. */
export function hasRoomForReserve(database: string, bytes: number): boolean {
  const { bavail, bsize } = statfsSync(dirname(database))
  return bavail * bsize >= 3 * Math.max(bytes, LEAST_BYTES)
}

/** Makes the file unless it is there, off the thread. False when the disk has no room for it. */
export async function makeReserve(database: string, bytes: number): Promise<boolean> {
  const file = reserveFile(database)
  if (statSync(file, { throwIfNoEntry: false })?.size === bytes) return true
  if (!hasRoomForReserve(database, bytes)) return false
  const part = `${file}.part`
  const handle = await open(part, 'w', 0o600)
  try {
    // A file system that compresses would keep no room for zeros.
    const chunk = Buffer.alloc(MEBIBYTE, crypto.getRandomValues(new Uint8Array(65_536)))
    for (let at = 0; at < bytes; at += MEBIBYTE) await handle.write(chunk, 0, Math.min(MEBIBYTE, bytes - at))
    await handle.sync()
  } catch (error) {
    await rm(part, { force: true })
    throw error
  } finally {
    await handle.close()
  }
  await rename(part, file)
  return true
}

/** Removes the reserve, which frees its room. May be called from any thread, and repeatedly. */
export function releaseReserve(database: string): void {
  rmSync(reserveFile(database), { force: true })
  rmSync(`${reserveFile(database)}.part`, { force: true })
}
