import { isIP } from 'node:net'
import { entriesOf } from '../../setting-kinds.ts'
import type { Runtime } from '../../runtime.ts'
import type { TrustedProxies } from './proxies.ts'

/** A host of RFC 3986, 3.2.2, without user information and percent encoding, and its port. */
const HOST = /^(\[[0-9a-f:.]{2,45}\]|[a-z0-9_-]+(?:\.[a-z0-9_-]+)*)\.?(?::(\d{0,5}))?$/i
const MAX_CHARACTERS = 260

/**
 * The host of a Host header in lower case, without port and trailing dot; null for a malformed or missing one and for
 * several of them, which Bun joins by commas (RFC 9112, 3.2).
 */
export function readHost(header: string | null): string | null {
  if (header === null || header.length > MAX_CHARACTERS) return null
  const [, host, port] = HOST.exec(header.trim()) ?? []
  return host === undefined || Number(port ?? 0) > 65_535 ? null : host.toLowerCase()
}

interface Asking {
  request: Request
  server: { requestIP(request: Request): { address: string } | null } | null
}

/**
 * The host that a request is for; null when it is malformed. X-Forwarded-Host counts only when it comes from a trusted
 * proxy. The Host header must be well-formed in any case, because Bun and Elysia read the path behind it.
 */
export function requestedHost({ request, server }: Asking, proxies: TrustedProxies): string | null {
  const own = readHost(request.headers.get('host'))
  const forwarded = request.headers.get('x-forwarded-host')
  if (own === null || forwarded === null || !proxies.has(server?.requestIP(request)?.address ?? '')) return own
  return readHost(forwarded.split(',', 1)[0]!)
}

/** The names of the service besides those of this machine: the host of the base URL and `MASTHEAD_HOSTS`. */
export function serviceNames({ base_url, config }: Pick<Runtime, 'base_url' | 'config'>): ReadonlySet<string> {
  if (known?.base_url !== base_url || known.hosts !== config.hosts) {
    const names = entriesOf(config.hosts.toLowerCase()).map((entry) => (isIP(entry) === 6 ? `[${entry}]` : entry))
    known = { base_url, hosts: config.hosts, names: new Set([new URL(base_url).hostname, ...names]) }
  }
  return known.names
}

/** The names of the last runtime: parsing the base URL for each request would cost time. */
let known: { base_url: string; hosts: string; names: ReadonlySet<string> } | undefined
