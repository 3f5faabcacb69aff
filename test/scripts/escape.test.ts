import { expect, test } from 'bun:test'
import { escapeFor } from '../../src/scripts/escape.ts'
import type { PlaceholderContext } from '../../src/scripts/placeholders.ts'

/** The value as it is written; what is not named of the place is nothing. */
function written(
  value: string,
  place: Partial<PlaceholderContext> & { before?: string; after?: string; format?: 'text' | 'html' },
): string {
  const { before = '', after = '', format = 'text', ...named } = place
  const nothing = { string: null, attribute: null, leading: false, document: false, address: null }
  return escapeFor({ ...nothing, element: null, within: null, ...named }, value, { before, after, format })
}

test('Text is written as text, and a value with the format html as markup.', () => {
  expect(written(`<b title="x">'&amp;`, {})).toBe(`&lt;b title="x"&gt;'&amp;amp;`)
  expect(written('<b>&', { format: 'html' })).toBe('<b>&')
})

test('In a style only what opens a tag is written as an escape of CSS, and the digit behind it stays apart.', () => {
  expect(written('a > b && "c" <0<1', { element: 'style' })).toBe('a > b && "c" \\3C 0\\3C 1')
})

test.each<[PlaceholderContext['attribute'], boolean, string]>([
  ['"', false, `a &quot;'&<>\tb`],
  ["'", false, `a "&#39;&<>\tb`],
  ['none', false, `a&#32;"'&<&gt;&#9;b`],
  ['none', true, `a&#32;&quot;&#39;&<&gt;&#9;b`],
])(
  'In an attribute with the quote %s, leading %p, only what ends its value is escaped.',
  (attribute, leading, text) => {
    expect(written(`a "'&<>\tb`, { attribute, leading })).toBe(attribute === 'none' ? text : text.replace('&#32;', ' '))
    expect(written('\n\f\r', { attribute })).toBe(attribute === 'none' ? '&#10;&#12;&#13;' : '\n\f\r')
  },
)

test('In an attribute within noscript a value opens no tag.', () => {
  expect(written('</noscript>', { attribute: '"', within: 'noscript' })).toBe('&lt;/noscript>')
  expect(written('</noscript>', { attribute: '"', within: 'foreign' })).toBe('</noscript>')
})

test('In the document of an attribute a value is escaped for the document and for the attribute.', () => {
  expect(written(`<b>&"'`, { attribute: '"', document: true })).toBe('&amp;lt;b&amp;gt;&amp;amp;&amp;quot;&amp;#39;')
  expect(written('<b>"', { attribute: '"', document: true, format: 'html' })).toBe('<b>&quot;')
})

test('In an address a value with the format text names no script.', () => {
  expect(written('javascript:x"', { attribute: '"', address: 'scheme' })).toBe('javascript%3Ax&quot;')
  expect(written('javascript:x"', { attribute: '"', address: 'scheme', format: 'html' })).toBe('javascript:x&quot;')
})

test.each([
  ['</script>', '', '', '\\u003C/script>'],
  ['<!--', '', '', '\\u003C!--'],
  ['<SCRIPT', '', '', '\\u003CSCRIPT'],
  ['a<b', '', '', 'a<b'],
  ['/script', '<', '', '\\u002Fscript'],
  ['!--', '<', '', '\\u0021--'],
  ['<', '', '/script', '\\u003C'],
  ['</scr', '', 'ipt', '\\u003C/scr'],
  ['b', '<', 'script', 'b'],
  ['x', '</script', '', 'x'],
  ['x', '', '</script', 'x'],
  ['', '<', 'script', ''],
])('In a script the value %j between %j and %j does not end it.', (value, before, after, text) => {
  expect(written(value, { element: 'script', before, after })).toBe(text)
  expect(written(value, { element: 'script', string: '"', before, after })).toBe(text)
})

test.each<[NonNullable<PlaceholderContext['string']>, string]>([
  ['"', `\\"'\`\\\\\\r\\n\\u2028\\u2029\${<&`],
  ["'", `"\\'\`\\\\\\r\\n\\u2028\\u2029\${<&`],
  ['`', `"'\\\`\\\\\\r\n\u2028\u2029\\u0024{<&`],
])('In a string with the quote %s only what ends a line or the string is escaped.', (string, text) => {
  expect(written('"\'`\\\r\n\u2028\u2029${<&', { element: 'script', string })).toBe(text)
})

test('A template begins no substitution with what stands before or after the value.', () => {
  expect(written('{a}', { element: 'script', string: '`', before: '$' })).toBe('\\u007Ba}')
  expect(written('$', { element: 'script', string: '`', after: '{' })).toBe('\\u0024')
  expect(written('$', { element: 'script', string: '"', after: '{' })).toBe('$')
})

test('A script that is read as markup too has no tags and references in its strings, nor in its code.', () => {
  for (const within of ['foreign', 'noscript'] as const) {
    expect(written('a<b&c>', { element: 'script', string: '"', within })).toBe('a\\u003Cb\\u0026c>')
    expect(written('a<b&c>', { element: 'script', within })).toBe('a&lt;b&amp;c&gt;')
  }
})

test.each([
  ['&quot;', '', '&amp;quot;'],
  ['&#39;', '', '&amp;#39;'],
  ['&', '', '&amp;'],
  ['&quo', '', '&amp;quo'],
  ['&quotx,', '', '&quotx,'],
  ['&QUOT x', '', '&amp;QUOT x'],
  ['&lt,', '', '&amp;lt,'],
  ['&copy=1', '', '&copy=1'],
  ['a & b', '', 'a & b'],
  ['quot;', '&', '&#113;uot;'],
  ['#39;', '&', '&#35;39;'],
  ['39;', '&#', '&#51;9;'],
  ['9;', '&#3', '&#57;;'],
  ['27;', '&#x', '&#50;7;'],
  [';', '&quot', '&#59;'],
  [' x', '&quot', ' x'],
  ['9;', '&3 ', '9;'],
])('In the string of an event handler the value %j behind %j makes no quote of a reference.', (value, before, text) => {
  expect(written(value, { attribute: "'", string: '"', before })).toBe(text)
})
