import { expect, test } from 'bun:test'
import { countCodeLines, judge } from '../bin/budget.ts'

const WITHIN = { seconds: 111.6, test_lines: 937, product_lines: 1000, recorded_bytes: 61_926 }

test('The budget of the tests is told in one line.', () => {
  expect(judge(WITHIN)).toEqual({
    line: 'Budget: 112 s of 120 s, 0.94 lines of test for a line of product, largest recorded file 62 kB.',
    isWithin: true,
  })
})

test('Too many lines of test or a large recorded file break the budget, and a slow machine does not.', () => {
  expect(judge({ ...WITHIN, seconds: 500 }).isWithin).toBe(true)
  const tooMany = judge({ ...WITHIN, test_lines: 1001 })
  expect(tooMany.line).toContain(' 1.01 lines of test for a line of product (more than 1), ')
  expect(tooMany.isWithin).toBe(false)
  expect(judge({ ...WITHIN, recorded_bytes: 300_001 }).isWithin).toBe(false)
})

test('Blank lines and comments are no lines of code.', () => {
  expect(countCodeLines('/** One.\n * two\n */\nconst a = 1 // three\n\n  // four\n/* five */\n  a()\n')).toBe(2)
})
