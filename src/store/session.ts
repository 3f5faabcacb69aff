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

/** The target of a session's statements: a connection to a file, a libSQL server, or a transaction that may have ended. */
export interface Statements {
  /** Rows by column name. */
  rows(sql: string, params: readonly unknown[]): Row[] | Promise<Row[]>
  /** Rows as the values of their columns. */
  values(sql: string, params: readonly unknown[]): unknown[][] | Promise<unknown[][]>
}

/**
 * Drizzle without one of its own drivers. For a file they either are synchronous in their types or go through libsql's
 * asynchronous client, and for a server they open a stream for each statement.
 */
export class StatementDatabase extends BaseSQLiteDatabase<'async', unknown> {
  constructor(dialect: SQLiteAsyncDialect, statements: Statements) {
    super('async', dialect, new StatementSession(dialect, statements), undefined)
  }
}

class StatementSession extends SQLiteSession<'async', unknown, Record<string, never>, Record<string, never>> {
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
  ): StatementQuery {
    return new StatementQuery(this.statements, query, fields, method)
  }

  override transaction(): Promise<never> {
    throw new Error('Store.write begins the only transactions.')
  }
}

class StatementQuery extends SQLitePreparedQuery<PreparedQueryConfig & { type: 'async' }> {
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
    await this.ask('values', placeholders)
  }

  override async all(placeholders?: Record<string, unknown>): Promise<unknown[]> {
    const { fields } = this
    if (!fields) return this.ask('rows', placeholders)
    return (await this.ask('values', placeholders)).map((row) => mapResultRow(fields, row, this.joinsNotNullableMap))
  }

  override async get(placeholders?: Record<string, unknown>): Promise<unknown> {
    return (await this.all(placeholders))[0]
  }

  override async values(placeholders?: Record<string, unknown>): Promise<unknown[][]> {
    return this.ask('values', placeholders)
  }

  /** Runs the statement; on a file at once, without a promise. */
  private ask<Kind extends keyof Statements>(
    kind: Kind,
    placeholders: Record<string, unknown> | undefined,
  ): ReturnType<Statements[Kind]> {
    const { sql, params } = this.query
    const values = placeholders ? fillPlaceholders(params, placeholders) : params
    const failed = (error: unknown): never => {
      throw new DrizzleQueryError(sql, values, error instanceof Error ? error : undefined)
    }
    try {
      const found = this.statements[kind](sql, values)
      return (found instanceof Promise ? found.catch(failed) : found) as ReturnType<Statements[Kind]>
    } catch (error) {
      return failed(error)
    }
  }
}
