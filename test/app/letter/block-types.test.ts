import { expect, test } from 'bun:test'
import { BLOCK_TYPES } from '../../../src/newsletter/email/blocks.ts'
import { checkDocument } from '../../../src/newsletter/email/document.ts'
import { type BlockType, flawsOf, freshBlock, sendable } from '../../../static/app/letter/block-types.ts'
import type { Block, LetterDocument } from '../../../static/app/letter/document.ts'

const TYPES = JSON.parse(JSON.stringify(BLOCK_TYPES)) as BlockType[]
const letter = (...blocks: Block[]): LetterDocument => ({ version: 1, settings: {}, blocks })
const button = (id: string, href: string): Block => ({ id, type: 'button', props: { text: 'Go', href } })

test.each(TYPES.map(({ type }) => type))('A new %s is complete, or its flaws say what it lacks.', (type) => {
  const block = freshBlock(TYPES.find((entry) => entry.type === type)!)
  const { document, flaws } = sendable(letter(block), letter(), TYPES)
  expect(() => checkDocument(document, '')).not.toThrow()
  expect(document.blocks).toHaveLength(flaws.length === 0 ? 1 : 0)
})

test('A flaw names the property and what to do.', () => {
  expect(flawsOf(button('b', ''), TYPES)).toEqual([{ id: 'b', prop: 'href', message: 'Link is missing.' }])
  expect(flawsOf(button('b', 'javascript:alert(1)'), TYPES)[0]!.message).toContain('https://')
})

test('A block that is not complete stays as it was saved, and a new one is left out.', () => {
  const saved = letter(button('old', 'https://example.com'))
  const { document } = sendable(letter(button('old', ''), button('new', '')), saved, TYPES)
  expect(document).toEqual(saved)
})

test('A flaw in a column leaves out that block only.', () => {
  const inner: Block = { id: 't', type: 'text', props: { html: 'x' } }
  const block: Block = {
    id: 'c',
    type: 'columns',
    props: { columns: [{ blocks: [button('n', ''), inner] }, { blocks: [] }] },
  }
  const { document } = sendable(letter(block), letter(), TYPES)
  expect(document.blocks[0]!.props['columns']).toEqual([{ blocks: [inner] }, { blocks: [] }])
})
