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

test('A new block begins with what its type begins with.', () => {
  const begun = (type: string) => freshBlock(TYPES.find((entry) => entry.type === type)!).props
  expect(
    Object.fromEntries(['text', 'heading', 'button', 'spacer', 'social'].map((type) => [type, begun(type)])),
  ).toEqual({
    text: { html: '' },
    heading: { text: '', level: 2 },
    button: { text: 'Read more', href: '' },
    spacer: { height: 24 },
    social: { links: [{ network: 'website', href: '' }] },
  })
  const column = { blocks: [{ id: expect.any(String), type: 'text', props: { html: '' } }] }
  expect(begun('columns')).toEqual({ columns: [column, column] })
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

const TYPE: BlockType = {
  type: 'sample',
  props: {
    type: 'object',
    required: ['href', 'size', 'shown', 'kind', 'rate', 'inner', 'links', 'note', 'notes'],
    properties: {
      href: { type: 'string', pattern: '^https:', maxLength: 12, description: 'Begin it with https.' },
      text: { type: 'string', minLength: 1, maxLength: 5 },
      size: { type: 'integer', minimum: 2, maximum: 4 },
      rate: { type: 'number' },
      shown: { type: 'boolean' },
      kind: { type: 'string', enum: ['wide', 'slim'] },
      inner: { type: 'object', required: ['alt'], properties: { alt: { type: 'string', default: 'None' } } },
      links: {
        type: 'array',
        minItems: 2,
        items: { type: 'object', required: ['href'], properties: { href: { type: 'string', pattern: '^https:' } } },
      },
      note: { type: 'string' },
      notes: { type: 'array', items: { type: 'string' } },
    },
  },
} as never
const SAMPLE = {
  href: 'https://a.b',
  size: 3,
  shown: true,
  kind: 'slim',
  rate: 1,
  inner: {},
  links: [],
  note: '',
  notes: [],
}
const flaws = (props: Record<string, unknown>) =>
  flawsOf({ id: 'b', type: 'sample', props: { ...SAMPLE, ...props } }, [TYPE]).map(({ prop, message }) => [
    prop,
    message,
  ])

test('A new block has the least that its type asks for.', () => {
  const block = freshBlock(TYPE)
  expect(block.props).toEqual({
    href: '',
    size: 2,
    shown: false,
    kind: 'wide',
    rate: 0,
    inner: { alt: 'None' },
    links: [{ href: '' }, { href: '' }],
    note: '',
    notes: [],
  })
})

test.each<[object, string[][]]>([
  [{}, []],
  [{ size: 2 }, []],
  [{ size: 4 }, []],
  [{ size: 1 }, [['size', 'Size is a number from 2 to 4.']]],
  [{ size: 5 }, [['size', 'Size is a number from 2 to 4.']]],
  [{ rate: -1_000_000 }, []],
  [{ href: 'https://a.bc' }, []],
  [{ href: 'https://a.bcd' }, [['href', 'Link has at most 12 characters.']]],
  [{ href: 'ftp://a' }, [['href', 'Begin it with https.']]],
  [{ href: undefined }, [['href', 'Link is missing.']]],
  [{ text: undefined }, []],
  [{ text: '' }, [['text', 'Text is missing.']]],
  [{ text: 'abcdef' }, [['text', 'Text has at most 5 characters.']]],
  [{ links: [{ href: 'https://a' }, {}] }, []],
  [{ links: [{ href: 'https://a' }, { href: '' }] }, [['links', 'Link is missing.']]],
  [{ links: [{ href: 'ftp://a' }] }, [['links', 'Link is not valid.']]],
])('With %j a block lacks what its type says.', (props, expected) => {
  expect(flaws(props as Record<string, unknown>)).toEqual(expected)
})

test('A block of an unknown type has no flaws.', () => {
  expect(flawsOf({ id: 'b', type: 'other', props: {} }, [TYPE])).toEqual([])
})
