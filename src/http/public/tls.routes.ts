import { Type } from '@sinclair/typebox'
import { AppError } from '../../errors.ts'
import { obj } from '../../schema.ts'
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
    query: Type.Object({ domain: Type.Optional(Type.String({ description: 'The host name.' })) }),
    response: obj({ status: Type.Literal('served') }),
    errors: ['NOT_FOUND'],
    async read({ domain = null }) {
      const host = readHost(domain)
      if (host === null || !(await isServed(host))) throw new AppError('NOT_FOUND', 'This host is not served here.')
      return { status: 'served' as const }
    },
  })
}
