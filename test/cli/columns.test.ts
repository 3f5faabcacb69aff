import { expect, test } from 'bun:test'
import { columns } from '../../src/cli/columns.ts'

test('Columns are as wide as their widest cell, and lines have no trailing spaces.', () => {
  expect(
    columns([
      ['ID', 'NAME', ''],
      ['1', 'Harbour\nNews', 'disabled'],
      ['22', 'x', ''],
    ]),
  ).toBe('ID  NAME\n1   Harbour News  disabled\n22  x')
  expect(columns([])).toBe('')
})
