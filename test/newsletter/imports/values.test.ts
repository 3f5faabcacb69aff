import { expect, test } from 'bun:test'
import {
  guessDateFormat,
  oneLine,
  readAddress,
  readDay,
  readInstant,
  readNames,
  readNumber,
  splitName,
} from '../../../src/newsletter/imports/values.ts'
import { isLinear } from '../../support/cpu-time.ts'

test.each([
  ['1,5', false, 1.5],
  ['1,234', false, 1234],
  ['1,234', true, 1.234],
  ['1.234', true, 1.234],
  ['1.234,50', false, 1234.5],
  ['1,234.50', true, 1234.5],
  ['1.234.567', false, 1_234_567],
  ['€ 1.234', true, 1.234],
  ['1.234.567,8', true, 1_234_567.8],
  ['1,234,567', true, 1_234_567],
  ['+,5', true, 0.5],
  ['1234,567', false, 1234.567],
  ['1 234 567,8', false, 1_234_567.8],
  ['1\u202F234', false, 1234],
  ["1'234.50", false, 1234.5],
  ['€ 12,00', false, 12],
  ['-$1,234.5', false, -1234.5],
  ['99.90 EUR', false, 99.9],
  ['CHF 5', false, 5],
])('A number is read with separators and currency: %j (decimal comma: %p).', (cell, has_decimal_comma, value) => {
  expect(readNumber(cell, has_decimal_comma)).toBe(value)
})

test.each(['', 'many', '1,2,3', '12 34', '0x10', '1.2.3', '5 %', 'EUR'])('The cell %j is no number.', (cell) => {
  expect(readNumber(cell, false)).toBeUndefined()
})

test.each([
  ['2026-03-01', 'dmy', '2026-03-01'],
  ['2026/3/1 10:00', 'iso', '2026-03-01'],
  ['01.03.2026', 'dmy', '2026-03-01'],
  ['1. 3. 2026', 'dmy', '2026-03-01'],
  ['3/1/2026', 'mdy', '2026-03-01'],
  ['31/12/2026', 'mdy', undefined],
  ['01.03.2026', 'iso', undefined],
  ['30.02.2026', 'dmy', undefined],
  ['2026-03-01x', 'iso', undefined],
] as const)('A day is read by the format: %s as %s.', (cell, format, expected) => {
  expect(readDay(cell, format)).toBe(expected)
})

test.each([
  ['2024-03-01', 'iso', '2024-03-01T00:00:00.000Z'],
  ['2024-03-01T09:30:00.25Z', 'iso', '2024-03-01T09:30:00.250Z'],
  ['2024-03-01 09:30:00.123456+02:00', 'iso', '2024-03-01T07:30:00.123Z'],
  ['2024-03-01 09:30:00 +0200', 'iso', '2024-03-01T07:30:00.000Z'],
  ['2024-03-01 09:30:00 +05:30', 'iso', '2024-03-01T04:00:00.000Z'],
  ['2024-03-01 09:30 -03', 'iso', '2024-03-01T12:30:00.000Z'],
  ['3/1/2024 9:30 PM', 'mdy', '2024-03-01T21:30:00.000Z'],
  ['3/1/2024 12:30 AM', 'mdy', '2024-03-01T00:30:00.000Z'],
  ['3/1/2024 12:30 pm', 'mdy', '2024-03-01T12:30:00.000Z'],
  ['3/1/2024 9:30 am', 'mdy', '2024-03-01T09:30:00.000Z'],
  ['01.03.2024, 09:30', 'dmy', '2024-03-01T09:30:00.000Z'],
] as const)('A time is read with its offset, and is UTC without one: %s.', (cell, format, expected) => {
  expect(new Date(readInstant(cell, format)!).toISOString()).toBe(expected)
})

test.each(['2024-03-01 25:00', 'yesterday', '2024-03-01 noon', '2024-02-30', ''])('The cell %j is no time.', (cell) => {
  expect(readInstant(cell, 'iso')).toBeUndefined()
})

test.each([
  [['2026-03-01', ''], 'iso'],
  [['2026-03-01', '2026-03-02', '15.01.2026'], 'iso'],
  [[], 'iso'],
  [['01.03.2026'], 'dmy'],
  [['01/03/2026', '13/03/2026'], 'dmy'],
  [['01/03/2026', '01/13/2026'], 'mdy'],
  [['01/03/2026 9:30 PM'], 'mdy'],
  [['01/03/2026', '01/04/2026 9:30 am'], 'mdy'],
  [['01.03.2026 9:30 PM', '01/04/2026 21:30'], 'dmy'],
  [['12/03/2026', '03/12/2026'], 'dmy'],
  [['2026-03-01', '03/13/2026'], 'iso'],
] as const)('The format of days is guessed: %j is %s.', (cells, format) => {
  expect(guessDateFormat(cells)).toBe(format)
})

test.each([
  ['Ada', 'Ada', ''],
  ['Ada Lovelace', 'Ada', 'Lovelace'],
  ['Ada King of Lovelace', 'Ada King of', 'Lovelace'],
  [' Ada  Lovelace ', 'Ada', 'Lovelace'],
  ['Lovelace, Ada King', 'Ada King', 'Lovelace'],
  ['Lovelace,', '', 'Lovelace'],
  [', Ada', ',', 'Ada'],
  ['Ada\nLovelace', 'Ada', 'Lovelace'],
  ['', '', ''],
])('The full name %j has the first name %j and the last name %j.', (full, first_name, last_name) => {
  expect(splitName(full)).toEqual({ first_name, last_name })
})

test.each([
  ['a, b;c', ['a', 'b', 'c']],
  ['"a, b"; "say ""hi""" ,c', ['a, b', 'say "hi"', 'c']],
  [' a ,, a;', ['a']],
  ['a b', ['a b']],
  ['', []],
])('The names in %j are told apart.', (cell, names) => {
  expect(readNames(cell)).toEqual(names)
})

test.each([
  ['ada@example.com', 'ada@example.com', ''],
  ['Ada King < ada@example.com >', 'ada@example.com', 'Ada King'],
  ['" Ada King " <ada@example.com>', 'ada@example.com', 'Ada King'],
  ['<ada@example.com>', 'ada@example.com', ''],
  ['mailto:ada%2Bx@example.com?subject=Hi', 'ada+x@example.com', ''],
  ['Ada <MAILTO:%E0%A4%A>', '%E0%A4%A', 'Ada'],
  ['Ada\r\nKing <ada@example.com>', 'ada@example.com', 'Ada King'],
  ['a > b', 'a > b', ''],
])('The cell %j has the address %j and the name %j.', (cell, email, name) => {
  expect(readAddress(cell)).toEqual({ email, name })
})

test('Line breaks with the blanks around them become one blank, and other blanks stay.', () => {
  expect([oneLine(' a \t\r\n b  c\u2028d '), oneLine('a  b'), oneLine('\u0000a')]).toEqual([
    ...['a b  c d', 'a  b', '\u0000a'],
  ])
})

test.each<[string, (cell: string) => unknown]>([
  ['address', readAddress],
  ['name', (cell) => oneLine(`${cell}\n`)],
  ['list of names', readNames],
  ['number', (cell) => readNumber(cell, false)],
  ['time', (cell) => readInstant(cell, 'iso')],
])('A cell made to break it is read as %s in linear time.', (_, read) => {
  // In the search for their end, spaces must not be tried from each of them.
  const starts = ['<', 'a', '"', '-', '2026-01-01 10:00']
  const all = (spaces: number) => () => starts.forEach((start) => read(`${start}${' '.repeat(spaces)}x`))
  expect(isLinear({ small: all(5_000), large: all(20_000) }, 4, 3)).toBe(true)
})

test('A number or a time has at most a hundred characters.', () => {
  expect([readNumber(`${'0'.repeat(97)} 1,5`, true), readNumber(`€ ${'1'.repeat(99)}`, true)]).toEqual([
    undefined,
    undefined,
  ])
  expect(readNumber(`€${' '.repeat(98)}1`, true)).toBe(1)
  expect(readInstant(`2026-01-01${' '.repeat(80)}10:00`, 'iso')).toBe(Date.parse('2026-01-01T10:00Z'))
  expect(readInstant(`2026-01-01${' '.repeat(86)}10:00`, 'iso')).toBeUndefined()
})
