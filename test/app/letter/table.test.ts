import { expect, test } from 'bun:test'
import { block } from '../../support/letter-editor.ts'
import { freshBlock } from '../../../static/app/letter/block-types.ts'
import { withoutRoom } from '../../../static/app/letter/pasted-words.ts'
import {
  addColumn,
  addRow,
  alignColumn,
  blocksOf,
  cellBeside,
  moveColumn,
  moveRow,
  removeColumn,
  removeRow,
  tableOf,
  withRows,
} from '../../../static/app/letter/table.ts'

const rows = [
  ['a', 'b'],
  ['c', 'd'],
]
const table = tableOf(block('t', 'table', { rows, column_align: ['start', 'right'] }))!

test('Rows and columns come, go and move, and a column takes its side along.', () => {
  expect(addRow(table, 1).rows).toEqual([
    ['a', 'b'],
    ['', ''],
    ['c', 'd'],
  ])
  expect(removeRow(table, 0).rows).toEqual([['c', 'd']])
  expect(moveRow(table, 0, 1).rows).toEqual([
    ['c', 'd'],
    ['a', 'b'],
  ])
  expect(addColumn(table, 1)).toEqual({
    rows: [
      ['a', '', 'b'],
      ['c', '', 'd'],
    ],
    column_align: ['start', 'start', 'right'],
  })
  expect(removeColumn(table, 1)).toEqual({ rows: [['a'], ['c']], column_align: undefined })
  expect(moveColumn(table, 1, -1)).toEqual({
    rows: [
      ['b', 'a'],
      ['d', 'c'],
    ],
    column_align: ['right', 'start'],
  })
  expect(alignColumn(table, 0, 'center').column_align).toEqual(['center', 'right'])
})

test('From cell to cell one goes in reading order, and not beyond the last.', () => {
  expect(cellBeside(table, { row: 0, column: 1 }, 1)).toEqual({ row: 1, column: 0 })
  expect(cellBeside(table, { row: 1, column: 1 }, 1)).toBeNull()
  expect(cellBeside(table, { row: 0, column: 0 }, -1)).toBeNull()
})

test('Pasted rows are written from a cell on, and the table grows for them.', () => {
  expect(
    withRows(table, { row: 1, column: 1 }, [
      ['1', '2'],
      ['3', '4'],
    ]).rows,
  ).toEqual([
    ['a', 'b', ''],
    ['c', '1', '2'],
    ['', '3', '4'],
  ])
})

test('Pasted rows and columns beyond the most of a table are counted.', () => {
  expect(withoutRoom({ row: 199, column: 11 }, [['1']])).toEqual([])
  const pasted = [
    ['1', '2'],
    ['3', '4'],
    ['5', '6'],
  ]
  expect(withoutRoom({ row: 199, column: 11 }, pasted)).toEqual([
    '2 rows beyond the 200 of a table',
    '1 column beyond the 12 of a table',
  ])
})

test('A text with a table becomes blocks, of which the first keeps its id and all the band behind.', () => {
  const text = block('x', 'text', { html: '', align: 'center', section_color: 'brand' })
  const [first, second, third] = blocksOf(text, [{ html: 'a' }, { rows, header: false }, { html: 'b' }])
  expect(first).toEqual({ ...text, props: { ...text.props, html: 'a' } })
  expect(second).toMatchObject({ type: 'table', props: { rows, header: false, section_color: 'brand' } })
  expect(third!.props).toEqual({ html: 'b', align: 'center', section_color: 'brand' })
  expect(tableOf(freshBlock({ type: 'table', description: '', props: {} }))!.rows).toHaveLength(3)
})
