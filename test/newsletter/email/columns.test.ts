import { expect, test } from 'bun:test'
import { blocks, compile, draw, found, type Sketch, text } from './sketches.ts'

/** The HTML as Outlook reads it: with the content of conditional comments. */
const inOutlook = (html: string) => html.replace(/<!--\[if mso\]>|<!\[endif\]-->/g, '')

const columns = (props: Record<string, unknown>, ...inside: Sketch[][]): Sketch => [
  'columns',
  { ...props, columns: inside.map((sketches, at) => ({ blocks: blocks(sketches, `c${at}-`) })) },
]
const widths = (html: string) =>
  found(html, ({ attributes }) => attributes['class'] === 'm-col').map(({ attributes }) =>
    Number(/max-width:(\d+)px/.exec(attributes['style']!)![1]),
  )

test.each([2, 3, 4])('A row of %i columns stands side by side on wide screens and stacked on narrow ones.', (count) => {
  for (const content_width of [320, 600, 799]) {
    const { html } = draw([columns({}, ...Array.from({ length: count }, (_, at) => [text(`<p>column ${at}</p>`)]))], {
      settings: { content_width },
    })
    expect(widths(html)).toHaveLength(count)
    expect(widths(html).reduce((sum, width) => sum + width)).toBeLessThanOrEqual(content_width - 56)
    expect(html).toContain('.m-col{max-width:100%!important}')
    for (const { attributes } of found(html, ({ attributes }) => attributes['class'] === 'm-col'))
      expect(attributes['style']).toStartWith('display:inline-block;width:100%;')
    // A space between the columns would take the width of a character.
    expect(html).not.toMatch(/<\/div>\s+(?:<!--[^>]*-->\s*)?<div class="m-col"/)
  }
})

test('Columns are a table of as many cells for Outlook, presentational like all others.', () => {
  const html = inOutlook(draw([columns({ valign: 'middle' }, [text('a')], [text('b')], [text('c')])]).html)
  const cells = found(html, ({ name, attributes }) => name === 'td' && attributes['valign'] === 'middle')
  expect(cells.map(({ attributes }) => attributes['width'])).toEqual(['181', '181', '181'])
  expect(new Set(cells.map(({ parents }) => parents.at(-1))).size).toBe(1)
  expect(found(html, ({ name, attributes }) => name === 'table' && attributes['role'] !== 'presentation')).toEqual([])
})

test('Columns share the width by their ratios.', () => {
  const { html } = draw([
    [
      'columns',
      {
        columns: [
          { share: 1, blocks: [] },
          { share: 2, blocks: blocks([text('x')], 'c') },
        ],
      },
    ],
  ])
  expect(widths(html)).toEqual([181, 362])
  // A column without a share has one.
  const some = { columns: [{ blocks: [] }, { share: 3, blocks: blocks([text('x')], 'c') }] }
  expect(widths(draw([['columns', some]]).html)).toEqual([136, 408])
})

test('Columns can stay side by side on phones.', () => {
  const { html } = draw([columns({ stack: false }, [text('a')], [text('b')])])
  expect(widths(html)).toEqual([])
  expect(found(html, ({ name, attributes }) => name === 'td' && attributes['width'] === '50%')).toHaveLength(2)
})

test('Columns limit images and buttons to their width, and keep their order in the plain text.', () => {
  const { html, text: plain } = draw([
    columns(
      {},
      [['image', { src: 'https://a.example/x.png', alt: 'A cat', width: 500 }], text('<p>one</p>')],
      [['button', { text: 'Go', href: 'https://a.example/' }]],
    ),
  ])
  expect(found(html, ({ name }) => name === 'img')[0]!.attributes).toMatchObject({ width: '248' })
  expect(plain).toStartWith('A cat\n\none\n\nGo: https://a.example/')
})

test('Columns begin at the right in right-to-left languages.', () => {
  const { html } = draw([columns({}, [text('a')], [text('b')])], { locale: 'he' })
  expect(inOutlook(html)).toContain('border="0" dir="rtl"><tr><td width="272"')
  expect(found(html, ({ attributes }) => attributes['class'] === 'm-col')[0]!.attributes['style']).toContain(
    'text-align:right',
  )
})

test('Blocks in columns get rewritten links and warnings like others.', () => {
  const seen: string[] = []
  compile(
    [
      columns(
        {},
        [text('<a href="https://a.example/1">x</a>')],
        [['button', { text: 'Go', href: 'https://a.example/2' }]],
      ),
    ],
    { rewriteLink: (url) => (seen.push(url), url) },
  )
  expect(seen).toEqual(['https://a.example/1', 'https://a.example/2'])
})
