import { expect, test } from 'bun:test'
import { one } from '../../src/store/rows.ts'

test('one() returns the only row.', () => {
  expect(one([{ count: 0 }])).toEqual({ count: 0 })
})

test('one() refuses an empty result and one of several rows, and says how many there were.', () => {
  expect(() => one([])).toThrow('Expected exactly one row, got 0.')
  expect(() => one([1, 2])).toThrow('Expected exactly one row, got 2.')
})
