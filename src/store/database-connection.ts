import Database from 'libsql'
import { createGenerations } from './generations.ts'

/** When a commit counts as done: once the operating system has it, or (FULL) once the disk has it. */
type Synchronous = 'NORMAL' | 'FULL'

export interface ConnectionOptions {
  /** Path of the database file. It is created when it is missing. */
  path: string
  /** Refuses every statement that would change the database. */
  read_only: boolean
  synchronous: Synchronous
  /** How long another process on the same file may hold the write lock before a statement fails with SQLITE_BUSY. */
  busy_timeout_ms?: number | undefined
  /** Called with every error of SQLite, before it is thrown. */
  onError?: (error: unknown) => void
}

/** A row by column name. Where two columns share a name, the first one counts. */
export type Row = Record<string, unknown>

const BUSY_TIMEOUT_MS = 5_000
/** Longer statements are built for one occasion and are not worth caching. */
const MAX_CACHED_LENGTH = 8_000
/** PRAGMA, EXPLAIN and schema changes run once; some of them stay active as long as the statement exists. */
const CACHEABLE = /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH|BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE)\b/i
const EXPLAIN = /^\s*EXPLAIN\b/i

interface Prepared {
  statement: Database.Statement
  /** Makes a row of its values; null for a statement that returns no rows. */
  toRow: ((values: readonly unknown[]) => Row) | null
}

/**
 * One connection to a database file, on libsql's synchronous API. Preparing a statement costs more than running it, so
 * prepared statements are cached by their text.
 *
 * The connection closes itself after SQLITE_BUSY and opens again at the next statement: libsql 0.5.29 never resets the
 * failed statement, and later writes on that connection would report success and be lost (libsql-client-ts#352).
 */
export class DatabaseConnection {
  private readonly prepared = createGenerations<Prepared>(100)
  private database: Database.Database | null = null
  private version: Database.Statement | null = null
  private closed = false
  /** How often the file was opened. */
  private generation = 0

  constructor(private readonly options: ConnectionOptions) {}

  rows(sql: string, params: readonly unknown[] = []): Row[] {
    return this.execute(sql, params, ({ statement, toRow }, values) =>
      toRow === null ? nothing(statement.run(values)) : (statement.all(values) as unknown[][]).map(toRow),
    )
  }

  /** Rows as arrays of values in the order of the columns. */
  values(sql: string, params: readonly unknown[] = []): unknown[][] {
    return this.execute(sql, params, ({ statement, toRow }, values) =>
      toRow === null ? nothing(statement.run(values)) : (statement.all(values) as unknown[][]),
    )
  }

  /** Runs several statements without parameters. They may change the schema. */
  script(statements: string): void {
    this.prepared.clear() // a prepared `SELECT *` would keep its old columns
    this.guarded(() => this.open().exec(statements))
  }

  get in_transaction(): boolean {
    return this.database?.inTransaction ?? false
  }

  /**
   * A number that changes whenever another connection commits, in this process or another. It says nothing about this
   * connection's own commits.
   */
  revision(): number {
    return this.guarded(() => {
      this.version ??= this.open().prepare('PRAGMA data_version').raw()
      const [version] = this.version.get() as [number]
      // SQLite counts from the start for every connection, so numbers of different connections must not be compared.
      return this.generation * 2 ** 32 + version
    })
  }

  /** Rolls back an open transaction. Every later statement throws. */
  close(): void {
    this.closed = true
    this.discard()
  }

  private open(): Database.Database {
    if (this.closed) throw new Error('The database is closed.')
    if (this.database === null) {
      const { path, read_only, synchronous, busy_timeout_ms: timeout = BUSY_TIMEOUT_MS } = this.options
      const database = new Database(path, { timeout } as Database.Options)
      // The file is not mapped into memory: threads that scan it would wait for each other's page faults.
      database.exec(`
        PRAGMA foreign_keys=ON; PRAGMA synchronous=${synchronous}; PRAGMA cache_size=-6000; PRAGMA temp_store=MEMORY;
        PRAGMA wal_autocheckpoint=4000; PRAGMA query_only=${read_only ? 'ON' : 'OFF'}`)
      this.database = database
      this.generation++
    }
    return this.database
  }

  private execute<Result>(
    sql: string,
    params: readonly unknown[],
    run: (prepared: Prepared, values: unknown[]) => Result,
  ): Result {
    const values = params.map(toDriver)
    return this.guarded(() => {
      const known = this.prepared.get(sql)
      if (known) return run(known, values)
      const prepared = prepare(this.open(), sql)
      const result = run(prepared, values)
      // A statement that failed is not reused.
      if (sql.length <= MAX_CACHED_LENGTH && CACHEABLE.test(sql)) this.prepared.set(sql, prepared)
      // EXPLAIN stays active until it is collected: later reads on its connection would see an old snapshot.
      if (EXPLAIN.test(sql) && !this.in_transaction) this.discard()
      return result
    }, sql)
  }

  private guarded<Result>(work: () => Result, sql?: string): Result {
    try {
      return work()
    } catch (error) {
      if (sql !== undefined) this.prepared.delete(sql)
      if (String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY')) this.discard()
      this.options.onError?.(error)
      throw error
    }
  }

  private discard(): void {
    const { database } = this
    this.database = null
    this.version = null
    this.prepared.clear()
    if (!database) return
    try {
      // Statements that are still referenced keep the connection alive: an open transaction would keep its locks.
      if (database.inTransaction) database.exec('ROLLBACK')
    } catch {
      // SQLite rolls back when the last statement is gone.
    }
    database.close()
  }
}

function prepare(database: Database.Database, sql: string): Prepared {
  const statement = database.prepare(sql)
  if (!statement.reader) return { statement, toRow: null }
  return { statement: statement.raw(), toRow: byName(statement.columns().map(({ name }) => name)) }
}

function nothing(_result: unknown): [] {
  return []
}

function byName(columns: readonly string[]): (values: readonly unknown[]) => Row {
  const isRepeated = columns.map((name, index) => columns.indexOf(name) < index)
  return (values) => {
    const row: Row = {}
    for (let index = 0; index < columns.length; index++) if (!isRepeated[index]) row[columns[index]!] = values[index]
    return row
  }
}

/** A parameter as the drivers take it. Throws TypeError for what no database stores. */
export function toDriver(value: unknown): unknown {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (value instanceof Date) return value.valueOf()
  if (value instanceof ArrayBuffer) return Buffer.from(value)
  if (value === undefined || (typeof value === 'number' && !Number.isFinite(value)))
    throw new TypeError(`${String(value)} cannot be stored in the database.`)
  return value
}
