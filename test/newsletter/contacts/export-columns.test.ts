import { expect, test } from 'bun:test'
import { csvLine, type ExportedRow, rowCells } from '../../../src/newsletter/contacts/export-columns.ts'

test('A line quotes delimiters, quotes and line ends, and doubles quotes inside.', () => {
  expect(csvLine(['plain', 'a,b', 'say "hi"', 'two\nlines', 'cr\r', null, true, 7])).toBe(
    'plain,"a,b","say ""hi""","two\nlines","cr\r",,true,7\r\n',
  )
})

test('A text that a spreadsheet would run as a formula gets an apostrophe, a number does not.', () => {
  const formulas = ['=1+1', '+cmd', '-cmd', '@SUM(A1)', '\tx', '＝1+1', '＋1+1', '－cmd', '＠SUM(A1)']
  expect(csvLine(formulas)).toBe(`${formulas.map((text) => `'${text}`).join(',')}\r\n`)
  expect(csvLine(['=a,b', '\r=x'])).toBe(`"'=a,b","'\r=x"\r\n`)
  const numbers = ['-1', '+49', '-1.5', '-.5', '+1e6', '-1E-6']
  expect(csvLine(numbers)).toBe(`${numbers.join(',')}\r\n`)
  expect(csvLine(['-1-2', '+49 170', '-'])).toBe("'-1-2,'+49 170,'-\r\n")
})

test('Cells follow the order of the columns, custom values among them.', () => {
  const row: ExportedRow = [7, { city: 'Bern', vip: false }, 'ada@example.com', 7]
  expect(rowCells(row, ['custom.vip', 'email', 'custom.city', 'id', 'custom.toString'])).toEqual([
    false,
    'ada@example.com',
    'Bern',
    7,
    null,
  ])
})

test('Times are ISO 8601, also when they repeat or are missing, and other numbers stay numbers.', () => {
  const [first, second] = [Date.UTC(2026, 0, 15, 9), Date.UTC(2026, 0, 16)]
  const columns = ['created_at', 'updated_at', 'consent_at', 'id']
  expect(rowCells([1, null, first, first, null, first], columns)).toEqual([
    '2026-01-15T09:00:00.000Z',
    '2026-01-15T09:00:00.000Z',
    null,
    first,
  ])
  expect(rowCells([1, null, second, first, 0, 1], columns)).toEqual([
    '2026-01-16T00:00:00.000Z',
    '2026-01-15T09:00:00.000Z',
    '1970-01-01T00:00:00.000Z',
    1,
  ])
})
