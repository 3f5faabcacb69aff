import { expect, test } from 'bun:test'
import { EditorState, type Plugin, TextSelection } from 'prosemirror-state'
import { useTab } from '../../support/tab.ts'
import { readHtml } from '../../../static/app/letter/read-html.ts'
import { markdown, richKeys } from '../../../static/app/letter/text-input.ts'
import { writeHtml } from '../../../static/app/letter/write-html.ts'

useTab()

/** A text without a place in a page: what plugins ask of a view. */
function written(html: string) {
  const doc = readHtml(html)
  const plugins = [markdown(), ...richKeys()]
  let state = EditorState.create({ doc, plugins, selection: TextSelection.atEnd(doc) })
  const view = {
    get state() {
      return state
    },
    composing: false,
    dispatch: (tr: Parameters<typeof state.apply>[0]) => (state = state.apply(tr)),
  }
  const first = <T>(ask: (plugin: Plugin) => T | undefined | false | void) => plugins.some((plugin) => ask(plugin))
  const typed = (text: string) => {
    for (const letter of text) {
      const { from, to } = state.selection
      const isTaken = first((plugin) =>
        plugin.props.handleTextInput?.call(plugin, view as never, from, to, letter, null!),
      )
      if (!isTaken) state = state.apply(state.tr.insertText(letter))
    }
    return made
  }
  const pressed = (key: string, more: object = {}) => {
    const event = { key, keyCode: 0, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...more }
    first((plugin) => plugin.props.handleKeyDown?.call(plugin, view as never, event as never))
    return made
  }
  const made = { typed, pressed, html: () => writeHtml(state.doc) }
  return made
}

test.each([
  ['# a', '<h1>a</h1>'],
  ['### a', '<h3>a</h3>'],
  ['#### a', '<p>#### a</p>'],
  ['- a', '<ul><li>a</li></ul>'],
  ['* a', '<ul><li>a</li></ul>'],
  ['3. a', '<ol start="3"><li>a</li></ol>'],
  ['1) a', '<ol><li>a</li></ol>'],
  ['> a', '<blockquote><p>a</p></blockquote>'],
  ['x **bo ld** y', '<p>x <strong>bo ld</strong> y</p>'],
  ['x *em* y', '<p>x <em>em</em> y</p>'],
  ['x _em_ y', '<p>x <em>em</em> y</p>'],
  ['a_b_c', '<p>a_b_c</p>'],
  ['2 * 3 * 4', '<p>2 * 3 * 4</p>'],
  ['** a**', '<p>** a**</p>'],
  ['**a**', '<p><strong>a</strong></p>'],
  ['*a*', '<p><em>a</em></p>'],
])('Signs that are typed become what they stand for: %s.', (text, html) => {
  expect(written('').typed(text).html()).toBe(html)
})

test('Keys part list items, put them below each other and back, and break lines.', () => {
  const list = written('<ul><li>a</li></ul>').pressed('Enter').typed('b')
  expect(list.html()).toBe('<ul><li>a</li><li>b</li></ul>')
  expect(list.pressed(']', { ctrlKey: true }).html()).toBe('<ul><li>a<ul><li>b</li></ul></li></ul>')
  expect(list.pressed('[', { ctrlKey: true }).html()).toBe('<ul><li>a</li><li>b</li></ul>')
  expect(written('<p>a</p>').pressed('Enter').typed('b').html()).toBe('<p>a</p><p>b</p>')
  expect(written('<p>a</p>').pressed('Enter', { shiftKey: true }).typed('b').html()).toBe('<p>a<br>b</p>')
})

test('Keys format what is typed next.', () => {
  const text = written('<p>a</p>')
  expect(text.pressed('b', { ctrlKey: true }).typed('b').pressed('b', { ctrlKey: true }).typed('c').html()).toBe(
    '<p>a<strong>b</strong>c</p>',
  )
  expect(written('').pressed('i', { ctrlKey: true }).typed('i').html()).toBe('<p><em>i</em></p>')
  expect(written('').pressed('u', { ctrlKey: true }).typed('u').html()).toBe('<p><u>u</u></p>')
})
