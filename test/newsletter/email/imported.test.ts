import { describe, expect, test } from 'bun:test'
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
  return {
    html: fillEmail(compiled, {}).html,
    removed: compiled.warnings.filter(({ code }) => code === 'removed_markup').map(({ message }) => message),
  }
}

describe('rules with media queries', () => {
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
    expect(html).toBe(
      '<p style="color:red" class="x1-1i x1-2">x</p><p style="color:red;color:#123" class="x1-1i">y</p>',
    )
    expect(css.indexOf('.x1-1i{color:green!important}')).toBeGreaterThan(css.indexOf('.x1-2{color:blue!important}'))
  })

  test('Inline CSS wins over a rule for the same property or its shorthand, and over no other.', () => {
    const { html } = imported(
      '@media (max-width:9px){p{margin-top:1px}p{font:700 9px a}p{text-align:left}}',
      '<p style="margin:0">a</p><p style="font-size:10px">b</p><p style="text-transform:none;margin-left:0">c</p>',
    )
    expect(html.match(/class="[^"]*"/g)).toEqual(['class="x1-1 x1-2"', 'class="x1-0 x1-2"', 'class="x1-0 x1-1 x1-2"'])
  })

  test.each([
    'display:none',
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
    const { html } = render(design, '<div style="background-color:#fff"><p>other</p></div>', design)
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
})

describe('tables for Outlook', () => {
  const OPEN = '<!--[if mso | IE]><table><tr><td style="width:300px"><![endif]-->'
  const NEXT = '<!--[if mso | IE]></td><td style="width:300px"><![endif]-->'
  const CLOSE = '<!--[if mso | IE]></td></tr></table><![endif]-->'

  test('Columns stay.', () => {
    const html = `${OPEN}<div>a</div>${NEXT}<div>b</div>${CLOSE}`
    expect(sanitizeImport(html, 'x1').html).toBe(html)
    expect(sanitizeImport(html.replaceAll('mso | IE', '(gte mso 9)|(IE)'), 'x1').html).toBe(html)
    expect(render(html).html).toContain(html)
  })

  test('Their attributes are sanitized, and graphics around them are removed.', () => {
    expect(
      sanitizeImport(
        '<!--[if mso]><table width="300" onclick="x" title="{{ contact.email }}" style="position:fixed;width:9px">' +
          '<tr><td class="a"><v:rect fill="x"><v:fill src="y"/><![endif]-->a<!--[if mso]></v:rect></td></tr></table>' +
          '<![endif]-->',
        'x1',
      ).html,
    ).toBe(
      '<!--[if mso | IE]><table width="300" style="width:9px"><tr><td><![endif]-->a' +
        '<!--[if mso | IE]></td></tr></table><![endif]-->',
    )
  })

  test.each([
    ['an end without a start', `${CLOSE}a`],
    ['a start without an end', `${OPEN}a`],
    ['an end too many', `${OPEN}a${CLOSE}${CLOSE}`],
    ['an end outside the element of the start', `<div>${OPEN}a</div>${CLOSE}`],
    ['an end inside another element', `${OPEN}<div>${CLOSE}</div>`],
    ['an end of a visible cell', `<table><tr><td>${CLOSE.replace('</table>', '')}a</td></tr></table>`],
    ['an end that crosses a visible table', `${OPEN}<table><tr><td>a${CLOSE}b</td></tr></table>`],
    ['a row in a visible table', '<table><!--[if mso]><tr><td></td></tr><![endif]--><tr><td>a</td></tr></table>'],
    ['text between rows', `${OPEN.replace('<td style="width:300px">', '')}a${CLOSE.replace('</td>', '')}`],
    [
      'a visible element in a row',
      `${OPEN.replace('<td style="width:300px">', '')}<b>a</b>${CLOSE.replace('</td>', '')}`,
    ],
    ['other elements', '<!--[if mso]><table><tr><td><b><![endif]-->a<!--[if mso]></b></td></tr></table><![endif]-->'],
    ['words', '<!--[if mso]><table><tr><td>word</td></tr></table><![endif]-->a'],
    ['another condition', `${OPEN}a${CLOSE}`.replaceAll('mso | IE', 'mso 12')],
    ['a comment inside an attribute', `<a title="${OPEN}">a</a>`],
    ['a mark that the author wrote', '&#xFDD2;0&#xFDD2;a\uFDD20\uFDD2'],
  ])('Comments with %s are removed.', (_, html) => {
    expect(sanitizeImport(html, 'x1').html).not.toMatch(/mso|<!--|uFDD2/)
  })

  test('A mark that the author wrote cannot place a comment a second time.', () => {
    const html = `${OPEN}a${CLOSE}`
    expect(sanitizeImport(`&#xFDD2;1&#xFDD2;${html}`, 'x1').html).toBe('a')
    expect(sanitizeImport(`&#xFDD2;9&#xFDD2;${html}`, 'x1').html).toBe(html)
  })
})

describe('containers without a font size', () => {
  test.each([
    '<div style="font-size:0px"> <b style="font-size:13px">a</b>\n\u00A0</div>',
    '<div style="font-size:0"><p style="font-size:0;color:red"><font size="2">a</font></p></div>',
    '<p style="font-size:1px;border-top:1px solid red"> </p>',
    '<div style="font-size:0"><i style="font:italic 12px/1 Arial">a</i><img src="https://x.example/" alt="b" /></div>',
  ])('%s stays.', (html) => {
    expect(sanitizeImport(html, 'x1').html).toBe(html)
  })

  test.each([
    ['<div style="font-size:0;color:red">a</div>', '<div style="color:red">a</div>'],
    ['<div style="font-size:0"><b style="font-size:2em">a</b></div>', '<div><b style="font-size:2em">a</b></div>'],
    [
      '<div style="font-size:0"><b style="font-size:inherit">a</b></div>',
      '<div><b style="font-size:inherit">a</b></div>',
    ],
    ['<div style="font-size:1px"><h1>a</h1></div>', '<div><h1>a</h1></div>'],
    ['<div style="font-size:12px;font-size:0">a</div>', '<div style="font-size:12px">a</div>'],
    [
      '<div style="font-size:0"><div style="font-size:0"><b style="font-size:9px">a</b></div>b</div>',
      '<div><div style="font-size:0"><b style="font-size:9px">a</b></div>b</div>',
    ],
    ['<div style="font-size:0">{{ contact.email }}</div>', '<div>{{ contact.email }}</div>'],
    ['<style>div{font-size:0}</style><div>a</div>', '<div>a</div>'],
  ])('No text vanishes in %s.', (html, expected) => {
    expect(sanitizeImport(html, 'x1').html).toBe(expected)
  })
})

describe('warnings', () => {
  test('Each kind of thing that is removed has one warning with examples.', () => {
    const { removed } = render(
      '<style>@import url(x);@font-face{src:url(y)}a:hover{color:red}.a{position:fixed}.unused{top:0}</style>' +
        '<form><input><select></select><button></button></form>' +
        '<p class="a" style="opacity:0;color:red" onclick="x()">x</p><!--[if lte mso 11]>y<![endif]--><!-- plain -->',
    )
    expect(removed).toEqual([
      'Some at-rules of style sheets are removed: @import url(x), @font-face.',
      'Some rules of style sheets are removed: a:hover.',
      'Some conditional comments are removed: <!--[if lte mso 11]>.',
      'Some HTML elements are removed: <form>, <input>, <select> and others.',
      'Some CSS declarations are removed: opacity:0, position:fixed.',
      'Some HTML attributes are removed: onclick="x()".',
    ])
  })

  test('The structure of a document, names, and what the message has of its own are not named.', () => {
    expect(
      render(
        '<!doctype html><html><head><meta charset="utf-8"><title>t</title><!--[if mso]><xml></xml><![endif]-->' +
          '<style>#outlook a{padding:0}p{margin:0}</style></head><body><p id="a" class="b" data-x>x</p></body></html>',
      ).removed,
    ).toEqual([])
  })

  test('The color of a background with an image stays.', () => {
    const { html, removed } = render('<p style="background:#ffeedd url(https://x.example/a.png) center / cover">x</p>')
    expect(html).toContain('<p style="background-color:#ffeedd">x</p>')
    expect(removed).toEqual([
      'Some CSS declarations are removed: background:#ffeedd url(https://x.example/a.png) center / co….',
    ])
  })
})
