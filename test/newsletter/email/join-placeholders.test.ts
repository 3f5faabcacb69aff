import { describe, expect, test } from 'bun:test'
import { checkDocument, type EmailDocument } from '../../../src/newsletter/email/document.ts'
import { compileEmail, fillEmail } from '../../../src/newsletter/email/render.ts'
import { sanitizeHtml, sanitizeImport } from '../../../src/newsletter/email/sanitize.ts'
import { joinPlaceholders } from '../../../src/newsletter/email/join-placeholders.ts'
import { isLinear } from '../../support/cpu-time.ts'
import { dangersIn, elementsOf, hostileFragment, seeded } from './dom.ts'

const BRAND = {
  project_name: 'Atelier',
  company_name: 'Atelier Ltd',
  postal_address: '12 Harbour Lane',
  footer_text: null,
  brand_color: null,
  logo_url: null,
}
const VALUES = {
  'contact.first_name': 'Ada <b>',
  unsubscribe_url: 'https://n.example/u',
  preferences_url: 'https://n.example/p',
}

interface Shown {
  html: string
  text: string
  warnings: string[]
}

/** The visible text of a document without its footer. */
function shown(blocks: [type: string, props: Record<string, unknown>][], subject = 'News', preheader = ''): Shown {
  const document = {
    ...{ version: 1, settings: {} },
    blocks: blocks.map(([type, props], at) => ({ id: `b${at}`, type, props })),
  } as EmailDocument
  const compiled = compileEmail({ document, subject, preheader, brand: BRAND })
  const { html, text } = fillEmail(compiled, VALUES)
  const cell = elementsOf(html).elements.find(({ attributes }) => attributes['style']?.includes('word-break'))!
  return {
    html: cell.text.replace(/\s+/g, ' '),
    text: text.split('\n\n---\n')[0]!.replace(/\s+/g, ' '),
    warnings: compiled.warnings.filter(({ code }) => code === 'unknown_merge_tag').map(({ message }) => message),
  }
}
const one = (html: string, type = 'text'): Shown => shown([[type, { html }]])

test.each([
  ['<p>Hi {{ <b>contact.first_name</b> }}!</p>', '<p>Hi <b>{{ contact.first_name }}</b>!</p>'],
  ['<p>{<b>{ contact.first_name }}</b></p>', '<p><b>{{ contact.first_name }}</b></p>'],
  ['<p>{{ contact.first_name | default: "fri<b>end" }}</b></p>', '<p>{{ contact.first_name | default: "friend" }}</p>'],
  [
    '<p>{{ contact.first_name | default: "fri<b>end</b>" }} and <b>you</b></p>',
    '<p>{{ contact.first_name | default: "friend" }} and <b>you</b></p>',
  ],
  ['<p><i><b>{{</b></i> <u>contact</u>.first_name <s>}</s>}</p>', '<p><u>{{ contact.first_name }}</u></p>'],
  ['<p><b>Dear {{ contact</b>.first_name }}</p>', '<p><b>Dear {{ contact.first_name }}</b></p>'],
  [
    '<p>{{<span style="color:#333333"> contact</span>.first_name }}</p>',
    '<p><span style="color:#333333">{{ contact.first_name }}</span></p>',
  ],
  [
    '<p>{{ <a href="http://project.name">project.name</a> }}</p>',
    '<p><a href="http://project.name">{{ project.name }}</a></p>',
  ],
  ['<p>{<!-- x -->{ contact.first_name }<wbr>}</p>', '<p>{{ contact.first_name }}<wbr /></p>'],
  [
    '<p>{<b></b>{ contact.email }} <b>{</b>{ contact.email }}</p>',
    '<p><b></b>{{ contact.email }} {{ contact.email }}</p>',
  ],
  ['<p>{{ contact.<i><wbr><b>email</b></i> }}</p>', '<p>{{ contact.email }}<i><wbr /></i></p>'],
  ['<b><p>{{ contact.<i>email</i> }}</p></b>', '<b><p>{{ contact.email }}</p></b>'],
  ['<pre>{{\ncontact.email\n}}</pre>', '<pre>{{ contact.email }}</pre>'],
])('The placeholder in %s is joined.', (html, expected) => {
  expect(sanitizeHtml(html)).toBe(expected)
  expect(sanitizeImport(html, 'x1').html).toBe(expected)
  expect(sanitizeHtml(expected)).toBe(expected)
})

test.each([
  '<p>{{ contact.<br>email }}</p>',
  '<p>{{ contact.</p><p>email }}</p>',
  '<ul><li>{{ a</li><li>}}</li></ul>',
  '<table><tr><td>{{ a</td><td>}}</td></tr></table>',
  '<p>{{ <b>contact.email</b></p>',
  '<p>{ { <b>a</b> }}</p>',
  '<p>{<img src="https://a.example/x.png" alt="" />{ a }}</p>',
  '<p><b></b><i>{</i></p>',
])('The markup %s stays as it is.', (html) => {
  const safe = html.replace('<br>', '<br />')
  expect(sanitizeHtml(html)).toBe(safe)
})

test('A placeholder that formatting splits is filled in and escaped in every block with HTML.', () => {
  const html = '<p>Hi {{ <b>contact.first_name</b> }}, {<i>{ contact.last_name | default: "fri</i>end" }}</p>'
  const expected = { html: 'Hi Ada <b>, friend', text: 'Hi Ada <b>, friend', warnings: [] }
  expect(one(html)).toEqual(expected)
  expect(one(html, 'html')).toEqual(expected)
  const columns = shown([
    ['columns', { columns: [{ blocks: [{ id: 'x', type: 'text', props: { html } }] }, { blocks: [] }] }],
  ])
  expect(columns).toEqual(expected)
})

test.each([
  '{{&nbsp;contact.first_name&nbsp;}}',
  '{{\u200Bcontact.first_name\u2060}}',
  '&#123;{ contact.first_name }&#125;',
])('The placeholder %p is joined as well.', (html) => {
  expect(one(`<p>${html}</p>`)).toEqual({ html: 'Ada <b>', text: 'Ada <b>', warnings: [] })
})

test('A placeholder that formatting splits gives the same text in both parts wherever it is split.', () => {
  const random = seeded(20261121)
  const source = 'Hi {{ contact.first_name | default: "friend" }}, it is {{contact.last_name|default: you}}.'
  for (let round = 0; round < 500; round++) {
    let html = ''
    const open: string[] = []
    for (const letter of source) {
      while (random() < 0.15) {
        const name = ['b', 'i', 'span', 'font', 'u', 'wbr'][Math.floor(random() * 6)]!
        if (open.length > 0 && random() < 0.5) html += `</${open.pop()}>`
        else {
          html += `<${name}>`
          if (name !== 'wbr') open.push(name)
        }
      }
      html += letter
    }
    html += open
      .reverse()
      .map((name) => `</${name}>`)
      .join('')
    const both = 'Hi Ada <b>, it is you.'
    expect({ source: html, ...one(`<p>${html}</p>`) }).toEqual({ source: html, html: both, text: both, warnings: [] })
  }
})

describe('safety', () => {
  const PIECES = [
    '{',
    '{{',
    '}',
    '}}',
    ' contact.first_name ',
    '| default: "',
    '"',
    '&lt;b&gt;',
    '&amp;',
    '<b>',
    '</b>',
    '<i>',
    '</i>',
    '<a href="https://a.example/{{ x }}">',
    '</a>',
    '<p>',
    '</p>',
    '<table><tr><td>',
    '</td></tr></table>',
    '<br>',
    '{{ a<script>alert(1)</script> }}',
  ]

  test('Joining adds and loses no text, keeps its order, and stays safe.', () => {
    const random = seeded(20261122)
    for (let round = 0; round < 2000; round++) {
      let html = ''
      for (let left = Math.floor(random() * 20); left > 0; left--)
        html += random() < 0.9 ? PIECES[Math.floor(random() * PIECES.length)]! : hostileFragment(random)
      const before = sanitizeHtml(html.replaceAll('{', '\uE000').replaceAll('}', '\uE001'))
        .replaceAll('\uE000', '{')
        .replaceAll('\uE001', '}')
      const after = joinPlaceholders(before)
      expect({ html, dangers: dangersIn(after) }).toEqual({ html, dangers: [] })
      expect(elementsOf(after).text.replace(/\s/g, '')).toBe(elementsOf(before).text.replace(/\s/g, ''))
      expect(joinPlaceholders(after)).toBe(after)
    }
  })

  test.each<[string, (count: number) => string]>([
    ['opening braces', (count) => '{{'.repeat(count)],
    ['opening braces and spaces', (count) => '{{ '.repeat(count)],
    ['unclosed straight quotes', (count) => '{{a|default:"'.repeat(count)],
    ['unclosed curly quotes', (count) => '{{a|default:“'.repeat(count)],
    ['unclosed escaped quotes', (count) => '{{a|default:&quot;'.repeat(count)],
    ['spaces in a default', (count) => `{{a|default:${' '.repeat(5 * count)}`],
    ['letters in a tag', (count) => `{{ ${'a'.repeat(5 * count)}`],
    ['opening and closing braces', (count) => `${'{{'.repeat(count)}${'}}'.repeat(count / 100)}`],
    ['split braces', (count) => '<b>{</b>{'.repeat(count)],
    ['emptied elements', (count) => '{<i></i>'.repeat(count)],
  ])('Placeholders are joined in time in proportion to the number of %s.', (_, textOf) => {
    const [small, large] = [250, 4_000].map((count) => `<p>${textOf(count)}</p>`) as [string, string]
    const [safeSmall, safeLarge] = [sanitizeHtml(small), sanitizeHtml(large)]
    const joins = { small: () => joinPlaceholders(safeSmall), large: () => joinPlaceholders(safeLarge) }
    expect(isLinear(joins, 16, 6)).toBe(true)
    expect(isLinear({ small: () => one(small), large: () => one(large) }, 16, 6)).toBe(true)
  })
})

test.each([
  ['unclosed', '<p>Hi {{ contact.first_name </p>', '{{ contact.first_name'],
  ['unclosed, formatted', '<p>Hi {{ <b>contact.first_name</b>, <i>welcome</i></p>', '{{ contact.first_name, welcome'],
  ['split and unclosed', '<p>Hi {<b>{ contact.first_name</b></p>', '{{ contact.first_name'],
  ['over two paragraphs', '<p>{{ contact.first_name</p><p>}} x</p>', '{{ contact.first_name'],
  ['over two lines', '<p>{{ contact.<br>first_name }}</p>', '{{ contact.'],
  ['over two cells', '<table><tr><td>{{ contact.first_name</td><td>}}</td></tr></table>', '{{ contact.first_name'],
  ['no tag at all', '<p>{{ {x} &amp; y }}</p>', '{{ {x} & y }}'],
  [
    'a brace in a default without quotes',
    '<p>{{ contact.last_name | default: a}b }}</p>',
    '{{ contact.last_name | default: a}b }}',
  ],
  ['with text after its end', '<p>{{ {x} }} is <b>it</b></p>', '{{ {x} }}'],
  ['in an alternative text', '<img src="https://a.example/x.png" alt="A {{ cat">', '{{ cat'],
  ['in a link', '<p><a href="https://a.example/{{x">y</a></p>', '{{x'],
])('A broken placeholder is shown, and one warning quotes it: %s.', (_, html, named) => {
  const { html: drawn, text, warnings } = one(html)
  expect(warnings).toEqual([`A merge tag is incomplete and stays as it is: "${named}".`])
  if (!html.includes('="')) expect(text.replace(/\s/g, '')).toBe(drawn.replace(/\s/g, ''))
})

test('A broken placeholder is reported in the subject, the preheader, headings, buttons and the footer.', () => {
  const told = (named: string) => `A merge tag is incomplete and stays as it is: "${named}".`
  expect(shown([['text', { html: 'x' }]], 'Hi {{ contact.first_name').warnings).toEqual([told('{{ contact.first_name')])
  expect(shown([['text', { html: 'x' }]], 'Hi', '{{ "a" & b').warnings).toEqual([told('{{ "a" & b')])
  expect(
    shown([
      ['heading', { text: 'A {{ b', level: 1 }],
      ['button', { text: 'Go {{ "c"', href: 'https://a.example/' }],
      ['footer', { text: 'Bye {{ d\n}}' }],
    ]).warnings,
  ).toEqual([told('{{ b'), told('{{ "c"'), told('{{ d')])
})

test('A broken placeholder is reported in a link that is rewritten.', () => {
  const document = checkDocument(
    {
      version: 1,
      settings: {},
      blocks: [{ id: 'a', type: 'text', props: { html: '<a href="https://a.example/{{ nope }}/{{x">x</a>' } }],
    },
    '',
  )
  const { warnings } = compileEmail({ document, subject: 'x', brand: BRAND, rewriteLink: () => 'https://t.example/' })
  expect(warnings.map(({ message }) => message)).toEqual([
    'There is no merge tag "nope".',
    'A merge tag is incomplete and stays as it is: "{{x".',
  ])
})

test('A broken placeholder is neither a single brace nor a brace in a quoted default.', () => {
  expect(one('<p>a { b } c {</p><p>{ d }}, {{{ contact.first_name }}}</p>').warnings).toEqual([])
  expect(one('<p>{{ contact.last_name | default: "a}b{c" }}</p>')).toEqual({
    html: 'a}b{c',
    text: 'a}b{c',
    warnings: [],
  })
  expect(one('<p>{{ contact.last_name | default: ‘:-}’ }}</p>').html).toBe(':-}')
  expect(
    shown([
      [
        'heading',
        { text: '{{ contact.last_name | default: "a}b" }} {{ contact.last_name | default: \'c}}d\' }}', level: 1 },
      ],
    ]),
  ).toEqual({ html: 'a}b c}}d', text: 'a}b c}}d', warnings: [] })
})
