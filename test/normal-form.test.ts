import { expect, test } from 'bun:test'
import { normalForm } from '../src/normal-form.ts'
import { cpuOf } from './support/cpu-time.ts'

test('A text is given its normal form, unless a letter has more marks than any language uses.', () => {
  expect([normalForm('Jo\u0308rg'), normalForm('\u00F6', 'NFD'), normalForm('ｅｖｉｌ', 'NFKC')]).toEqual([
    'Jörg',
    'o\u0308',
    'evil',
  ])
  const marks = `a${'\u0327\u0301'.repeat(50_000)}`
  expect(cpuOf(() => expect(normalForm(marks)).toBe(marks))).toBeLessThan(500)
})
