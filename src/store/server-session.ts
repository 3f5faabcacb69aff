import { DrizzleQueryError, fillPlaceholders, type Query } from 'drizzle-orm'
import { BaseSQLiteDatabase, type SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core'
import {
  type PreparedQueryConfig,
  type SQLiteExecuteMethod,
  SQLitePreparedQuery,
  SQLiteSession,
} from 'drizzle-orm/sqlite-core/session'
import type { SelectedFieldsOrdered } from 'drizzle-orm/sqlite-core/query-builders/select.types'
import type { Row } from './database-connection.ts'
import { type JoinsNotNullable, mapResultRow } from './drizzle-internals.ts'
import type { ResultSet } from './server-stream.ts'

/** Runs one statement on a libSQL server. */
export type Ask = (sql: string, params: readonly unknown[]) => Promise<ResultSet>

/** Drizzle on a libSQL server, as file-session.ts is on a database file. */
export class ServerDatabase extends BaseSQLiteDatabase<'async', unknown> {
  constructor(dialect: SQLiteAsyncDialect, ask: Ask) {
    super('async', dialect, new ServerSession(dialect, ask), undefined)
  }
}

class ServerSession extends SQLiteSession<'async', unknown, Record<string, never>, Record<string, never>> {
  constructor(
    dialect: SQLiteAsyncDialect,
    private readonly ask: Ask,
  ) {
    super(dialect)
  }

  override prepareQuery(
    query: Query,
    fields: SelectedFieldsOrdered | undefined,
    method: SQLiteExecuteMethod,
  ): ServerQuery {
    return new ServerQuery(this.ask, query, fields, method)
  }

  override transaction(): Promise<never> {
    throw new Error('Store.write begins the only transactions.')
  }
}

class ServerQuery extends SQLitePreparedQuery<PreparedQueryConfig & { type: 'async' }> {
  /** Set by Drizzle's select builder: which joined tables always have a row. */
  declare joinsNotNullableMap?: JoinsNotNullable

  constructor(
    private readonly ask: Ask,
    query: Query,
    private readonly fields: SelectedFieldsOrdered | undefined,
    method: SQLiteExecuteMethod,
  ) {
    super('async', method, query)
  }

  override async run(placeholders?: Record<string, unknown>): Promise<void> {
    await this.answer(placeholders)
  }

  override async all(placeholders?: Record<string, unknown>): Promise<unknown[]> {
    const { fields } = this
    const answer = await this.answer(placeholders)
    return fields ? answer.rows.map((row) => mapResultRow(fields, row, this.joinsNotNullableMap)) : namedRows(answer)
  }

  override async get(placeholders?: Record<string, unknown>): Promise<unknown> {
    return (await this.all(placeholders))[0]
  }

  override async values(placeholders?: Record<string, unknown>): Promise<unknown[][]> {
    return (await this.answer(placeholders)).rows
  }

  private async answer(placeholders: Record<string, unknown> | undefined): Promise<ResultSet> {
    const { sql, params } = this.query
    const values = placeholders ? fillPlaceholders(params, placeholders) : params
    try {
      return await this.ask(sql, values)
    } catch (error) {
      throw new DrizzleQueryError(sql, values, error instanceof Error ? error : undefined)
    }
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
