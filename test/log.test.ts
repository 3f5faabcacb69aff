import { expect, test } from 'bun:test'
import { createLog, errorFields } from '../src/log.ts'

const lines: string[] = []
const log = (level: 'debug' | 'info', format: 'json' | 'pretty') =>
  createLog(
    level,
    format,
    () => 0,
    (line) => lines.push(line),
  )

test('A line is written as JSON or text, and only at or above the configured level.', () => {
  lines.length = 0
  log('info', 'json').debug('quiet')
  log('info', 'json').warn('loud', { request_id: 'req_1', n: 2, left_out: undefined })
  log('debug', 'pretty').info('plain', { route: '/healthz' })
  expect(lines).toEqual([
    '{"time":"1970-01-01T00:00:00.000Z","level":"warn","message":"loud","request_id":"req_1","n":2}',
    '1970-01-01T00:00:00.000Z info  plain route=/healthz',
  ])
})

test('Lines of requests are written together, and before the next line of another kind.', () => {
  lines.length = 0
  const one = log('info', 'pretty')
  one.often('first')
  one.often('second')
  expect(lines).toEqual([])
  one.warn('third')
  const told = (...words: string[]) => words.map((word) => expect.stringMatching(new RegExp(` ${word}$`)))
  expect(lines.flatMap((line) => line.split('\n'))).toEqual(told('first', 'second', 'third'))
  for (let at = 0; at < 100; at++) one.often('x'.repeat(50))
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(4096)
  one.flush()
  expect(lines.flatMap((line) => line.split('\n'))).toHaveLength(103)
})

test('The parameters of a failed query are not logged.', () => {
  const cause = new Error('SQLITE_ERROR: no such table')
  const error = new Error('Failed query: insert into contacts values (?, ?)\nparams: ada@example.com,secret', { cause })
  const fields = JSON.stringify(errorFields(error))
  expect(fields).toContain('insert into contacts')
  expect(fields).toContain('no such table')
  expect(fields).not.toContain('ada@example.com')
})

test('A value from outside neither begins another line nor controls the terminal.', () => {
  lines.length = 0
  const reply = '550 no\r\n2026-01-01T00:00:00Z info  all is well\u001b[2K\u009b1A'
  log('info', 'pretty').warn('refused', { reply })
  log('info', 'json').warn('refused', { reply })
  for (const line of lines) expect(line).not.toMatch(/[\u0000-\u001f\u0080-\u009f]/)
})

test('The three innermost places of an error are logged, without lines of its message.', () => {
  const error = Object.assign(new Error('at first'), {
    stack:
      'Error: at first\n    at one (a.ts:1:1)\n    at two (b.ts:2:2)\n  at three (c.ts:3:3)\n    at four (d.ts:4:4)',
  })
  expect(errorFields(error)).toEqual({
    error: 'at first',
    cause: undefined,
    at: 'at one (a.ts:1:1) | at two (b.ts:2:2) | at three (c.ts:3:3)',
  })
})
