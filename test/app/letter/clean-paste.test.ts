import { expect, test } from 'bun:test'
import { useTab } from '../../support/tab.ts'
import { cleanPaste } from '../../../static/app/letter/clean-paste.ts'

useTab()

test.each([
  [
    'styles, scripts and what has no text',
    '<style>p{}</style><p>a<script>x()</script></p><noscript>n</noscript>',
    '<p>a</p>',
  ],
  [
    'attributes that a letter has no use for',
    '<p class="c" id="i" onclick="x()" dir="rtl" lang="he">a</p>',
    '<p dir="rtl" lang="he">a</p>',
  ],
  ['a link to nowhere', '<a href="#top">a</a><a href="/b">b</a><a href="javascript:x()">c</a>', 'abc'],
  [
    'links that lead somewhere',
    '<a href="mailto:a@x.example" class="c">a</a><a href="TEL:1">b</a><a href="{{ view_url }}">c</a>',
    '<a href="mailto:a@x.example">a</a><a href="TEL:1">b</a><a href="{{ view_url }}">c</a>',
  ],
  [
    'pictures without an address on the web',
    '<img src="data:image/png;base64,AA"><img src="cid:1"><img src="http://x.example/a.png" alt="A" width="3">',
    '<img src="http://x.example/a.png" alt="A">',
  ],
  ['the bold element of Docs that is not bold', '<b style="font-weight: 400"><p>a</p></b>', '<p>a</p>'],
  ['a bold element', '<b style="font-weight: 600">a</b>', '<b>a</b>'],
  [
    'spans that format',
    '<p><span style="font-weight:700">a</span><span style="font-weight:500">b</span>' +
      '<font style="font-style: Italic">c</font></p>',
    '<p><strong>a</strong>b<em>c</em></p>',
  ],
  [
    'lines under and through words',
    '<p><span style="text-decoration:underline">a</span>' +
      '<span style="text-decoration: line-through underline">b</span></p>',
    '<p><u>a</u><s>b</s></p>',
  ],
  [
    'a line under a link, and bold in a heading',
    '<h2><span style="font-weight:bold">a</span></h2><a href="https://x.example">' +
      '<span style="text-decoration:underline">b</span></a>',
    '<h2>a</h2><a href="https://x.example">b</a>',
  ],
  [
    'the sides of paragraphs, headings and boxes',
    '<p style="text-align: CENTER;color:red">a</p><h1 style="text-align:right">b</h1>' +
      '<p style="text-align:justify">c</p><ul style="text-align:center"><li>d</li></ul>',
    '<p style="text-align:center">a</p><h1 style="text-align:right">b</h1><p>c</p><ul><li>d</li></ul>',
  ],
  ['directions of Word', '<p style="direction: RTL;color:red">a</p>', '<p dir="rtl">a</p>'],
  ['elements with a name of their own', '<p>a<o:p>b</o:p></p>', '<p>ab</p>'],
  [
    'numbers of lists and spans of cells',
    '<ol start="3" type="a"><li value="4">a</li></ol>',
    '<ol start="3"><li>a</li></ol>',
  ],
])('Of a paste goes, or stays: %s.', (_, html, clean) => {
  expect(cleanPaste(html).html).toBe(clean)
})

const item = (sign: string, text: string) =>
  `<p style="mso-list:l0 level1 lfo1"><span style="mso-list:Ignore">${sign}</span>${text}</p>`

test('Paragraphs of Word that look like a list become one, numbered ones another.', () => {
  expect(cleanPaste(item('·', 'one') + item('·', 'two') + item('1.', 'first') + item('b)', 'second')).html).toBe(
    '<ul><li>one</li><li>two</li></ul><ol><li>first</li><li>second</li></ol>',
  )
  expect(cleanPaste(`${item('·', 'one')}<p>between</p>${item('·', 'two')}`).html).toBe(
    '<ul><li>one</li></ul><p>between</p><ul><li>two</li></ul>',
  )
  expect(cleanPaste(`<ul><li>own</li></ul>${item('·', 'one')}`).html).toBe('<ul><li>own</li></ul><ul><li>one</li></ul>')
  expect(cleanPaste('<p style="mso-list:l0">2. no sign</p>').html).toBe('<ol><li>2. no sign</li></ol>')
})

const row = (...cells: string[]) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`
const table = (...rows: string[]) => `<table><tbody>${rows.join('')}</tbody></table>`

test('A table of data stays, one that only places things becomes what stands in it.', () => {
  const data = table(row('a', 'b'), row('c', 'd'))
  const named = data.replace('<td>a</td><td>b</td>', '<th>a</th><th>b</th>')
  expect([cleanPaste(data).html, cleanPaste(named).html]).toEqual([named, named])
  const wide = '<table><tbody><tr><td colspan="2">a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></tbody></table>'
  expect(cleanPaste(wide).html).toContain('<tr><th colspan="2">a</th><th>b</th></tr>')
  // A row of a spreadsheet.
  expect(cleanPaste(table(row('a', '<b>b</b>'))).html).toBe('<div>a <b>b</b></div>')
  expect(cleanPaste(table(row('<p>a</p>', 'b'))).html).toBe('<div><p>a</p></div><div>b</div>')
  expect(cleanPaste(table(row('a', 'b'), row('c'))).html).toBe('<div>a</div><div>b</div><div>c</div>')
  const picture = '<img src="https://x.example/a.png">'
  expect(cleanPaste(table(row('a', picture), row('c', 'd'))).html).toStartWith(`<div>a</div><div>${picture}</div>`)
  expect(cleanPaste(table(row(data, 'x'), row('c', 'd'))).html).toBe(
    `<div>${named}</div><div>x</div><div>c</div><div>d</div>`,
  )
})

test('Merge tags become pieces, and what was copied inside the editor stays as it is.', () => {
  expect(cleanPaste('<p>Hi {{ contact.first_name | default: you }}!</p>').html).toBe(
    '<p>Hi <span data-tag="contact.first_name" data-fallback="you"></span>!</p>',
  )
  const own = '<p data-pm-slice="1 1 []" class="x">{{ date }}</p>'
  expect(cleanPaste(own).html).toBe(own)
})

test('Pictures that a paste holds are taken to be uploaded, and what a letter cannot show is named.', async () => {
  const { html, pictures, lost } = cleanPaste(
    '<p>a<img src="data:image/PNG;base64,iVBORw==" alt="Boat"><img src="file:///c:/a.png"><img src="cid:1">' +
      '<img src="data:image/png;base64,$"></p><video></video><form><input><p>b</p></form>',
  )
  expect(html).toBe('<p>a</p><form><p>b</p></form>')
  expect(pictures.map(({ name, type, size }) => [name, type, size])).toEqual([['Boat', 'image/png', 4]])
  expect(lost).toEqual([
    '2 pictures on your computer',
    'a picture that is no PNG, JPEG, GIF or WebP',
    'videos, drawings and frames',
    'fields of a form',
  ])
  expect(cleanPaste('<img src="blob:x">').lost).toEqual(['a picture on your computer'])
  const large = `<img src="data:image/png;base64,${'A'.repeat(7_000_000)}">`
  expect(cleanPaste(large)).toMatchObject({ pictures: [], lost: ['a picture of more than 5 MB'] })
})

test('Pictures of another program are those whose files were copied with them, if there are as many.', () => {
  const files = ['a', 'b'].map((name) => new File([name], name, { type: 'image/png' }))
  const two = '<p>x<img src="file:///a.png"></p><img src="https://x.example/c.png"><img src="cid:1">'
  expect(cleanPaste(two, files)).toMatchObject({ pictures: files, lost: [] })
  expect(cleanPaste(two, files.slice(1))).toMatchObject({ pictures: [], lost: ['2 pictures on your computer'] })
  expect(cleanPaste('<p>x</p><img src="https://x.example/c.png">', files.slice(1)).pictures).toEqual([])
})

test('Links lose the redirect of Google, Facebook and Outlook.', () => {
  const hrefs = [
    'https://www.google.com/url?q=https://a.example/x%3Fy&amp;sa=D',
    'https://l.facebook.com/l.php?u=https%3A%2F%2Fb.example%2F&amp;h=1',
    'https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fc.example%2F&amp;data=1',
    'https://l.instagram.com/?u=https%3A%2F%2Fwww.google.com%2Furl%3Fq%3Dhttps%253A%252F%252Fd.example%252F',
    'https://www.google.com/url?q=javascript:x()',
    'https://www.google.com/search?q=https://a.example',
  ]
  const { html, unwrapped } = cleanPaste(hrefs.map((href) => `<a href="${href}">a</a>`).join(''))
  expect([...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual([
    'https://a.example/x?y',
    'https://b.example/',
    'https://c.example/',
    'https://d.example/',
    'https://www.google.com/url?q=javascript:x()',
    'https://www.google.com/search?q=https://a.example',
  ])
  expect(unwrapped).toBe(4)
  const named = `<a href="${hrefs[0]!}">${hrefs[0]!}</a>`
  expect(cleanPaste(named).html).toBe('<a href="https://a.example/x?y">https://a.example/x?y</a>')
})
