import { expect, test } from 'bun:test'
import { oneLine } from '../src/one-line.ts'

test('Control characters and line separators become one space, so that a value cannot begin another line.', () => {
  expect(oneLine(' Tides\r\nBcc: all@example.com\t ')).toBe('Tides Bcc: all@example.com')
  expect(oneLine('a\u0085b\u2028c\u2029d\u0000\u009fe')).toBe('a b c d e')
})

test('Spaces inside stay, and half of a surrogate pair is replaced.', () => {
  expect(oneLine('a  b')).toBe('a  b')
  expect(oneLine('\ud83c')).toBe('\ufffd')
})
