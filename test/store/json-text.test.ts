import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { jsonText } from '../../src/store/json-text.ts'

test.each([
  ['whole texts', ['a', '😀', 'é', '\\ud83d', '\\\\ud83d', 'line\nbreak', '"\\']],
  ['nested values', { a: [1, null, { b: true }], ü: '\u0000' }],
])('A text is JSON as anybody writes it: %s.', (_, value) => {
  expect(jsonText(value)).toBe(JSON.stringify(value))
})

test.each([
  '😀'.slice(0, 1),
  '😀'.slice(1),
  'x😀'.slice(0, 2),
  '\\😀'.slice(0, 2),
  '\\\\😀'.slice(0, 3),
  '\udfff\ud800',
  '😀\ud83d',
])('Half a pair is told by U+FFFD: %j.', (text) => {
  expect(JSON.parse(jsonText([text, { [text]: text }]))).toEqual([
    text.toWellFormed(),
    { [text.toWellFormed()]: text.toWellFormed() },
  ])
  // What SQLite takes out of it is UTF-8.
  const [row] = new Database(':memory:').query('SELECT hex(?1 ->> 0) AS hex').all(jsonText([text])) as { hex: string }[]
  expect(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(row!.hex, 'hex'))).toBe(text.toWellFormed())
})
