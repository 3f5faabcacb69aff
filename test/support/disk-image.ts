import { Database } from 'bun:sqlite'
import { spyOn } from 'bun:test'
import fs from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * The disk as a power cut would leave it: a database file and its WAL as they were when the last finished sync of this
 * thread began. What was written after that moment is lost.
 */
export interface DiskImage {
  /** Rows of a query on the database that starts after the power cut. */
  afterPowerCut(query: string): unknown[][]
  /** How many syncs have finished. */
  syncs(): number
  restore(): void
}

export function recordDisk(database: string): DiskImage {
  const folder = fs.mkdtempSync(join(dirname(database), 'disk-'))
  const original = fs.fdatasync
  let [begun, finished, syncs, cuts] = [0, 0, 0, 0]
  const copyOf = (number: number) => join(folder, `image-${number}.db`)
  const copy = (from: string, to: string) => {
    for (const suffix of ['', '-wal']) if (fs.existsSync(from + suffix)) fs.copyFileSync(from + suffix, to + suffix)
  }
  copy(database, copyOf(0))
  const spy = spyOn(fs, 'fdatasync').mockImplementation(((descriptor: number, done: (error: Error | null) => void) => {
    const number = ++begun
    copy(database, copyOf(number))
    original(descriptor, (error) => {
      if (!error) {
        finished = Math.max(finished, number)
        syncs++
      }
      done(error)
    })
  }) as typeof fs.fdatasync)
  return {
    afterPowerCut(query) {
      const survivor = join(folder, `cut-${++cuts}.db`)
      copy(copyOf(finished), survivor)
      const opened = new Database(survivor)
      try {
        const [check] = opened.query('PRAGMA integrity_check').values()
        if (check?.[0] !== 'ok') throw new Error(`The database is damaged: ${String(check?.[0])}`)
        return opened.query(query).values()
      } finally {
        opened.close()
      }
    },
    syncs: () => syncs,
    restore: () => spy.mockRestore(),
  }
}
