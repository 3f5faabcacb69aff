import { expect, test } from 'bun:test'
import { isAligned } from '../../src/mail/sender-setup.ts'

test('Relaxed alignment compares the organizational domains, strict alignment the names.', () => {
  expect(isAligned('a.harbour.co.uk', 'b.harbour.co.uk')).toBe(true)
  expect(isAligned('harbour.co.uk', 'port.co.uk')).toBe(false)
  expect(isAligned('a.harbour.net', 'harbour.net', 's')).toBe(false)
  expect(isAligned('harbour.net', 'harbour.net', 's')).toBe(true)
  expect(isAligned('a.harbour.net', 'harbour.net', 'r')).toBe(true)
})
