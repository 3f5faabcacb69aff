import { chmodSync, existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { systemClock } from '../clock.ts'
import { isBusy } from './constraint.ts'
import { DatabaseConnection } from './database-connection.ts'
import type { HeavyTask, Store } from './store.ts'

/** A temporary name of an incomplete copy to `file`. No two copies share one. */
export function partOf(file: string): string {
  return `${file}.masthead-${crypto.randomUUID().slice(0, 8)}.part`
}

const PART = /\.masthead-[\da-f]+\.part$/
/** A copy is given its name this soon after SQLite has written it and no longer holds a lock on it. */
const NAMED_WITHIN_MS = 10_000

/** Removes from a folder the incomplete copies that killed processes left. */
export function removeAbandonedParts(folder: string): void {
  if (!existsSync(folder)) return
  const names = readdirSync(folder).map((name) => join(folder, name.replace(/-journal$/, '')))
  for (const part of new Set(names.filter((name) => PART.test(name)))) if (isAbandoned(part)) removePart(part)
}

/**
 * SQLite locks a file for as long as it writes a copy to it. A process id would prove nothing: containers that share a
 * folder have the same ones.
 */
function isAbandoned(part: string): boolean {
  const changed_at = statSync(part, { throwIfNoEntry: false })?.mtimeMs ?? 0
  if (systemClock.now() - changed_at < NAMED_WITHIN_MS) return false
  const connection = new DatabaseConnection({ path: part, read_only: false, synchronous: 'FULL', busy_timeout_ms: 0 })
  try {
    connection.script('BEGIN EXCLUSIVE')
    return true
  } catch (error) {
    return !isBusy(error)
  } finally {
    connection.close()
  }
}

/** Removes an incomplete copy. */
export function removePart(part: string): void {
  // SQLite makes a journal beside the copy.
  for (const suffix of ['', '-journal']) rmSync(part + suffix, { force: true })
}

/**
 * Copies a database file to a new file, under a temporary name first: an existing backup is always complete.
 * @param part the temporary name, where the caller removes it when it is interrupted
 */
export async function copyDatabase(database: string, file: string, part = partOf(file)): Promise<void> {
  removeAbandonedParts(dirname(file))
  try {
    await withDatabaseFile(database, (query) => query('VACUUM INTO ?', [part]))
    chmodSync(part, 0o600)
    renameSync(part, file)
  } finally {
    removePart(part)
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
export const backupTask: HeavyTask<{ database: string; file: string; part?: string }, { size_bytes: number }> = {
  name: 'backup',
  async run(_, { database, file, part }) {
    await copyDatabase(database, file, part)
    return { size_bytes: statSync(file).size }
  },
}
