import { lookup } from 'node:dns/promises'
import { request, type RequestOptions } from 'node:https'
import { BlockList, isIP } from 'node:net'

/**
 * Fetching for others: an address that came from outside must not lead into this machine or its networks. Every
 * address a name has is looked at, and the connection is made to one that was (a name may answer otherwise the next
 * time). https alone, no redirects, a small text, not for long.
 */
const PATIENCE_MS = 5_000
const MOST_BYTES = 64 * 1024

export interface Fetched {
  status: number
  text: string
}

/** What an https address answers to GET. Rejects when it leads to a private address, takes too long or says too much. */
export async function fetchPublic(address: string): Promise<Fetched> {
  const host = new URL(address).hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) && isPrivateAddress(host)) throw refusal(host)
  return fetchText(address, { lookup: publicLookup })
}

/** @param way how the host is found and trusted */
export async function fetchText(address: string, way: Pick<RequestOptions, 'lookup' | 'ca'>): Promise<Fetched> {
  const url = new URL(address)
  if (url.protocol !== 'https:') throw new Error('Only https addresses are fetched.')
  return new Promise((resolve, reject) => {
    const asked = request(url, { ...way, signal: AbortSignal.timeout(PATIENCE_MS) }, (response) => {
      const chunks: Buffer[] = []
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes <= MOST_BYTES) chunks.push(chunk)
        else asked.destroy(new Error('The answer is too long.'))
      })
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }),
      )
      response.on('error', reject)
    })
    asked.on('error', reject)
    asked.end()
  })
}

type Found = (error: Error | null, addresses: { address: string; family: number }[]) => void

/** As the system's, and it fails when one of the addresses is private. */
export function publicLookup(host: string, _options: unknown, found: Found): void {
  lookup(host, { all: true }).then(
    (addresses) => {
      const closed = addresses.find(({ address }) => isPrivateAddress(address))
      found(closed ? refusal(host) : null, closed ? [] : addresses)
    },
    (error: Error) => found(error, []),
  )
}

function refusal(host: string): Error {
  return new Error(`${host} is in a private network.`)
}

const PRIVATE = new BlockList()
for (const network of [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '224.0.0.0/3',
]) {
  PRIVATE.addSubnet(...subnet(network), 'ipv4')
}
for (const network of ['::/127', '64:ff9b::/32', 'fc00::/7', 'fe80::/10', 'ff00::/8'])
  PRIVATE.addSubnet(...subnet(network), 'ipv6')

function subnet(network: string): [string, number] {
  const [address = '', bits] = network.split('/')
  return [address, Number(bits)]
}

/** Whether an IP address is this machine's, a private network's, or nobody's (RFC 6890). */
export function isPrivateAddress(address: string): boolean {
  return PRIVATE.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}
