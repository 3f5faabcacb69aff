import Database from 'libsql'

/**
 * Three things every local connection needs, set where the driver makes them (so that no pooled connection is missed):
 * the PRAGMAs that hold for one connection only; a defence against a fault of the driver: after one SQLITE_BUSY
 * the failed statement is never reset, later writes on that connection answer "ok" and are lost
 * (libsql-client-ts#352), so a connection that met BUSY is closed, and the pool drops closed connections; and its
 * prepared statements, kept for the next time, because preparing one costs more than running it.
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

type Statement = Record<'run' | 'all' | 'get' | 'columns' | 'raw' | 'safeIntegers', (...values: unknown[]) => unknown>
interface Connection {
  exec(sql: string): void
  close(): void
  prepare(sql: string): Statement
}

/** Statements kept by one connection; the least recently used goes first. */
const KEPT = 150
/** Longer texts are made for one occasion. */
const KEPT_LENGTH = 8_000

const prototype = (Database as unknown as { prototype: Connection }).prototype
const prepare = prototype.prepare
const kept = new WeakMap<Connection, Map<string, Statement>>()

prototype.prepare = function (this: Connection, sql: string): Statement {
  let statements = kept.get(this)
  if (!statements) {
    kept.set(this, (statements = new Map()))
    // The file is not mapped into memory: threads that scan it would wait for each other's page faults.
    this.exec(
      `PRAGMA foreign_keys=ON; PRAGMA synchronous=${synchronous}; PRAGMA cache_size=-6000; PRAGMA temp_store=MEMORY; PRAGMA wal_autocheckpoint=4000`,
    )
  }
  const known = statements.get(sql)
  if (known) {
    statements.delete(sql)
    statements.set(sql, known)
    return known
  }
  const statement = guarded(this, statements, sql, prepare.call(this, sql))
  if (sql.length <= KEPT_LENGTH && REPEATED.test(sql)) keep(statements, sql, settledOnce(statement))
  return statement
}

/** PRAGMA, EXPLAIN and changes of the schema are not worth keeping, and some stay active while they are kept. */
const REPEATED = /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH|BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE)\b/i

function keep(statements: Map<string, Statement>, sql: string, statement: Statement): void {
  statements.set(sql, statement)
  if (statements.size > KEPT) statements.delete(statements.keys().next().value!)
}

/** A statement that failed is not used again, and after SQLITE_BUSY neither is its connection. */
function guarded(
  connection: Connection,
  statements: Map<string, Statement>,
  sql: string,
  statement: Statement,
): Statement {
  for (const method of ['run', 'all', 'get'] as const) {
    const original = statement[method]
    statement[method] = (...values) => {
      try {
        return original.apply(statement, values)
      } catch (error) {
        statements.delete(sql)
        if (String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY')) closeQuietly(connection)
        throw error
      }
    }
  }
  return statement
}

/**
 * The client asks and sets the same of a statement each time it runs it: its columns, that rows come as arrays, that
 * integers come whole. Of a kept statement the first answer holds, the refusal of `raw` for one without rows included.
 */
function settledOnce(statement: Statement): Statement {
  for (const method of ['columns', 'raw', 'safeIntegers'] as const) {
    const original = statement[method]
    let answer: { value: unknown } | { error: unknown } | undefined
    statement[method] = (...values) => {
      answer ??= outcomeOf(() => original.apply(statement, values))
      if ('error' in answer) throw answer.error
      return answer.value
    }
  }
  return statement
}

function outcomeOf(call: () => unknown): { value: unknown } | { error: unknown } {
  try {
    return { value: call() }
  } catch (error) {
    return { error }
  }
}

function closeQuietly(connection: Connection): void {
  try {
    connection.close()
  } catch {
    // It is being thrown away: there is nothing left to do with it.
  }
}
