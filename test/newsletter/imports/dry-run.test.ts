import { expect, test } from 'bun:test'
import { dateFormatOf, fieldsOf } from '../../../src/newsletter/imports/dry-run.ts'
import type { Target } from '../../../src/newsletter/imports/mapping.ts'

const custom = (column: number, key: string, type: 'date' | 'select', options: string[] | null = null): Target => ({
  ...{ column, field: `custom.${key}` },
  custom: { key, type, options, slot: 1 },
})

test('The format of days is guessed from the columns that hold days, with blanks around them.', () => {
  const rows = [
    { 0: '01/02/2026 ', 1: '13/01/2026', 2: ' 12/31/2026' },
    { 0: '03/04/2026', 1: '14/01/2026' },
  ] as never
  expect(dateFormatOf({ rows }, [custom(2, 'born', 'date')])).toBe('mdy')
  expect(dateFormatOf({ rows }, [{ column: 1, field: 'consent_at' }])).toBe('dmy')
  expect(dateFormatOf({ rows }, [{ column: 1, field: 'first_name' }])).toBe('iso')
})

test('The custom fields of a mapping are stored with what their values are checked against.', () => {
  expect(fieldsOf([{ column: 0, field: 'email' }, custom(1, 'size', 'select', ['S', 'M'])])).toEqual([
    { key: 'size', type: 'select', options: ['S', 'M'] },
  ])
})
