import { expect, test } from 'bun:test'
import { csvLine, withoutApostrophe } from '../../src/shared/csv.ts'
import { csvReader } from '../../src/newsletter/imports/csv.ts'

const lineOf = (...cells: (string | number | boolean | null)[]): string => csvLine(cells).slice(0, -2)

test('A line quotes delimiters, quotes, line ends and blanks at an end, and doubles quotes inside.', () => {
  expect(lineOf('plain', 'a,b', 'say "hi"', 'two\nlines', 'cr\r', null, true, 7)).toBe(
    'plain,"a,b","say ""hi""","two\nlines","cr\r",,true,7',
  )
  expect(lineOf('a;b', 'a\tb', 'a|b', ' a', 'a\u00A0', 'a b')).toBe('"a;b","a\tb","a|b"," a","a\u00A0",a b')
})

test('A text that a spreadsheet would run as a formula gets an apostrophe, a number does not.', () => {
  const formulas = ['=1+1', '+cmd', '-cmd', '@SUM(A1)', '＝1+1', '＋1+1', '－cmd', '＠SUM(A1)', "'=1", "''=1"]
  expect(lineOf(...formulas)).toBe(formulas.map((text) => `'${text}`).join(','))
  expect(lineOf('=a,b', '\r=x', '\tx', ' =1')).toBe(`"'=a,b","'\r=x","'\tx",' =1`)
  expect(lineOf('-1-2', '+49 170', '-', "'a")).toBe("'-1-2,'+49 170,'-,'a")
  const numbers = ['-1', '+49', '-1.5', '-.5', '+1e6', '-1E-6']
  expect(lineOf(...numbers)).toBe(numbers.join(','))
})

test('A written text is read back exactly.', () => {
  const texts = [
    '=1',
    "'=1",
    "''=1",
    "'a",
    "'",
    '  =1',
    " '-1",
    '\t+x',
    '+49',
    '-5',
    '＝1',
    'a;b',
    ' a ',
    "' '@x",
    '\nx',
    "'\n",
  ]
  const [record] = csvReader(',').push(csvLine(texts))
  expect(record?.cells.map(withoutApostrophe)).toEqual(texts)
})
