import { expect, test } from 'bun:test'
import { checkDocument } from '../../../src/newsletter/email/document.ts'
import { compileEmail, fillEmail } from '../../../src/newsletter/email/render.ts'
import { sanitizeImport } from '../../../src/newsletter/email/sanitize.ts'
import { lettersIn } from './letters.ts'

const imported = (css: string, html: string) => sanitizeImport(`<style>${css}</style>${html}`, 'x1')

function render(...htmls: string[]) {
  const blocks = htmls.map((html, at) => ({ id: `b${at}`, type: 'html', props: { html } }))
  const compiled = compileEmail({
    document: checkDocument({ version: 1, settings: {}, blocks }, ''),
    subject: 'News',
    brand: { project_name: 'Harbour' },
  })
  return fillEmail(compiled, {}).html
}

test('A rule for phones selects a class of its own inside the block.', () => {
  expect(
    imported(
      '@media only screen and (max-width: 480px) { .col, #a > b { width: 100% !important } }',
      '<p class="col m-page">x</p><i id="a"><b>y</b></i><b>z</b>',
    ),
  ).toEqual({
    html: '<p class="x1-0i">x</p><i><b class="x1-1i">y</b></i><b>z</b>',
    css:
      '@media only screen and (max-width:480px){\n.x1 .x1-0i{width:100%!important}\n' +
      '.x1 .x1-1i{width:100%!important}\n}\n',
    has_dark: false,
  })
})

test.each([
  ['(min-width:480px)', '(min-width:480px)'],
  ['SCREEN and (Min-Width: 30.5em) and (max-width:60em)', '(min-width:30.5em) and (max-width:60em)'],
  ['print, (prefers-color-scheme: dark)', '(prefers-color-scheme:dark)'],
  ['(max-width:1px),only screen and (max-width:2px)', '(max-width:1px),only screen and (max-width:2px)'],
])('The query %s stays.', (query, kept) => {
  expect(imported(`@media ${query}{p{color:red}}`, '<p>x</p>').css).toStartWith(`@media only screen and ${kept}{`)
})

test.each([
  'print',
  'not screen',
  '(hover)',
  '(max-width:1vw)',
  '(min-width:1px) or (max-width:2px)',
  '(width:calc(1px))',
])('The query %s is removed with its rules.', (query) => {
  expect(imported(`@media ${query}{p{color:red}}`, '<p>x</p>')).toEqual({
    html: '<p>x</p>',
    css: '',
    has_dark: false,
  })
})

test('One rule for dark mode is enough for an import to have its own.', () => {
  const both = '@media (max-width:9px){p{color:red}}@media (prefers-color-scheme:dark){p{color:#fff}}'
  expect(imported(both, '<p>x</p>').has_dark).toBe(true)
  expect(imported(both, '<b>x</b>').has_dark).toBe(false)
})

test('Rules for every screen become inline CSS, and the media attribute of a style element counts.', () => {
  expect(imported('@media screen{p{color:red}}', '<p>x</p>').html).toBe('<p style="color:red">x</p>')
  const { html, css } = sanitizeImport('<style media="(max-width:9px)">p{color:red}</style><p>x</p>', 'x1')
  expect([html, css]).toEqual([
    '<p class="x1-0">x</p>',
    '@media only screen and (max-width:9px){\n.x1 .x1-0{color:red!important}\n}\n',
  ])
  expect(sanitizeImport('<style media="print">p{color:red}</style><p>x</p>', 'x1').html).toBe('<p>x</p>')
})

test('A rule wins over plain rules; over inline CSS only when it is important; important ones come last.', () => {
  const { html, css } = imported(
    'p{color:red}@media (max-width:9px){p.a{color:blue}p{color:green!important}}',
    '<p class="a">x</p><p class="a" style="color:#123">y</p>',
  )
  expect(html).toBe('<p style="color:red" class="x1-1i x1-2">x</p><p style="color:red;color:#123" class="x1-1i">y</p>')
  expect(css.indexOf('.x1-1i{color:green!important}')).toBeGreaterThan(css.indexOf('.x1-2{color:blue!important}'))
})

test('Inline CSS wins over a rule for the same property or its shorthand, and over no other.', () => {
  const { html } = imported(
    '@media (max-width:9px){p{margin-top:1px}p{font:700 9px a}p{text-align:left}}',
    '<p style="margin:0">a</p><p style="font-size:10px">b</p><p style="text-transform:none;margin-left:0">c</p>',
  )
  expect(html.match(/class="[^"]*"/g)).toEqual(['class="x1-1 x1-2"', 'class="x1-0 x1-2"', 'class="x1-0 x1-1 x1-2"'])
})

test('A media rule may hide a part on some screens, and a plain rule may not.', () => {
  const css = '.b{display:none}@media (max-width:9px){.a{display:none}}'
  expect(imported(css, '<p class="a b">x</p>')).toMatchObject({
    html: '<p class="x1-1">x</p>',
    css: '@media only screen and (max-width:9px){\n.x1 .x1-1{display:none!important}\n}\n',
  })
})

test.each([
  'position:fixed',
  'visibility:hidden',
  'background:url(https://x.example/)',
  'font-size:0',
  'font-size:1em',
  'font-size:inherit',
  'font:inherit',
  'font:1em/20px Arial',
  'color:red}} .m-page{color:red',
  'margin-top:-99px',
])('A media rule does not set %s.', (declaration) => {
  const { css } = imported(`@media (max-width:9px){.a{${declaration}!important;margin:1px}}`, '<p class="a">x</p>')
  expect(css.replaceAll('color:red!important', '')).toMatch(
    /^(?:@media only screen and \(max-width:9px\)\{\n(?:\.x1 \.x1-0i?\{(?:margin:1px!important)?\}\n)+\}\n)?$/,
  )
})

test('Each block has rules of its own, and dark rules make the message around them dark.', () => {
  const dark = '@media (prefers-color-scheme:dark){p{color:#eeeeee!important}div{background-color:#111111!important}}'
  const design = `<style>${dark}</style><div style="background-color:#ffffff"><p style="color:#222222">mine</p></div>`
  const html = render(design, '<div style="background-color:#fff"><p>other</p></div>', design)
  expect(html.match(/\.x\d+ \.x\d+-\di/g)).toEqual(['.x1 .x1-0i', '.x1 .x1-1i', '.x3 .x3-0i', '.x3 .x3-1i'])
  expect(html).not.toMatch(/class="[^"]*x2/)
  expect(lettersIn(html, 'dark').filter(({ text }) => text === 'mine')).toMatchObject([
    { ink: '#eeeeee', ground: '#111111' },
    { ink: '#eeeeee', ground: '#111111' },
  ])
  expect(html).toMatch(/<td class="m-side d\d+ x1"/)
  expect(html).toMatch(/<td class="m-side" [^>]*background-color:#ffffff/)
})

test('The style of the body of a whole document stays.', () => {
  expect(imported('body{color:#123}', '<body class="a"><p>x</p></body>').html).toBe(
    '<div style="color:#123"><p>x</p></div>',
  )
})

test('Style sheets in conditional comments for Outlook do not apply.', () => {
  expect(sanitizeImport('<!--[if mso]><style>p{color:red}</style><![endif]--><p>x</p>', 'x1').html).toBe('<p>x</p>')
})
