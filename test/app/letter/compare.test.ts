import { expect, test } from 'bun:test'
import { h } from 'preact'
import { useTab } from '../../support/tab.ts'
import { changesBetween, Compare } from '../../../static/app/letter/compare.tsx'
import type { Block, Design } from '../../../static/app/letter/document.ts'
import type { Content } from '../../../static/app/letter/editor.ts'

const block = (id: string, props: Record<string, unknown>, type = 'text'): Block => ({ id, type, props })
const letter = (blocks: Block[], settings: Design = {}, more: Partial<Content> = {}): Content => ({
  ...{ name: 'May', subject: 'Hi', preheader: '' },
  document: { version: 1, settings, blocks },
  ...more,
})
const said = (before: Content, after: Content) =>
  changesBetween(before, after).map(({ title, before: was, after: now }) => [title, was, now])
const A = block('a', { html: '<p>One</p><p>Two</p>' })
const B = block('b', { text: 'Go', href: 'https://x.example' }, 'button')

test('Words of the head are compared with their merge tags as the editor shows them.', () => {
  expect(said(letter([A]), letter([A], {}, { subject: 'Hi {{ contact.first_name | default: you }}' }))).toEqual([
    ['Subject', 'Hi', 'Hi [first name, else “you”]'],
  ])
  expect(said(letter([A]), letter([A], {}, { name: 'June', preheader: 'p' })).map(([title]) => title)).toEqual([
    'Name',
    'Preview text',
  ])
  expect(said(letter([A]), letter([A]))).toEqual([])
})

test('A block is new, changed or taken away, and what went stands at the end.', () => {
  const now = block('a', { html: '<ul><li>One</li></ul>Two<br>Three' })
  expect(said(letter([B, A]), letter([now, block('n', {}, 'divider')]))).toEqual([
    ['Text', 'One\nTwo', 'One\nTwo\nThree'],
    ['Line, new', null, ''],
    ['Button, taken away', 'Go\nLink: https://x.example', null],
  ])
})

test('A part that is not the text of a block stands with its name, and HTML by its words.', () => {
  const aligned = block('a', { html: '<p>One</p>', align: 'center' })
  expect(said(letter([block('a', { html: '<p>One</p>' })]), letter([aligned]))).toEqual([
    ['Text', 'One', 'One\nPlace: center'],
  ])
  const html = (text: string) => block('m', { html: text }, 'html')
  expect(said(letter([html('<p>x</p>')]), letter([html('<p>y</p>')]))).toEqual([['HTML', 'x', 'y']])
  const table = (cell: string) =>
    block(
      't',
      {
        rows: [
          ['Day', '<b>Tide</b>'],
          ['Mon<br>day', cell],
        ],
      },
      'table',
    )
  expect(said(letter([table('{{ date }}')]), letter([table('x')]))).toEqual([
    ['Table', 'Day | Tide\nMon day | [date]', 'Day | Tide\nMon day | x'],
  ])
})

test('Columns count, and blocks in them are compared by themselves.', () => {
  const columns = (...lists: Block[][]) => block('c', { columns: lists.map((blocks) => ({ blocks })) }, 'columns')
  expect(said(letter([columns([A], [])]), letter([columns([block('a', { html: 'X' })], [], [])]))).toEqual([
    ['Columns', '2 columns', '3 columns'],
    ['Text', 'One\nTwo', 'X'],
  ])
})

test('Another order is told once, by the names of the blocks that both have.', () => {
  expect(said(letter([A, B]), letter([B, A]))).toEqual([
    ['Order', 'Text: One Two\nButton: Go', 'Button: Go\nText: One Two'],
  ])
  expect(said(letter([A, B]), letter([B]))).toHaveLength(1)
})

test('A design is compared without the preview text and whatever the order of its parts.', () => {
  const one = { text_color: '#111111', content_width: 600 }
  expect(said(letter([A], one), letter([A], { content_width: 600, text_color: '#111111', preheader: 'p' }))).toEqual([])
  expect(said(letter([A], one), letter([A], { ...one, content_width: 700 }))).toEqual([
    ['Design', 'Content width: 600\nText color: #111111', 'Content width: 700\nText color: #111111'],
  ])
  const link = (links: object[]) => block('s', { links }, 'social')
  expect(said(letter([link([])]), letter([link([{ network: 'x', href: 'https://x.example' }])]))[0]![2]).toBe(
    'Links: x https://x.example',
  )
})

const tab = useTab()

test('New words are inserted, old ones deleted, and what both have stands as it is.', async () => {
  const now = block('a', { html: '<p>One</p><p>Three</p>' })
  await tab.draw(h(Compare, { before: letter([A, B]), after: letter([now, block('n', { html: '' })]) }))
  expect(tab.texts('del')).toEqual(['Two', 'Go Link: https://x.example'])
  expect(tab.texts('ins')).toEqual(['Three', '(empty)'])
  expect(tab.texts('dd span')).toEqual(['One'])
  const bold = block('a', { html: '<p><strong>One</strong></p><p>Two</p>' })
  await tab.draw(h(Compare, { before: letter([A]), after: letter([bold]) }))
  expect([tab.text('dt'), tab.text('dd')]).toEqual(['Text', 'The words are the same. How they look has changed.'])
  await tab.draw(h(Compare, { before: letter([A]), after: letter([A]) }))
  expect(tab.text()).toBe('Nothing is different.')
})
