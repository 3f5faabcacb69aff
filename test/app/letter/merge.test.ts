import { expect, test } from 'bun:test'
import { block, columns, letter } from '../../support/letter-editor.ts'
import type { Block } from '../../../static/app/letter/document.ts'
import type { Content } from '../../../static/app/letter/editor.ts'
import { mergeContents } from '../../../static/app/letter/merge.ts'

const [a, b, c] = [block('a'), block('b'), block('c')]
const changed = (one: Block, words: string) => block(one.id, 'text', { html: words })
const both = (base: Content, mine: Content, theirs: Content) => mergeContents({ base, mine, theirs })
/** The texts of the merged blocks, in both directions. */
const merged = (base: Block[], mine: Block[], theirs: Block[]) =>
  [mine, theirs].map((one) => {
    const all = both(letter(base), letter(one), letter(one === mine ? theirs : mine))
    return all && all.document.blocks.map(({ props }) => props['html'] ?? props['columns']).join(' ')
  })

test('Changes of different blocks come together: changed, deleted, moved and new ones.', () => {
  expect(merged([a, b], [changed(a, 'A'), b], [a, changed(b, 'B')])).toEqual(['A B', 'A B'])
  expect(merged([a, b, c], [b, c], [a, b, changed(c, 'C')])).toEqual(['b C', 'b C'])
  expect(merged([a, b, c], [c, a, b], [changed(a, 'A'), b, c])).toEqual(['c A b', 'c A b'])
  expect(merged([a, b], [a, block('m'), b], [changed(a, 'A'), b, block('t')])).toEqual(['A m b t', 'A m b t'])
  expect(merged([a, b], [block('m'), b], [block('t'), a, b])).toEqual(['m t b', 't m b'])
  expect(merged([a], [changed(a, 'A')], [changed(a, 'A')])).toEqual(['A', 'A'])
})

test('Changes of one thing do not come together.', () => {
  expect(merged([a], [changed(a, 'A')], [changed(a, 'B')])).toEqual([null, null])
  expect(merged([a, b], [b], [changed(a, 'A'), b])).toEqual([null, null])
  expect(merged([a, b, c], [c, a, b], [b, a, c])).toEqual([null, null])
})

test('Blocks in columns are merged where the columns are the same, and nowhere is a block twice.', () => {
  const base = [columns('k', [a], [b])]
  const all = both(letter(base), letter([columns('k', [changed(a, 'A')], [b])]), letter([columns('k', [a], [b, c])]))
  expect(all!.document.blocks).toEqual([columns('k', [changed(a, 'A')], [b, c])])
  expect(merged(base, [columns('k', [changed(a, 'A')], [b])], [columns('k', [a], [b], [c])])).toEqual([null, null])
  expect(merged(base, [a, columns('k', [], [b])], [columns('k', [], [b, a])])).toEqual([null, null])
  expect(merged(base, [columns('k', [changed(a, 'A')], [])], [columns('k', [changed(a, 'B')], [b])])).toEqual([
    null,
    null,
  ])
})

test('The head and the design are merged part by part.', () => {
  const base = letter([a], { text_color: '#111111', content_width: 600 })
  const mine = letter([a], { text_color: '#222222', content_width: 600 }, { subject: 'Mine' })
  const theirs = letter([a], { text_color: '#111111', link_color: '#333333' }, { preheader: 'Theirs' })
  expect(both(base, mine, theirs)).toEqual(
    letter([a], { text_color: '#222222', link_color: '#333333' }, { subject: 'Mine', preheader: 'Theirs' }),
  )
  expect(both(base, mine, letter([a], base.document.settings, { subject: 'Theirs' }))).toBeNull()
  expect(both(base, mine, letter([a], { text_color: '#444444', content_width: 600 }))).toBeNull()
})
