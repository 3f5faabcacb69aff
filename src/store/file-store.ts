import { fastDialect } from './compile.ts'
import { isBusy } from './constraint.ts'
import { DatabaseConnection } from './database-connection.ts'
import { createDurability } from './durability.ts'
import { createFaults } from './faults.ts'
import { filePath } from './file-path.ts'
import { createGroupCommit } from './group-commit.ts'
import { createReadCache } from './read-cache.ts'
import { releaseReserve } from './reserve.ts'
import { createRevision } from './revision.ts'
import { StatementDatabase } from './session.ts'
import type { Store, StoreOptions } from './store.ts'
import { createTransactions } from './transactions.ts'
import { refuseNested } from './write-guard.ts'
import { WriteQueue } from './write-queue.ts'

/** A store on a database file: one connection that writes and one that reads, for each thread. */
export function openFileStore(options: StoreOptions): Store {
  const path = filePath(options.url)
  const faults = options.faults ?? createFaults()
  const onError = (error: unknown) => void faults.see(error)
  const writing = new DatabaseConnection({ path, read_only: false, synchronous: 'NORMAL', onError })
  useWal(writing)
  const reading = new DatabaseConnection({ path, read_only: true, synchronous: 'NORMAL', onError })
  const durability = createDurability(path)
  const dialect = fastDialect()
  const db = new StatementDatabase(dialect, reading)
  const queue = new WriteQueue(options.queue_memory, options.writer)
  const facts = options.facts ?? null
  const revision = createRevision(
    () => reading.revision(),
    () => queue.commits,
  )
  const readCaches = createReadCache(revision, () => credentialsRevision(reading))
  const readCache = readCaches.within(() => credentialsRevision(writing))
  const transactions = createTransactions(writing, dialect, { facts, readCache })
  const group = options.grouped ? createGroupCommit(transactions, queue) : null

  return {
    db,
    kind: 'file',
    queue,
    write: refuseNested(async (work, { durable = true, alone = false } = {}) => {
      const run = () => (group && !alone ? group.write(work) : queue.run(() => transactions.whole(work)))
      const result = await run().catch((error: unknown) => {
        // `onError` sees the errors of SQLite only. Appending a fact can fail because of a full disk as well.
        if (faults.see(error) !== 'full') throw error
        releaseReserve(path)
        return run()
      })
      queue.committed()
      if (durable)
        await durability.flush().catch((error: unknown) => {
          faults.see(error)
          throw error
        })
      else durability.flushSoon()
      return result
    }),
    sets: new Map(),
    flush: () => durability.flush(),
    query: async (sql, params) => reading.rows(sql, params),
    heavy: options.heavy?.read ?? ((query) => db.all(query)),
    heavyTask: (task, input) => {
      const runner = task.timeout_ms === undefined ? options.heavy : (options.limited ?? options.heavy)
      return runner ? runner.run(task, input) : task.run(db, input)
    },
    readCache: readCaches.shared,
    revision,
    facts,
    faults,
    async close() {
      revision.close()
      await facts?.close()
      await durability.close()
      reading.close()
      if (options.queue_memory === undefined) checkpoint(writing)
      writing.close()
    },
  }
}

/** The number in `credentials_revision`; null before the migration that makes the table. */
function credentialsRevision(connection: DatabaseConnection): number | null {
  try {
    const [row] = connection.values('SELECT value FROM credentials_revision WHERE id = 1')
    return row ? Number(row[0]) : null
  } catch {
    return null
  }
}

const WAL_ATTEMPTS = 100
const WAL_PAUSE_MS = 20

/** Two processes that open a new file at once both change its mode, and SQLite does not wait for that lock. */
function useWal(connection: DatabaseConnection): void {
  for (let attempt = 1; ; attempt++) {
    try {
      connection.rows('PRAGMA journal_mode=WAL')
      return
    } catch (error) {
      if (attempt === WAL_ATTEMPTS || !isBusy(error)) throw error
      Bun.sleepSync(WAL_PAUSE_MS)
    }
  }
}

/** Moves the content of the `-wal` file into the database file; does nothing when the file is in use. */
function checkpoint(connection: DatabaseConnection): void {
  try {
    connection.script('PRAGMA busy_timeout=0; PRAGMA wal_checkpoint(TRUNCATE)')
  } catch {
    // The next process that opens the database reads the `-wal` file.
  }
}
