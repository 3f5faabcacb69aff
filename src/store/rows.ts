import { type SQL, sql } from 'drizzle-orm'
import { notFound } from '../errors.ts'
import { jsonText } from './json-text.ts'

/**
 * The single row of a statement that always gives exactly one: an aggregate, or an INSERT … RETURNING of one row.
 * Throws when there are none or several.
 */
export function one<Row>(rows: readonly Row[]): Row {
  const [row] = rows
  if (row === undefined || rows.length !== 1) throw new Error(`Expected exactly one row, got ${rows.length}.`)
  return row
}

/** The first row; throws NOT_FOUND for `what`, which `path` of the request names, when there is none. */
export function oneOrNotFound<Row>([row]: readonly Row[], what: string, path?: string): Row {
  if (row === undefined) throw notFound(what, path)
  return row
}

export function hasRows(rows: readonly unknown[]): boolean {
  return rows.length > 0
}

/** The first row, or null. */
export function first<Row>(rows: readonly Row[]): Row | null {
  return rows[0] ?? null
}

/**
 * A row packed into one JSON array, because the driver's cost grows with the columns: `sql` is its expression, `text`
 * the same for use inside another, and `unpack` gives the values of the parsed array their names again. `columns` is
 * the SQL of each column by name.
 */
export function packedRow<Row extends object>(columns: Readonly<Record<keyof Row, string>>) {
  const names = Object.keys(columns)
  const text = `json_array(${Object.values(columns).join(', ')})`
  return {
    text,
    sql: sql.raw(text),
    unpack(values: readonly unknown[]): Row {
      const row: Record<string, unknown> = {}
      for (let index = 0; index < names.length; index++) row[names[index]!] = values[index]
      return row as Row
    },
  }
}

/**
 * `WITH` clause that turns `rows` into a table for one statement: table `r`, whose column `v` holds a row as JSON, so
 * `v->>0` is its first value. It is MATERIALIZED because SQLite would otherwise write out a row's JSON again for each
 * value that is read from it.
 */
export function withRows(rows: readonly (readonly unknown[])[]): SQL {
  return sql`WITH r AS MATERIALIZED (SELECT value AS v FROM json_each(${jsonText(rows)}))`
}

/** `v->>from, v->>from+1, …`: `count` values of a row of `r`. */
export function valuesOf(from: number, count: number): SQL {
  const key = from * 1000 + count
  let made = ranges.get(key)
  if (made === undefined) {
    made = sql.raw(Array.from({ length: count }, (_, index) => `v->>${from + index}`).join(', '))
    ranges.set(key, made)
  }
  return made
}

const ranges = new Map<number, SQL>()

/** A loop, because this runs for each row of an import. */
function picked<Value>(row: readonly Value[], columns: readonly number[]): Value[] {
  const values: Value[] = []
  for (const column of columns) values.push(row[column]!)
  return values
}

/**
 * As `withRows` and `valuesOf`, for many rows: `${with_rows} INSERT … SELECT ${values} ${from}`. A value that is the
 * same in all of them is bound once, because reading it from the JSON of each row costs more than the rest of an
 * INSERT. A single row needs no JSON at all.
 */
export function packedRows(rows: readonly (readonly (string | number | null)[])[]): {
  with_rows: SQL
  values: SQL
  from: SQL
} {
  const [first = []] = rows
  if (rows.length === 1) return { with_rows: NOTHING, values: sql.join(first.map(bound), COMMA), from: NOTHING }
  const varying: number[] = []
  const values = first.map((value, column) => {
    if (rows.every((row) => row[column] === value)) return bound(value)
    varying.push(column)
    return sql.raw(`v->>${varying.length - 1}`)
  })
  return {
    with_rows: withRows(rows.map((row) => picked(row, varying))),
    values: sql.join(values, COMMA),
    from: FROM_ROWS,
  }
}

const NOTHING = sql``
const COMMA = sql`, `
const FROM_ROWS = sql`FROM r`

const bound = (value: string | number | null): SQL => sql`${value}`
