import { expect, test } from 'bun:test'
import { checkDocument } from '../../../src/newsletter/email/document.ts'
import { lookOf } from '../../../src/newsletter/email/look.ts'
import { table } from '../../../src/newsletter/email/table.ts'
import { htmlToText } from '../../../src/newsletter/email/text.ts'
import { elementsOf } from './dom.ts'

const look = lookOf({ settings: {}, brand: { project_name: 'Harbour' }, locale: 'en' })
const warnings: string[] = []
const drawn = (props: Parameters<typeof table.html>[0]) => table.html(props, look, (code) => warnings.push(code))
const ROWS = [
  ['Day', 'High water'],
  ['Monday', '<a href="https://tide.example/">12:10</a>'],
]

test('A table is one for screen readers too, whose first row names the columns unless it does not.', () => {
  const { elements } = elementsOf(drawn({ rows: ROWS }))
  const cells = elements.filter(({ name }) => /^t[dh]$/.test(name)).slice(1)
  expect(cells.map(({ name, attributes, text }) => [name, attributes['scope'], text])).toEqual([
    ['th', 'col', 'Day'],
    ['th', 'col', 'High water'],
    ['td', undefined, 'Monday'],
    ['td', undefined, '12:10'],
  ])
  expect(elements.find(({ name }) => name === 'table')!.attributes['role']).toBeUndefined()
  const bare = drawn({ rows: ROWS, header: false })
  expect(bare).not.toContain('<th')
  expect(bare).not.toContain('role=')
  expect(htmlToText(drawn({ rows: ROWS }))).toContain('Monday')
  // A row without words is as high as one with a line.
  expect(drawn({ rows: [[' ']] })).toContain('>&nbsp;</th>')
})

test('Columns have a side, and a table runs in the direction of its first letter with its cells in their own.', () => {
  const sides = drawn({ rows: [['a', 'b']], header: false, column_align: ['start', 'right'] })
  expect(sides).toMatch(
    /<td style="[^"]*text-align:left[^"]*">a<\/td><td align="right" style="[^"]*text-align:right">b/,
  )
  const turned = drawn({ rows: [['יום', 'Monday']] })
  expect(turned).toContain('<table cellpadding="0" cellspacing="0" border="0" dir="rtl"')
  expect(turned).toMatch(/<th scope="col" dir="ltr" style="[^"]*text-align:left/)
  expect(drawn({ rows: [['יום']], dir: 'ltr' })).not.toContain('dir="rtl"')
})

test('A table scrolls by itself on narrow screens, and no cell leaves it.', () => {
  expect(drawn({ rows: ROWS })).toContain('<div style="overflow-x:auto;word-break:normal;overflow-wrap:break-word">')
  const hostile = drawn({ rows: [['</td></tr></table><p>out</p>', '<script>x()</script>a']] })
  expect(
    elementsOf(hostile)
      .elements.find(({ name }) => name === 'p')!
      .parents.map(({ name }) => name),
  ).toContain('th')
  expect(hostile).not.toContain('script')
  expect(warnings).toContain('removed_markup')
})

test('Each row of a table has as many cells, and cells count in what a document may hold.', () => {
  const flaws = (rows: unknown) => {
    try {
      checkDocument({ version: 1, settings: {}, blocks: [{ id: 't', type: 'table', props: { rows } }] }, '')
      return []
    } catch (error) {
      return (error as { details: { path: string }[] }).details.map(({ path }) => path)
    }
  }
  expect(flaws(ROWS)).toEqual([])
  expect(flaws([['a', 'b'], ['c']])).toEqual(['/blocks/0/props/rows/1'])
  expect(flaws([])).toEqual(['/blocks/0/props/rows'])
  expect(flaws(Array.from({ length: 10 }, () => Array.from({ length: 12 }, () => 'x'.repeat(5000))))).toEqual([
    '/blocks/0/props/rows',
  ])
})
