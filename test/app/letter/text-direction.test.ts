import { expect, test } from 'bun:test'
import { AllSelection, EditorState, NodeSelection, TextSelection } from 'prosemirror-state'
import { useTab } from '../../support/tab.ts'
import { readHtml } from '../../../static/app/letter/read-html.ts'
import { chosenDirection, directionAt, setDirection } from '../../../static/app/letter/text-direction.ts'
import { writeHtml } from '../../../static/app/letter/write-html.ts'

useTab()
const stateOf = (html: string, from = 3, to = from) => {
  const doc = readHtml(html)
  return EditorState.create({ doc, selection: TextSelection.create(doc, from, to) })
}

test('A direction is chosen for paragraphs, or for the whole list or quote, and taken back.', () => {
  const after = (state: EditorState) => {
    setDirection('rtl')(state, (tr) => (state = state.apply(tr)))
    return [writeHtml(state.doc), chosenDirection(state)]
  }
  expect(after(stateOf('<p>abc</p>'))).toEqual(['<p dir="rtl">abc</p>', 'rtl'])
  expect(after(stateOf('<p dir="rtl" style="text-align:center">abc</p>'))).toEqual([
    '<p style="text-align:center">abc</p>',
    null,
  ])
  expect(after(stateOf('<p>abc</p><h2>def</h2><p>g</p>', 2, 7))[0]).toBe(
    '<p dir="rtl">abc</p><h2 dir="rtl">def</h2><p>g</p>',
  )
  expect(after(stateOf('<ul><li>a<ol><li>b</li></ol></li></ul>', 8))[0]).toBe(
    '<ul dir="rtl"><li>a<ol><li>b</li></ol></li></ul>',
  )
  expect(after(stateOf('<blockquote><p>abc</p></blockquote>'))[0]).toBe('<blockquote dir="rtl"><p>abc</p></blockquote>')
})

test('Without a choice the first letter decides, whose merge tags have no say.', () => {
  const found = (html: string) => directionAt(stateOf(html, 1))
  expect(['<p>abc</p>', '<p>{{ date }} שלום</p>', '<p dir="ltr">שלום</p>', '<p>12</p>'].map(found)).toEqual([
    'ltr',
    'rtl',
    'ltr',
    null,
  ])
})

test('All of a text has the direction of its first paragraph, and a line across it none.', () => {
  const all = (html: string) => {
    const doc = readHtml(html)
    return EditorState.create({ doc, selection: new AllSelection(doc) })
  }
  expect(directionAt(all('<hr><p>שלום</p><p>abc</p>'))).toBe('rtl')
  expect(chosenDirection(all('<ul dir="rtl"><li>a</li></ul>'))).toBe('rtl')
  const doc = readHtml('<hr><p>a</p>')
  expect(directionAt(EditorState.create({ doc, selection: NodeSelection.create(doc, 0) }))).toBeNull()
})
