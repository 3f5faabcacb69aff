import { expect, test } from 'bun:test'
import { slugOf } from '../../src/projects/slugs.ts'

test.each([
  ['Hello World', 'hello-world'],
  ['  Über Straßen & Co. ', 'uber-strassen-co'],
  ['Sølvpil i Łódź', 'solvpil-i-lodz'],
  ['ß æ œ ø ł đ ð þ ħ ı', 'ss-ae-oe-o-l-d-d-th-h-i'],
  ['Æ Œ Ø Ł Đ Ð Þ Ħ İ', 'ae-oe-o-l-d-d-th-h-i'],
  ['日本', 'untitled'],
  ['---', 'untitled'],
])('%j has the slug %j.', (title, slug) => {
  expect(slugOf(title, 200)).toBe(slug)
})

test('A slug is cut to its longest, and ends with no hyphen.', () => {
  expect([slugOf('ab cd', 4), slugOf('ab cd', 3), slugOf('ab cd', 2)]).toEqual(['ab-c', 'ab', 'ab'])
})
