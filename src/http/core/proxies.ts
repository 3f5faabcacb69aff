import { BlockList, isIP } from 'node:net'

/** The proxies whose X-Forwarded-For is believed: addresses and networks, IPv4 and IPv6. */
export interface TrustedProxies {
  has(address: string): boolean
}

/** Reads `trusted_proxies`: addresses or networks, separated by commas. */
export function trustedProxies(setting: string): TrustedProxies {
  const list = setting === '' ? null : readList(setting)
  return {
    has(given) {
      if (list === null) return false
      const address = plainAddress(given)
      const family = familyOf(address)
      return family !== null && list.check(address, family)
    },
  }
}

function readList(setting: string): BlockList {
  const list = new BlockList()
  for (const [address = '', length] of setting.split(',').map((entry) => entry.trim().split('/'))) {
    const family = familyOf(address)
    if (family === null || (length !== undefined && !/^\d{1,3}$/.test(length))) continue
    if (length === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(length), family)
  }
  return list
}

function familyOf(address: string): 'ipv4' | 'ipv6' | null {
  const version = isIP(address)
  return version === 0 ? null : version === 4 ? 'ipv4' : 'ipv6'
}

/** An IPv4-mapped IPv6 address (RFC 4291, 2.5.5.2) as an IPv4 address; any other unchanged. */
export function plainAddress(address: string): string {
  return address.startsWith('::ffff:') ? address.slice(7) : address
}
