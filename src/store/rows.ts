import { type SQL, sql } from 'drizzle-orm'
import { jsonText } from './json-text.ts'

/**
 * Rows of values for one statement, `WITH` before it: a table `r` whose column `v` holds a row, `v->>0` its first
 * value. It is materialized, because from `json_each` itself SQLite would write out the row's JSON again for each value.
 */
export function withRows(rows: readonly (readonly unknown[])[]): SQL {
  return sql`WITH r AS MATERIALIZED (SELECT value AS v FROM json_each(${jsonText(rows)}))`
}

/** `v->>from, v->>from+1, …`: so many values of a row of `r`. */
export function valuesOf(from: number, count: number): SQL {
  return sql.raw(Array.from({ length: count }, (_, index) => `v->>${from + index}`).join(', '))
}
