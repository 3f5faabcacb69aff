import type { SessionCaller } from '../../access/caller.ts'
import { requireSession } from '../../access/session.ts'
import type { Runtime } from '../../runtime.ts'
import type { Exchange, Handler } from './exchange.ts'
import { requireOwnOrigin } from './origin.ts'

/** A route for whoever is signed in: refuses foreign pages, then asks who it is. */
export function signedIn(
  runtime: Runtime,
  handler: (exchange: Exchange, caller: SessionCaller) => Promise<Response> | Response,
): Handler {
  return fromOwnPages(runtime, async (exchange) =>
    handler(exchange, await requireSession(runtime, exchange.request.headers.get('cookie'), exchange.now)),
  )
}

/** A route that changes something and that pages of other sites must not reach with a visitor's browser. */
export function fromOwnPages(runtime: Runtime, handler: Handler): Handler {
  return (exchange) => {
    if (changesSomething(exchange.request)) requireOwnOrigin(runtime, exchange.request.headers.get('origin'))
    return handler(exchange)
  }
}

function changesSomething(request: Request): boolean {
  return request.method !== 'GET' && request.method !== 'HEAD'
}
