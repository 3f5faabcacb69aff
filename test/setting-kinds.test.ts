import { expect, test } from 'bun:test'
import * as kinds from '../src/setting-kinds.ts'

/** What a setting takes, and what it refuses. */
function check(parse: (text: string) => unknown, taken: readonly string[], refused: readonly string[]): void {
  for (const text of taken) expect(() => parse(text), text).not.toThrow()
  for (const text of refused) expect(() => parse(text), text).toThrow(/^expects /)
}

test('A whole number stays within its bounds.', () => {
  const { parse } = kinds.whole(5, 2, 10, '')
  expect([parse('2'), parse('10')]).toEqual([2, 10])
  check(parse, [], ['1', '11', '', '-3', '3.0', '0x5', ' 3', '1e1'])
})

test('Yes and no are true and false, or 1 and 0.', () => {
  const { parse } = kinds.yesNo(false, '')
  expect(['1', 'true', '0', 'false'].map(parse)).toEqual([true, true, false, false])
  check(parse, [], ['', 'yes', 'TRUE'])
})

test('A choice is one of its words, and its placeholder names them.', () => {
  const setting = kinds.oneOf(['a', 'b'], 'a', '')
  expect([setting.parse('b'), setting.placeholder]).toEqual(['b', 'a|b'])
  check(setting.parse, [], ['c', '', 'A'])
})

test('A text is as given, and may be declared a secret.', () => {
  expect(kinds.text('x', 'help', { secret: true })).toMatchObject({ default: 'x', secret: true, placeholder: 'TEXT' })
  expect(kinds.text('', '').parse(' a ')).toBe(' a ')
})

test('A web address is http or https without path, query, fragment and user, and loses its last slash.', () => {
  expect(kinds.webAddress('https://a.example/')).toBe('https://a.example')
  expect(kinds.webAddress('')).toBe('')
  check(
    kinds.webAddress,
    ['http://a.example:8080'],
    ['a.example', 'ftp://a.example', 'https://a.example/x', 'https://a.example?x', 'https://a.example#x'].concat([
      'https://u@a.example',
      'https://:p@a.example',
    ]),
  )
})

test('A database is a file or a libSQL server.', () => {
  check(
    kinds.databaseAddress,
    ['', 'file:x.db', 'libsql://a', 'http://a', 'https://a', 'ws://a', 'wss://a'],
    ['x.db', 'postgres://a', 'xfile:a'],
  )
})

test('A relay is smtp or smtps with a host, and names how it is encrypted.', () => {
  check(
    kinds.mailAddress,
    [
      '',
      'smtp://u:p@a.example:25',
      'smtps://a.example',
      ...['none', 'starttls', 'tls'].map((v) => `smtp://a?secure=${v}`),
    ],
    ['smtp://', 'http://a', 'smtp://a?secure=no', 'a.example'],
  )
})

test('A sender has only ASCII before the @.', () => {
  check(kinds.senderAddress, ['', 'a@b.example', "o'x+y@ü.example"], ['a', 'ü@b.example', 'a b@c', 'a@b c', '<a@b>'])
})

test('An issuer is an https address, or http on this machine.', () => {
  check(
    kinds.issuerAddress,
    ['', 'https://a.example/x', 'http://localhost:1', 'http://127.0.0.1', 'http://[::1]:5'],
    ['http://a.example', 'https://a.example?x', 'https://a.example#x', 'a', 'ftp://localhost'],
  )
})

test('The service listens on an IP address or a host name.', () => {
  check(
    kinds.listenAddress,
    ['127.0.0.1', '::', 'localhost', 'a-b.example', 'a'.repeat(253)],
    ['', '1.2.3', '999.1.1.1', 'a b', 'a..b', 'a'.repeat(254)],
  )
})

test('A list drops empty entries and blanks.', () => {
  expect(kinds.entriesOf(' a, ,b,,')).toEqual(['a', 'b'])
})

test('A network is an address with a length that fits it.', () => {
  check(
    kinds.networks,
    ['', '10.0.0.0/8', '10.0.0.1', '1.2.3.4/32, ::1/128', '::/0', '0.0.0.0/0'],
    ['10.0.0.0/33', '::/129', 'a/8', '10.0.0.0/', '10.0.0.0/8/8', '10.0.0.0/0008', 'x'],
  )
})

test('Host names have no port.', () => {
  check(
    kinds.hostNames,
    ['a.example, 127.0.0.1,[::1],::1', 'a_b', 'a'.repeat(253)],
    ['a:80', 'a b', '[a]', 'a.', 'a'.repeat(254)],
  )
})

test('A secret key has at least 32 bytes and no comma, each of several as well.', () => {
  check(kinds.secretKey, ['', 'x'.repeat(32), 'ü'.repeat(16)], ['x'.repeat(31), `${'x'.repeat(32)},`])
  check(kinds.secretKeys, ['', `${'x'.repeat(32)},${'y'.repeat(32)}`], [`${'x'.repeat(32)},y`])
})
