import { AppError } from '../../errors.ts'
import { requestId } from '../../ids.ts'
import { errorFields } from '../../log.ts'
import { errorEnvelope, platformError } from '../../operation/envelope.ts'
import type { Runtime } from '../../runtime.ts'
import { plainAddress, type TrustedProxies, trustedProxies } from './proxies.ts'

/** One request and what is known of it before any route runs. */
export interface Exchange {
  request: Request
  url: URL
  params: Record<string, string>
  request_id: string
  /** The client's address, read from X-Forwarded-For when the peer is a trusted proxy. */
  address: string
  user_agent: string
  now: number
}

export type Handler = (exchange: Exchange) => Promise<Response> | Response

/** How a route's refusals look. */
export type ErrorShape = 'newsletter' | 'platform'

/** What Elysia hands to a route, as far as it is used. */
export interface Incoming {
  request: Request
  params: Record<string, string>
  server: { requestIP(request: Request): { address: string } | null } | null
}

/** Turns a handler into a route: request id, security headers, and the one place where errors become answers. */
export function route(runtime: Runtime, handler: Handler, shape: ErrorShape = 'platform') {
  const proxies = trustedProxies(runtime.config.trusted_proxies)
  return async ({ request, params, server }: Incoming): Promise<Response> => {
    const request_id = requestId(request.headers.get('x-request-id'))
    try {
      // HTTP/1.0 asks for a path alone.
      const url = URL.parse(request.url, runtime.base_url)
      if (!url) throw new AppError('VALIDATION_FAILED', 'The Host header is not valid.')
      const exchange: Exchange = {
        request,
        url,
        params: params ?? {},
        request_id,
        address: clientAddress(proxies, request, server?.requestIP(request)?.address ?? ''),
        user_agent: (request.headers.get('user-agent') ?? '').slice(0, 500),
        now: runtime.clock.now(),
      }
      return finish(await handler(exchange), request_id)
    } catch (error) {
      return finish(errorResponse(runtime, error, request_id, shape), request_id)
    }
  }
}

/** The answer to an error. What is no AppError is logged with the request's id and tells nothing of the inside. */
export function errorResponse(runtime: Runtime, error: unknown, request_id: string, shape: ErrorShape): Response {
  const known =
    error instanceof AppError
      ? error
      : new AppError('INTERNAL', 'Something went wrong. It was logged with the request id.', { cause: error })
  if (known.status >= 500) runtime.log.error('request failed', { request_id, ...errorFields(known.cause ?? known) })
  const body = shape === 'newsletter' ? errorEnvelope(known, request_id) : platformError(known)
  return json(known.status, body, known.headers)
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return new Response(typeof body === 'string' ? body : JSON.stringify(body), {
    status,
    headers: { 'Content-Type': 'application/json', ...headers },
  })
}

function finish(response: Response, request_id: string): Response {
  response.headers.set('X-Request-ID', request_id)
  response.headers.set('X-Content-Type-Options', 'nosniff')
  if (!response.headers.has('Cache-Control')) response.headers.set('Cache-Control', 'no-store')
  return response
}

/** The nearest hop that is no trusted proxy; what stands before it in the header is anybody's word. */
function clientAddress(proxies: TrustedProxies, request: Request, peer: string): string {
  const own = plainAddress(peer)
  if (!proxies.has(own)) return own
  const hops = (request.headers.get('x-forwarded-for') ?? '')
    .split(',')
    .map((hop) => plainAddress(hop.trim()))
    .filter(Boolean)
  return hops.reverse().find((hop) => !proxies.has(hop)) ?? own
}
