import { expect, test } from 'bun:test'
import type { ComponentType } from 'preact'
import { EditorState, TextSelection, type Transaction } from 'prosemirror-state'
import { editorOf, inEditor, letter } from '../../support/letter-editor.ts'
import { useTab } from '../../support/tab.ts'
import type { Editor } from '../../../static/app/letter/editor.ts'
import { readHtml } from '../../../static/app/letter/read-html.ts'
import { SelectionToolbar, Toolbar } from '../../../static/app/letter/toolbar.tsx'
import { writeHtml } from '../../../static/app/letter/write-html.ts'

const tab = useTab()
let editor: Editor
let written: () => string

async function open(html: string, from: number, to: number, part: ComponentType<any> = Toolbar) {
  const doc = readHtml(html)
  let state = EditorState.create({ doc, selection: TextSelection.create(doc, from, to) })
  let change = 0
  const view = {
    dom: document.createElement('div'),
    get state() {
      return state
    },
    dispatch(tr: Transaction) {
      state = state.apply(tr)
      editor.live.value = { view: view as never, kind: 'rich', change: ++change }
    },
    focus() {},
    coordsAtPos: (at: number) => ({ left: 30, top: at === from ? top : 400, bottom: 420 }),
  }
  written = () => writeHtml(state.doc)
  editor = editorOf(letter([]))
  editor.live.value = { view: view as never, kind: 'rich', change }
  await tab.draw(inEditor(editor, part, {}))
}
let top = 300
const isOn = (name: string) => tab.button(name).getAttribute('aria-pressed')

test('A button shows what the text has, and changes it.', async () => {
  await open('<p>one</p>', 1, 4)
  expect([isOn('Bold'), isOn('H2: heading'), isOn('Link')]).toEqual(['false', 'false', 'false'])
  await tab.press('Bold')
  await tab.press('H2: heading')
  await tab.press('Center')
  expect(written()).toBe('<h2 style="text-align:center"><strong>one</strong></h2>')
  expect(['Bold', 'H2: heading', 'Center', 'Align to the end'].map(isOn)).toEqual(['true', 'true', 'true', 'false'])
  await tab.press('Clear the formats')
  expect(written()).toBe('<p>one</p>')
  await tab.press('Link')
  expect(editor.panel.value).toEqual({ kind: 'link', href: '' })
  await open('<p><a href="https://a.example">one</a></p>', 2, 2)
  expect(isOn('Link')).toBe('true')
  await tab.press('Link')
  expect(editor.panel.value).toEqual({ kind: 'link', href: 'https://a.example' })
})

test('A direction is chosen for a text, which the sides of its lines follow.', async () => {
  await open('<p>שלום</p>', 1, 1)
  expect(['From left to right', 'From right to left'].map(isOn)).toEqual(['false', 'false'])
  await tab.press('Align to the end')
  expect(written()).toBe('<p style="text-align:left">שלום</p>')
  await tab.press('From left to right')
  expect(written()).toBe('<p style="text-align:left" dir="ltr">שלום</p>')
  expect(isOn('From left to right')).toBe('true')
})

test('Arrows go from button to button, in the direction of the text.', async () => {
  await open('<p>one</p>', 1, 4)
  const at = () => document.activeElement!.getAttribute('aria-label')
  tab.button('Bold').focus()
  await tab.key('ArrowRight')
  expect(at()).toBe('Italic')
  await tab.key('ArrowLeft')
  await tab.key('ArrowLeft')
  expect(at()).toBe('Insert a merge tag')
  document.documentElement.setAttribute('dir', 'rtl')
  await tab.key('ArrowLeft')
  expect(at()).toBe('Bold')
  await tab.key('ArrowDown')
  expect(at()).toBe('Bold')
})

test('A merge tag is put in where the caret is.', async () => {
  await open('<p>one</p>', 2, 3)
  await tab.press('Insert a merge tag')
  await tab.press('first name')
  expect(written()).toBe('<p>o{{ contact.first_name | default: reader }}e</p>')
})

test('Beside chosen words stands what formats them, above where there is room, and not over a dialog.', async () => {
  const style = () => String(tab.find('.selection-toolbar').style.cssText)
  await open('<p>one</p>', 1, 4, SelectionToolbar)
  expect(style()).toBe('left: 30px; bottom: 506px;')
  expect(tab.names()).not.toContain('Center')
  top = 100
  await open('<p>one</p>', 1, 4, SelectionToolbar)
  expect(style()).toBe('left: 30px; top: 426px;')
  top = 300
  editor.panel.value = { kind: 'keys' }
  await tab.settled()
  expect(tab.text()).toBe('')
  await open('<p>one</p>', 2, 2, SelectionToolbar)
  expect(tab.text()).toBe('')
})

test('A line has no toolbar.', async () => {
  await open('<p>one</p>', 1, 4)
  editor.live.value = { ...editor.live.value!, kind: 'line' }
  await tab.settled()
  expect(tab.text()).toBe('')
})
