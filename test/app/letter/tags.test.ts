import { expect, test } from 'bun:test'
import { chipWords, splitTags, tagWords, textInWords, writeTag } from '../../../static/app/letter/tags.ts'
import { readPlaceholder } from '../../../src/shared/merge-tags.ts'

test('A text is split at its merge tags.', () => {
  expect(splitTags('Hello {{ contact.first_name | default: "dear reader" }}!')).toEqual([
    'Hello ',
    { name: 'contact.first_name', fallback: 'dear reader' },
    '!',
  ])
})

test.each(['reader', 'dear reader', ' spaced ', 'say "hi"', "it's", '{curly}', '“quoted”', ''])(
  'The service reads the fallback %j as it was written.',
  (fallback) => {
    const written = writeTag({ name: 'contact.city', fallback })
    expect(readPlaceholder(written.slice(2, -2)).fallback).toBe(fallback)
  },
)

test('Chips say what a tag stands for in words.', () => {
  expect(chipWords({ name: 'contact.first_name', fallback: 'reader' })).toBe('first name, else “reader”')
  expect(tagWords('unsubscribe_url')).toBe('unsubscribe link')
  expect(tagWords('contact.custom.home_port')).toBe('home port')
})

test('A text without anything around its tags has no empty pieces, and is told in words.', () => {
  expect(splitTags('{{ contact.email }}{{ date }}')).toHaveLength(2)
  expect(textInWords('Hello {{ contact.first_name }}!')).toBe('Hello [first name]!')
})

test('A fallback stands in quotes only where it must, and loses braces that no quotes can hold.', () => {
  const written = (fallback: string) => writeTag({ name: 'date', fallback })
  expect(written('dear reader')).toBe('{{ date | default: dear reader }}')
  expect(written('')).toBe('{{ date }}')
  expect(written('{{x')).toBe('{{ date | default: "{x" }}')
  expect(written(` {"it's"} `)).toBe(`{{ date | default: "it's" }}`)
})
