import { isIPv6 } from 'node:net'

/**
 * The part of an address that limits count by. A holder of one IPv6 address usually has 2^64 of them (RFC 6177), so
 * only its first half counts; an IPv4 address counts whole.
 */
export function addressBlock(address: string): string {
  const bare = address.split('%', 1)[0]! // drops the zone of a link-local address
  if (!isIPv6(bare)) return address
  const groups = groupsOf(bare)
  const isIPv4 = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff // RFC 4291, 2.5.5.2
  return isIPv4
    ? bare
    : `${groups
        .slice(0, 4)
        .map((group) => group.toString(16))
        .join(':')}::/64`
}

/**
 * The network of an address, for what outlives the person behind it: the first three bytes of an IPv4 address, the
 * first 48 bits of an IPv6 address.
 */
export function networkOf(address: string): string {
  const bare = addressBlock(address)
  const groups = isIPv6(bare.replace(/\/64$/, '')) ? bare.split(':') : null
  return groups ? `${groups.slice(0, 3).join(':')}::/48` : bare.replace(/\.\d+$/, '.0/24')
}

/** The eight groups of an IPv6 address. An IPv4 suffix counts as zeros, because it is never in the first half. */
function groupsOf(address: string): number[] {
  const [front = [], back = []] = address
    .replace(/\d+(\.\d+){3}$/, '0:0')
    .split('::')
    .map((half) =>
      half
        .split(':')
        .filter(Boolean)
        .map((group) => parseInt(group, 16)),
    )
  return [...front, ...Array.from({ length: 8 - front.length - back.length }, () => 0), ...back]
}
