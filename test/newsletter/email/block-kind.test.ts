import { expect, test } from 'bun:test'
import { BrandColor, cell, gap, Href, sideOf, Source } from '../../../src/newsletter/email/block-kind.ts'
import { lookOf } from '../../../src/newsletter/email/look.ts'

const look = lookOf({ settings: { font_family: 'Georgia' }, brand: { project_name: 'Harbour' } })
const fits = ({ pattern }: { pattern?: string }, text: string) => new RegExp(pattern!, 'u').test(text)

test('A link begins with a scheme that mail programs open, or with a merge tag.', () => {
  for (const href of [
    'https://a',
    'HTTP://a',
    'mailto:a@b',
    'tel:1',
    '{{ view_url }}',
    '{{ view_url }}?x',
    'https://a/{{ date }}',
  ])
    expect([href, fits(Href, href)]).toEqual([href, true])
  for (const href of [
    '',
    'javascript:x',
    'a.example',
    'https://',
    'https://a b',
    'https://a"',
    'https://a<',
    ' https://a',
    'https://a{{',
    '{{a}} b',
  ])
    expect([href, fits(Href, href)]).toEqual([href, false])
  expect(['https://a', '{{ x }}', 'mailto:a@b', 'tel:1'].map((source) => fits(Source, source))).toEqual([
    true,
    true,
    false,
    false,
  ])
})

test('A color is a hex code or that of the brand.', () => {
  expect(
    ['brand', '#abc', '#AABBCC', 'brandy', 'xbrand', '#abcd', 'red'].map((color) => fits(BrandColor, color)),
  ).toEqual([true, true, true, false, false, false, false])
})

test('The start of a line depends on the direction of the text.', () => {
  expect([sideOf('start', 'ltr'), sideOf('start', 'rtl'), sideOf('center', 'rtl')]).toEqual(['left', 'right', 'center'])
  const turned = cell(look, 'a', { below: 8, dir: 'rtl' })
  expect(turned).toContain(' dir="rtl" align="right"')
  expect(turned).toContain('text-align:right')
})

test('A cell is one row with padding, alignment and the colors of the look.', () => {
  expect(cell(look, 'a', { below: 8 })).toBe(
    `<tr><td class="m-side ${look.classes.text}" align="left" style="padding:0px 40px 8px;font-family:Georgia;` +
      'font-size:16px;line-height:26px;color:#2a2a2e;text-align:left;word-break:break-word">a</td></tr>\n',
  )
  expect(
    cell({ ...look, side: 0 }, 'a', {
      below: 8,
      above: 4,
      light: true,
      relativeLines: true,
      font: 'Arial',
      align: 'right',
    }),
  ).toBe(
    '<tr><td align="right" style="padding:4px 0px 8px;background-color:#ffffff;font-family:Arial;font-size:16px;' +
      'line-height:1.625;color:#2a2a2e;text-align:right;word-break:break-word">a</td></tr>\n',
  )
  expect(cell({ ...look, side: 0 }, 'a', { below: 8, light: true, scope: 'x1' })).toStartWith('<tr><td class="x1" ')
  expect(gap(9)).toContain('height:9px;line-height:9px')
})
