import { fastDialect } from './compile.ts'
import { DatabaseConnection } from './database-connection.ts'
import { filePath } from './file-path.ts'
import { FileDatabase } from './file-session.ts'
import { createGroupCommit } from './group-commit.ts'
import { createReadCache } from './read-cache.ts'
import { createRevision } from './revision.ts'
import type { Store, StoreOptions } from './store.ts'
import { createTransactions } from './transactions.ts'
import { refuseNested } from './write-guard.ts'
import { WriteQueue } from './write-queue.ts'

/** A store on a database file: one connection that writes and one that reads, for each thread. */
export function openFileStore(options: StoreOptions): Store {
  const path = filePath(options.url)
  const synchronous = options.synchronous ?? 'NORMAL'
  const writing = new DatabaseConnection({ path, read_only: false, synchronous })
  writing.rows('PRAGMA journal_mode=WAL')
  const reading = new DatabaseConnection({ path, read_only: true, synchronous })
  const dialect = fastDialect()
  const db = new FileDatabase(dialect, reading)
  const queue = new WriteQueue(options.queue_memory)
  const transactions = createTransactions(writing, dialect)
  const group = options.grouped ? createGroupCommit(transactions, queue) : null
  const revision = createRevision(() => reading.revision())

  return {
    db,
    kind: 'file',
    queue,
    write: refuseNested((work) => (group ? group.write(work) : queue.run(() => transactions.whole(work)))),
    query: async (sql, params) => reading.rows(sql, params),
    heavy: options.heavy?.read ?? ((query) => db.all(query)),
    heavyTask: options.heavy?.run ?? ((task, input) => task.run(db, input)),
    readCache: createReadCache(revision),
    revision,
    async close() {
      revision.close()
      reading.close()
      if (options.queue_memory === undefined) checkpoint(writing)
      writing.close()
    },
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
