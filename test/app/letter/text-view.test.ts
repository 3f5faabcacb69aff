import { expect, test } from 'bun:test'
import { EditorState, NodeSelection, TextSelection, type Transaction } from 'prosemirror-state'
import { useTab } from '../../support/tab.ts'
import { readHtml } from '../../../static/app/letter/read-html.ts'
import { changeTag, insertTag, placeCaret, selectedTag } from '../../../static/app/letter/text-view.ts'
import { writeHtml } from '../../../static/app/letter/write-html.ts'

useTab()

/** A text without a place in a page. */
function viewOf(html: string, from: number, to = from) {
  const doc = readHtml(html)
  let state = EditorState.create({ doc, selection: TextSelection.create(doc, from, to) })
  let focused = 0
  return {
    get state() {
      return state
    },
    get focused() {
      return focused
    },
    dispatch: (tr: Transaction) => (state = state.apply(tr)),
    focus: () => focused++,
    posAtCoords: ({ left }: { left: number }) => (left < 0 ? null : { pos: left }),
    html: () => writeHtml(state.doc),
    caret: () => state.selection.from,
  }
}
const TAG = { name: 'date', fallback: '' }

test('A merge tag takes the place of what is selected, or of a range.', () => {
  const selected = viewOf('<p>one</p>', 2, 3)
  insertTag(selected as never, TAG)
  expect([selected.html(), selected.focused]).toEqual(['<p>o{{ date }}e</p>', 1])
  const ranged = viewOf('<p>one</p>', 1)
  insertTag(ranged as never, TAG, { from: 3, to: 4 })
  expect(ranged.html()).toBe('<p>on{{ date }}</p>')
})

test('A merge tag changes or goes, and what is none stays.', () => {
  const html = '<p>a{{ date }}b</p>'
  const view = viewOf(html, 1)
  changeTag(view as never, 2, { name: 'contact.first_name', fallback: 'you' })
  expect(view.html()).toBe('<p>a{{ contact.first_name | default: you }}b</p>')
  changeTag(view as never, 1, null)
  expect([view.html(), view.focused]).toEqual(['<p>a{{ contact.first_name | default: you }}b</p>', 1])
  changeTag(view as never, 2, null)
  expect(view.html()).toBe('<p>ab</p>')
})

test('A merge tag is selected as a whole, or it is not.', () => {
  const doc = readHtml('<p>a{{ date }}<img src="https://a.example/a.png" alt=""></p>')
  const at = (from: number) => EditorState.create({ doc, selection: NodeSelection.create(doc, from) })
  expect(selectedTag(at(2))).toMatchObject({ tag: TAG, at: 2 })
  expect(selectedTag(at(3))).toBeNull()
  expect(selectedTag(EditorState.create({ doc, selection: TextSelection.create(doc, 2, 3) }))).toBeNull()
})

test('The caret goes to an end of the text or to a point of the window, or to the end where that is none.', () => {
  const caret = (at: Parameters<typeof placeCaret>[1]) => {
    const view = viewOf('<p>one</p><p>two</p>', 2)
    placeCaret(view as never, at)
    expect(view.focused).toBe(1)
    return view.caret()
  }
  expect(['start', 'end'].map((end) => caret(end as 'start'))).toEqual([1, 9])
  expect([caret({ x: 3, y: 0 }), caret({ x: -1, y: 0 })]).toEqual([3, 9])
})
