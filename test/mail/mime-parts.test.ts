import { expect, test } from 'bun:test'
import { decodedField, fieldOf, readMessage, textOf } from '../../src/mail/mime-parts.ts'

const partsOf = (text: string) => readMessage(Buffer.from(text, 'latin1')).parts
const mixed = (boundary: string, body: string) => `Content-Type: multipart/mixed; boundary=${boundary}\n\n${body}`

test('Parts are found by whole boundaries, and the last one ends with a message that was cut off.', () => {
  const parts = partsOf(mixed('ab', '--ab\n\none\n--abc\nstill one\n--ab  \nX-Name: 2\n\ntwo\r\n--ab\r\n\r\nthr'))
  expect(parts.map(({ body }) => body)).toEqual(['one\n--abc\nstill one', 'two', 'thr'])
  expect(fieldOf(parts[1]!.header, 'x-name')).toBe('2')
  expect(partsOf(mixed('"a b"', 'before\n--a b\n\none\n--a b--\n--a b\nafter')).map(({ body }) => body)).toEqual([
    'one',
  ])
})

test('A message has at most 50 parts and 8 levels, whatever it claims.', () => {
  expect(partsOf(mixed('a', '--a\n\nx\n'.repeat(500)))).toHaveLength(50)
  const nested = Array.from({ length: 40 }, (_, level) => mixed(`b${level}`, `--b${level}\n`)).join('')
  expect(partsOf(nested)).toMatchObject([{ type: 'multipart/mixed', body: expect.stringContaining('--b8') }])
})

test('A header counts up to 64 KiB, and a message without structure is one part of text.', () => {
  const { header } = readMessage(Buffer.from(`${`X-Header: ${'v'.repeat(90)}\r\n`.repeat(2500)}Subject: late\r\n\r\nx`))
  expect(header.get('x-header')!.length).toBeLessThan(700)
  expect(fieldOf(header, 'subject')).toBe('')
  for (const text of ['', '\n', 'no header', '\u0000\u00ff', 'Content-Type: multipart/mixed\n\nno boundary'])
    expect(partsOf(text)).toHaveLength(1)
})

test('The text of a part is decoded by its transfer encoding.', () => {
  const part = (encoding: string, body: string) =>
    textOf(partsOf(`Content-Transfer-Encoding: ${encoding}\n\n${body}`)[0]!)
  expect(part('BASE64', 'R3LDv\nMOfZQ==')).toBe('Grüße')
  expect(part('quoted-printable', 'Gr=C3=BC=C3=9F=\ne=3D')).toBe('Grüße=')
  expect(part('8bit', Buffer.from('Grüße').toString('latin1'))).toBe('Grüße')
})

test('Encoded words become text, and those that cannot be decoded stay.', () => {
  expect(decodedField('=?UTF-8?Q?Gr=C3=BC=C3=9Fe?=\n =?iso-8859-1?b?IGRpcg==?= !')).toBe('Grüße dir !')
  expect(decodedField('=?x-unknown?Q?a?=')).toBe('=?x-unknown?Q?a?=')
})
