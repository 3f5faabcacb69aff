import { expect, test } from 'bun:test'
import { DOMSerializer } from 'prosemirror-model'
import { useTab } from '../../support/tab.ts'
import { readHtml } from '../../../static/app/letter/read-html.ts'
import { alignOf, richSchema, withAlign } from '../../../static/app/letter/text-schema.ts'
import { writeHtml } from '../../../static/app/letter/write-html.ts'

useTab()
const through = (html: string) => writeHtml(readHtml(html))
/** How a text stands in the page. */
function inPage(html: string): string {
  const page = document.createElement('div')
  page.append(DOMSerializer.fromSchema(richSchema).serializeFragment(readHtml(html).content))
  return page.innerHTML
}

test('Each heading keeps its level, and each box its name, around text and around paragraphs.', () => {
  for (const level of [1, 2, 3, 4, 5, 6]) expect(through(`<h${level}>a</h${level}>`)).toBe(`<h${level}>a</h${level}>`)
  const boxes = 'div section article aside header footer main center address figure figcaption'.split(' ')
  for (const tag of boxes)
    for (const inside of ['a', '<p>a</p><p>b</p>', '<div><h2>a</h2></div>'])
      expect(through(`<${tag} style="margin:0">${inside}</${tag}>`)).toBe(`<${tag} style="margin:0">${inside}</${tag}>`)
})

test('Each element that stands for itself makes a box of what it stands in.', () => {
  const inside = [
    ...['<pre>b</pre>', '<hr>', '<ul><li>b</li></ul>', '<blockquote><p>b</p></blockquote>', '<h2>b</h2>', '<p>b</p>'],
    ...['<table><tbody><tr><td>b</td></tr></tbody></table>', '<dl><dt>b</dt></dl>', '<ol><li>b</li></ol>'],
  ]
  for (const html of inside)
    expect(through(`<div style="margin:0">${html}</div>`)).toBe(`<div style="margin:0">${html}</div>`)
})

test('Where a link opens is up to the service.', () => {
  expect(through('<p><a href="https://a.example" target="_blank" rel="noopener" title="t">a</a></p>')).toBe(
    '<p><a href="https://a.example" title="t">a</a></p>',
  )
})

test('Elements within a line keep their names, and one that says nothing goes.', () => {
  const names = 'small big mark sub sup ins kbd samp var tt q cite dfn abbr time bdi bdo u s code strong em'.split(' ')
  for (const tag of names) expect(through(`<p><${tag}>a</${tag}></p>`)).toBe(`<p><${tag}>a</${tag}></p>`)
  for (const tag of ['span', 'font']) {
    expect(through(`<p><${tag} style="color:red">a</${tag}></p>`)).toBe(`<p><${tag} style="color:red">a</${tag}></p>`)
    expect(through(`<p><${tag}>a</${tag}></p>`)).toBe('<p>a</p>')
  }
  expect(through('<p><b>a</b> <i>b</i> <strike>c</strike> <del>d</del></p>')).toBe(
    '<p><strong>a</strong> <em>b</em> <s>c</s> <s>d</s></p>',
  )
})

const KEPT = [
  '<p style="text-align:center;color:red" dir="rtl">a</p>',
  '<h3 title="t">a</h3>',
  '<blockquote style="margin:0"><p>a</p></blockquote>',
  '<ul style="margin:0"><li style="color:red"><p>a</p></li></ul>',
  '<ol start="3" type="a"><li><p>a</p></li></ol>',
  '<pre style="color:red">a\n  b</pre>',
  '<table><tbody><tr><td style="padding:4px">a</td></tr></tbody></table>',
  '<dl><dt>a</dt><dd>b</dd></dl>',
  '<p><img src="https://x.example/a.png" alt="A" width="40"> <img src="https://x.example/b.png" alt=""></p>',
  '<p><a href="https://x.example" title="t">a</a> <strong style="color:red">b</strong> <code title="c">c</code></p>',
  '<p><span style="color:red">a</span> <sup title="t">b</sup></p>',
  '<p>{{ contact.first_name | default: you }} and {{ date }}<br>a<wbr>b</p>',
]

test.each(KEPT)('A text is written as it was read, and a copy of it in the page says the same: %s.', (html) => {
  expect(through(html)).toBe(html)
  expect(through(inPage(html))).toBe(html)
})

test('The page shows the alignment of a text, and words for pictures and tables.', () => {
  expect(inPage('<p style="color:red;text-align:right">a</p>')).toEndWith('style="text-align: right;">a</p>')
  expect(inPage('<p align="center">a</p>')).toContain('style="text-align: center;"')
  expect(inPage('<h2 style="color:red">a</h2>')).not.toMatch(/ style=/)
  const [picture, bare] = ['A boat', ''].map((alt) => inPage(`<p><img src="https://x.example/a.png" alt="${alt}"></p>`))
  expect([picture!, bare!].map((html) => html.replaceAll(/<[^>]*>/g, ''))).toEqual(['A boat', 'picture'])
  expect(picture).not.toContain('<img')
  const table = inPage(`<table><tbody><tr><td>One</td><td>${'two '.repeat(40)}</td></tr></tbody></table>`)
  expect(table).toEndWith(`<tr><td>One</td><td>${'two '.repeat(40).trim()}</td></tr></tbody></table></div>`)
  const named = inPage('<table><tr><th>A <b>b</b></th></tr><tr><td><a href="https://x.example">c</a></td></tr></table>')
  expect(named).toEndWith('<tbody><tr><th>A b</th></tr><tr><td>c</td></tr></tbody></table></div>')
  expect(inPage('<dl><dt>t</dt><dd>d</dd></dl>')).toEndWith('>Table: t d</div>')
  expect(inPage('<p>{{ contact.first_name | default: you }}</p>')).toContain('>first name, else “you”</span>')
  expect(inPage('<ol><li>a</li></ol>')).not.toContain('start')
})

test('An alignment is found in a style or an attribute, and is changed without what stands beside it.', () => {
  expect([alignOf(null), alignOf({ style: 'color:red' }), alignOf({ align: 'center' })]).toEqual([null, null, 'center'])
  expect(alignOf({ style: 'color:red; TEXT-ALIGN: Right', align: 'center' })).toBe('Right')
  for (const align of ['left', 'right', 'center', 'justify'])
    expect(alignOf({ style: `text-align: ${align}` })).toBe(align)
  expect(alignOf({ style: 'vertical-text-align:right' })).toBeNull()
  expect(withAlign(null, 'center')).toEqual({ style: 'text-align:center' })
  expect(withAlign({ style: 'color:red; text-align:left;', align: 'left', dir: 'rtl' }, 'right')).toEqual({
    ...{ dir: 'rtl', style: 'color:red;text-align:right' },
  })
  expect(withAlign({ style: 'text-align:left', align: 'left' }, null)).toBeNull()
  expect(withAlign({ style: 'color:red' }, null)).toEqual({ style: 'color:red' })
})
