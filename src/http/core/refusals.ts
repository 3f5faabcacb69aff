import type { Runtime } from '../../runtime.ts'
import { clientAddress, type Incoming } from './exchange.ts'
import { lineLimit } from './line-limit.ts'
import { trustedProxies } from './proxies.ts'

/** Wrong or ended credentials, a lack of rights, a request of another site, too many requests. */
const NOTED: ReadonlySet<number> = new Set([401, 403, 429])

/**
 * A function that logs refused requests (docs/operations.md#logs), with the declared path: a requested one may hold a
 * token. A request without any credentials is told to sign in, which is no event.
 */
export function refusalLog({ config, clock, log }: Pick<Runtime, 'config' | 'clock' | 'log'>) {
  const proxies = trustedProxies(config.trusted_proxies)
  const hasRoom = lineLimit(clock, (count) => log.warn('refused requests were not logged', { count }))
  return ({ request, server }: Omit<Incoming, 'params'>, path: string, response: Response): void => {
    const { headers, method } = request
    const { status } = response
    if (!NOTED.has(status) || (status === 401 && !headers.has('authorization') && !headers.has('cookie'))) return
    if (!hasRoom()) return
    const address = clientAddress(proxies, headers, server?.requestIP(request)?.address ?? '', log)
    log.info('refused', { request_id: response.headers.get('x-request-id'), method, route: path, status, address })
  }
}
