import { expect, test } from 'bun:test'
import { EditorState, TextSelection } from 'prosemirror-state'
import { useTab } from '../../support/tab.ts'
import { readHtml } from '../../../static/app/letter/read-html.ts'
import { linkAt, linkText, setLink } from '../../../static/app/letter/text-link.ts'
import { writeHtml } from '../../../static/app/letter/write-html.ts'

useTab()

// In the paragraph a stands at 1, b and c of the link at 2 and 3, d at 4.
const HTML = '<p>a<a href="https://x.example">b<strong>c</strong></a>d</p>'
const selected = (from: number, to = from, html = HTML): EditorState => {
  const doc = readHtml(html)
  return EditorState.create({ doc, selection: TextSelection.create(doc, from, to) })
}
const linked = (state: EditorState, href: string): string => {
  setLink(href)(state, (tr) => (state = state.apply(tr)))
  return writeHtml(state.doc)
}

test('The link around the caret or the selection is found with all of its words.', () => {
  const link = { href: 'https://x.example', from: 2, to: 4 }
  for (const caret of [2, 3]) expect(linkAt(selected(caret))).toEqual(link)
  expect(linkAt(selected(2, 3))).toEqual(link)
  expect(linkAt(selected(3, 5))).toEqual(link)
  for (const [from, to] of [
    [1, 1],
    [1, 2],
    [4, 4],
    [4, 5],
  ] as const)
    expect(linkAt(selected(from, to))).toBeNull()
})

test('Of two links beside each other the one at the caret is meant.', () => {
  const two = '<p><a href="https://x.example">ab</a><a href="https://y.example">cd</a></p>'
  expect(linkAt(selected(2, 2, two))).toEqual({ href: 'https://x.example', from: 1, to: 3 })
  expect(linkAt(selected(4, 4, two))).toEqual({ href: 'https://y.example', from: 3, to: 5 })
  const apart = '<p><a href="https://x.example">ab</a> or <a href="https://x.example">cd</a></p>'
  expect(linkAt(selected(2, 2, apart))).toEqual({ href: 'https://x.example', from: 1, to: 3 })
  expect(linkAt(selected(8, 8, apart))).toEqual({ href: 'https://x.example', from: 7, to: 9 })
})

test('Words are linked, a link gets another address as a whole, and loses it by an empty one.', () => {
  const y = 'https://y.example'
  expect(linked(selected(1, 2), y)).toStartWith(`<p><a href="${y}">a</a>`)
  expect(linked(selected(3), y)).toBe(HTML.replace('https://x.example', y))
  expect(linked(selected(2, 3), '')).toBe('<p>ab<strong>c</strong>d</p>')
})

test('Without words the address itself is put in, and nothing for an empty one.', () => {
  expect(linked(selected(2, 2, '<p>ab</p>'), 'https://y.example')).toBe(
    '<p>a<a href="https://y.example">https://y.example</a>b</p>',
  )
  expect(linked(selected(2, 2, '<p>ab</p>'), '')).toBe('<p>ab</p>')
})

test('A link gets other words with the form of those before, and the words of a link are known.', () => {
  const relinked = (state: EditorState, text: string) => {
    setLink('https://y.example', text)(state, (tr) => (state = state.apply(tr)))
    return writeHtml(state.doc)
  }
  expect(relinked(selected(2), 'new')).toBe('<p>a<a href="https://y.example">new</a>d</p>')
  expect(relinked(selected(2), 'bc')).toContain('<a href="https://y.example">b<strong>c</strong></a>')
  expect(relinked(selected(2, 2, '<p>ab</p>'), 'new')).toBe('<p>a<a href="https://y.example">new</a>b</p>')
  expect(relinked(selected(1, 2), '')).toStartWith('<p><a href="https://y.example">a</a>')
  expect([linkText(selected(2)), linkText(selected(1, 3))]).toEqual(['bc', 'ab'])
  expect(linkText(selected(1, 3, '<p>a{{ date }}b</p>'))).toBeNull()
  expect(linkText(selected(1, 5, '<p>a</p><p>b</p>'))).toBeNull()
})
