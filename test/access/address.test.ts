import { expect, test } from 'bun:test'
import { addressBlock, networkOf } from '../../src/access/address.ts'

test('An IPv4 address counts as itself, an IPv6 address by its first half.', () => {
  expect(addressBlock('203.0.113.7')).toBe('203.0.113.7')
  expect(addressBlock('')).toBe('')
  for (const address of [
    '2001:db8:1:2::',
    '2001:db8:1:2::1',
    '2001:DB8:1:2:ffff:ffff:ffff:ffff',
    '2001:0db8:0001:0002:0:0:0:9',
    '2001:db8:1:2::192.0.2.1',
  ]) {
    expect(addressBlock(address)).toBe('2001:db8:1:2::/64')
  }
  expect(addressBlock('2001:db8:1:3::1')).toBe('2001:db8:1:3::/64')
  expect(addressBlock('2001:db8::1')).toBe('2001:db8:0:0::/64')
  expect(addressBlock('::1')).toBe('0:0:0:0::/64')
  expect(addressBlock('fe80::1%eth0')).toBe('fe80:0:0:0::/64')
  expect(addressBlock('1::2:3:4:5:6:7')).toBe('1:0:2:3::/64')
  expect(addressBlock('::ffff:cb00:7107')).not.toBe(addressBlock('::ffff:cb00:7108'))
})

test('The network of an address has the first three bytes of IPv4 and the first 48 bits of IPv6.', () => {
  expect(networkOf('203.0.113.77')).toBe('203.0.113.0/24')
  expect(networkOf('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1::/48')
  expect(networkOf('2001:db8::1')).toBe('2001:db8:0::/48')
  expect(networkOf('fe80::1%eth0')).toBe('fe80:0:0::/48')
  expect(networkOf('')).toBe('')
})
