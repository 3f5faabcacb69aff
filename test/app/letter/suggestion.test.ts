import { expect, test } from 'bun:test'
import { EditorState, TextSelection } from 'prosemirror-state'
import { useTab } from '../../support/tab.ts'
import { readHtml } from '../../../static/app/letter/read-html.ts'
import { suggestionAt } from '../../../static/app/letter/suggestion.ts'
import { readLine } from '../../../static/app/letter/write-html.ts'

useTab()

function at(html: string, caret?: number, to = caret, kind: 'rich' | 'line' = 'rich') {
  const doc = kind === 'rich' ? readHtml(html) : readLine(html)
  const selection = caret === undefined ? TextSelection.atEnd(doc) : TextSelection.create(doc, caret, to)
  const state = EditorState.create({ doc, selection })
  const coordsAtPos = (pos: number) => ({ left: pos, right: 0, top: 0, bottom: 0 })
  const found = suggestionAt({ state, coordsAtPos } as never, kind)
  return found && [found.kind, found.query, found.from, found.to, found.rect.left]
}

test('A slash that stands alone in a paragraph asks for a block.', () => {
  expect(at('<p>/</p>')).toEqual(['block', '', 1, 2, 1])
  expect(at('<p>a</p><p>/two words</p>')).toEqual(['block', 'two words', 4, 14, 4])
  for (const html of ['<p>a/</p>', '<p>/a.b</p>', `<p>/${'x'.repeat(21)}</p>`, '<ul><li>/</li></ul>', '<p>a</p>', ''])
    expect(at(html)).toBeNull()
  expect(at('<p>/a b</p>', 2)).toBeNull()
  expect(at('<p>/a</p>', 1, 3)).toBeNull()
})

test('Two braces ask for a merge tag anywhere, as long as they are open.', () => {
  expect(at('<p>Hi {{ first na</p>')).toEqual(['tag', 'first na', 4, 15, 4])
  expect(at('<ul><li>a {{</li></ul>')).toEqual(['tag', '', 5, 7, 5])
  expect(at('Hi {{x', undefined, undefined, 'line')).toEqual(['tag', 'x', 3, 6, 3])
  expect(at('/', undefined, undefined, 'line')).toBeNull()
  expect(at('<p>{{ date }}</p>')).toBeNull()
  expect(at('<p>{{a} b</p>')).toBeNull()
  expect(at(`<p>{{${'x'.repeat(40)}</p>`)).toBeNull()
})
