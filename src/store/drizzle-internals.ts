import { type Column, type Query, type SQL, Table } from 'drizzle-orm'
import type { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core'
import type { SelectedFieldsOrdered } from 'drizzle-orm/sqlite-core/query-builders/select.types'
import * as drizzleUtils from 'drizzle-orm/utils'

/**
 * The members of Drizzle that the store uses and Drizzle's public types leave out. A release may change them without
 * notice: test/store/drizzle-internals.test.ts fails first.
 */

/** The dialect, which turns statements into text. The store replaces `sqlToQuery`. */
interface DialectInternals {
  sqlToQuery(statement: SQL, source?: 'indexes'): Query
  escapeName(name: string): string
  casing: { getColumnCasing(column: Column): string }
}

export const internalsOf = (dialect: SQLiteAsyncDialect): DialectInternals => dialect as unknown as DialectInternals

/** Which joined tables always have a row. Drizzle's select builder sets it on a prepared query. */
export type JoinsNotNullable = Record<string, boolean>

/** Turns the values of a row into an object with Drizzle's column names and decoded types. */
export const { mapResultRow } = drizzleUtils as unknown as {
  mapResultRow(fields: SelectedFieldsOrdered, row: unknown[], joins?: JoinsNotNullable): unknown
}

/** Whether Drizzle writes the parameters of a statement into its text instead of binding them. */
export const isInline = (statement: SQL): boolean =>
  (statement as unknown as { shouldInlineParams: boolean }).shouldInlineParams

const { Name } = (Table as unknown as { Symbol: { Name: symbol } }).Symbol

export const tableName = (table: Table): string => (table as unknown as Record<symbol, string>)[Name]!
