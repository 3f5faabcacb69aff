import { expect, jest, spyOn, test } from 'bun:test'
import { block, columns, editorOf, inEditor, letter } from '../../support/letter-editor.ts'
import { send, useTab } from '../../support/tab.ts'
import { DRAG } from '../../../static/app/letter/block-row.tsx'
import { columnsOf, eachBlock } from '../../../static/app/letter/document.ts'
import * as drag from '../../../static/app/letter/drag.ts'
import type { Editor } from '../../../static/app/letter/editor.ts'
import { Surface } from '../../../static/app/letter/surface.tsx'

const tab = useTab()
let editor: Editor

async function open() {
  jest.useFakeTimers()
  tab.atEnd(() => void jest.useRealTimers())
  DRAG.code.value = drag
  tab.atEnd(() => (DRAG.code.value = null))
  const line = (id: string) => block(id, 'divider', {})
  editor = editorOf(letter([line('a'), line('b'), columns('c', [line('x')], []), block('f', 'footer', {})]))
  await tab.draw(inEditor(editor, Surface, {}))
}
const row = (id: string) => tab.find(`[data-block="${id}"]`)
const column = (at: number) => tab.all('.block-column')[at]!
const order = () =>
  editor.content.value.document.blocks.flatMap((one) => [
    one.id,
    ...columnsOf(one).map(({ blocks }) => blocks.map(({ id }) => id)),
  ])
/** Where it is shown that a block would go. */
const shown = () => tab.all('[data-drop]').map((one) => [one.dataset['block'] ?? 'column', one.dataset['drop']])

const AT = { clientX: 5, button: 0, relatedTarget: null }
const dataTransfer = { types: [], items: [], setData() {}, setDragImage() {}, effectAllowed: '', dropEffect: '' }
/** An event of a drag at a height of the window. Blocks are from 100 to 140. */
async function move(type: string, over: Element, clientY = 110) {
  const isAllowed = send(over, type, { ...AT, clientY, dataTransfer })
  await tab.pass(50)
  return isAllowed
}
/** Takes a block at its handle, or elsewhere. */
async function take(id: string, at = '.block-handle') {
  for (const one of tab.all('[data-block]')) one.getBoundingClientRect = () => new DOMRect(0, 100, 500, 40)
  Object.assign(document, { elementsFromPoint: () => [row(id).querySelector(at)] })
  tab.atEnd(() => Reflect.deleteProperty(document, 'elementsFromPoint'))
  return await move('dragstart', row(id))
}
/** What is shown while a block is above a place, and the order once it is dropped there. */
async function drop(id: string, over: Element, clientY?: number) {
  await take(id)
  await move('dragenter', over, clientY)
  await move('dragover', over, clientY)
  const before = shown()
  await move('drop', over, clientY)
  await move('dragend', row(id))
  expect(shown()).toEqual([])
  return [before, order()]
}

test('A block is dropped before or behind another, or at the end of a column, as is shown before.', async () => {
  await open()
  expect(await drop('a', row('b'), 120)).toEqual([[['b', 'after']], ['b', 'a', 'c', ['x'], [], 'f']])
  expect(await drop('a', row('b'), 119)).toEqual([[['b', 'before']], ['a', 'b', 'c', ['x'], [], 'f']])
  expect(await drop('a', row('x'), 139)).toEqual([[['x', 'after']], ['b', 'c', ['x', 'a'], [], 'f']])
  expect(await drop('a', row('f'), 101)).toEqual([[['f', 'before']], ['b', 'c', ['x'], [], 'a', 'f']])
  expect(await drop('b', column(1))).toEqual([[['column', 'true']], ['c', ['x'], ['b'], 'a', 'f']])
  expect(await drop('x', column(1))).toEqual([[['column', 'true']], ['c', [], ['b', 'x'], 'a', 'f']])
})

test('A block is not dropped on itself or where it may not stand, and is dragged by its handle alone.', async () => {
  await open()
  const before = order()
  expect(await drop('a', row('a'))).toEqual([[], before])
  expect(await drop('c', column(1))).toEqual([[], before])
  expect(await drop('c', row('x'))).toEqual([[], before])
  expect(await drop('a', tab.find('.letter-surface > .letter-add'))).toEqual([[], before])
  expect(await take('a', '.block-body')).toBe(false)
  await move('dragover', row('b'))
  expect(shown()).toEqual([])
})

test('A place that is gone when a block is dropped is none, and an editor that is gone hears of no drag.', async () => {
  await open()
  await take('a')
  await move('dragover', row('b'))
  expect(shown()).toEqual([['b', 'before']])
  const over = row('b')
  editor.edit((now) => ({
    ...now,
    document: { ...now.document, blocks: now.document.blocks.filter(({ id }) => id !== 'b') },
  }))
  await move('drop', over)
  expect(order()).toEqual(['a', 'c', ['x'], [], 'f'])
  await open()
  const edits = spyOn(editor, 'edit')
  await take('a')
  await move('dragover', row('b'))
  const [from, to] = [row('a'), row('b')]
  await tab.draw(null as never)
  await move('drop', tab.body)
  await move('dragend', tab.body)
  expect(edits).not.toHaveBeenCalled()
  expect(eachBlock(editor.content.value.document)).toHaveLength(5)
  expect([from, to].map((one) => one.getAttribute('draggable'))).toEqual([null, null])
})
