import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core'
import { first, hasRows, one, oneOrNotFound, packedRow, packedRows, valuesOf, withRows } from '../../src/store/rows.ts'
import { sharedStore } from '../support/shared-store.ts'

const dialect = new SQLiteAsyncDialect()

test('one() returns the only row.', () => {
  expect(one([{ count: 0 }])).toEqual({ count: 0 })
})

test('one() refuses an empty result and one of several rows, and says how many there were.', () => {
  expect(() => one([])).toThrow('Expected exactly one row, got 0.')
  expect(() => one([1, 2])).toThrow('Expected exactly one row, got 2.')
})

test('Rows of many columns bind a value that all of them have once, and any other in its place.', async () => {
  const store = await sharedStore()
  const read = (rows: (string | number | null)[][]) => {
    const { with_rows, values, from } = packedRows(rows)
    return store.db.values(sql`${with_rows} SELECT ${values} ${from}`)
  }
  const rows = [
    [1, 'same', null, 'a', 5],
    [2, 'same', null, 'b', 5],
    [3, 'same', null, 'a', 5],
  ]
  expect(await read(rows)).toEqual(rows)
  expect(await read([[1, 'x']])).toEqual([[1, 'x']])
  expect(dialect.sqlToQuery(packedRows(rows).values).params).toEqual(['same', null, 5])
})

test('A row that is packed into one value is read by the names of its columns.', async () => {
  const store = await sharedStore()
  const row = packedRow<{ one: number; two: string }>({ one: '1 + 1', two: "'b'" })
  expect(row.text).toBe("json_array(1 + 1, 'b')")
  const [[packed]] = (await store.db.values(sql`SELECT ${row.sql}`)) as [[string]]
  expect(row.unpack(JSON.parse(packed) as unknown[])).toEqual({ one: 2, two: 'b' })
})

test('Values of packed rows are taken from any place, and first() and hasRows() tell an empty result.', async () => {
  const store = await sharedStore()
  const asked = sql`${withRows([
    ['a', 1, 2],
    ['b', 3, 4],
  ])} SELECT ${valuesOf(1, 2)} FROM r`
  expect(await store.db.values(asked)).toEqual([
    [1, 2],
    [3, 4],
  ])
  expect(valuesOf(1, 2)).toBe(valuesOf(1, 2))
  expect([first([7, 8]), first([]), hasRows([0]), hasRows([])]).toEqual([7, null, true, false])
  expect(() => oneOrNotFound([], 'file', '/id')).toThrow('No such file.')
  expect(oneOrNotFound([5], 'file')).toBe(5)
})
