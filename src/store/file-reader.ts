import type { Client, InStatement, InValue, ResultSet, Row } from '@libsql/client'
import Database from 'libsql'
import { filePath } from './file-path.ts'

/**
 * Reads of a database file by one connection of their own, at once: no pool, no waiting, one cache that stays warm until
 * somebody commits. The client's own way costs several times what SQLite needs for a row or two.
 */
export interface FileReader {
  read(sql: string, args: readonly InValue[]): ResultSet
  close(): void
}

/** Sends the SELECTs of a client for a database file through a reader; all else goes its usual way. */
export function readAtOnce(client: Client, url: string, timeout_ms: number): Client {
  const reader = openFileReader(url, timeout_ms)
  const [execute, close] = [client.execute.bind(client), client.close.bind(client)]
  client.execute = async (statement: InStatement | string, args?: unknown) => {
    if (typeof statement === 'object' && Array.isArray(statement.args) && READS.test(statement.sql))
      return reader.read(statement.sql, statement.args)
    return execute(statement as string, args as InValue[])
  }
  client.close = () => {
    reader.close()
    close()
  }
  return client
}

const READS = /^\s*SELECT\b/i

export function openFileReader(url: string, timeout_ms: number): FileReader {
  const path = filePath(url)
  const open = () => new Database(path, { timeout: timeout_ms } as Database.Options)
  let database: Database.Database | null = null
  const makers = new Map<string, { columns: string[]; row: RowMaker }>()
  let closed = false
  return {
    read(sql, args) {
      if (closed) throw new Error('The database is closed.')
      // A connection that met SQLITE_BUSY was closed; see driver.ts.
      if (!database?.open) {
        database = open()
        makers.clear()
      }
      const statement = database.prepare(sql).raw()
      let maker = makers.get(sql)
      if (!maker) {
        const columns = statement.columns().map(({ name }) => name)
        maker = { columns, row: rowMaker(columns) }
        if (makers.size >= MOST_MAKERS) makers.clear()
        makers.set(sql, maker)
      }
      const found = statement.all(args.map(bound)) as unknown[][]
      return {
        columns: maker.columns,
        columnTypes: [],
        rows: found.map(maker.row),
        rowsAffected: 0,
        lastInsertRowid: undefined,
        toJSON: () => found,
      }
    },
    close() {
      closed = true
      database?.close()
    },
  }
}

const MOST_MAKERS = 1000

type RowMaker = (values: readonly unknown[]) => Row

/**
 * Rows as the client makes them: by name, by number and with a length, of which only names are counted among a row's
 * own. As a rule numbers are looked up by the row's prototype, which is made once.
 */
function rowMaker(columns: readonly string[]): RowMaker {
  if (new Set(columns).size < columns.length || columns.some((name) => /^(\d+|length|__proto__)$/.test(name)))
    return (values) => oddlyNamed(columns, values)
  const numbered = Object.defineProperties(
    {},
    {
      length: { value: columns.length },
      ...Object.fromEntries(
        columns.map((name, index) => [
          index,
          {
            get(this: Row) {
              return this[name]
            },
          },
        ]),
      ),
    },
  ) as object
  return (values) => {
    const row = Object.create(numbered) as Record<string, unknown>
    for (let index = 0; index < columns.length; index++) row[columns[index]!] = plain(values[index])
    return row as unknown as Row
  }
}

/** Where a name stands twice the first is found by it, and a number or the length of the row is no name. */
function oddlyNamed(columns: readonly string[], values: readonly unknown[]): Row {
  const row = {} as Record<string, unknown>
  Object.defineProperty(row, 'length', { value: columns.length })
  columns.forEach((name, index) => {
    const value = plain(values[index])
    Object.defineProperty(row, index, { value })
    if (!Object.hasOwn(row, name)) row[name] = value
  })
  return row as unknown as Row
}

function plain(value: unknown): unknown {
  return value instanceof Buffer ? value.buffer.slice(value.byteOffset, value.byteOffset + value.byteLength) : value
}

function bound(value: InValue): InValue {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (value instanceof ArrayBuffer) return Buffer.from(value)
  if (value instanceof Date) return value.valueOf()
  if (value === undefined || (typeof value === 'number' && !Number.isFinite(value)))
    throw new TypeError('This is no value for the database.')
  return value
}
