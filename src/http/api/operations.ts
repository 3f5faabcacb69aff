import { authenticate } from '../../access/credentials.ts'
import { requireSession } from '../../access/session.ts'
import type { Caller } from '../../access/caller.ts'
import { AppError } from '../../errors.ts'
import { errorFields } from '../../log.ts'
import { operations } from '../../newsletter/operations.ts'
import type { Operation } from '../../operation/declare.ts'
import { openApi } from '../../operation/openapi.ts'
import type { RateLimiter } from '../../operation/rate-limit.ts'
import { type Call, runOperation, type StreamedAnswer } from '../../operation/run.ts'
import type { Runtime } from '../../runtime.ts'
import { logCallOfApp } from '../core/app-log.ts'
import { parseJson, readBytes, requireJson } from '../core/body.ts'
import { errorResponse, type Exchange, type Handler, json } from '../core/exchange.ts'
import { requireOwnOrigin } from '../core/origin.ts'

export const NEWSLETTER_ROOT = '/general/api/v1/newsletter'
const UNKNOWN_MAX_BYTES = 2 * 1024 * 1024

const byPath = new Map<string, Operation>(operations.map((operation) => [operation.path, operation]))

/** The v1 door: OAuth access token or project API key in the Authorization header. */
export function v1Newsletter(runtime: Runtime, limiter: RateLimiter): Handler {
  return newsletterHandler(runtime, limiter, (exchange) =>
    authenticate(runtime.store, exchange.request.headers.get('authorization'), exchange.now),
  )
}

/** `/project/newsletter/*`: every operation, by the session and role of a user. Keys and tokens are not read. */
export function dashboardNewsletter(runtime: Runtime, limiter: RateLimiter): Handler {
  const handler = newsletterHandler(runtime, limiter, ({ request, now }) =>
    requireSession(runtime, request.headers.get('cookie'), now),
  )
  return (exchange) => {
    const { method, headers } = exchange.request
    if (method !== 'GET' && method !== 'HEAD') requireOwnOrigin(runtime, headers.get('origin'))
    return handler(exchange)
  }
}

/** One newsletter route family: all operations below one prefix, for whom `identify` knows. */
export function newsletterHandler(
  runtime: Runtime,
  limiter: RateLimiter,
  identify: (exchange: Exchange) => Promise<Caller>,
): Handler {
  return async (exchange) => {
    const call: Call = {
      body: undefined,
      idempotency_header: exchange.request.headers.get('idempotency-key'),
      request_id: exchange.request_id,
      address: exchange.address,
      user_agent: exchange.user_agent,
      headers: {},
    }
    try {
      const answer = await enter(runtime, limiter, identify, exchange, call)
      return 'pieces' in answer ? await streamed(runtime, answer, call) : json(answer.status, answer.body, call.headers)
    } catch (error) {
      const response = errorResponse(runtime, error, exchange.request_id, 'newsletter')
      for (const [name, value] of Object.entries(call.headers)) response.headers.set(name, value)
      return response
    }
  }
}

/**
 * Size comes first, then whether there are credentials at all, then the media type, whose credentials they are, and the
 * content (contract-details 6).
 */
async function enter(
  runtime: Runtime,
  limiter: RateLimiter,
  identify: (exchange: Exchange) => Promise<Caller>,
  exchange: Exchange,
  call: Call,
) {
  const operation = byPath.get(`/${exchange.params['*'] ?? ''}`)
  if (exchange.request.method !== 'POST') {
    await identify(exchange)
    if (!operation) throw new AppError('NOT_FOUND', 'There is no such operation.')
    throw new AppError('METHOD_NOT_ALLOWED', 'Newsletter operations are called with POST.', {
      headers: { Allow: 'POST' },
    })
  }
  const bytes = await readBytes(exchange.request, operation?.max_body ?? UNKNOWN_MAX_BYTES)
  const caller = await identify(exchange).catch((error: unknown) => {
    if (operation && !(error instanceof AppError && error.code === 'UNAUTHORIZED')) requireJson(exchange.request)
    throw error
  })
  if (operation) requireJson(exchange.request)
  if (!operation) throw new AppError('NOT_FOUND', 'There is no such operation.')
  return logCallOfApp(runtime, exchange, { caller, route: `/newsletter${operation.path}` }, () => {
    if (exchange.url.search !== '')
      throw new AppError('VALIDATION_FAILED', 'Newsletter operations take no query: everything stands in the body.', {
        details: [{ path: '', message: 'Unknown query parameters.' }],
      })
    call.body = parseJson(bytes)
    return runOperation(runtime, limiter, operation, caller, call)
  })
}

/**
 * An answer that is sent as fast as the caller takes it. Its first piece is made before it begins, so that what fails
 * at once is still told as an error; after that only the connection can be broken off.
 */
async function streamed(
  runtime: Runtime,
  { status, pieces, media_type, filename }: StreamedAnswer,
  call: Call,
): Promise<Response> {
  const source = pieces[Symbol.asyncIterator]()
  const first = await source.next()
  async function* body() {
    try {
      for (let piece = first; !piece.done; piece = await source.next()) yield piece.value
    } catch (error) {
      runtime.log.error('an answer broke off', { request_id: call.request_id, ...errorFields(error) })
      throw error
    } finally {
      await source.return?.()
    }
  }
  const headers = {
    ...call.headers,
    'Content-Type': `${media_type}; charset=utf-8`,
    'Content-Disposition': `attachment; filename="${filename}"`,
  }
  return new Response(body() as unknown as ReadableStream, { status, headers })
}

/** `GET …/openapi.json`: public, made with the first request, cached by its ETag. */
export function openApiDocument(runtime: Runtime): Handler {
  let made: { text: string; etag: string } | undefined
  return ({ request }) => {
    const text = made?.text ?? JSON.stringify(openApi(operations, runtime.base_url + NEWSLETTER_ROOT))
    made ??= { text, etag: `"${Bun.hash(text).toString(36)}"` }
    const headers = { ETag: made.etag, 'Cache-Control': 'public, max-age=300', 'Access-Control-Allow-Origin': '*' }
    return request.headers.get('if-none-match') === made.etag
      ? new Response(null, { status: 304, headers })
      : json(200, text, headers)
  }
}
