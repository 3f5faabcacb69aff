import { expect, test } from 'bun:test'
import type { AppError } from '../../src/errors.ts'
import { Raw, readTemplate, renderTemplate, type Values } from '../../src/sites/site-template.ts'

const NAMES = { title: 'often', body: 'once', posts: { 'post.title': 'often', 'post.author': 'often' } } as const
const render = (html: string, values: Values) => renderTemplate(readTemplate(html, NAMES), values)
const refusal = (html: string) => {
  try {
    readTemplate(html, NAMES)
    return null
  } catch (error) {
    return ((error as AppError).details as { message: string }[])[0]!.message
  }
}

test('A value is escaped for texts and attributes, and HTML stands as it is.', () => {
  const values = { title: `<b title='"'>&`, body: new Raw('<p>Body</p>') }
  expect(render('<a title="{{ title }}">{{body}}</a> { {', values)).toBe(
    '<a title="&lt;b title=&#x27;&quot;&#x27;&gt;&amp;"><p>Body</p></a> { {',
  )
  expect(render('{{ title }}|', {})).toBe('|')
})

test('A section stands for each entry of a list, or where a value is not empty, or where it is.', () => {
  const posts = [
    { 'post.title': 'A', 'post.author': 'Ann' },
    { 'post.title': 'B', 'post.author': '' },
  ]
  const html =
    '{{#posts}}{{ title }}/{{ post.title }}{{#post.author}} by {{ post.author }}{{/post.author}};{{/posts}}' +
    '{{^posts}}none{{/posts}}{{# title }}!{{/ title }}{{^title}}?{{/title}}'
  expect(render(html, { title: 'T', posts })).toBe('T/A by Ann;T/B;!')
  expect(render(html, { title: '', posts: [] })).toBe('none?')
  expect(render('{{#body}}has{{/body}}{{^body}}none{{/body}}', { body: new Raw('') })).toBe('none')
})

test('Within a list the name of an entry stands before the same name outside.', () => {
  const names = { title: 'often', posts: { title: 'once' } } as const
  const template = readTemplate('{{ title }}{{ title }}{{#posts}}{{ title }}{{/posts}}', {
    ...{ title: 'often', posts: { title: 'often' } },
  })
  expect(renderTemplate(template, { title: 'A', posts: [{ title: 'B' }, {}] })).toBe('AABA')
  expect(() => readTemplate('{{#posts}}{{ title }}{{ title }}{{/posts}}', names)).toThrow()
})

test('A page has at most 3,000,000 characters, however long the values are that a template repeats.', () => {
  const posts = Array.from({ length: 20 }, () => ({ 'post.title': '&'.repeat(2000) }))
  const page = render(`{{#posts}}${'{{post.title}}'.repeat(190)}{{/posts}}`, { posts })
  expect(page).toBe('&amp;'.repeat(600_000))
})

test('Two hundred placeholders and ten levels of sections can be read.', () => {
  expect(refusal('{{title}}'.repeat(200))).toBeNull()
  expect(refusal('{{#title}}'.repeat(10) + '{{/title}}'.repeat(10))).toBeNull()
  expect(refusal('{{#title}}'.repeat(11) + '{{/title}}'.repeat(11))).toBe(
    'Line 1: Sections nest deeper than 10 levels.',
  )
})

test('A template that cannot be read is refused with the line and what is wrong there.', () => {
  expect([
    refusal('\n\n{{ titel }}'),
    refusal('{{ post.title }}'),
    refusal('{{ posts }}'),
    refusal('{{#title}}'),
    refusal('{{#title}}{{/posts}}'),
    refusal('{{/title}}'),
    refusal('{{ title'),
    refusal('{{ a b }}'),
    refusal('{{ constructor }}'),
    refusal('{{#title}}'.repeat(12)),
    refusal('{{title}}'.repeat(201)),
    refusal('{{#posts}}{{#title}}{{#posts}}'),
    refusal('{{ body }}{{#body}}{{/body}}\n{{ body }}'),
  ]).toEqual([
    'Line 3: {{ titel }} is no placeholder here.',
    'Line 1: {{ post.title }} is no placeholder here.',
    'Line 1: {{ posts }} is a list: write {{#posts}} and {{/posts}}.',
    '{{#title}} has no {{/title}}.',
    'Line 1: {{/posts}} closes no {{#posts}}.',
    'Line 1: {{/title}} closes no {{#title}}.',
    'Line 1: {{ has no }}.',
    'Line 1: {{ begins a placeholder, which has a name.',
    'Line 1: {{ constructor }} is no placeholder here.',
    'Line 1: Sections nest deeper than 10 levels.',
    'Line 1: There are more than 200 placeholders.',
    'Line 1: {{#posts}} stands inside a list.',
    'Line 2: {{ body }} stands in the template already.',
  ])
})
