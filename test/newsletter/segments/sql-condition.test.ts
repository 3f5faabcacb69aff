import { expect, test } from 'bun:test'
import Database from 'libsql'
import { sql } from 'drizzle-orm'
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core'
import {
  ALL_CONTACTS,
  allOf,
  anyOf,
  NO_CONTACTS,
  not,
  type SqlCondition,
} from '../../../src/newsletter/segments/sql-condition.ts'

const dialect = new SQLiteAsyncDialect()
const database = new Database(':memory:')
const textOf = (condition: SqlCondition): string => dialect.sqlToQuery(condition.sql).sql
const valueOf = (condition: SqlCondition): unknown =>
  (database.prepare(`SELECT (${textOf(condition)}) IS TRUE AS value`).get() as { value: unknown }).value

const part = (text: string, cost: number, share: number): SqlCondition => ({ sql: sql.raw(text), cost, share })

test('The parts of an and stand in the order of the work they save.', () => {
  const condition = allOf([part('slow', 10, 0.5), part('cheap_common', 1, 0.9), part('cheap_rare', 1, 0.1)])
  expect(textOf(condition)).toBe('(cheap_rare AND (cheap_common AND slow))')
  expect(condition.share).toBeCloseTo(0.045)
  expect(condition.cost).toBeCloseTo(1 + 0.1 * 1 + 0.09 * 10)
})

test('The parts of an or stand in the order of the work they save.', () => {
  const condition = anyOf([part('slow', 10, 0.5), part('cheap_rare', 1, 0.1), part('cheap_common', 1, 0.9)])
  expect(textOf(condition)).toBe('(cheap_common OR (cheap_rare OR slow))')
  expect(condition.share).toBeCloseTo(1 - 0.5 * 0.9 * 0.1)
  expect(condition.cost).toBeCloseTo(1 + 0.1 * 1 + 0.09 * 10)
})

test('A negated NULL is true, and negation turns the share round.', () => {
  const unknown = part('NULL', 1, 0.2)
  expect([valueOf(unknown), valueOf(not(unknown)), valueOf(not(not(unknown)))]).toEqual([0, 1, 0])
  expect(not(unknown).share).toBeCloseTo(0.8)
  expect([valueOf(ALL_CONTACTS), valueOf(NO_CONTACTS)]).toEqual([1, 0])
})

test('A hundred parts are nested seven deep, so SQLite accepts thousands.', () => {
  const many = (count: number) => anyOf(Array.from({ length: count }, () => part('0', 1, 0.5)))
  let depth = 0
  let deepest = 0
  for (const character of textOf(many(100))) {
    if (character === '(') deepest = Math.max(deepest, (depth += 1))
    else if (character === ')') depth -= 1
  }
  expect(deepest).toBe(7)
  expect(valueOf(many(5000))).toBe(0)
})
