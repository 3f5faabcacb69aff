import { describe, expect, test } from 'bun:test'
import type { FieldDefinition } from '../../../src/newsletter/contacts/custom-values.ts'
import type { Target } from '../../../src/newsletter/imports/mapping.ts'
import { readRow } from '../../../src/newsletter/imports/rows.ts'

const EMAIL: Target = { column: 0, field: 'email' }
const NAMES: Target[] = [EMAIL, { column: 1, field: 'first_name' }, { column: 2, field: 'last_name' }]

function custom(type: FieldDefinition['type'], options: string[] | null = null): Target[] {
  return [EMAIL, { column: 1, field: 'custom.value', custom: { key: 'value', type, options, slot: null } }]
}

const read = (cells: string[], targets = NAMES, columns = 3) => readRow({ number: 7, cells }, columns, targets)

test('a row becomes a person with trimmed cells; an empty or missing cell says nothing', () => {
  expect(read([' ada@example.com ', ' Ada ', ''])).toEqual([7, 'ada@example.com', 'Ada', null, null])
  expect(read(['ada@example.com'])).toEqual([7, 'ada@example.com', null, null, null])
  expect(read(['ada@example.com', '  '], custom('text'))).toEqual([7, 'ada@example.com', null, null, null])
})

test('a row reports every wrong cell at once, with the cell shortened', () => {
  const long = 'x'.repeat(300)
  expect(read(['not an address', long, 'Lovelace'])).toEqual([
    {
      row: 7,
      field: 'email',
      code: 'email_invalid',
      message: 'This is not an email address.',
      value: 'not an address',
    },
    {
      row: 7,
      field: 'first_name',
      code: 'value_invalid',
      message: 'Expected one line of at most 200 characters.',
      value: `${'x'.repeat(99)}…`,
    },
  ])
  expect(read(['', 'Ada'])).toEqual([
    { row: 7, field: 'email', code: 'email_missing', message: 'The row has no address.', value: '' },
  ])
})

test('a name over several lines is refused', () => {
  expect(read(['ada@example.com', 'Ada\nLovelace'])).toMatchObject([{ field: 'first_name', code: 'value_invalid' }])
})

test('more cells than columns are an error only when they say something', () => {
  expect(read(['ada@example.com', '', '', ' ', ''])).toEqual([7, 'ada@example.com', null, null, null])
  expect(read(['ada@example.com', '', '', 'extra'])).toEqual([
    {
      row: 7,
      field: null,
      code: 'too_many_cells',
      message: 'The row has more cells than the file has columns (3).',
      value: 'extra',
    },
  ])
})

test.each(['malformed', 'too_long'] as const)('a line that could not be read has the code %s and no field', (flaw) => {
  expect(readRow({ number: 9, cells: [], flaw }, 3, NAMES)).toMatchObject([
    { row: 9, field: null, code: flaw, value: null },
  ])
})

describe('custom fields', () => {
  test.each([
    ['text', 'Bern', 'Bern'],
    ['number', '+7', 7],
    ['number', '-.5e1', -5],
    ['boolean', 'YES', true],
    ['boolean', '1', true],
    ['boolean', 'n', false],
    ['date', '2026-01-15', '2026-01-15'],
    ['date', '2026-01-15 09:00:00', '2026-01-15'],
    ['date', '2026-01-15T23:59', '2026-01-15'],
    ['select', 'm', 'M'],
    ['select', 'BLUE', 'Blue'],
    ['select', 'xl', 'xl'],
    ['select', 'XL', 'XL'],
  ] as const)('a cell of a custom field is read as its type: %s %j', (type, cell, value) => {
    expect(read(['ada@example.com', cell], custom(type, ['S', 'M', 'XL', 'xl', 'Blue']))).toEqual([
      7,
      'ada@example.com',
      null,
      null,
      { value },
    ])
  })

  test.each([
    ['number', '1,5', 'Expected a number.'],
    ['number', '1e999', 'Expected a number.'],
    ['number', '0x10', 'Expected a number.'],
    ['boolean', 'maybe', 'Expected true or false.'],
    ['date', '15.01.2026', 'Expected a day as YYYY-MM-DD.'],
    ['date', '2026-02-30', 'Expected a day as YYYY-MM-DD.'],
    ['select', 'L', 'Expected one of: S, M, XL, xl, Blue.'],
  ] as const)('a cell that does not fit the type of its custom field is an error: %s %j', (type, cell, message) => {
    expect(read(['ada@example.com', cell], custom(type, ['S', 'M', 'XL', 'xl', 'Blue']))).toEqual([
      { row: 7, field: 'custom.value', code: 'value_invalid', message, value: cell },
    ])
  })
})
