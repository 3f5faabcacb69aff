import { expect, test } from 'bun:test'
import { fillTemplate } from '../../../src/newsletter/email/template.ts'
import { htmlToText, textTemplate } from '../../../src/newsletter/email/text.ts'

test.each([
  [
    'paragraphs and headings',
    '<h1>News</h1><p>One\r\n\f \t two</p><p>three<br />four</p>',
    'News\n\nOne two\n\nthree\nfour',
  ],
  ['entities', '<p>a &amp; b &lt;c&gt; &quot;d&quot; e&nbsp;f &#39;g&#39; &#x1F600;</p>', 'a & b <c> "d" e f \'g\' 😀'],
  [
    'a link in a sentence',
    '<p>See <a href="https://a.example/?b=1&amp;c=2">the <b>page</b></a>.</p>',
    'See the page (https://a.example/?b=1&c=2).',
  ],
  ['a link on its own', '<p><a href="https://a.example/">Read on</a></p>', 'Read on: https://a.example/'],
  ['a link that is its address', '<p>At <a href="https://www.a.example/">a.example</a></p>', 'At a.example'],
  [
    'addresses of people',
    '<p>Ask <a href="mailto:a@b.example">us</a> or <a href="mailto:a@b.example">a@b.example</a></p>',
    'Ask us (a@b.example) or a@b.example',
  ],
  ['links that lead nowhere', '<p><a href="#x">up</a> <a>none</a> <a href="javascript:x">bad</a></p>', 'up none bad'],
  [
    'lists',
    '<ul><li>a</li><li>b<ol start="3"><li>c</li><li>d</li></ol></li><li><p>e</p></li></ul><p>f</p>',
    '- a\n- b\n  3. c\n  4. d\n- e\n\nf',
  ],
  ['a list with numbers', '<ol><li>a</li><li>b</li></ol>', '1. a\n2. b'],
  ['items without text', '<ul><li>a</li><li></li></ul><p>b</p><ol><li></li></ol>c', '- a\n\nb\n\nc'],
  [
    'a link in a list',
    '<ul><li><a href="https://a.example">a.example</a></li><li><a href="https://b.example">B</a></li></ul>',
    '- a.example\n- B: https://b.example',
  ],
  ['quotations', '<blockquote><p>a</p></blockquote><p>b</p>', '> a\n\nb'],
  [
    'pictures',
    '<p><img src="https://a.example/x.png" alt="A cat"></p><a href="https://a.example/"><img ' +
      'src="https://a.example/y.png" alt=""></a>',
    'A cat\n\nhttps://a.example/',
  ],
  [
    'tables',
    '<table><tr><th>Tea</th><th>Price</th></tr><tr><td>Green</td><td>12</td></tr></table><p>x</p>',
    'Tea  Price\nGreen  12\n\nx',
  ],
  [
    'cells that end in a blank',
    '<table><tr><td>Green </td><td> 12</td><td></td><td>x</td></tr></table>',
    'Green  12  x',
  ],
  ['blanks around formatting', '<p>a <b> b </b> c</p>', 'a b c'],
  ['a rule', '<p>a</p><hr /><p>b</p>', 'a\n\n---\n\nb'],
  ['code in a quotation', '<blockquote><pre>a\r\n  b\nc</pre></blockquote>', '> a\n>   b\n> c'],
  ['kept blanks', '<pre>a\n  b</pre>', 'a\n  b'],
  ['comments', '<p>a<!--[if mso]><b>no</b><![endif]--></p>', 'a'],
  ['characters that nobody sees', '<p>a&shy;b\u200Bc\uFEFFd</p>', 'abcd'],
  ['joiners of Persian', '<p>می\u200Cخواهم</p>', 'می\u200Cخواهم'],
  ['nothing', '<div><p> &nbsp; </p></div>', ''],
])('HTML becomes plain text: %s.', (_, html, text) => {
  expect(htmlToText(html)).toBe(text)
})

test('Placeholders are filled as text, and in links as links.', () => {
  const html =
    '<p>{{ contact.first_name | default: &quot;you &amp; I&quot; }}: <a href="https://a.example/{{ ' +
    'contact.first_name }}">go</a>' +
    ' <a href="{{ contact.custom.site }}">site</a> <a href="{{ unsubscribe_url }}">out</a></p>'
  const values = {
    'contact.first_name': 'A&B <c>',
    'contact.custom.site': 'javascript:x',
    unsubscribe_url: 'https://n.example/u?a=1&b=2',
  }
  expect(fillTemplate(textTemplate(html), values)).toBe(
    'A&B <c>: go (https://a.example/A%26B%20%3Cc%3E) site (#) out (https://n.example/u?a=1&b=2)',
  )
  expect(fillTemplate(textTemplate(html), {})).toStartWith('you & I: go (https://a.example/)')
})

test('The separator around URLs is removed from content.', () => {
  expect(
    fillTemplate(textTemplate('<p>a\uFDD0{{ contact.first_name }}\uFDD0</p>'), { 'contact.first_name': 'b' }),
  ).toBe('ab')
  expect(fillTemplate(textTemplate('<p>{{ contact.\uFDD1first_name }}</p>'), { 'contact.first_name': 'b' })).toBe('b')
})

test('Links of a plain text are changed, also where the label is the address.', () => {
  const text = textTemplate(
    '<p>See <a href="https://a.example/">the <b>tide</b></a>, <a href="https://a.example/">https://<i>a.example</i> ' +
      '</a>or <a href="mailto:a@a.example">a@a.example</a>.</p><p><a href="https://a.example/b">a.example<br>' +
      'a.example/b</a></p><ul><li><a href="https://a.example/c">a.example/c</a></li></ul>',
    { onTextLink: (url) => (url.startsWith('https:') ? `${url}?n={{ contact.first_name }}` : url) },
  )
  expect(fillTemplate(text, { 'contact.first_name': 'A&B' })).toBe(
    'See the tide (https://a.example/?n=A%26B), https://a.example/?n=A%26B or a@a.example.\n\n' +
      'a.example\na.example/b: https://a.example/b?n=A%26B\n\n- https://a.example/c?n=A%26B',
  )
})

test('Links of a plain text are left out with their labels.', () => {
  const html = '<p>a <a href="{{ unsubscribe_url }}">leave <b>now</b></a> b <a href="https://a.example/">c</a></p>'
  expect(textTemplate(html, { leavesOut: (url) => url.startsWith('{{') })).toEqual(['a b c (https://a.example/)'])
})

test('A label that ends with a colon gets no second one.', () => {
  expect(htmlToText('<a href="https://a.example/">Read:</a><p><a href="https://b.example/">Go</a></p>')).toBe(
    'Read: https://a.example/\n\nGo: https://b.example/',
  )
})
