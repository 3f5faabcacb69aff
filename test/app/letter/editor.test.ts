import { expect, test } from 'bun:test'
import { type Content, createEditor, neighbor } from '../../../static/app/letter/editor.ts'

const letter = (...ids: string[]): Content['document'] => ({
  version: 1,
  settings: {},
  blocks: ids.map((id) => ({ id, type: 'text', props: { html: id } })),
})
const content = (...ids: string[]): Content => ({ name: 'May', subject: 'S', preheader: '', document: letter(...ids) })
const open = (...ids: string[]) => createEditor({ content: content(...ids), types: [], tags: [] })

test('A step is undone and done again, and each says so, also twice.', () => {
  const editor = open('a')
  editor.edit((now) => ({ ...now, subject: 'one' }))
  editor.edit((now) => ({ ...now, subject: 'two' }))
  expect([editor.canUndo.value, editor.canRedo.value]).toEqual([true, false])
  editor.undo()
  expect([editor.content.value.subject, editor.said.value, editor.canRedo.value]).toEqual(['one', 'Undone.', true])
  editor.undo()
  expect(editor.said.value).toBe('Undone. ')
  expect(editor.canUndo.value).toBe(false)
  editor.said.value = ''
  editor.undo()
  expect(editor.said.value).toBe('')
  editor.redo()
  expect([editor.content.value.subject, editor.said.value]).toEqual(['one', 'Done again.'])
})

test('A step selects the block that it brings back, and the nearest in place of one that it takes away.', () => {
  const editor = open('a')
  editor.replace(content('a', 'b'))
  editor.replace({ ...content('a', 'b'), subject: 'later' })
  editor.select('b', 'end')
  editor.undo()
  expect(editor.selected.value).toBe('b')
  editor.undo()
  expect([editor.selected.value, editor.writing.value, editor.focusing.value]).toEqual(['a', null, 1])
  editor.redo()
  expect([editor.selected.value, editor.focusing.value]).toEqual(['b', 2])
  editor.replace(content('b', 'c'))
  editor.undo()
  expect(editor.selected.value).toBe('a')
  editor.select(null)
  editor.redo()
  expect(editor.selected.value).toBeNull()
})

test('No block is selected where a step leaves none.', () => {
  const editor = open()
  editor.replace(content('a'))
  editor.select('a')
  editor.undo()
  expect(editor.selected.value).toBeNull()
})

test('A selection puts the focus on the block, or the caret into its text, or neither.', () => {
  const editor = open('a', 'b')
  editor.select('a', 'block')
  expect([editor.writing.value, editor.focusing.value]).toEqual([null, 1])
  editor.select('a', 'start')
  expect([editor.writing.value, editor.focusing.value]).toEqual(['start', 1])
  editor.select('a')
  expect([editor.writing.value, editor.focusing.value]).toEqual([null, 1])
})

test('A block is fresh until another one is selected.', () => {
  const editor = open('a', 'b')
  editor.fresh.value = 'a'
  editor.select('a', 'end')
  expect(editor.fresh.value).toBe('a')
  editor.select('b')
  expect(editor.fresh.value).toBeNull()
})

test('The neighbor of a block is the one before or after it in the order of reading, also in columns.', () => {
  const { document } = content('a', 'b')
  document.blocks.splice(1, 0, { id: 'c', type: 'columns', props: { columns: [{ blocks: letter('x').blocks }] } })
  expect(['a', 'c', 'x', 'b'].map((id) => neighbor(document, id, 1))).toEqual(['c', 'x', 'b', null])
  expect(['a', 'c', 'x', 'b'].map((id) => neighbor(document, id, -1))).toEqual([null, 'a', 'c', 'x'])
  expect(neighbor(document, null, 1)).toBe('a')
})
