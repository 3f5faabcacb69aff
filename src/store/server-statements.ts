import type { Row } from './database-connection.ts'
import type { ResultSet } from './server-stream.ts'
import type { Statements } from './session.ts'

/** Runs one statement on a libSQL server. */
export type Ask = (sql: string, params: readonly unknown[]) => Promise<ResultSet>

/** The statements of a session as `ask` answers them. */
export function serverStatements(ask: Ask): Statements {
  return {
    rows: async (sql, params) => namedRows(await ask(sql, params)),
    values: async (sql, params) => (await ask(sql, params)).rows,
  }
}

/** Rows by column name. Where two columns share a name, the first one counts. */
export function namedRows({ columns, rows }: ResultSet): Row[] {
  const isRepeated = columns.map((name, index) => columns.indexOf(name) < index)
  return rows.map((values) => {
    const row: Row = {}
    for (let index = 0; index < columns.length; index++) if (!isRepeated[index]) row[columns[index]!] = values[index]
    return row
  })
}
