import { expect, test } from 'bun:test'
import { checkContrast } from '../../../src/newsletter/email/content-contrast.ts'
import { lookOf } from '../../../src/newsletter/email/look.ts'

const LOOK = lookOf({ settings: {}, brand: { project_name: 'Harbour' } })
function warnings(html: string, look = LOOK): string[] {
  const found: string[] = []
  checkContrast(html, look, (code, message) => found.push(`${code}: ${message}`))
  return found
}
const hard = (html: string): boolean => warnings(html).length > 0

test('Text that is hard to read has one warning with its colors.', () => {
  expect(warnings('<p style="color:#999999">a</p><p style="color:yellow">b</p>')).toEqual([
    'low_contrast: Text of color #999999 is hard to read on #ffffff.',
  ])
})

test('Small text needs a ratio of 4.5, text of 24 pixels or more one of 3.', () => {
  // #949494 has 3.03 on white, #767676 has 4.54.
  expect(hard('<p style="color:#767676">a</p>')).toBe(false)
  expect(hard('<p style="color:#949494">a</p>')).toBe(true)
  expect(hard('<p style="color:#949494;font-size:23.9px">a</p>')).toBe(true)
  expect(hard('<p style="color:#949494;font-size:24px">a</p>')).toBe(false)
  for (const [name, expected] of [
    ['h1', false],
    ['h2', false],
    ['h3', true],
  ])
    expect(hard(`<${name} style="color:#949494">a</${name}>`)).toBe(expected as boolean)
})

test('Colors and sizes come from the elements around, and end with them.', () => {
  expect(hard('<div style="color:#999">a<b></b></div>')).toBe(true)
  expect(hard('<div style="color:#999"><b style="color:#000">a</b></div>')).toBe(false)
  expect(hard('<div style="color:#999"></div>a')).toBe(false)
  expect(hard('<div style="background-color:#000"><a href="https://a.example">a</a></div>')).toBe(true)
  // A link has the color of links, not of the text around.
  const band = (words: string) => `<div style="background-color:#0b5a6e;color:#ffffff">${words}</div>`
  expect([hard(band('a')), hard(band('<a href="https://a.example">a</a>'))]).toEqual([false, true])
  expect(hard('<div style="font-size:30px"><b style="color:#949494">a</b></div>')).toBe(false)
  // An element without an end tag holds nothing.
  expect(hard('<br style="color:#999">a')).toBe(false)
  expect(hard('</div></div><p style="color:#999">a</p>')).toBe(true)
})

test('The colors of the message itself, white space and unknown notations have no warning.', () => {
  for (const html of [
    'a<a href="https://a.example">b</a>',
    '<p style="color:#999"> &nbsp;\n</p>',
    '<p style="color:hsl(0,0%,60%)">a</p>',
    '<p style="color:#999;background:url(x)">a</p>',
  ])
    expect([html, hard(html)]).toEqual([html, false])
  expect(hard(`<p style="color:${LOOK.text};background-color:#333">a</p>`)).toBe(true)
})

test('The default colors are checked elsewhere, on the default background only.', () => {
  const pale = lookOf({
    settings: { text_color: '#999', link_color: '#aaa' },
    brand: { project_name: 'Harbour' },
  })
  expect(warnings('a<a href="https://a.example">b</a>', pale)).toEqual([])
  expect(warnings('<p style="background-color:#eee">a</p>', pale)).toHaveLength(1)
  expect(warnings('<p style="background-color:#eee"><a href="https://a.example">a</a></p>', pale)).toHaveLength(1)
  expect(warnings('<p style="color:#bbb">a</p>', pale)).toHaveLength(1)
})

test('Colors are read from styles and attributes, as rgb(), hex or name; the last declaration counts.', () => {
  for (const html of [
    '<p style="color:rgb(153, 153, 153)">a</p>',
    '<p style="color:rgb(300 300 300)">a</p>',
    '<font color="silver">a</font>',
    '<p style="color:#000;color:Silver">a</p>',
    '<td bgcolor="#000000">a</td>',
    '<td style="background:url(x) black">a</td>',
    '<td bgcolor="white" style="background-color:navy">a</td>',
  ])
    expect([html, hard(html)]).toEqual([html, true])
  expect(hard('<p style="color:silver;color:#000">a</p>')).toBe(false)
})

test.each([
  ['white', '#ffffff'],
  ['black', '#000000'],
  ['red', '#ff0000'],
  ['green', '#008000'],
  ['blue', '#0000ff'],
  ['yellow', '#ffff00'],
  ['orange', '#ffa500'],
  ['purple', '#800080'],
  ['gray', '#808080'],
  ['grey', '#808080'],
  ['silver', '#c0c0c0'],
  ['navy', '#000080'],
  ['teal', '#008080'],
  ['maroon', '#800000'],
  ['lightgray', '#d3d3d3'],
  ['lightgrey', '#d3d3d3'],
  ['darkgray', '#a9a9a9'],
  ['darkgrey', '#a9a9a9'],
  ['whitesmoke', '#f5f5f5'],
])('The color named %s is %s.', (name, hex) => {
  const look = { ...LOOK, background: '#123456' }
  expect(warnings(`<p style="color:${name};background-color:${name}">a</p>`, look)).toEqual([
    `low_contrast: Text of color ${hex} is hard to read on ${hex}.`,
  ])
})
