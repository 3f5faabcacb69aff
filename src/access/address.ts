import { isIPv6 } from 'node:net'

/**
 * What a limit counts an address as. Whoever has one IPv6 address has 2^64 of them (RFC 6177), so the first half of
 * it counts; an IPv4 address counts as itself.
 */
export function addressBlock(address: string): string {
  const bare = address.split('%', 1)[0]! // without the interface of a link-local one
  if (!isIPv6(bare)) return address
  const canonical = new URL(`http://[${bare}]`).hostname.slice(1, -1)
  if (canonical.startsWith('::ffff:')) return canonical // IPv4 in IPv6 (RFC 4291, 2.5.5.2)
  const [front = '', back] = canonical.split('::')
  const groups = front === '' ? [] : front.split(':')
  const behind = back === undefined || back === '' ? 0 : back.split(':').length
  const zeros = Array.from({ length: 8 - groups.length - behind }, () => '0')
  return `${[...groups, ...(back === undefined ? [] : [...zeros, ...back.split(':')])].slice(0, 4).join(':')}::/64`
}
