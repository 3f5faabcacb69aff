import { expect, test } from 'bun:test'
import { blocks, draw, found, text } from './sketches.ts'

test('A spacer has its height in every mail program, and adds nothing to the plain text.', () => {
  const { html, text: plain } = draw([text('a'), ['spacer', { height: 48 }], text('b')])
  expect(html).toContain(
    '<td style="height:48px;line-height:48px;font-size:1px;mso-line-height-rule:exactly">&nbsp;</td>',
  )
  expect(plain).toStartWith('a\n\nb\n\n---')
})

const bands = (html: string) =>
  found(
    html,
    ({ name, attributes }) => name === 'td' && /padding:\d+px 0 \d+px;background-color/.test(attributes['style'] ?? ''),
  )

test('Adjacent blocks of one color share a band.', () => {
  const { html } = draw([
    ['heading', { text: 'a', level: 1, section_color: '#123456' }],
    ['spacer', { height: 9, section_color: '#123456' }],
    text('b'),
    ['divider', { section_color: '#fed' }],
    ['image', { src: 'https://a.example/x', alt: 'x', section_color: '#ffeedd' }],
  ])
  expect(bands(html).map(({ attributes }) => attributes['bgcolor'])).toEqual(['#123456', '#ffeedd'])
})

test('Bands can have the brand color, with readable text on it.', () => {
  const brand = { project_name: 'Atelier', brand_color: '#0a7d32' }
  const { html } = draw([['heading', { text: 'a', level: 1, section_color: 'brand' }]], { brand })
  expect(bands(html)[0]!.attributes['bgcolor']).toBe('#0a7d32')
  expect(found(html, ({ name }) => name === 'h1')[0]!.parents.at(-1)!.attributes['style']).toContain('color:#ffffff')
})

test('Bands in a column have padding at the sides.', () => {
  const { html } = draw([
    [
      'columns',
      { columns: [{ blocks: blocks([['text', { html: 'a', section_color: '#eef' }]], 'c') }, { blocks: [] }] },
    ],
  ])
  expect(bands(html)[0]!.attributes['style']).toContain('border-radius:6px 6px 6px 6px')
  expect(html).toContain('padding:0px 20px 8px')
})
