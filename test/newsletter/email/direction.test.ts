import { expect, test } from 'bun:test'
import { directionFor, directionOfLine, withDirections } from '../../../src/newsletter/email/direction.ts'

test('A text runs in the direction of its first letter, which no digit, sign or merge tag decides.', () => {
  const texts = ['abc שלום', 'שלום abc', '12, «مرحبا» x', '{{ contact.first_name }}, שלום', '{{ date }} 12', '😀 ދި']
  expect(texts.map((text) => directionFor(text, 'auto', 'ltr'))).toEqual(['ltr', 'rtl', 'rtl', 'rtl', 'ltr', 'rtl'])
  expect(directionFor('12', undefined, 'rtl')).toBe('rtl')
  expect(directionFor('abc', 'rtl', 'ltr')).toBe('rtl')
  expect(directionOfLine('&nbsp;<b>שלום</b>')).toBe('rtl')
  expect(directionOfLine('<p>שלום</p>')).toBeNull()
})

test.each([
  ['<p>abc</p><p>שלום</p><p>12</p>', '<p>abc</p><p dir="rtl">שלום</p><p>12</p>'],
  ['<p dir="auto">שלום</p><p dir="ltr">שלום</p>', '<p dir="rtl">שלום</p><p>שלום</p>'],
  // A list decides for its items, and a quote for its edge only.
  [
    '<ul><li>שלום</li><li>abc<ol><li>x</li></ol></li></ul>',
    '<ul dir="rtl"><li>שלום</li><li>abc<ol><li>x</li></ol></li></ul>',
  ],
  [
    '<blockquote><p>שלום</p><p>abc</p></blockquote>',
    '<blockquote dir="rtl"><p>שלום</p><p dir="ltr">abc</p></blockquote>',
  ],
  // What was chosen holds for all that is inside.
  ['<div dir="rtl"><p>abc</p></div>', '<div dir="rtl"><p>abc</p></div>'],
  ['<div><p dir="rtl">abc</p>xyz</div>', '<div><p dir="rtl">abc</p>xyz</div>'],
  ['<p>a <span dir="rtl">x</span><br>b</p>', '<p>a <span dir="rtl">x</span><br>b</p>'],
  ['<table><tr><td>שלום</td><td>1</td></tr></table>', '<table><tr><td dir="rtl">שלום</td><td>1</td></tr></table>'],
])('Elements say where they run another way than what is around them: %s.', (html, written) => {
  expect(withDirections(html, 'ltr')).toBe(written)
})

test('In a letter that runs from right to left, texts from left to right say so.', () => {
  expect(withDirections('<p>abc</p><p>שלום</p>', 'rtl')).toBe('<p dir="ltr">abc</p><p>שלום</p>')
})
