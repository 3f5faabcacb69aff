import { expect, test } from 'bun:test'
import { plainAddress, trustedProxies } from '../../../src/http/core/proxies.ts'

test.each([
  [
    '10.0.0.0/8, 127.0.0.1, fd00::/8, ::1',
    {
      '10.1.2.3': true,
      '127.0.0.1': true,
      '127.0.0.2': false,
      '11.0.0.1': false,
      'fd12::1': true,
      'fe80::1': false,
      '::1': true,
      '::ffff:10.1.1.1': true,
      '::ffff:11.1.1.1': false,
      '': false,
      nonsense: false,
    },
  ],
  ['', { '127.0.0.1': false, '': false }],
  ['2001:db8::1/128', { '2001:db8::1': true, '2001:db8::2': false }],
  ['10.0.0.7/32', { '10.0.0.7': true, '10.0.0.6': false }],
  ['10.0.0.0/x, proxy.example, 10.0.0.1', { '10.0.0.1': true, '10.0.0.2': false }],
  ['0.0.0.0/0', { '192.0.2.1': true, '::1': false }],
])('The setting %j trusts only the proxies that it names.', (setting, addresses) => {
  const proxies = trustedProxies(setting)
  for (const [address, trusted] of Object.entries(addresses))
    expect([address, proxies.has(address)]).toEqual([address, trusted])
})

test('An IPv4-mapped IPv6 address is read as IPv4.', () => {
  expect(plainAddress('::ffff:192.0.2.1')).toBe('192.0.2.1')
  expect(plainAddress('2001:db8::1')).toBe('2001:db8::1')
})
