import { expect, test } from 'bun:test'
import { EditorState, TextSelection } from 'prosemirror-state'
import { block, editorOf, letter } from '../../support/letter-editor.ts'
import { useTab } from '../../support/tab.ts'
import { cellKeys } from '../../../static/app/letter/cell-keys.ts'
import { readHtml } from '../../../static/app/letter/read-html.ts'

useTab()

test('Arrows at the edges of a cell go to the one beside it, and leave the table at its own edges.', () => {
  const rows = [
    ['a', 'b'],
    ['c', 'd'],
  ]
  const editor = editorOf(letter([block('before'), block('t', 'table', { rows }), block('after')]))
  const keys = cellKeys(editor, 't')
  const doc = readHtml('a')
  /** Presses a key in the cell with the caret at a position; says where one is then, or that the text has the key. */
  const from = (row: number, column: number, key: string, { at = 1, dir = 'ltr', isAtEdge = true } = {}) => {
    editor.select('t', 'start')
    editor.cell.value = { row, column }
    const state = EditorState.create({ doc, selection: TextSelection.create(doc, at) })
    document.documentElement.setAttribute('dir', dir)
    const view = { dom: document.body, endOfTextblock: () => isAtEdge } as never
    if (!keys[key]!(state, undefined, view)) return 'text'
    const to = editor.selected.value === 't' ? Object.values(editor.cell.value ?? {}).join(' ') : editor.selected.value
    return `${to} ${editor.writing.value}`
  }
  expect(from(0, 1, 'ArrowDown')).toBe('1 1 start')
  expect(from(1, 1, 'ArrowDown')).toBe('after start')
  expect(from(1, 0, 'ArrowUp')).toBe('0 0 end')
  expect(from(0, 0, 'ArrowUp')).toBe('before end')
  expect(from(0, 0, 'ArrowDown', { isAtEdge: false })).toBe('text')
  expect(from(0, 1, 'ArrowRight', { at: 2 })).toBe('1 0 start')
  expect(from(1, 0, 'ArrowLeft')).toBe('0 1 end')
  expect(from(1, 0, 'ArrowRight', { dir: 'rtl' })).toBe('0 1 end')
  expect(from(1, 1, 'ArrowRight', { at: 2 })).toBe('text')
  expect(from(0, 0, 'Shift-Tab')).toBe('0 0 null')
  expect(from(0, 0, 'Escape')).toBe('0 0 null')
})
