import { expect, test } from 'bun:test'
import {
  type Block,
  blocksWithin,
  changeProps,
  columnsOf,
  duplicateBlock,
  eachBlock,
  type LetterDocument,
  moveBlock,
  placeWords,
  removeBlock,
  spotAside,
  spotBeside,
} from '../../../static/app/letter/document.ts'

const block = (id: string, type = 'text', props: Record<string, unknown> = {}): Block => ({ id, type, props })
const columns = (id: string, ...lists: Block[][]): Block =>
  block(id, 'columns', { columns: lists.map((blocks) => ({ blocks })) })
const letter = (...blocks: Block[]): LetterDocument => ({ version: 1, settings: {}, blocks })
const order = (document: LetterDocument): string =>
  eachBlock(document)
    .map((found) => found.block.id)
    .join(' ')

const LETTER = letter(
  block('a'),
  columns('c', [block('x'), block('y')], [block('z')]),
  block('b'),
  block('f', 'footer'),
)

test('Blocks are read with those in columns behind their columns.', () => {
  expect(order(LETTER)).toBe('a c x y z b f')
  expect(placeWords(LETTER, 'b')).toBe('place 3 of 4')
  expect(placeWords(LETTER, 'y')).toBe('place 2 of 2 in column 1')
})

test('A block moves up and down in its own list and stops at its ends.', () => {
  expect(order(moveBlock(LETTER, 'a', spotBeside(LETTER, 'a', 1)!))).toBe('c x y z a b f')
  expect(order(moveBlock(LETTER, 'y', spotBeside(LETTER, 'y', -1)!))).toBe('a c y x z b f')
  expect(spotBeside(LETTER, 'a', -1)).toBeNull()
  expect(spotBeside(LETTER, 'y', 1)).toBeNull()
})

test('A block moves into columns, to the next column, and out of them.', () => {
  const inside = moveBlock(LETTER, 'a', spotAside(LETTER, 'a', 1)!)
  expect(blocksWithin(inside, { block: 'c', column: 0 }).map(({ id }) => id)).toEqual(['a', 'x', 'y'])
  const next = moveBlock(inside, 'a', spotAside(inside, 'a', 1)!)
  expect(blocksWithin(next, { block: 'c', column: 1 }).map(({ id }) => id)).toEqual(['a', 'z'])
  expect(order(moveBlock(next, 'a', spotAside(next, 'a', 1)!))).toBe('c x y z a b f')
  expect(order(moveBlock(LETTER, 'x', spotAside(LETTER, 'x', -1)!))).toBe('a x c y z b f')
})

test('Columns and the footer stand in no column.', () => {
  expect(spotAside(LETTER, 'f', -1)).toBeNull()
  expect(moveBlock(LETTER, 'f', { within: { block: 'c', column: 0 }, at: 0 })).toBe(LETTER)
})

test('A double has its own ids, also inside its columns.', () => {
  const doubled = duplicateBlock(LETTER, 'c')!
  const ids = eachBlock(doubled.document).map((found) => found.block.id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(columnsOf(doubled.document.blocks[2]!)[0]!.blocks).toHaveLength(2)
})

test('A property of undefined is taken away, and a block without its list stays out.', () => {
  const changed = changeProps(letter(block('a', 'text', { html: 'x', align: 'center' })), 'a', { align: undefined })
  expect(changed.blocks[0]!.props).toEqual({ html: 'x' })
  expect(order(removeBlock(LETTER, 'x'))).toBe('a c y z b f')
})
