import { beforeEach, expect, test } from 'bun:test'
import { BLOCK_TYPES } from '../../../src/newsletter/email/blocks.ts'
import {
  addBlock,
  changeDocument,
  deleteBlock,
  doubleBlock,
  moveAside,
  moveBeside,
  moveTo,
  placeBlock,
  putInPlace,
  setProps,
  spotAfter,
} from '../../../static/app/letter/acts.ts'
import type { BlockType } from '../../../static/app/letter/block-types.ts'
import { type Block, eachBlock, findBlock } from '../../../static/app/letter/document.ts'
import { createEditor, type Editor } from '../../../static/app/letter/editor.ts'

const TYPES = JSON.parse(JSON.stringify(BLOCK_TYPES)) as BlockType[]
const typeOf = (name: string) => TYPES.find(({ type }) => type === name)!
const block = (id: string, type = 'text', props: Record<string, unknown> = { html: id }): Block => ({ id, type, props })
const blocks = [
  block('a'),
  block('c', 'columns', { columns: [{ blocks: [block('x'), block('y')] }, { blocks: [] }] }),
  block('d', 'divider', {}),
  block('f', 'footer', {}),
]
let editor: Editor
const order = () => eachBlock(editor.content.value.document).map((found) => found.block.id)

beforeEach(() => {
  const document = { version: 1 as const, settings: {}, blocks }
  editor = createEditor({ content: { name: 'May', subject: '', preheader: '', document }, types: TYPES, tags: [] })
})

test('A block goes behind the one named, or to the end of the letter before its footer.', () => {
  const { document } = editor.content.value
  expect(spotAfter(document, 'a')).toEqual({ within: null, at: 1 })
  expect(spotAfter(document, 'x')).toEqual({ within: { block: 'c', column: 0 }, at: 1 })
  for (const nothing of [null, 'gone', 'f']) expect(spotAfter(document, nothing)).toEqual({ within: null, at: 3 })
  expect(spotAfter({ ...document, blocks: [block('a')] }, null)).toEqual({ within: null, at: 1 })
})

test('A new block is selected, and one with a text is written in at once; a picture is chosen first.', () => {
  addBlock(editor, typeOf('heading'), { within: null, at: 1 })
  const id = editor.selected.value!
  expect(findBlock(editor.content.value.document, id)).toMatchObject({ block: { type: 'heading' }, spot: { at: 1 } })
  expect(editor.fresh.value).toBe(id)
  expect(editor.writing.value).toBe('end')
  expect(editor.said.value).toBe('Heading added at place 2 of 5.')
  addBlock(editor, typeOf('divider'), { within: null, at: 0 })
  expect(editor.writing.value).toBeNull()
  expect(editor.focusing.value).toBe(1)
  const before = editor.content.value
  addBlock(editor, typeOf('image'), { within: null, at: 2 })
  expect(editor.content.value).toBe(before)
  expect(editor.panel.value).toEqual({ kind: 'picture', spot: { within: null, at: 2 } })
})

test('The same words twice are two sentences for a screen reader.', () => {
  placeBlock(editor, block('n1', 'spacer', {}), { within: null, at: 0 })
  editor.undo()
  editor.said.value = 'Space added at place 1 of 5.'
  placeBlock(editor, block('n2', 'spacer', {}), { within: null, at: 0 })
  expect(editor.said.value).toBe('Space added at place 1 of 5. ')
})

test('Properties that change soon after each other are one step, another one is a step of its own.', () => {
  setProps(editor, 'a', { html: '1' })
  setProps(editor, 'a', { html: '2' })
  setProps(editor, 'a', { align: 'center' })
  editor.undo()
  expect(findBlock(editor.content.value.document, 'a')!.block.props).toEqual({ html: '2' })
  editor.undo()
  expect(findBlock(editor.content.value.document, 'a')!.block.props).toEqual({ html: 'a' })
  expect(editor.canUndo.value).toBe(false)
})

test('A change that changes nothing is no step.', () => {
  changeDocument(editor, (document) => document)
  expect(editor.canUndo.value).toBe(false)
})

test('Blocks take the place of one, and the one to go to is written in where it has a text.', () => {
  const last = block('n2', 'button', {})
  putInPlace(editor, 'a', [block('n1'), last], last)
  expect(order().slice(0, 3)).toEqual(['n1', 'n2', 'c'])
  expect([editor.selected.value, editor.fresh.value, editor.writing.value]).toEqual(['n2', 'n2', null])
  putInPlace(editor, 'n1', [block('n3')], block('n3'))
  expect(editor.writing.value).toBe('end')
})

test('A block that is deleted gives its place to the next one, at the end to the one before.', () => {
  deleteBlock(editor, 'd')
  expect([editor.selected.value, editor.focusing.value]).toEqual(['f', 1])
  expect(editor.said.value).toBe('Line deleted.')
  deleteBlock(editor, 'f')
  expect(editor.selected.value).toBe('y')
  // The next one in the order of reading stands inside the columns, and goes with them.
  deleteBlock(editor, 'c')
  expect(editor.selected.value).toBeNull()
  expect(order()).toEqual(['a'])
  deleteBlock(editor, 'gone')
  expect(order()).toEqual(['a'])
})

test('A double stands behind its block and is selected.', () => {
  doubleBlock(editor, 'x')
  const [, , , copy] = order()
  expect(copy).not.toBe('y')
  expect(editor.selected.value).toBe(copy!)
  expect(editor.said.value).toBe('Doubled at place 2 of 3 in column 1.')
  doubleBlock(editor, 'gone')
  expect(order()).toHaveLength(7)
})

test('A move says where the block is now, or that it stays.', () => {
  moveBeside(editor, 'a', 1)
  expect(order()).toEqual(['c', 'x', 'y', 'a', 'd', 'f'])
  expect([editor.said.value, editor.selected.value]).toEqual(['Text moved to place 2 of 4.', 'a'])
  moveBeside(editor, 'a', -1)
  expect(order()[0]).toBe('a')
  moveBeside(editor, 'a', -1)
  expect(editor.said.value).toBe('Text stays at place 1 of 4.')
  moveAside(editor, 'a', 1)
  expect(editor.said.value).toBe('Text moved to place 1 of 3 in column 1.')
  moveAside(editor, 'a', -1)
  expect(editor.said.value).toBe('Text moved to place 1 of 4.')
  moveTo(editor, 'c', { within: { block: 'c', column: 0 }, at: 0 })
  expect(editor.said.value).toBe('Columns stays at place 2 of 4.')
  const { said } = editor
  moveTo(editor, 'gone', null)
  expect(said.value).toBe('Columns stays at place 2 of 4.')
})
