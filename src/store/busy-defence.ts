import Database from 'libsql'

/**
 * Two things every local connection needs, set where the driver makes them (so that no pooled connection is missed):
 * the PRAGMAs that hold for one connection only, and a defence against a fault of the driver: after one SQLITE_BUSY
 * the failed statement is never reset, later writes on that connection answer "ok" and are lost
 * (libsql-client-ts#352). A connection that met BUSY is closed; the pool drops closed connections.
 */
export type Synchronous = 'NORMAL' | 'FULL'

let synchronous: Synchronous = 'NORMAL'

/**
 * FULL makes each commit of this thread reach the disk before it returns. Delivery uses it: the mark `sending`
 * must outlive a power cut, or a message would go out twice.
 */
export function useSynchronous(mode: Synchronous): void {
  synchronous = mode
}

type Statement = Record<'run' | 'all' | 'get', (...values: unknown[]) => unknown>
interface Connection {
  exec(sql: string): void
  close(): void
  prepare(sql: string): Statement
}

const prototype = (Database as unknown as { prototype: Connection }).prototype
const prepare = prototype.prepare
const prepared = new WeakSet<Connection>()

prototype.prepare = function (this: Connection, sql: string): Statement {
  if (!prepared.has(this)) {
    prepared.add(this)
    this.exec(`PRAGMA foreign_keys=ON; PRAGMA synchronous=${synchronous}; PRAGMA cache_size=-16000; PRAGMA temp_store=MEMORY; PRAGMA mmap_size=268435456`)
  }
  const statement = prepare.call(this, sql)
  for (const method of ['run', 'all', 'get'] as const) {
    const original = statement[method]
    statement[method] = (...values) => {
      try {
        return original.apply(statement, values)
      } catch (error) {
        if (String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY')) closeQuietly(this)
        throw error
      }
    }
  }
  return statement
}

function closeQuietly(connection: Connection): void {
  try {
    connection.close()
  } catch {
    // It is being thrown away: there is nothing left to do with it.
  }
}
