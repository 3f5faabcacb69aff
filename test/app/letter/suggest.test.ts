import { expect, test } from 'bun:test'
import { EditorState, TextSelection, type Transaction } from 'prosemirror-state'
import { block, columns, editorOf, inEditor, letter } from '../../support/letter-editor.ts'
import { useTab, send } from '../../support/tab.ts'
import { eachBlock, findBlock } from '../../../static/app/letter/document.ts'
import type { Editor } from '../../../static/app/letter/editor.ts'
import { readHtml } from '../../../static/app/letter/read-html.ts'
import { suggestKey, SuggestList, tagChoices } from '../../../static/app/letter/suggest.tsx'
import { writeHtml } from '../../../static/app/letter/write-html.ts'

const tab = useTab()
const RECT = { left: 10, right: 20, top: 300, bottom: 320 }
let editor: Editor
let written: () => string

/** A text with its caret at a position, in which something was typed that has a list. */
async function open(kind: 'block' | 'tag', query: string, html: string, at: number, rect = RECT) {
  const doc = readHtml(html)
  let state = EditorState.create({ doc, selection: TextSelection.create(doc, at) })
  const dom = document.createElement('div')
  const view = {
    dom,
    get state() {
      return state
    },
    dispatch: (tr: Transaction) => (state = state.apply(tr)),
    focus() {},
  }
  written = () => writeHtml(state.doc)
  editor = editorOf(letter([block('t', 'text', { html, align: 'center' }), columns('c', [block('x')])]))
  editor.select('t', 'end')
  editor.live.value = { view: view as never, kind: 'rich', change: 0 }
  editor.suggestion.value = { kind, query, from: at - 1, to: at, rect }
  await tab.draw(inEditor(editor, SuggestList, {}))
  return dom
}
const press = (key: string) => {
  const taken = suggestKey(editor, { key } as KeyboardEvent)
  return tab.settled().then(() => taken)
}
const chosen = () => tab.text('[aria-selected=true] span')
const blocks = () => eachBlock(editor.content.value.document).map((found) => found.block)

test('Arrows go round the list, and another query begins at its top.', async () => {
  const dom = await open('block', '', '<p>/</p>', 2)
  expect(chosen()).toBe('Text')
  expect(tab.text('[aria-selected=true] small')).toBe('Paragraphs, lists and links')
  expect([await press('ArrowDown'), chosen()]).toEqual([true, 'Heading'])
  expect(dom.getAttribute('aria-activedescendant')).toBe('letter-suggestion-1')
  await press('ArrowUp')
  await press('ArrowUp')
  expect(chosen()).toBe('Footer')
  editor.suggestion.value = { ...editor.suggestion.value!, query: 'l' }
  await tab.settled()
  expect(chosen()).toBe(tab.texts('[role=option] span')[0]!)
  expect([await press('a'), await press('Escape'), await press('Escape')]).toEqual([false, true, false])
  expect(tab.body.querySelector('[role=listbox]')).toBeNull()
  expect(dom.hasAttribute('aria-activedescendant')).toBe(false)
})

test('A list without entries takes no key and is not shown.', async () => {
  await open('tag', 'zzz', '<p>{{zzz</p>', 2)
  expect([await press('Enter'), await press('ArrowDown')]).toEqual([false, false])
  expect(tab.text()).toBe('')
  editor.selected.value = null
  editor.suggestion.value = { ...editor.suggestion.value!, kind: 'block', query: '' }
  expect(await press('Enter')).toBe(false)
})

test('A merge tag takes the place of what was typed, with its words for people without it.', async () => {
  await open('tag', 'FIRST', '<p>a{</p>', 3)
  expect(await press('Tab')).toBe(true)
  expect(written()).toBe('<p>a{{ contact.first_name | default: reader }}</p>')
  expect(editor.suggestion.value).toBeNull()
  expect(tagChoices(editor.tags.value, 'link').map(({ name }) => name)).toEqual(['unsubscribe_url'])
  expect(tagChoices(editor.tags.value, 'unsubscribe_url')).toHaveLength(1)
})

test('A block parts the text at the line where it was asked for.', async () => {
  await open('block', 'line', '<p>one</p><p>/</p><p>two</p>', 7)
  await press('Enter')
  const [first, line, last] = blocks()
  expect(first).toMatchObject({ id: 't', props: { html: '<p>one</p>', align: 'center' } })
  expect([line!.type, editor.selected.value]).toEqual(['divider', line!.id])
  expect(last!.props).toEqual({ html: '<p>two</p>', align: 'center' })
  expect(last!.id).not.toBe('t')
})

test('A block takes the place of a text that is empty but for the sign, and keeps what stands behind it.', async () => {
  await open('block', 'line', '<p>/</p>', 2)
  await press('Enter')
  expect(blocks().map(({ type }) => type)).toEqual(['divider', 'columns', 'text'])
  await open('block', 'heading', '<p>/</p><p>two</p>', 2)
  await press('Enter')
  expect(blocks().slice(0, 2)).toMatchObject([{ type: 'heading' }, { id: 't', props: { html: '<p>two</p>' } }])
  expect(editor.writing.value).toBe('end')
})

test('A picture is chosen in its dialog, and the text loses the sign.', async () => {
  await open('block', 'image', '<p>one</p><p>/</p>', 7)
  await press('Enter')
  expect(blocks()[0]).toMatchObject({ id: 't', props: { html: '<p>one</p>' } })
  expect(editor.panel.value).toEqual({ kind: 'picture', spot: { within: null, at: 1 } })
})

test('In a column neither columns nor a footer are suggested.', async () => {
  await open('block', '', '<p>/</p>', 2)
  editor.select('x', 'end')
  editor.suggestion.value = { ...editor.suggestion.value! }
  await tab.settled()
  expect(tab.texts('[role=option] span')).not.toContain('Columns')
})

test('An entry is chosen by pressing it, and the list stands where there is room.', async () => {
  await open('block', 'line', '<p>/</p>', 2)
  const style = () => String(tab.find('[role=listbox]').style.cssText)
  expect(style()).toBe('left: 10px; top: 324px;')
  send(tab.find('[role=option]'), 'pointerdown')
  await tab.settled()
  expect(findBlock(editor.content.value.document, editor.selected.value!)!.block.type).toBe('divider')
  await open('block', '', '<p>/</p>', 2, { left: 1_200, right: 1_210, top: 600, bottom: 620 })
  expect(style()).toBe('left: 952px; bottom: 204px;')
})
