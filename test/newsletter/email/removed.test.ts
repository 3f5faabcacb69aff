import { expect, test } from 'bun:test'
import { checkDocument } from '../../../src/newsletter/email/document.ts'
import { compileEmail, fillEmail } from '../../../src/newsletter/email/render.ts'

function render(html: string) {
  const blocks = [{ id: 'b0', type: 'html', props: { html } }]
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

test('An example has at most 60 characters, without the blanks that the author put in.', () => {
  const example = (value: string) =>
    /removed: (.*)\.$/.exec(render(`<p style="opacity:${value}">x</p>`).removed[0]!)![1]
  expect(example(`${' '.repeat(70)}0`)).toBe('opacity: 0')
  expect(example('1'.repeat(52))).toBe(`opacity:${'1'.repeat(52)}`)
  expect(example('1'.repeat(53))).toBe(`opacity:${'1'.repeat(51)}…`)
})
