import { expect, test } from 'bun:test'
import { plainText, textLines } from '../../../static/app/letter/html-text.ts'

test('The words of a text stand on one line, or one paragraph, entry or row a line.', () => {
  const html = '<p>One <strong>two</strong></p>\n<ul><li>three</li><li>a<br>b</li></ul><p></p>'
  expect(plainText(html)).toBe('One two three a b')
  expect(textLines(html)).toBe('One two\nthree\na\nb')
  expect(textLines('<table><tr><td>1</td><td>2</td></tr><tr><td>3</td></tr></table>')).toBe('1  2\n3')
})

test('A link is followed by its address, and signs are read.', () => {
  expect(textLines('<p>See <a title="t" href="https://a.example/?x&amp;y">the <em>page</em></a> now</p>')).toBe(
    'See the page (https://a.example/?x&y) now',
  )
  expect(textLines('<img src="https://a.example/b.png" alt="B">')).toBe('[https://a.example/b.png]')
  expect(textLines('&lt;b&gt; &#252;&#xe9; &unknown; &#99999999; &#0; &#x110000;')).toBe(
    '<b> üé &unknown; &#99999999; &#0; &#x110000;',
  )
})
