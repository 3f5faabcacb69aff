import { AppError } from '../errors.ts'
import { requestId } from '../ids.ts'
import { errorFields } from '../log.ts'
import { errorEnvelope, platformError } from '../operation/envelope.ts'
import type { Runtime } from '../store/runtime.ts'

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
  return async ({ request, params, server }: Incoming): Promise<Response> => {
    const request_id = requestId(request.headers.get('x-request-id'))
    const exchange: Exchange = {
      request,
      url: new URL(request.url),
      params: params ?? {},
      request_id,
      address: clientAddress(runtime, request, server?.requestIP(request)?.address ?? ''),
      user_agent: (request.headers.get('user-agent') ?? '').slice(0, 500),
      now: runtime.clock.now(),
    }
    try {
      return finish(await handler(exchange), request_id)
    } catch (error) {
      return finish(errorResponse(runtime, error, request_id, shape), request_id)
    }
  }
}

/** The answer to an error. What is no AppError is logged with the request's id and tells nothing of the inside. */
export function errorResponse(runtime: Runtime, error: unknown, request_id: string, shape: ErrorShape): Response {
  const known = error instanceof AppError ? error : new AppError('INTERNAL', 'Something went wrong. It was logged with the request id.', { cause: error })
  if (known.status >= 500) runtime.log.error('request failed', { request_id, ...errorFields(known.cause ?? known) })
  const body = shape === 'newsletter' ? errorEnvelope(known, request_id) : platformError(known)
  return json(known.status, body, known.headers)
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json', ...headers } })
}

function finish(response: Response, request_id: string): Response {
  response.headers.set('X-Request-ID', request_id)
  response.headers.set('X-Content-Type-Options', 'nosniff')
  if (!response.headers.has('Cache-Control')) response.headers.set('Cache-Control', 'no-store')
  return response
}

function clientAddress(runtime: Runtime, request: Request, peer: string): string {
  const own = plainAddress(peer)
  const trusted = runtime.config.trusted_proxies
  if (trusted === '') return own
  const hops = [...(request.headers.get('x-forwarded-for') ?? '').split(',').map((hop) => plainAddress(hop.trim())).filter(Boolean), own]
  const proxies = trusted.split(',').map((entry) => entry.trim())
  for (const hop of hops.reverse()) {
    if (!proxies.some((proxy) => inNetwork(hop, proxy))) return hop
  }
  return own
}

function plainAddress(address: string): string {
  return address.startsWith('::ffff:') ? address.slice(7) : address
}

/** Whether an address is `network` itself or lies in it (IPv4 with a prefix length). */
function inNetwork(address: string, network: string): boolean {
  const [base = '', length] = network.split('/')
  if (length === undefined) return address === base
  const [own, other] = [ipv4(address), ipv4(base)]
  if (own === null || other === null) return false
  const bits = Number(length)
  return bits === 0 || (own ^ other) >>> (32 - bits) === 0
}

function ipv4(address: string): number | null {
  const parts = address.split('.').map(Number)
  if (parts.length !== 4 || parts.some((part) => !Number.isInteger(part) || part < 0 || part > 255)) return null
  return parts.reduce((number, part) => ((number << 8) | part) >>> 0, 0)
}
