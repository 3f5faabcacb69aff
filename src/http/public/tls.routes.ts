import { AppError } from '../../errors.ts'
import { json } from '../core/exchange.ts'
import { readHost } from '../core/hosts.ts'
import { route } from '../core/route.ts'
import type { HostedPages } from './hosted-pages.ts'

/** The route that a proxy asks before it requests a certificate for a host name (docs/operations.md#certificates). */
export function tlsRoute({ isServed }: HostedPages) {
  return route({
    method: 'GET',
    path: '/general/tls/ask',
    summary: 'Whether a host name is served here: 200, or 404.',
    auth: 'public',
    response: 'text',
    media_type: 'application/json',
    async respond({ url }) {
      const host = readHost(url.searchParams.get('domain'))
      if (host === null || !(await isServed(host))) throw new AppError('NOT_FOUND', 'This host is not served here.')
      return json(200, { status: 'served' })
    },
  })
}
