import type { Caller, OAuthCaller } from '../../access/caller.ts'
import { authenticate } from '../../access/credentials.ts'
import { requireScope } from '../../access/permission.ts'
import { logAppRequest } from '../../developer/request-log.ts'
import { AppError } from '../../errors.ts'
import type { Runtime } from '../../runtime.ts'
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
    return noted(runtime, exchange, caller.app_id, route, async () => {
      if (scope !== undefined) requireScope(caller, scope)
      return json(200, await run(exchange, caller))
    })
  }
}

/** As `noted`, for calls that apps and others make. */
export function notedForApp<T extends { status: number }>(
  runtime: Runtime,
  exchange: Exchange,
  caller: Caller,
  route: string,
  run: () => Promise<T>,
): Promise<T> {
  return caller.kind === 'oauth' ? noted(runtime, exchange, caller.app_id, route, run) : run()
}

/** Runs an app's call and notes the outcome, a refusal too, in the app's request log. */
export async function noted<T extends { status: number }>(
  runtime: Runtime,
  { request, request_id, now }: Exchange,
  app_id: string,
  route: string,
  run: () => Promise<T>,
): Promise<T> {
  const note = (status: number) =>
    logAppRequest(runtime, { app_id, at: now, method: request.method, route, status, request_id })
  try {
    const answer = await run()
    note(answer.status)
    return answer
  } catch (error) {
    note(error instanceof AppError ? error.status : 500)
    throw error
  }
}
