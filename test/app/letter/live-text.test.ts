import { expect, spyOn, test } from 'bun:test'
import type { Command } from 'prosemirror-state'
import { NodeSelection, TextSelection } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { editorOf, inEditor, letter } from '../../support/letter-editor.ts'
import { send, useTab } from '../../support/tab.ts'
import type { Editor } from '../../../static/app/letter/editor.ts'
import { type PasteReport, pastedWords } from '../../../static/app/letter/pasted-words.ts'
import { LiveText, StaticLine, StaticText, SUGGEST } from '../../../static/app/letter/live-text.tsx'

const tab = useTab()
const TAG = { name: 'contact.first_name', fallback: '' }
let editor: Editor
let written: string[]
let holder: { current: EditorView | null }

interface More {
  keys?: Record<string, Command>
  caret?: 'start' | 'end' | null
  placeholder?: string
  onFiles?(files: File[]): void
  onPasted?(report: PasteReport): void
}
const properties = (kind: 'rich' | 'line', value: string, more: More) => ({
  ...{ kind, value, label: 'Text', holder, onInput: (next: string) => void written.push(next) },
  ...{ caret: 'end' as const, ...more },
})

async function open(kind: 'rich' | 'line', value: string, more: More = {}) {
  editor = editorOf(letter([]))
  written = []
  holder = { current: null }
  await tab.draw(inEditor(editor, LiveText, properties(kind, value, more)))
  return holder.current!
}
const box = () => tab.find('[role=textbox]')
async function paste(types: Record<string, string>, files: unknown[] = []) {
  const left = send(box(), 'paste', { clipboardData: { getData: (type: string) => types[type] ?? '', files } })
  await tab.settled()
  return !left
}
const type = (text: string) => paste({ 'text/plain': text })
async function select(from: number, to = from) {
  const { state, dispatch } = holder.current!
  dispatch.call(holder.current, state.tr.setSelection(TextSelection.create(state.doc, from, to)))
  await tab.settled()
}
/** Whether the text took the key. */
async function press(key: string, more: Record<string, unknown> = {}) {
  const keys = { key, keyCode: 0, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...more }
  const left = send(box(), 'keydown', keys)
  await tab.settled()
  return !left
}

test('A text says what it is and whether it is empty, and takes the focus where its caret is to go.', async () => {
  const view = await open('rich', '<p>one</p>', { placeholder: 'Write here' })
  const attributes = (...names: string[]) => names.map((name) => box().getAttribute(name))
  expect(attributes('aria-label', 'aria-multiline', 'data-placeholder', 'data-empty')).toEqual([
    ...['Text', 'true', 'Write here', null],
  ])
  expect([document.activeElement as unknown, view.state.selection.from]).toEqual([box(), 4])
  await open('rich', '<p>one</p>', { caret: 'start' })
  expect(holder.current!.state.selection.from).toBe(1)
  await open('line', '', { caret: null })
  expect(attributes('aria-multiline', 'data-placeholder', 'data-empty')).toEqual(['false', null, ''])
  expect(document.activeElement as unknown).not.toBe(box())
  expect(tab.find('.letter-line').contains(box())).toBe(true)
  await type('x')
  expect(attributes('data-empty')).toEqual([null])
  expect(written).toEqual(['x'])
  await press('a', { ctrlKey: true })
  await press('Backspace')
  expect([written, attributes('data-empty')]).toEqual([['x', ''], ['']])
})

test('The toolbar is told of each change and of the focus, and of no text once it is gone.', async () => {
  const view = await open('rich', '<p>one</p>', { caret: null })
  expect(editor.live.value).toBeNull()
  box().focus()
  expect(editor.live.value).toEqual({ view, kind: 'rich', change: 1 })
  await select(1, 3)
  expect(editor.live.value).toEqual({ view, kind: 'rich', change: 2 })
  await press('b', { ctrlKey: true })
  expect([editor.live.value!.change, written]).toEqual([3, ['<p><strong>on</strong>e</p>']])
  await tab.draw(inEditor(editor, StaticLine, { text: 'Hi' }))
  expect([editor.live.value, holder.current, view.isDestroyed]).toEqual([null, null, true])
  const other = { view: {} as never, kind: 'line' as const, change: 0 }
  await open('line', 'x', {})
  editor.live.value = other
  await tab.draw(inEditor(editor, StaticLine, { text: 'Hi' }))
  expect(editor.live.value).toBe(other)
})

test('Another value is shown with the caret behind what changed, and is not what was written.', async () => {
  const view = await open('rich', '<p>one two three</p>')
  const show = (value: string, more: More = {}) =>
    tab.redraw(inEditor(editor, LiveText, properties('rich', value, more)))
  await show('<p>one 22 three</p>')
  expect([tab.text('[role=textbox]'), view.state.selection.from]).toEqual(['one 22 three', 7])
  await show('<p>one 22 22 three</p>')
  expect([tab.text('[role=textbox]'), view.state.selection.from]).toEqual(['one 22 22 three', 11])
  await show('<p>one three</p>')
  expect([tab.text('[role=textbox]'), view.state.selection.from]).toEqual(['one three', 5])
  await show('<p>one three</p><p></p>')
  expect(written).toEqual([])
  const before = view.state
  await show('<p>one three</p><p></p>')
  expect(view.state).toBe(before)
  await show('<p>one</p>')
  await type(' two')
  await show('<p>one two</p>')
  expect([written, view.state.selection.from]).toEqual([['<p>one two</p>'], 8])
  expect(holder.current).toBe(view)
})

test('Keys undo, do again and link, a key of the place comes after, and a line keeps Enter to itself.', async () => {
  const own: string[] = []
  const keys = { 'Mod-k': () => (own.push('k'), true), Escape: () => (own.push('Escape'), true), F2: () => false }
  await open('line', 'one', { keys })
  const [undo, redo] = [spyOn(editor, 'undo'), spyOn(editor, 'redo')]
  expect(await press('z', { ctrlKey: true })).toBe(true)
  expect(await press('y', { ctrlKey: true })).toBe(true)
  expect(await press('Z', { ctrlKey: true, shiftKey: true, keyCode: 90 })).toBe(true)
  expect([undo.mock.calls.length, redo.mock.calls.length]).toEqual([1, 2])
  expect([await press('k', { ctrlKey: true }), await press('Escape'), await press('F2')]).toEqual([true, true, false])
  expect([own, editor.panel.value]).toEqual([['k', 'Escape'], null])
  expect([await press('Enter'), written]).toEqual([true, []])
  await open('rich', '<p>one</p>', { keys })
  expect(await press('k', { ctrlKey: true })).toBe(true)
  expect([own.length, editor.panel.value]).toEqual([2, { kind: 'link', href: '' }])
  expect([await press('Enter'), written]).toEqual([true, ['<p>one</p><p></p>']])
})

test('A merge tag opens by a click and, when it is selected, by Enter.', async () => {
  const view = await open('line', 'a{{ contact.first_name }}')
  const { state } = view
  view.dispatch(state.tr.setSelection(NodeSelection.create(state.doc, 1)))
  expect(await press('Enter')).toBe(true)
  expect(editor.panel.value).toEqual({ kind: 'tag', tag: TAG, at: 1 })
  editor.panel.value = null
  const click = (node: string, at: number) =>
    view.someProp('handleClickOn', (handle) =>
      handle.call(undefined as never, view, at, view.state.schema.nodes[node]!.create(TAG), at, {} as never, true),
    )
  expect(click('merge_tag', 1)).toBeFalsy()
  expect(editor.panel.value as unknown).toEqual({ kind: 'tag', tag: TAG, at: 1 })
  editor.panel.value = null
  click('doc', 0)
  expect(editor.panel.value).toBeNull()
})

test('A picture that is pasted goes to the place of the text, words with a picture are words.', async () => {
  const taken: File[][] = []
  const [picture, other] = [new File(['x'], 'a.png', { type: 'image/png' }), new File(['x'], 'a', { type: 'text/csv' })]
  await open('rich', '<p>one</p>', { onFiles: (files) => taken.push(files) })
  expect(await paste({}, [other, picture])).toBe(true)
  expect(taken).toEqual([[picture]])
  await paste({}, [other])
  await paste({ 'text/plain': ' two' }, [picture])
  expect([taken.length, written]).toEqual([1, ['<p>one two</p>']])
  await open('line', 'one')
  await paste({}, [picture])
  expect(written).toEqual([])
})

test('A picture that was copied alone is uploaded, and a report tells what a paste left out or changed.', async () => {
  const taken: File[][] = []
  const reports: PasteReport[] = []
  const picture = new File(['x'], 'a.png', { type: 'image/png' })
  await open('rich', '<p>one</p>', {
    onFiles: (files) => taken.push(files),
    onPasted: (report) => reports.push(report),
  })
  await paste({ 'text/html': '<img src="https://a.example/a.png">' }, [picture])
  expect([taken, written.filter((html) => html.includes('img'))]).toEqual([[[picture]], []])
  await paste({ 'text/html': '<a href="https://www.google.com/url?q=https://a.example/">x</a><img src="cid:1">' })
  await paste({}, [new File(['x'], 'a.pdf', { type: 'application/pdf' })])
  expect(reports.map(pastedWords)).toEqual([
    'Left out of what you pasted: a picture on your computer. Drop the file of a picture on the letter to add it. ' +
      '1 link leads straight to the page now, no longer through another service.',
    'Left out of what you pasted: a file that is no picture.',
  ])
})

test('Pasted text is cleaned, tags in it become pieces, and a line takes its words alone.', async () => {
  await open('rich', '<p>one</p>')
  await paste({
    'text/html': '<p style="color:red">two <b class="x">three</b></p><script>x</script>',
    'text/plain': '',
  })
  expect(written.at(-1)).toBe('<p>onetwo <strong>three</strong></p>')
  await paste({ 'text/plain': ' {{ contact.first_name }}' })
  expect(written.at(-1)).toBe('<p>onetwo <strong>three</strong> {{ contact.first_name }}</p>')
  expect(tab.all('[data-tag], .tag-chip')).toHaveLength(1)
  await open('line', 'one')
  await paste({ 'text/html': '<p><b>two</b></p>', 'text/plain': ' two\nthree {{ contact.first_name }}' })
  expect(written).toEqual(['onetwo three {{ contact.first_name }}'])
})

test('A tag that is being typed opens its list, whose keys come first, until it is left or gone.', async () => {
  const keys: string[] = []
  SUGGEST.code.value = {
    suggestKey: (_: Editor, { key }: KeyboardEvent) => (keys.push(key), key !== 'Escape'),
  } as never
  tab.atEnd(() => (SUGGEST.code.value = null))
  const rect = { left: 1, right: 2, top: 3, bottom: 4 }
  const view = await open('rich', '<p></p>')
  spyOn(view, 'coordsAtPos').mockReturnValue(rect)
  spyOn(view, 'hasFocus').mockReturnValue(true)
  await press('ArrowDown')
  await type('/pic')
  expect(editor.suggestion.value).toEqual({ kind: 'block', query: 'pic', from: 1, to: 5, rect })
  await press('Enter')
  expect([keys, written]).toEqual([['Enter'], ['<p>/pic</p>']])
  await press('Escape')
  expect(keys).toEqual(['Enter', 'Escape'])
  await type('!')
  expect(editor.suggestion.value).toBeNull()
  await press('Enter')
  expect([keys.length, written.at(-1)]).toEqual([2, '<p>/pic!</p><p></p>'])
  await type('{{ fir')
  expect(editor.suggestion.value).toMatchObject({ kind: 'tag', query: 'fir' })
  send(box(), 'blur', {}, false)
  expect(editor.suggestion.value).toBeNull()
  await type('s')
  expect(editor.suggestion.value).toMatchObject({ query: 'firs' })
  await tab.draw(inEditor(editor, StaticLine, { text: '' }))
  expect(editor.suggestion.value).toBeNull()
  SUGGEST.code.value = null
  const line = await open('line', '')
  spyOn(line, 'coordsAtPos').mockReturnValue(rect)
  const focused = spyOn(line, 'hasFocus').mockReturnValue(true)
  await type('/')
  expect(editor.suggestion.value).toBeNull()
  await type('{{')
  expect(editor.suggestion.value).toMatchObject({ kind: 'tag', query: '' })
  expect(await press('F2')).toBe(false)
  focused.mockReturnValue(false)
  await type(' x')
  expect(editor.suggestion.value).toBeNull()
})

test('A text that nobody writes in shows its formats and tags, and Tab does not stop at its links.', async () => {
  editor = editorOf(letter([]))
  await tab.draw(inEditor(editor, StaticText, { html: '<p>Hi <b>you</b> <a href="https://a.example">there</a></p>' }))
  expect(tab.find('.letter-text').innerHTML).toBe(
    '<p>Hi <strong>you</strong> <a href="https://a.example" rel="noreferrer" tabindex="-1">there</a></p>',
  )
  expect(send(tab.find('.letter-text a'), 'click')).toBe(false)
  await tab.redraw(inEditor(editor, StaticText, { html: '<p>Bye</p>' }))
  expect(tab.text('.letter-text')).toBe('Bye')
  await tab.draw(inEditor(editor, StaticLine, { text: 'Hi {{ contact.first_name }}!' }))
  expect([tab.text(), tab.texts('.tag-chip')]).toEqual(['Hi first name!', ['first name']])
})
