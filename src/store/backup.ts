import { chmodSync, existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseConnection } from './database-connection.ts'
import { processIsAlive } from './lease.ts'
import type { HeavyTask, Store } from './store.ts'

/**
 * The temporary name of an incomplete copy. It contains the process id, so that the files of killed processes can be
 * recognized.
 */
function partOf(file: string): string {
  return `${file}.masthead-${process.pid}.part`
}

const PART = /\.masthead-(\d+)\.part(-journal)?$/
/** Temporary files of the copies that this process is writing. */
const underWay = new Set<string>()

/** Removes from a folder the incomplete copies that killed processes left. */
export function removeAbandonedParts(folder: string): void {
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder)) {
    const pid = Number(PART.exec(name)?.[1] ?? Number.NaN)
    const part = join(folder, name)
    const isAbandoned =
      pid === process.pid ? !underWay.has(part.replace(/-journal$/, '')) : !Number.isNaN(pid) && !processIsAlive(pid)
    if (isAbandoned) rmSync(part, { force: true })
  }
}

/** Removes this process's incomplete copy to `file`. */
export function removePart(file: string): void {
  // SQLite makes a journal beside the copy.
  for (const suffix of ['', '-journal']) rmSync(partOf(file) + suffix, { force: true })
}

/** Copies a database file to a new file, under a temporary name first: an existing backup is always complete. */
export async function copyDatabase(database: string, file: string): Promise<void> {
  const part = partOf(file)
  removeAbandonedParts(dirname(file))
  underWay.add(part)
  try {
    await withDatabaseFile(database, (query) => query('VACUUM INTO ?', [part]))
    chmodSync(part, 0o600)
    renameSync(part, file)
  } finally {
    removePart(file)
    underWay.delete(part)
  }
}

/** Runs `work` on a database file as it is: without migrations, and without a change of its journal mode. */
export async function withDatabaseFile<T>(
  path: string,
  work: (query: Store['query']) => Promise<T>,
  busy_timeout_ms?: number,
): Promise<T> {
  const connection = new DatabaseConnection({ path, read_only: false, synchronous: 'FULL', busy_timeout_ms })
  try {
    return await work(async (sql, params) => connection.rows(sql, params))
  } finally {
    connection.close()
  }
}

/** Copies the database of the running service, on a thread where it delays no request. */
export const backupTask: HeavyTask<Record<'database' | 'file', string>, { size_bytes: number }> = {
  name: 'backup',
  async run(_, { database, file }) {
    await copyDatabase(database, file)
    return { size_bytes: statSync(file).size }
  },
}
