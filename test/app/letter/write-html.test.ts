import { expect, test } from 'bun:test'
import { useTab } from '../../support/tab.ts'
import { readHtml } from '../../../static/app/letter/read-html.ts'
import { readLine, writeHtml, writeLine } from '../../../static/app/letter/write-html.ts'

useTab()
const through = (html: string) => writeHtml(readHtml(html))

test.each([
  '<p>a <strong>b <em>c</em></strong><em> d</em></p>',
  '<p style="color:#123456;text-align:center" dir="rtl">x</p>',
  '<h1>a</h1><h6 title="t">b</h6>',
  '<ol start="3"><li>one<ul><li>inner</li></ul></li><li><p>spaced</p><p>twice</p></li></ol>',
  '<ol style="margin:0"><li style="color:red">a</li></ol>',
  '<blockquote><p>quoted</p></blockquote><hr><pre>one\n  two &lt;b&gt;</pre>',
  '<p>x<sup>2</sup> <u>u</u> <s>s</s> <code>c</code> <span style="color:#aa0000">red</span></p>',
  '<p><a href="https://x.example/?a=1&amp;b=2" title="t">one <strong>two</strong></a>' +
    '<a href="https://y.example">three</a></p>',
  '<table><tbody><tr><td style="padding:4px">cell</td></tr></tbody></table>',
  '<div style="padding:8px"><p>in a box</p><div>a line of its own</div></div>',
  '<p><img src="https://x.example/a.png" alt="A &quot;b&quot;" width="40"></p>',
  '<p>{{ contact.first_name | default: dear reader }} &lt;b&gt; &amp;amp; a&nbsp;b<br>c<wbr>d</p>',
])('The editor writes what it reads: %s.', (html) => {
  expect(through(html)).toBe(html)
})

test.each([
  ['', ''],
  ['<p></p>', ''],
  ['<p></p><p></p>', '<p></p><p></p>'],
  ['<h2></h2>', '<h2></h2>'],
  ['<p id="i" class="c" data-x="1" onclick="x()" aria-label="l" aria-hidden="true">a</p>', '<p aria-label="l">a</p>'],
  ['<p><b>a</b><i>b</i><del>c</del><span>d</span><font>e</font></p>', '<p><strong>a</strong><em>b</em><s>c</s>de</p>'],
  ['<a href="https://x.example" target="_blank" rel="noopener">a</a>', '<p><a href="https://x.example">a</a></p>'],
  ['<section><h2>a</h2></section><center>b</center>', '<section><h2>a</h2></section><center>b</center>'],
  ['<ul><li><p>a</p></li></ul>', '<ul><li><p>a</p></li></ul>'],
  ['<ul><li>a<p>b</p></li></ul>', '<ul><li>a<p>b</p></li></ul>'],
])('Of HTML that means the same one writing is left: %s.', (html, written) => {
  expect(through(html)).toBe(written)
})

test('A merge tag in a table, in code or in a list of terms is text there.', () => {
  for (const html of ['<pre>{{ date }}</pre>', '<dl><dt>{{ date }}</dt></dl>']) expect(through(html)).toBe(html)
  let tags = 0
  readHtml('<p>{{ date }} and {{ contact.email }}</p><pre>{{ date }}</pre>').descendants((node) => {
    if (node.type.name === 'merge_tag') tags++
  })
  expect(tags).toBe(2)
})

test('Two links beside each other stay two, and a mark with other attributes is another.', () => {
  const html = '<p><a href="https://x.example">a</a><a href="https://y.example">b</a></p>'
  expect(through(html)).toBe(html)
  const colors = '<p><span style="color:red">a</span><span style="color:blue">b</span></p>'
  expect(through(colors)).toBe(colors)
})

test('A line keeps its merge tags.', () => {
  const line = 'Hi {{ contact.first_name | default: you }}, it is {{ date }}'
  expect(writeLine(readLine(line))).toBe(line)
  expect(readLine(line).childCount).toBe(4)
  expect(writeLine(readLine(''))).toBe('')
})
