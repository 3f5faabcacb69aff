import { afterAll, beforeAll, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { createWorld, type World } from '../../support/world.ts'

/** How a request is cut out of its connection (RFC 9112, 6.3), and bodies in a coding. */

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

/** Everything that a connection answers to these bytes. */
function answerTo(bytes: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  let answer = ''
  const socket = connect(Number(new URL(world.url).port), '127.0.0.1', () => socket.write(bytes, 'latin1'))
  socket.on('data', (chunk) => (answer += chunk.toString('latin1')))
  socket.on('error', () => resolve(answer))
  socket.on('close', () => resolve(answer))
  return promise
}

/** A login with these headers, and a second request in the same bytes. */
const login = (headers: string[], body: string) =>
  [
    'POST /user/login HTTP/1.1',
    'Host: localhost',
    'Content-Type: application/json',
    ...headers,
    '',
    `${body}GET /healthz HTTP/1.1`,
    'Host: localhost',
    'Connection: close',
    '',
    '',
  ].join('\r\n')

test('One length frames a body, and the request behind it is answered as well.', async () => {
  const answer = await answerTo(login(['Content-Length: 2'], '{}'))
  expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 400', 'HTTP/1.1 200'])
})

test.each([
  ['two different lengths', ['Content-Length: 2', 'Content-Length: 40'], '{}'],
  ['a length beside chunks', ['Content-Length: 2', 'Transfer-Encoding: chunked'], '2\r\n{}\r\n0\r\n\r\n'],
  ['a length that is no number', ['Content-Length: 2x'], '{}'],
  ['a negative length', ['Content-Length: -2'], '{}'],
  ['a chunk without a length', ['Transfer-Encoding: chunked'], 'x\r\n{}\r\n0\r\n\r\n'],
  ['a chunk that is longer than it says', ['Transfer-Encoding: chunked'], '1\r\n{}\r\n0\r\n\r\n'],
])('A request with %s is refused, and nothing behind it is answered.', async (_, headers, body) => {
  const answer = await answerTo(login(headers, body))
  expect(answer).not.toContain('"ok"')
  expect(answer).not.toContain('HTTP/1.1 2')
})

test('A body in a content coding is not decoded.', async () => {
  const response = await world.fetch('/user/login', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
    body: Bun.gzipSync('{"email":"owner@example.com","password":"x"}'),
  })
  expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('not valid JSON')])
})
