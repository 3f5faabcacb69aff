import { expect, test } from 'bun:test'
import { type Command, EditorState, TextSelection } from 'prosemirror-state'
import { useTab } from '../../support/tab.ts'
import { readHtml } from '../../../static/app/letter/read-html.ts'
import { align, clear, type Format, FORMATS, hasFormat, sideOf } from '../../../static/app/letter/text-commands.ts'
import { writeHtml } from '../../../static/app/letter/write-html.ts'

useTab()

/** The text with what stands between two bars selected; one bar is the caret. */
function stateOf(html: string): EditorState {
  const doc = readHtml(html.replaceAll('|', ''))
  const words = html.replaceAll(/<[^>]*>/g, '')
  const [first, last] = [words.indexOf('|'), words.lastIndexOf('|')]
  const spots: number[] = []
  doc.descendants((node, at) => {
    for (let offset = 0; node.isText && offset < node.nodeSize; offset++) spots.push(at + offset)
  })
  const from = spots[first]!
  const to = first === last ? from : spots[last - 2]! + 1
  return EditorState.create({ doc, selection: TextSelection.create(doc, from, to) })
}
function after(html: string, command: Command): string {
  let state = stateOf(html)
  command(state, (tr) => (state = state.apply(tr)))
  return writeHtml(state.doc)
}

test.each<[string, Format, string]>([
  ['<p>a|b|c</p>', 'strong', '<p>a<strong>b</strong>c</p>'],
  ['<p>a<strong>|b|</strong>c</p>', 'strong', '<p>abc</p>'],
  ['<p>|a|</p>', 'em', '<p><em>a</em></p>'],
  ['<p>|a</p>', 'heading-1', '<h1>a</h1>'],
  ['<h1>|a</h1>', 'heading-2', '<h2>a</h2>'],
  ['<h3>|a</h3>', 'heading-3', '<p>a</p>'],
  ['<p>|a</p>', 'bullet', '<ul><li>a</li></ul>'],
  ['<ul><li>|a</li></ul>', 'bullet', '<p>a</p>'],
  ['<p>|a</p>', 'ordered', '<ol><li>a</li></ol>'],
  ['<ol><li>|a</li></ol>', 'ordered', '<p>a</p>'],
  ['<p>|a</p>', 'quote', '<blockquote><p>a</p></blockquote>'],
  ['<blockquote><p>|a</p></blockquote>', 'quote', '<p>a</p>'],
])('A format goes on and off: %s by %s.', (html, format, written) => {
  const had = hasFormat(stateOf(html), format)
  const now = after(html, FORMATS[format])
  // Of what was written, the plain paragraph alone has no format any more.
  expect([now, had]).toEqual([written, /^<p>[^<]*<\/p>$/.test(written)])
})

test('A button shows what the caret or the whole selection has.', () => {
  expect(hasFormat(stateOf('<p>a<em>b|c</em></p>'), 'em')).toBe(true)
  expect(hasFormat(stateOf('<p>|a<em>b</em></p>'), 'em')).toBe(false)
  expect(hasFormat(stateOf('<p>|a<em>b|</em></p>'), 'em')).toBe(true)
  expect(hasFormat(stateOf('<h2>|a</h2>'), 'heading-3')).toBe(false)
  const stored = stateOf('<p>|a</p>')
  FORMATS.strong(stored, (tr) => expect(hasFormat(stored.apply(tr), 'strong')).toBe(true))
})

test('A side is set, taken back by the same one, and turned around where the text is written from the right.', () => {
  const side = (html: string, isRtl = false) => sideOf(stateOf(html), isRtl)
  expect(after('<p>|a</p>', align('center', false))).toBe('<p style="text-align:center">a</p>')
  expect(after('<p>|a</p>', align('end', false))).toBe('<p style="text-align:right">a</p>')
  expect(after('<p>|a</p>', align('end', true))).toBe('<p style="text-align:left">a</p>')
  expect(after('<p style="text-align:right">|a</p>', align('end', false))).toBe('<p>a</p>')
  expect(after('<p style="color:red;text-align:right">|a</p>', align('start', false))).toBe(
    '<p style="color:red">a</p>',
  )
  expect(after('<p>|a</p><h2>b|</h2><p>c</p>', align('center', false))).toBe(
    '<p style="text-align:center">a</p><h2 style="text-align:center">b</h2><p>c</p>',
  )
  expect(side('<p>|a</p>')).toBeNull()
  expect(side('<p style="text-align:justify">|a</p>')).toBeNull()
  expect(side('<p align="center">|a</p>')).toBe('center')
  expect([side('<p align="right">|a</p>'), side('<p align="right">|a</p>', true)]).toEqual(['end', 'start'])
  expect([side('<p align="left">|a</p>'), side('<p align="left">|a</p>', true)]).toEqual(['start', 'end'])
})

test('Clearing leaves plain paragraphs, of the selection or of the text that the caret is in.', () => {
  expect(after('<h2>a <em>|b</em></h2><p><em>c</em></p>', clear)).toBe('<p>a b</p><p><em>c</em></p>')
  expect(after('<p>a<strong>|b</strong><u>c|</u><s>d</s></p>', clear)).toBe('<p>abc<s>d</s></p>')
  const nested = '<blockquote><ul><li><strong>|a</strong><ul><li>b</li></ul></li><li>c|</li></ul></blockquote>'
  expect(after(nested, clear)).toBe('<p>a</p><p>b</p><p>c</p>')
})
