import { DrizzleQueryError, fillPlaceholders, type Query } from 'drizzle-orm'
import { BaseSQLiteDatabase, type SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core'
import {
  type PreparedQueryConfig,
  type SQLiteExecuteMethod,
  SQLitePreparedQuery,
  SQLiteSession,
} from 'drizzle-orm/sqlite-core/session'
import type { SelectedFieldsOrdered } from 'drizzle-orm/sqlite-core/query-builders/select.types'
import type { DatabaseConnection } from './database-connection.ts'
import { type JoinsNotNullable, mapResultRow } from './drizzle-internals.ts'

/** The target of a session's statements: a connection, or a transaction that may have ended. */
export type Statements = Pick<DatabaseConnection, 'rows' | 'values' | 'script'>

/**
 * Drizzle on a database file. Its own drivers either are synchronous in their types or go through libsql's asynchronous
 * client; this one runs each statement at once and answers with a promise, as the driver of a libSQL server does.
 */
export class FileDatabase extends BaseSQLiteDatabase<'async', unknown> {
  constructor(
    dialect: SQLiteAsyncDialect,
    readonly statements: Statements,
  ) {
    super('async', dialect, new FileSession(dialect, statements), undefined)
  }
}

class FileSession extends SQLiteSession<'async', unknown, Record<string, never>, Record<string, never>> {
  constructor(
    dialect: SQLiteAsyncDialect,
    private readonly statements: Statements,
  ) {
    super(dialect)
  }

  override prepareQuery(
    query: Query,
    fields: SelectedFieldsOrdered | undefined,
    method: SQLiteExecuteMethod,
  ): FileQuery {
    return new FileQuery(this.statements, query, fields, method)
  }

  override transaction(): Promise<never> {
    throw new Error('Store.write begins the only transactions.')
  }
}

class FileQuery extends SQLitePreparedQuery<PreparedQueryConfig & { type: 'async' }> {
  /** Set by Drizzle's select builder: which joined tables always have a row. */
  declare joinsNotNullableMap?: JoinsNotNullable

  constructor(
    private readonly statements: Statements,
    query: Query,
    private readonly fields: SelectedFieldsOrdered | undefined,
    method: SQLiteExecuteMethod,
  ) {
    super('async', method, query)
  }

  override async run(placeholders?: Record<string, unknown>): Promise<void> {
    this.runNow('values', placeholders)
  }

  override async all(placeholders?: Record<string, unknown>): Promise<unknown[]> {
    const { fields } = this
    if (!fields) return this.runNow('rows', placeholders)
    return this.runNow('values', placeholders).map((row) => mapResultRow(fields, row, this.joinsNotNullableMap))
  }

  override async get(placeholders?: Record<string, unknown>): Promise<unknown> {
    return (await this.all(placeholders))[0]
  }

  override async values(placeholders?: Record<string, unknown>): Promise<unknown[][]> {
    return this.runNow('values', placeholders)
  }

  private runNow<Kind extends 'rows' | 'values'>(
    kind: Kind,
    placeholders: Record<string, unknown> | undefined,
  ): ReturnType<Statements[Kind]> {
    const { sql, params } = this.query
    const values = placeholders ? fillPlaceholders(params, placeholders) : params
    try {
      return this.statements[kind](sql, values) as ReturnType<Statements[Kind]>
    } catch (error) {
      throw new DrizzleQueryError(sql, values, error instanceof Error ? error : undefined)
    }
  }
}
