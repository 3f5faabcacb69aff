import { expect, test } from 'bun:test'
import { withScheme } from '../../../static/app/ui/web-address.ts'

test.each([
  ['example.com', 'https://example.com'],
  [' news.example.com/a?b#c ', 'https://news.example.com/a?b#c'],
  ['example.com:8080/x', 'https://example.com:8080/x'],
  ['localhost:3000/callback', 'http://localhost:3000/callback'],
  ['127.0.0.1:3000', 'http://127.0.0.1:3000'],
  ['http://example.com', 'http://example.com'],
  ['com.example.app:/callback', 'com.example.app:/callback'],
  ['/thanks', '/thanks'],
  ['two words.com', 'two words.com'],
  ['ada@example.com', 'ada@example.com'],
  ['plain', 'plain'],
  ['', ''],
])('%j is completed to %j.', (typed, whole) => {
  expect(withScheme(typed)).toBe(whole)
})
