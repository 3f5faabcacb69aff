import { networkOf } from '../../access/address.ts'
import { auditedStore, type Origin } from '../../audit/record.ts'
import type { Runtime } from '../../runtime.ts'
import type { Store } from '../../store/open.ts'
import type { Exchange } from './exchange.ts'
import type { Route } from './route.ts'

/** The audit log of the routes (docs/api/audit.md). Handlers only add notes. */
interface Call {
  runtime: Runtime
  route: Route
  exchange: Exchange
}

/**
 * The store of a handler without an authenticated caller. Its writes leave rows by a `visitor`, unless they note more.
 * A request that only reads leaves a row only when a write notes one, such as the sign-in that a redirect completes.
 */
export function storeOf({ runtime, route, exchange }: Call): Store {
  // The pipeline of the newsletter operations writes rows of its own.
  if (route.auth === 'api') return runtime.store
  const reads = exchange.request.method === 'GET' || exchange.request.method === 'HEAD'
  return auditedStore(
    runtime.store,
    () => originOf({ runtime, route, exchange }, 'visitor'),
    !reads && route.audit.rows === 'all',
  )
}

/** Who acts by which route and from where, as all rows of a request say. */
export function originOf({ runtime, route, exchange }: Call, actor: string): Origin {
  const { address, now, request_id, request } = exchange
  return {
    keys: runtime.keys,
    at: now,
    actor,
    action: `${request.method} ${route.path}`,
    ip: route.audit.ip === 'network' ? networkOf(address) : address,
    request_id,
  }
}
