import Database from 'libsql'
import { filePath } from './file-path.ts'

/**
 * Tells whether anything was committed to the database since the last look, by this process or another: what was read
 * before may be used again as long as the number is the same. It costs some microseconds, where a query costs a hundred.
 */
export interface Revision {
  /** Null where it cannot be told: then everything is read anew. */
  now(): number | null
  /**
   * As `now`, looked up once for all requests that one turn of the event loop brings, which had all arrived when it was
   * taken. Only for what is asked as a request arrives: later in the turn others may come that began after a commit.
   */
  atArrival(): number | null
  close(): void
}

/** For a database file, by a connection of its own; a libSQL server cannot tell. */
export function watchRevision(url: string): Revision {
  if (!url.startsWith('file:')) return { now: () => null, atArrival: () => null, close: () => undefined }
  let database: Database.Database | null = null
  let statement: { get(): unknown } | null = null
  let closed = false
  const read = (): number | null => {
    if (closed) return null
    try {
      database ??= new Database(filePath(url))
      // Changes with every commit of another connection, and this one commits nothing.
      statement ??= database.prepare('PRAGMA data_version').raw()
      return (statement.get() as [number] | undefined)?.[0] ?? null
    } catch {
      return null
    }
  }
  let seen: { revision: number | null } | null = null
  return {
    now: read,
    atArrival() {
      if (seen === null) {
        seen = { revision: read() }
        setImmediate(() => {
          seen = null
        })
      }
      return seen.revision
    },
    close() {
      closed = true
      statement = null // it holds the connection open
      database?.close()
    },
  }
}
