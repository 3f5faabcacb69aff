import { expect, test } from 'bun:test'
import { type Drawn, MESSAGE_SPACING, stack } from '../../../src/newsletter/email/draw.ts'
import { type Look, lookOf } from '../../../src/newsletter/email/look.ts'
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

const LOOK = lookOf({ settings: {}, brand: { project_name: 'Atelier' } })
/** The heights of gaps, the padding and corners of bands, and the texts between, from the top. */
function stacked(backgrounds: (string | null)[], spacing = MESSAGE_SPACING): string[] {
  const drawn = backgrounds.map((background, at): Drawn => {
    const look: Look = { ...LOOK, background: background ?? LOOK.background }
    return { look, markup: '', html: [`<tr>#${at}</tr>`], text: [] }
  })
  const html = stack(drawn, LOOK, spacing).join('')
  return [
    ...(html.match(/(?<=height:)\d+px(?=;l)|(?<=padding:)\d+px 0 \d+px|(?<=radius:)[^"]+|#\d(?=<)|<\/table>/g) ?? []),
  ]
}

test('Blocks without bands have space above the first and below the last.', () => {
  expect(stacked([null, null])).toEqual(['40px', '#0', '#1', '16px'])
  expect(stacked([])).toEqual(['57px'])
  expect(stacked([null], { ...MESSAGE_SPACING, top: 0, bottom: 0 })).toEqual(['#0'])
})

test('A band fills the message to its ends, and is round there only.', () => {
  expect(stacked(['red'])).toEqual(['40px 0 28px', '8px 8px 8px 8px', '#0', '</table>'])
  expect(stacked(['red', 'red', 'tan', 'blue'])).toEqual([
    ...['40px 0 12px', '8px 8px 0px 0px', '#0', '#1', '</table>'],
    ...['32px 0 12px', '0px 0px 0px 0px', '#2', '</table>'],
    ...['32px 0 28px', '0px 0px 8px 8px', '#3', '</table>'],
  ])
})

test('Between a band and other blocks is the space of a band, and below a last band what its column needs.', () => {
  expect(stacked([null, 'red', null])).toEqual([
    ...['40px', '#0', '12px'],
    ...['32px 0 12px', '0px 0px 0px 0px', '#1', '</table>'],
    ...['32px', '#2', '16px'],
  ])
  const spacing = { ...MESSAGE_SPACING, top: 50, band_top: 60, after_band: 9 }
  expect(stacked(['red', 'tan'], spacing)).toEqual([
    ...['60px 0 12px', '8px 8px 0px 0px', '#0', '</table>'],
    ...['60px 0 28px', '0px 0px 8px 8px', '#1', '</table>', '9px'],
  ])
})
