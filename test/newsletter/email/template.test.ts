import { expect, test } from 'bun:test'
import { MERGE_TAGS, readPlaceholder, SAMPLE_VALUES } from '../../../src/shared/merge-tags.ts'
import {
  compileTemplate,
  fillTemplate,
  joinTemplates,
  type MergeValues,
} from '../../../src/newsletter/email/template.ts'

type Kind = Parameters<typeof compileTemplate>[1]

const fill = (source: string, kind: Kind, values: MergeValues = {}) =>
  fillTemplate(compileTemplate(source, kind), values)
const name = (value: string): MergeValues => ({ 'contact.first_name': value })
const site = (value: string): MergeValues => ({ 'contact.custom.site': value })

const HOSTILE = [
  '"><script>alert(1)</script>',
  "' onmouseover='x",
  '</td></tr></table><!--',
  '&lt;b&gt;',
  '{{ contact.email }}',
  '$& $1 $`',
  'a\r\nBcc: x@y.z',
  '\u0000\u2028',
  '\uD800',
]

test.each([
  [' contact.first_name ', 'contact.first_name', '', true],
  ['contact.first_name|default:friend', 'contact.first_name', 'friend', true],
  [' contact.full_name | default: "dear reader" ', 'contact.full_name', 'dear reader', true],
  ["contact.full_name | default: 'it is'", 'contact.full_name', 'it is', true],
  ['contact.full_name | default: “curly”', 'contact.full_name', 'curly', true],
  ["contact.full_name | default: it's you", 'contact.full_name', "it's you", true],
  ['contact.full_name | default: a | b: c', 'contact.full_name', 'a | b: c', true],
  [' contact.full_name | default: "a}b{" ', 'contact.full_name', 'a}b{', true],
  ['\u200Bcontact.email\u2060', 'contact.email', '', true],
  ['\u00A0contact.email\u00A0', 'contact.email', '', true],
  ['contact.custom.city_2', 'contact.custom.city_2', '', true],
  ['contact.custom.__proto__', 'contact.custom.__proto__', '', true],
  ['contact.custom.City', 'contact.custom.City', '', false],
  ['contact.custom.KEY', 'contact.custom.KEY', '', false],
  ['contact.shoes | default: none', 'contact.shoes', 'none', false],
  ['toString', 'toString', '', false],
  ['two words', 'two words', '', false],
  ['', '', '', false],
])('The placeholder %p is read as its tag and its default.', (inside, tag, fallback, known) => {
  expect(readPlaceholder(inside)).toEqual({ tag, fallback, known })
})

test('Every listed tag is known and its example uses it.', () => {
  for (const { tag, example } of MERGE_TAGS) {
    expect(readPlaceholder(tag.replace('KEY', 'city')).known).toBe(true)
    expect(example).toContain(`{{ ${tag.replace('KEY', '')}`)
  }
  for (const tag of Object.keys(SAMPLE_VALUES)) expect(readPlaceholder(tag).known).toBe(true)
})

test.each([
  ['<p>{{ contact.first_name }}</p>', '"><script>', '<p>&quot;&gt;&lt;script&gt;</p>'],
  ['<img alt="{{ contact.first_name }}">', '"><script>', '<img alt="&quot;&gt;&lt;script&gt;">'],
  [
    '<a href="https://x.example/?n={{ contact.first_name }}&amp;b=1">x</a>',
    'A&B="x" ü',
    '<a href="https://x.example/?n=A%26B%3D%22x%22%20%C3%BC&amp;b=1">x</a>',
  ],
  [
    '<a href="https://{{ contact.first_name }}.example/">x</a>',
    'evil.example/',
    '<a href="https://evil.example%2F.example/">x</a>',
  ],
  [
    '<a href="mailto:{{ contact.first_name }}">x</a>',
    'ada+n@example.com?bcc=x',
    '<a href="mailto:ada+n@example.com%3Fbcc%3Dx">x</a>',
  ],
  ['<a href="tel:{{ contact.first_name }}">x</a>', '+49 151', '<a href="tel:+49%20151">x</a>'],
  ['<p style="color:{{ contact.first_name }}">x</p>', 'red;position:fixed', '<p style="color:">x</p>'],
])('The value in %s is escaped.', (source, value, expected) => {
  expect(fill(source, 'html', name(value))).toBe(expected)
})

test('A hostile value changes no markup.', () => {
  const source =
    '<td title="{{ contact.first_name }}"><a href="{{ contact.first_name }}">{{ contact.first_name ' +
    '}}</a><a href="https://x.example/{{ contact.first_name }}">y</a></td>'
  for (const value of HOSTILE) {
    const filled = fill(source, 'html', name(value))
    expect(filled.replace(/"[^"]*"/g, '""').replace(/>[^<]*</g, '><')).toBe(
      '<td title=""><a href=""></a><a href=""></a></td>',
    )
  }
})

test('Placeholders inside values are not filled.', () => {
  const values = { 'contact.first_name': '{{ contact.email }} $& $1', 'contact.email': 'ada@example.com' }
  expect(fill('{{ contact.first_name }}|{{ contact.email }}', 'text', values)).toBe(
    '{{ contact.email }} $& $1|ada@example.com',
  )
  expect(fill('{{ contact.first_name }}', 'html', values)).toBe('{{ contact.email }} $&amp; $1')
})

test('A header stays one line.', () => {
  expect(fill('Hi {{ contact.first_name }}!', 'header', name('Ada\r\nBcc: all@example.com\u2028x\u0000y\u0085z'))).toBe(
    'Hi Ada Bcc: all@example.com x y z!',
  )
  expect(fill('Two\r\nlines', 'header')).toBe('Two lines')
  expect(fill('{{ contact.first_name | default: a\nb }}', 'header')).toBe('a b')
})

test('Plain text keeps markup and line ends, and loses control characters.', () => {
  expect(fill('{{ contact.first_name }}', 'text', name('<b>A & B</b>\nx\u0000\u001B[31m'))).toBe('<b>A & B</b>\nx[31m')
})

test.each([
  ['https://ada.example/?a=1&b="2"', 'https://ada.example/?a=1&amp;b=&quot;2&quot;'],
  ['HTTP://ada.example', 'HTTP://ada.example'],
  [' mailto:ada@example.com ', 'mailto:ada@example.com'],
  ['tel:+491', 'tel:+491'],
  ['https://a.example/b c', 'https://a.example/b%20c'],
  ['javascript:alert(1)', '#'],
  ['javascript:alert(1)//https://x.example', '#'],
  ['data:text/html,mailto:x', '#'],
  ['JaVaScRiPt:alert(1)', '#'],
  ['java\tscript:alert(1)', '#'],
  ['\u0001javascript:alert(1)', '#'],
  ['data:text/html,<script>', '#'],
  ['vbscript:x', '#'],
  ['file:///etc/passwd', '#'],
  ['//evil.example', '#'],
  ['evil.example', '#'],
  ['x" onclick="y', '#'],
  ['', '#'],
])('A link is filled with %p if it leads to the web, mail or a phone.', (value, expected) => {
  expect(fill('<a href="{{ contact.custom.site }}">x</a>', 'html', site(value))).toBe(`<a href="${expected}">x</a>`)
})

test('A default, an image and the plain-text part follow the same rule for links.', () => {
  expect(fill('<a href="{{ contact.custom.site | default: javascript:x }}">x</a>', 'html')).toBe('<a href="#">x</a>')
  expect(fill('<a href="{{ contact.custom.site | default: https://d.example/ }}">x</a>', 'html')).toBe(
    '<a href="https://d.example/">x</a>',
  )
  expect(fill('<img src="{{ contact.custom.site }}">', 'html', site('javascript:x'))).toBe('<img src="#">')
  expect(fill('{{ contact.custom.site }}', 'url', site('javascript:x'))).toBe('#')
  expect(fill('{{ contact.custom.site }}', 'url', site('https://a.example/?b=1&c=2'))).toBe(
    'https://a.example/?b=1&c=2',
  )
})

test('Nothing after it can make a scheme.', () => {
  expect(
    fill('<a href="{{ contact.first_name }}{{ contact.custom.site }}">x</a>', 'html', {
      ...name('java'),
      ...site('script:x'),
    }),
  ).toBe('<a href="#script%3Ax">x</a>')
  expect(fill('<a href="{{ contact.first_name }}javascript:x">x</a>', 'html')).toBe('<a href="#javascript:x">x</a>')
  expect(fill('<a href="java{{ contact.first_name }}script:x">x</a>', 'html')).toBe('<a href="#">x</a>')
  expect(fill('<a href="javascript:{{ contact.first_name }}">x</a>', 'html')).toBe('<a href="#">x</a>')
  expect(fill('<a href="{{ no.such_tag }}javascript:x">x</a>', 'html')).toBe('<a href="#javascript:x">x</a>')
})

test('Defaults replace a missing or empty value, escaped in the same way.', () => {
  const source = 'Hi {{ contact.first_name | default: "A & <b>" }}'
  expect(fill(source, 'text')).toBe('Hi A & <b>')
  expect(fill('Hi {{ contact.first_name | default: "A &amp; &lt;b&gt;" }}', 'html', name(''))).toBe(
    'Hi A &amp; &lt;b&gt;',
  )
  expect(fill(source, 'text', name('Ada'))).toBe('Hi Ada')
  expect(fill('<img alt="{{ contact.first_name | default: &quot;a friend&quot; }}">', 'html')).toBe(
    '<img alt="a friend">',
  )
})

test('An unknown tag is reported and gives its default.', () => {
  const known: string[] = []
  const unknown: string[] = []
  const template = compileTemplate('{{ contact.shoes }}|{{ nope | default: x & y }}|{{ contact.email }}', 'text', {
    onKnown: (tag) => known.push(tag),
    onUnknown: (tag) => unknown.push(tag),
  })
  expect([known, unknown]).toEqual([['contact.email'], ['contact.shoes', 'nope']])
  expect(fillTemplate(template, { 'contact.shoes': 'never', 'contact.email': 'e' })).toBe('|x & y|e')
})

test('A link that is left out takes all that is in it along, and nothing after it.', () => {
  const left: string[] = []
  const template = compileTemplate(
    'a <a href="https://out.example/"><b>x</b>y<i>z</i></a> b <a href="https://in.example/"><b>c</b></a>',
    'html',
    { leavesOut: (url) => left.push(url) === 1 },
  )
  expect(fillTemplate(template, {})).toBe('a  b <a href="https://in.example/"><b>c</b></a>')
  expect(left).toEqual(['https://out.example/', 'https://in.example/'])
})

test('Defaults in quotes may hold braces, in every context.', () => {
  expect(fill('{{ contact.first_name | default: "a}}b{" }}!', 'text')).toBe('a}}b{!')
  expect(fill('{{ contact.first_name | default: &quot;a}b&quot; }}!', 'html')).toBe('a}b!')
  expect(fill('<img alt="{{ contact.first_name | default: &quot;:}&quot; }}">', 'html')).toBe('<img alt=":}">')
  expect(fill('<a href="{{ contact.custom.site | default: &quot;https://a.example/}&quot; }}">x</a>', 'html')).toBe(
    '<a href="https://a.example/}">x</a>',
  )
  expect(fill('<a href="{{ contact.custom.site | default: &quot;}}javascript:x&quot; }}">x</a>', 'html')).toBe(
    '<a href="#">x</a>',
  )
  expect(fill('{{ date | default: "x }} and {{ contact.email | default: "y" }}', 'text')).toBe('"x and y')
})

test('Inherited properties are no values.', () => {
  const values = Object.create({ 'contact.first_name': 'inherited' }) as MergeValues
  expect(
    fill(
      '[{{ contact.first_name | default: none }}][{{ constructor }}][{{ contact.custom.constructor }}]',
      'text',
      values,
    ),
  ).toBe('[none][][]')
})

test('Text that is no placeholder stays unchanged.', () => {
  for (const text of ['{{ a', '}} b', '{ contact.email }', '{{ {x} }}', '{ { contact.email } }'])
    expect(fill(text, 'text', { 'contact.email': 'e' })).toBe(text)
})

test('Literal pieces next to each other become one, so that filling is a few joins.', () => {
  const template = joinTemplates([
    'a',
    compileTemplate('b{{ date }}c', 'text'),
    '',
    'd',
    compileTemplate('<p>e</p>', 'html'),
  ])
  expect(template).toEqual(['ab', { tag: 'date', context: 'text', fallback: '' }, 'cd<p>e</p>'])
})

test('A link can be replaced by a URL with other tags.', () => {
  const seen: string[] = []
  const onLink = (url: string) => (
    seen.push(url),
    url.includes('skip') ? null : 'https://t.example/{{ delivery.token }}?u=1&v=2'
  )
  const template = compileTemplate(
    '<a href="https://a.example/?b=1&amp;c=2" title="{{ date }}">x</a><a href="https://skip.example/">y</a><a>z</a>',
    'html',
    { onLink },
  )
  expect(seen).toEqual(['https://a.example/?b=1&c=2', 'https://skip.example/'])
  expect(fillTemplate(template, { 'delivery.token': 'T/1', date: 'May' })).toBe(
    '<a href="https://t.example/T%2F1?u=1&amp;v=2" title="May">x</a><a href="https://skip.example/">y</a><a>z</a>',
  )
})
