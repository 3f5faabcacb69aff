import { expect, test } from 'bun:test'
import {
  attributesOf,
  decodeEntities,
  escapeLines,
  startTag,
  type Token,
  tokens,
} from '../../../src/newsletter/email/markup.ts'

test('Markup is cut into texts, tags and comments, which joined give it again.', () => {
  const html = 'a<!-- <b> --><P class="x" hidden>b<br><i/>c</P>d'
  const found = [...tokens(html)]
  expect(found.map(({ kind }) => kind)).toEqual([
    'text',
    'comment',
    'open',
    'text',
    'open',
    'open',
    'text',
    'close',
    'text',
  ])
  expect(found.map(({ text }) => text).join('')).toBe(html)
  expect(found[2]).toMatchObject({ name: 'p', attributes: ' class="x" hidden', ended: false })
  // An element without an end tag, or with a slash, has ended already.
  expect(found.slice(4, 6)).toMatchObject([
    { name: 'br', ended: true },
    { name: 'i', ended: true },
  ])
  expect(found[7]).toMatchObject({ kind: 'close', name: 'p' })
  expect([...tokens('')]).toEqual([])
})

test('Attributes are read with their values decoded, and written escaped.', () => {
  const [tag] = tokens('<a href="?a&amp;b" title="&quot;x&quot;" data-x>') as Iterable<Token & { kind: 'open' }>
  const attributes = attributesOf(tag!)
  expect([...attributes]).toEqual([
    ['href', '?a&b'],
    ['title', '"x"'],
    ['data-x', ''],
  ])
  expect(startTag('a', attributes)).toBe('<a href="?a&amp;b" title="&quot;x&quot;" data-x="">')
})

test('Line ends become breaks, except at both ends.', () => {
  expect(escapeLines('\n a\r\nb\rc\nd<\n')).toBe('a<br>b<br>c<br>d&lt;')
})

test('Numeric entities and a few named ones are decoded.', () => {
  expect(decodeEntities('&amp;&lt;&gt;&quot;&apos;&nbsp;&middot;&shy;')).toBe('&<>"\'\u00A0·\u00AD')
  expect(decodeEntities('&#65;&#x42;&#x1F600;&#x10FFFF;&#1;')).toBe('AB😀\u{10FFFF}\u0001')
  for (const kept of ['&copy;', '&toString;', '&#0;', '&#xD800;', '&#xDFFF;', '&#x110000;', '&amp', 'a & b'])
    expect(decodeEntities(kept)).toBe(kept)
  expect(decodeEntities('&#xD7FF;&#xE000;')).toBe('\uD7FF\uE000')
})
