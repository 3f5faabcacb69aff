import { chmodSync, renameSync, rmSync, statSync } from 'node:fs'
import { DatabaseConnection } from './database-connection.ts'
import type { HeavyTask, Store } from './store.ts'

/** Copies a database file to a new file, under a temporary name first: an existing backup is always complete. */
export async function copyDatabase(database: string, file: string): Promise<void> {
  const part = `${file}.part`
  rmSync(part, { force: true })
  try {
    await withDatabaseFile(database, (query) => query('VACUUM INTO ?', [part]))
    chmodSync(part, 0o600)
    renameSync(part, file)
  } finally {
    rmSync(part, { force: true })
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
