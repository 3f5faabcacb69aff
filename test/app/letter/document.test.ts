import { expect, test } from 'bun:test'
import {
  type Block,
  blocksWithin,
  changeDesign,
  changeProps,
  columnsOf,
  duplicateBlock,
  eachBlock,
  insertBlock,
  isSameDocument,
  type LetterDocument,
  mayStand,
  moveBlock,
  newBlockId,
  placeWords,
  removeBlock,
  replaceBlock,
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

test('A change of the blocks, in columns too, leaves the design as it is.', () => {
  const designed = { ...LETTER, settings: { content_width: 500 } }
  const inserted = insertBlock(designed, block('n'), { within: { block: 'c', column: 1 }, at: 0 })
  expect(order(inserted)).toBe('a c x y n z b f')
  for (const changed of [removeBlock(designed, 'x'), removeBlock(designed, 'a'), inserted])
    expect({ ...changed, blocks: [] }).toEqual({ version: 1, settings: { content_width: 500 }, blocks: [] })
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
  const wide = letter(block('w', 'columns', { columns: [{ blocks: [], share: 2 }, { blocks: [] }] }))
  expect(duplicateBlock(wide, 'w')!.document.blocks[1]!.props).toEqual(wide.blocks[0]!.props)
})

test('A property of undefined is taken away, and a block without its list stays out.', () => {
  const changed = changeProps(letter(block('a', 'text', { html: 'x', align: 'center' })), 'a', { align: undefined })
  expect(changed.blocks[0]!.props).toEqual({ html: 'x' })
  expect(order(removeBlock(LETTER, 'x'))).toBe('a c y z b f')
})

test('Two documents say the same when settings and blocks do, whatever made them.', () => {
  expect(isSameDocument(LETTER, LETTER)).toBe(true)
  expect(isSameDocument(LETTER, structuredClone(LETTER))).toBe(true)
  expect(isSameDocument(LETTER, { ...LETTER, settings: { content_width: 500 } })).toBe(false)
  expect(isSameDocument(LETTER, { ...LETTER, blocks: LETTER.blocks.slice(1) })).toBe(false)
  const changed = changeProps(LETTER, 'b', { html: 'x' })
  expect([isSameDocument(LETTER, changed), isSameDocument(changed, LETTER)]).toEqual([false, false])
})

test('A block that is not there changes nothing and has no place.', () => {
  expect(removeBlock(LETTER, 'no')).toBe(LETTER)
  expect(replaceBlock(LETTER, 'no', [block('q')])).toBe(LETTER)
  expect(changeProps(LETTER, 'no', { html: 'x' })).toBe(LETTER)
  expect(moveBlock(LETTER, 'no', { within: null, at: 0 })).toBe(LETTER)
  expect([spotBeside(LETTER, 'no', 1), spotAside(LETTER, 'no', 1), duplicateBlock(LETTER, 'no')]).toEqual([
    null,
    null,
    null,
  ])
  expect([placeWords(LETTER, 'no'), blocksWithin(LETTER, { block: 'no', column: 0 })]).toEqual(['', []])
  expect(blocksWithin(LETTER, { block: 'c', column: 2 })).toEqual([])
})

test('Columns move past each other, and a single block goes to the nearest end of the columns beside it.', () => {
  const two = letter(columns('c', [block('x')]), columns('d', [block('y')], [block('z')]), block('b'))
  expect([spotAside(two, 'c', 1), spotAside(two, 'd', -1)]).toEqual([null, null])
  expect(spotAside(two, 'b', -1)).toEqual({ within: { block: 'd', column: 1 }, at: 1 })
  expect(spotAside(two, 'b', 1)).toEqual({ within: { block: 'd', column: 1 }, at: 1 })
  expect(spotAside(letter(block('b'), columns('d', [block('y')], [])), 'b', -1)).toEqual({
    within: { block: 'd', column: 0 },
    at: 0,
  })
  expect(spotAside(letter(block('a'), block('b')), 'a', 1)).toBeNull()
})

test('A move to where the block stands is none, and one further down counts the place that it leaves.', () => {
  expect(moveBlock(LETTER, 'a', { within: null, at: 0 })).toBe(LETTER)
  expect(moveBlock(LETTER, 'a', { within: null, at: 1 })).toBe(LETTER)
  expect(order(moveBlock(LETTER, 'a', { within: null, at: 2 }))).toBe('c x y z a b f')
  expect(order(moveBlock(LETTER, 'x', { within: { block: 'c', column: 1 }, at: 1 }))).toBe('a c y z x b f')
  expect(order(moveBlock(LETTER, 'b', { within: null, at: 0 }))).toBe('b a c x y z f')
})

test('A design changes in parts, and loses what is undefined.', () => {
  const first = changeDesign(LETTER, { content_width: 500, text_color: '#111111' })
  expect(changeDesign(first, { text_color: undefined }).settings).toEqual({ content_width: 500 })
})

test('A block is put in the place of another, and a new one has a short id of its own.', () => {
  expect(order(replaceBlock(LETTER, 'x', [block('p'), block('q')]))).toBe('a c p q y z b f')
  expect(order(insertBlock(LETTER, block('p'), { within: { block: 'c', column: 1 }, at: 0 }))).toBe('a c x y p z b f')
  expect(newBlockId()).toMatch(/^b[0-9a-f]{8}$/)
})

test('A list holds columns and a footer only when it is the letter itself.', () => {
  const column = { block: 'c', column: 0 }
  expect(['text', 'columns', 'footer'].map((type) => [mayStand(type, null), mayStand(type, column)])).toEqual([
    [true, true],
    [true, false],
    [true, false],
  ])
})
