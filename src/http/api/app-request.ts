import type { OAuthCaller } from '../../access/caller.ts'
import { authenticate } from '../../access/credentials.ts'
import { requireScope } from '../../access/permission.ts'
import { AppError } from '../../errors.ts'
import type { Runtime } from '../../runtime.ts'
import { logCall } from '../core/app-log.ts'
import { type Exchange, type Handler, json } from '../core/exchange.ts'

export interface AppRoute {
  method: 'GET' | 'POST' | 'DELETE'
  /** As the request log names it. */
  route: string
  /** Left out where any token will do. */
  scope?: string
}

/** A JSON route for access tokens alone. Refusals in this order: method, credentials, scope, then what `run` finds (contract-details 61). */
export function forApp(
  runtime: Runtime,
  { method, route, scope }: AppRoute,
  run: (exchange: Exchange, caller: OAuthCaller) => Promise<object>,
): Handler {
  const allowed = method === 'GET' ? ['GET', 'HEAD'] : [method]
  return async (exchange) => {
    const { request, now } = exchange
    if (!allowed.includes(request.method))
      throw new AppError('METHOD_NOT_ALLOWED', `This is called with ${method}.`, {
        headers: { Allow: allowed.join(', ') },
      })
    const caller = await authenticate(runtime.store, request.headers.get('authorization'), now)
    if (caller.kind !== 'oauth') {
      throw new AppError('INVALID_TOKEN', 'This is called with an access token.', {
        headers: { 'WWW-Authenticate': 'Bearer realm="masthead", error="invalid_token"' },
      })
    }
    return logCall(runtime, exchange, { app_id: caller.app_id, route }, async () => {
      if (scope !== undefined) requireScope(caller, scope)
      return json(200, await run(exchange, caller))
    })
  }
}
