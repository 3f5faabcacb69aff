import { expect, test } from 'bun:test'
import { EditorState, TextSelection } from 'prosemirror-state'
import { block, columns, editorOf, letter } from '../../support/letter-editor.ts'
import { useTab } from '../../support/tab.ts'
import { eachBlock } from '../../../static/app/letter/document.ts'
import { readHtml } from '../../../static/app/letter/read-html.ts'
import { isEmptyText, leaveKeys, removeEmpty } from '../../../static/app/letter/text-keys.ts'

useTab()
const BLOCKS = [block('d', 'divider', {}), block('t'), block('h', 'heading', { text: 'h', level: 2 }), block('e')]

/** Presses a key in a text with its caret at a position, where the lines say that it ends. */
function press(key: string, html: string, caret: number, { id = 't', isEnd = true, to = caret } = {}) {
  const editor = editorOf(letter(BLOCKS))
  const doc = readHtml(html)
  const state = EditorState.create({ doc, selection: TextSelection.create(doc, caret, to) })
  const taken = leaveKeys(editor, id)[key]!(state, undefined, { endOfTextblock: () => isEnd } as never)
  return [taken, editor.selected.value, editor.writing.value]
}
const stays = [false, null, null]

test('Escape leads from a text to its block.', () => {
  expect(press('Escape', '<p>a</p>', 1)).toEqual([true, 't', null])
})

test('Arrows leave a text at its first and last line, into the text beside it or to its block.', () => {
  const two = '<p>one</p><p>two</p>'
  expect(press('ArrowUp', two, 2)).toEqual([true, 'd', null])
  expect(press('ArrowDown', two, 8)).toEqual([true, 'h', 'start'])
  expect(press('ArrowUp', '<p>a</p>', 1, { id: 'e' })).toEqual([true, 'h', 'end'])
  expect(press('ArrowUp', two, 8)).toEqual(stays)
  expect(press('ArrowDown', two, 2)).toEqual(stays)
  expect(press('ArrowUp', two, 2, { isEnd: false })).toEqual(stays)
  expect(press('ArrowDown', two, 8, { isEnd: false })).toEqual(stays)
  expect(press('ArrowUp', two, 2, { to: 3 })).toEqual(stays)
  expect(press('ArrowDown', two, 8, { to: 9 })).toEqual(stays)
  expect(press('ArrowDown', '<p>a</p>', 1, { id: 'e' })).toEqual(stays)
  expect(press('ArrowUp', '<ul><li>a</li></ul>', 3)).toEqual([true, 'd', null])
})

test('A text is empty as one paragraph without anything in it.', () => {
  expect(['', '<p>a</p>', '<p></p><p></p>', '<h2></h2>', '<hr>'].map((html) => isEmptyText(readHtml(html)))).toEqual([
    ...[true, false, false, false, false],
  ])
})

test('An empty text goes with its block, and the caret to the end of the text before.', () => {
  const editor = editorOf(letter([...BLOCKS, columns('c', [block('x')])]))
  const order = () => eachBlock(editor.content.value.document).map((found) => found.block.id)
  expect(removeEmpty(editor, 'e')).toBe(true)
  expect([editor.selected.value, editor.writing.value]).toEqual(['h', 'end'])
  removeEmpty(editor, 't')
  expect([editor.selected.value, editor.writing.value]).toEqual(['h', null])
  expect(order()).toEqual(['d', 'h', 'c', 'x'])
  removeEmpty(editor, 'x')
  expect(order()).toEqual(['d', 'h', 'c', 'x'])
  removeEmpty(editor, 'd')
  expect([order()[0], editor.selected.value, editor.writing.value]).toEqual(['h', 'h', null])
})
