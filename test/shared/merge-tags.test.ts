import { expect, test } from 'bun:test'
import { MERGE_TAGS, PLACEHOLDER, readPlaceholder, SAMPLE_VALUES } from '../../src/shared/merge-tags.ts'

const found = (text: string) => [...text.matchAll(PLACEHOLDER)].map(([, inside]) => inside)

test('A placeholder has a tag and may have a default in straight, curly or no quotes.', () => {
  for (const quoted of ['dear reader', '"dear reader"', "'dear reader'", '“dear reader”', '‘dear reader’'])
    expect(readPlaceholder(` contact.first_name | default : ${quoted} `)).toEqual({
      tag: 'contact.first_name',
      fallback: 'dear reader',
      known: true,
    })
  expect(readPlaceholder('date')).toEqual({ tag: 'date', fallback: '', known: true })
  expect(readPlaceholder('date|default:"a').fallback).toBe('"a')
  expect(readPlaceholder('date|default:"a\nb"').fallback).toBe('a\nb')
  expect(readPlaceholder('\u200B\u2060date\u200B').tag).toBe('date')
})

test('A tag is known by its whole name, and a custom field by the form of its key.', () => {
  const known = (inside: string) => readPlaceholder(inside).known
  expect(['contact.email', 'view_url', 'contact.custom.city_1', `contact.custom.${'a'.repeat(40)}`].map(known)).toEqual(
    [true, true, true, true],
  )
  for (const tag of [
    'contact.custom.KEY',
    'contact.custom.',
    'contact.custom.City',
    `contact.custom.${'a'.repeat(41)}`,
    'email',
    'Date',
    'a b',
    '',
    'date | upper',
  ])
    expect([tag, known(tag)]).toEqual([tag, false])
  expect(readPlaceholder(' a b ')).toEqual({ tag: 'a b', fallback: '', known: false })
})

test('Placeholders are found between double braces, with braces only in a quoted default.', () => {
  expect(found('{{a}} {{ b }} {c} {{{d}}} {{}}')).toEqual(['a', ' b ', 'd', ''])
  expect(found('{{ a | default: "}}" }}')).toEqual([' a | default: "}}" '])
  expect(found('{{ a | default: &#x27;{x}&#x27; }}{{b | default:&quot;}&quot;}}')).toHaveLength(2)
  expect(found('{{ a | default: {x} }}')).toEqual([])
  expect(found(`{{${'a'.repeat(500)}}}`)).toHaveLength(1)
  expect(found(`{{${'a'.repeat(501)}}}`)).toHaveLength(0)
  expect(found('{{ a {{ b }}')).toEqual([' b '])
})

test('Each listed tag is known, and so is the tag of its example.', () => {
  for (const { tag, example } of MERGE_TAGS) {
    const [inside] = found(example)
    expect([tag, readPlaceholder(inside!).known]).toEqual([tag, true])
    expect(readPlaceholder(inside!).tag).toStartWith(tag.replace('KEY', ''))
  }
  for (const tag of Object.keys(SAMPLE_VALUES)) expect([tag, readPlaceholder(tag).known]).toEqual([tag, true])
})
