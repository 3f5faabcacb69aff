import { lookup } from 'node:dns/promises'
import { request, type RequestOptions } from 'node:https'
import { BlockList, isIP } from 'node:net'
import { once } from './once.ts'

/*
 * Fetches URLs that come from outside. They must not lead to this machine or its private networks: every IP address of
 * the host name is checked, and the connection uses a checked address, because a second lookup could return another.
 * Only https, no redirects, and limits on size and time.
 */
const TIMEOUT_MS = 5_000
const MAX_BYTES = 64 * 1024

interface Fetched {
  status: number
  text: string
  /** The Content-Type of the response; left out when it has none. */
  type?: string
}

/** The request to send; a GET by default. */
interface Sent extends Pick<RequestOptions, 'method'> {
  headers?: Record<string, string>
  body?: string
}

/** Calls an https URL. Rejects for a private address, a timeout, an incomplete response or one above MAX_BYTES. */
export async function fetchPublic(address: string, sent: Sent = {}): Promise<Fetched> {
  const host = new URL(address).hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) && isPrivateAddress(host)) throw refusal(host)
  return fetchText(address, { lookup: publicLookup }, sent)
}

/** As `fetchPublic`, without the check of IP addresses. `way` has the DNS lookup and the trusted certificates. */
export async function fetchText(
  address: string,
  way: Pick<RequestOptions, 'lookup' | 'ca'>,
  { body, ...sent }: Sent = {},
): Promise<Fetched> {
  const url = new URL(address)
  if (url.protocol !== 'https:') throw new Error('Only https addresses are fetched.')
  return new Promise((resolve, reject) => {
    const asked = request(url, { ...way, ...sent, signal: AbortSignal.timeout(TIMEOUT_MS) }, (response) => {
      const chunks: Buffer[] = []
      let bytes = 0
      response.on('error', reject)
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        bytes += chunk.length
        if (bytes <= MAX_BYTES) return
        reject(new Error('The answer is too long.'))
        // destroy() without an error: Bun would throw it where no listener can catch it.
        asked.destroy()
      })
      response.on('end', () => {
        if (response.complete)
          resolve({
            status: response.statusCode ?? 0,
            text: Buffer.concat(chunks).toString('utf8'),
            type: response.headers['content-type'],
          })
      })
      response.on('close', () => reject(new Error('The connection was closed.')))
    })
    asked.on('error', reject)
    asked.end(body)
  })
}

type Found = (error: Error | null, addresses: { address: string; family: number }[]) => void

/** The system's lookup, which fails when any of the addresses is private. */
export function publicLookup(host: string, _options: unknown, found: Found): void {
  lookup(host, { all: true }).then(
    (addresses) => {
      const hasPrivate = addresses.some(({ address }) => isPrivateAddress(address))
      found(hasPrivate ? refusal(host) : null, hasPrivate ? [] : addresses)
    },
    (error: Error) => found(error, []),
  )
}

function refusal(host: string): Error {
  return new Error(`${host} is in a private network.`)
}

const privateNetworks = once(() => {
  const networks = new BlockList()
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
    networks.addSubnet(...subnet(network), 'ipv4')
  }
  for (const network of [
    '::/96', // this machine, and IPv4 addresses in an obsolete form (RFC 4291, 2.5.5.1)
    '::ffff:0:0:0/96', // IPv4 addresses behind a translator (RFC 2765)
    '64:ff9b::/32', // IPv4 addresses behind a translator (RFC 6052, RFC 8215)
    '100::/64', // discarded (RFC 6666)
    '2001::/32', // IPv4 addresses in a Teredo tunnel (RFC 4380)
    '2002::/16', // IPv4 addresses in a 6to4 tunnel (RFC 3056)
    'fc00::/7',
    'fe80::/10',
    'fec0::/10', // site-local (RFC 3879)
    'ff00::/8',
  ])
    networks.addSubnet(...subnet(network), 'ipv6')
  return networks
})

function subnet(network: string): [string, number] {
  const [address = '', bits] = network.split('/')
  return [address, Number(bits)]
}

/** Whether an IP address belongs to this machine, a private network or no host at all (RFC 6890). */
export function isPrivateAddress(address: string): boolean {
  return privateNetworks().check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}
