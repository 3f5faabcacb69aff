import { expect, test } from 'bun:test'
import { blockName, firstWords, sentence, typeName } from '../../../static/app/letter/block-names.ts'

const block = (type: string, props: Record<string, unknown>) => ({ id: 'b', type, props })

test('A block is named by its kind and its first words in one line.', () => {
  expect(blockName(block('text', { html: '<p>Fish &amp;&nbsp;chips,\n<b>daily</b></p>' }))).toBe(
    'Text: Fish & chips, daily',
  )
  expect(blockName(block('button', { text: 'Go', href: 'x' }))).toBe('Button: Go')
  expect(blockName(block('image', { src: '/a.png', alt: 'A boat' }))).toBe('Image: A boat')
  expect(blockName(block('image', { src: '/a.png' }))).toBe('Image: /a.png')
  expect(blockName(block('divider', {}))).toBe('Line')
  expect(blockName(block('later_one', {}))).toBe('Later one')
})

test('Signs that are not known stay as they are written, and merge tags are told in words.', () => {
  expect(
    firstWords(block('text', { html: 'a &copy; b &lt;i&gt; &quot;{{ contact.first_name }}&quot; &middot;' })),
  ).toBe('a &copy; b <i> "[first name]" ·')
})

test('Columns are named by the first block of each, empty ones left out.', () => {
  const text = (html: string) => block('text', { html })
  const columns = [
    { blocks: [text('One'), text('no')] },
    { blocks: [] },
    { blocks: [text('')] },
    { blocks: [text('Two')] },
  ]
  expect(blockName(block('columns', { columns }))).toBe('Columns: One, Two')
})

test('A name has sixty characters, and says when it goes on.', () => {
  expect(firstWords(block('text', { html: 'x'.repeat(60) }))).toBe('x'.repeat(60))
  expect(firstWords(block('text', { html: `${'x'.repeat(59)} ${'y'.repeat(9)}` }))).toBe(`${'x'.repeat(59)}…`)
})

test('The name of a property becomes words.', () => {
  expect(sentence('background_color_two')).toBe('Background color two')
  expect(typeName('cms_posts')).toBe('Newest posts')
})
