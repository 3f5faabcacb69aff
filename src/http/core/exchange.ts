import { AppError } from '../../errors.ts'
import { requestId } from '../../ids.ts'
import type { Log } from '../../log.ts'
import { errorEnvelope, formError, platformError } from '../../operation/envelope.ts'
import type { Runtime } from '../../runtime.ts'
import { databaseRefusal } from '../../store/faults.ts'
import type { Told } from './access-log.ts'
import { delivered } from './delivery.ts'
import { compressed } from './encoding.ts'
import { logFailure } from './failures.ts'
import { requestedHost } from './hosts.ts'
import { repeatable, textResponse } from './large-body.ts'
import { plainAddress, type TrustedProxies, trustedProxies } from './proxies.ts'
import { createReadTurns, type ReadTurns } from './read-turns.ts'
import { createUnread, type Unread } from './unread.ts'
import { createUploads, type Uploads } from './uploads.ts'

/** One request, and what is known about it before a route runs. */
export interface Exchange {
  request: Request
  url: URL
  params: Record<string, string>
  server: Incoming['server']
  uploads: Uploads
  unread: Unread
  reads: ReadTurns
  contents: ReadTurns
  request_id: string
  /** The client's address, read from X-Forwarded-For when the peer is a trusted proxy. */
  address: string
  user_agent: string
  now: number
  told: Told
  /** Headers of the response, also of a refusal: the rate limit that the request counted for. */
  always: Record<string, string>
}

export type Handler = (exchange: Exchange) => Promise<Response> | Response

/** Renders an error as a response. */
export type Refuse = (
  runtime: Runtime,
  error: unknown,
  exchange: Pick<Exchange, 'request' | 'request_id'>,
) => Promise<Response> | Response

/** The properties of Elysia's context that routes use. */
export interface Incoming {
  request: Request
  params: Record<string, string>
  told: Told
  server: {
    requestIP(request: Request): { address: string } | null
    /** Sets the idle timeout of the request's connection. */
    timeout(request: Request, seconds: number): void
  } | null
}

/** What bounds the memory of one process: for bodies that arrive slowly, answers that are read slowly, and reads. */
export interface Budgets {
  uploads: Uploads
  unread: Unread
  reads: ReadTurns
  /** Turns of the large contents of sites, so that other reads do not wait for them. */
  contents: ReadTurns
}

type GivenBudgets = Partial<Pick<Budgets, 'uploads' | 'unread'>>

export function createBudgets({ uploads = createUploads(), unread = createUnread() }: GivenBudgets = {}): Budgets {
  return { uploads, unread, reads: createReadTurns(unread), contents: createReadTurns(unread) }
}

/** Turns a handler into one that Elysia can call: request id, security headers, and rendering of errors. */
export function endpoint(
  runtime: Runtime,
  handler: Handler,
  refuse: Refuse = platformRefusal,
  budgets: Budgets = createBudgets(),
) {
  const proxies = trustedProxies(runtime.config.trusted_proxies)
  return async (incoming: Incoming): Promise<Response> => {
    const { request, params, server, told } = incoming
    const request_id = requestId(request.headers.get('x-request-id'))
    const always: Record<string, string> = {}
    const address = clientAddress(proxies, request.headers, server?.requestIP(request)?.address ?? '', runtime.log)
    told.address = address
    const receiving = { request, address, ...budgets }
    const finished = async (response: Response) =>
      delivered(receiving, await compressed(request, finish(response, request_id, always)))
    const refused = async (error: unknown) => finished(await refuse(runtime, error, { request, request_id }))
    try {
      budgets.unread.requireRoom(address)
      // The URL of a request whose Host is malformed is a path.
      const url = URL.parse(request.url, runtime.base_url)
      if (!url) throw new AppError('VALIDATION_FAILED', 'The Host header is not valid.')
      Object.assign(always, strictTransport(runtime, requestedHost(incoming, proxies)))
      const exchange: Exchange = {
        ...receiving,
        url,
        params: params ?? {},
        server,
        request_id,
        told,
        user_agent: (request.headers.get('user-agent') ?? '').slice(0, 500),
        now: runtime.clock.now(),
        always,
      }
      return await finished(await handler(exchange))
    } catch (error) {
      // A long answer, also of an error, is refused while too many wait to be read. The refusal itself is short.
      return refused(error).catch(refused)
    }
  }
}

export const platformRefusal: Refuse = (runtime, error, { request_id }) =>
  errorResponse(runtime, error, request_id, 'platform')

/** For routes that the service's own pages call. */
export const formRefusal: Refuse = (runtime, error, { request_id }) => errorResponse(runtime, error, request_id, 'form')

export const newsletterRefusal: Refuse = (runtime, error, { request_id }) =>
  errorResponse(runtime, error, request_id, 'newsletter')

const SHAPES = { newsletter: errorEnvelope, platform: platformError, form: formError }

/**
 * Renders an error in one of the JSON shapes (docs/api/errors.md#newsletter-errors, #platform-errors). An unknown
 * one is logged with the request id, and the response says nothing about its cause.
 */
export function errorResponse(
  runtime: Runtime,
  error: unknown,
  request_id: string,
  shape: keyof typeof SHAPES,
): Response {
  const known = knownError(error)
  if (known.status >= 500) logFailure(runtime, known, request_id)
  return repeatable(json(known.status, SHAPES[shape](known, request_id), known.headers))
}

/** What a request is refused with. The cause of an unknown error is not told. */
export function knownError(error: unknown): AppError {
  if (error instanceof AppError) return error
  return (
    databaseRefusal(error) ??
    new AppError('INTERNAL', 'Something went wrong. It was logged with the request id.', { cause: error })
  )
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return textResponse(typeof body === 'string' ? body : JSON.stringify(body), {
    status,
    headers: { 'Content-Type': 'application/json', ...headers },
  })
}

/**
 * The header that makes browsers use https only (RFC 6797), on the host of the public address. Only the owner of
 * another host can decide that it is https only.
 */
export function strictTransport({ base_url }: Pick<Runtime, 'base_url'>, host: string | null): Record<string, string> {
  const isOwn = base_url.startsWith('https:') && new URL(base_url).hostname === host
  return isOwn ? { 'Strict-Transport-Security': 'max-age=31536000' } : {}
}

/** Adds Set-Cookie headers, which cannot share one line (RFC 6265, 3). */
export function withCookies(response: Response, cookies: readonly string[]): Response {
  for (const cookie of cookies) response.headers.append('Set-Cookie', cookie)
  return response
}

/** Adds the headers that every response has, and those that this one has whatever its outcome. */
export function finish(response: Response, request_id: string, always: Record<string, string> = {}): Response {
  for (const [name, value] of Object.entries(always)) response.headers.set(name, value)
  response.headers.set('X-Request-ID', request_id)
  response.headers.set('X-Content-Type-Options', 'nosniff')
  if (!response.headers.has('Cache-Control')) response.headers.set('Cache-Control', 'no-store')
  return response
}

/**
 * The client's address: the last hop in X-Forwarded-For that is not a trusted proxy. Hops before it are not
 * believed, because the client may have sent them.
 */
export function clientAddress(proxies: TrustedProxies, headers: Headers, peer: string, log: Log): string {
  const own = plainAddress(peer)
  if (!proxies.has(own)) {
    // Behind an unlisted proxy all callers share one address, and with it their limits.
    if (headers.has('x-forwarded-for'))
      log.warnOnce('X-Forwarded-For is ignored: its sender is not in trusted_proxies', { peer: own })
    return own
  }
  const hops = (headers.get('x-forwarded-for') ?? '')
    .split(',')
    .map((hop) => plainAddress(hop.trim()))
    .filter(Boolean)
  return hops.findLast((hop) => !proxies.has(hop)) ?? own
}
