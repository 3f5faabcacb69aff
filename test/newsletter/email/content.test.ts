import { expect, test } from 'bun:test'
import { keepsLight, styleContent } from '../../../src/newsletter/email/content.ts'
import { lookOf } from '../../../src/newsletter/email/look.ts'

const look = (locale = 'en') => lookOf({ settings: {}, brand: { project_name: 'Harbour' }, locale })

function styled(html: string, { bare = false, light = false, on = look(), aligned = false } = {}) {
  const warnings: string[] = []
  return { html: styleContent(html, on, (code) => warnings.push(code), { bare, light, aligned }), warnings, on }
}

test("Each element gets its style, which the author's own follows.", () => {
  expect(styled('<p>a<b>b</b></p>').html).toBe('<p style="margin:0 0 16px">a<b>b</b></p>')
  expect(styled('<p style="margin:0">a</p>').html).toBe('<p style="margin:0 0 16px;margin:0">a</p>')
  const fonts = ['h1', 'h2', 'h3', 'h4'].map(
    (tag) => /font-size:.*(?=">a)/.exec(styled(`<${tag}>a</${tag}>`).html)?.[0],
  )
  expect(fonts).toEqual([
    'font-size:30px;line-height:38px;font-weight:700',
    'font-size:23px;line-height:31px;font-weight:700',
    'font-size:18px;line-height:26px;font-weight:600',
    'font-size:16px;line-height:24px;font-weight:600',
  ])
  for (const tag of ['ul', 'ol', 'li', 'blockquote', 'pre', 'code', 'hr'])
    expect(styled(`<${tag}></${tag}>`).html).toMatch(new RegExp(`^<${tag} style="\\S`))
  expect(styled('<ul></ul>').html).toContain('padding-left:24px')
  expect(styled('<blockquote></blockquote>', { on: look('ar') }).html).toContain('border-right:3px')
})

test('A link has the color of the message, and its class in dark mode unless the design stays light.', () => {
  const { html, on } = styled('<a href="https://a.example">a</a>')
  expect(html).toBe(
    `<a href="https://a.example" class="${on.classes.link}" style="color:#0b5a6e;text-decoration:underline">a</a>`,
  )
  expect(styled('<a href="x">a</a>', { light: true }).html).not.toContain('class')
  expect(styled('<a href="x">a</a>', { bare: true }).html).toBe('<a href="x">a</a>')
})

test('A text color of its own gets a class for dark mode beside the others.', () => {
  const { html, on } = styled('<b class="x" style="color:#A00">a</b><font color="#00a">b</font>')
  expect(html).toMatch(/^<b class="x d\d+" style="color:#A00">a<\/b><font color="#00a" class="d\d+">b<\/font>$/)
  expect(on.dark.rules({ color: '', background: '' })).toMatch(
    /\{color:#\w{6}!important\}\n.*\{color:#\w{6}!important\}\n$/,
  )
  expect(styled('<b style="color:#a00">a</b>', { light: true }).html).toBe('<b style="color:#a00">a</b>')
  expect(styled('<b style="color:red">a</b>').html).toBe('<b style="color:red">a</b>')
})

test('An image fits the column in any case, and one without a text is named.', () => {
  const { html, warnings } = styled('<img src="x"><img src="y" alt="">', { bare: true })
  expect(html).toBe(
    '<img src="x" style="max-width:100%;height:auto;border:0" alt="">' +
      '<img src="y" alt="" style="max-width:100%;height:auto;border:0">',
  )
  expect(warnings).toEqual(['missing_alt'])
})

test('Tables without header cells are for layout.', () => {
  expect(styled('<table><tr><td>a</td></tr></table>').html).toStartWith('<table role="presentation">')
  expect(styled('<table><tr><th>a</th></tr></table>').html).not.toContain('role=')
  expect(styled('<table><thead></thead></table>').html).toStartWith('<table role="presentation">')
})

test('Content stays light with backgrounds, colors that are no hex codes, or more than twelve.', () => {
  const colors = (count: number) =>
    Array.from({ length: count }, (_, at) => `<b style="color:#${String(100 + at)}">a</b>`).join('')
  for (const html of [
    '<p style="background:#fff">a</p>',
    '<td bgcolor="#fff">a</td>',
    '<b style="color:red">a</b>',
    colors(13),
  ])
    expect([html, keepsLight(html)]).toEqual([html, true])
  for (const html of [
    '<p>a</p>',
    '<b style="color:#abc">a</b>',
    '<p style="x-background:1">a</p>',
    colors(12),
    colors(12) + colors(12),
  ])
    expect([html, keepsLight(html)]).toEqual([html, false])
})

test('A paragraph or list of another direction begins at the other side, unless its block is aligned.', () => {
  const rtl = '<p dir="rtl">a</p><ul dir="RTL"><li>b</li></ul>'
  expect(styled(rtl).html).toStartWith('<p dir="rtl" style="margin:0 0 16px;text-align:right">')
  expect(styled(rtl).html).toContain('padding-right:24px;text-align:right')
  expect(styled(rtl, { aligned: true }).html).not.toContain('text-align')
  expect(styled(rtl, { bare: true }).html).not.toContain('text-align')
  expect(styled('<p dir="rtl">a</p>', { on: look('ar') }).html).not.toContain('text-align')
  expect(styled('<blockquote dir="ltr">a</blockquote>', { on: look('ar') }).html).toContain('border-left:3px')
  expect(styled('<p dir="rtl" style="text-align:center">a</p>').html).toContain('text-align:right;text-align:center"')
})

test('A table with header cells is drawn with lines, in the direction of the message, and is no presentation.', () => {
  const data = '<table><tr><th>Day</th></tr><tr><td>1</td></tr></table>'
  const { html } = styled(data)
  expect(html).toStartWith('<table style="width:100%;margin:0 0 16px;border-collapse:collapse">')
  expect(html).toContain('<th style="padding:8px 6px;vertical-align:top;text-align:left;border-bottom:2px solid')
  expect(html).toContain('border-bottom:1px solid #c9c9ce">1</td>')
  expect(styled(data, { on: look('ar') }).html).toContain('padding:8px 6px;vertical-align:top;text-align:right')
  expect(styled(data, { bare: true }).html).toBe(data)
})
