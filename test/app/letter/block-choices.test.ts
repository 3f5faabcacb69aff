import { expect, test } from 'bun:test'
import { BLOCK_TYPES } from '../../../src/newsletter/email/blocks.ts'
import { blockChoices, blockIcon } from '../../../static/app/letter/block-choices.ts'
import type { BlockType } from '../../../static/app/letter/block-types.ts'

const TYPES = JSON.parse(JSON.stringify(BLOCK_TYPES)) as BlockType[]
const LATER: BlockType = { type: 'later_block', description: 'What came later.', props: {} }
const found = (query: string, within: Parameters<typeof blockChoices>[1] = null) =>
  blockChoices([LATER, ...TYPES], within, query).map(({ type }) => type)

test('Blocks that are used most stand first, one that came later stands last with the words of the service.', () => {
  const all = blockChoices([LATER, ...TYPES], null, '')
  expect(all.map(({ type }) => type)).toEqual([
    ...['text', 'heading', 'image', 'button', 'table', 'divider', 'spacer'],
    ...['columns', 'social', 'cms_posts', 'html', 'footer', 'later_block'],
  ])
  expect(all.at(-1)).toEqual({
    type: 'later_block',
    label: 'Later block',
    description: 'What came later.',
    icon: 'file',
  })
  expect(all[0]).toMatchObject({ label: 'Text', description: 'Paragraphs, lists and links', icon: 'text' })
  expect(blockIcon('button')).toBe('pointer')
})

test('A block is found by its name, by other words for it, and by its type, in any case.', () => {
  expect(found('  PHOTO  ')).toEqual(['image'])
  expect(found('newest')).toEqual(['cms_posts'])
  expect(found('cms')).toEqual(['cms_posts'])
  expect(found('zzz')).toEqual([])
})

test('A column takes neither columns nor a footer.', () => {
  expect(found('', { block: 'c', column: 0 })).not.toContain('columns')
  expect(found('', { block: 'c', column: 0 })).not.toContain('footer')
  expect(found('', { block: 'c', column: 0 })).toHaveLength(TYPES.length - 1)
})
