import { addressBlock } from '../../access/address.ts'
import {
  authenticateClient,
  type ClientCredentials,
  type KnownClient,
  noteSecretUse,
  requireRunning,
  secretUseIsNews,
} from '../../oauth/clients.ts'
import { exchangeCode } from '../../oauth/codes.ts'
import { OAuthError } from '../../oauth/errors.ts'
import { introspect, revokeToken } from '../../oauth/inspect.ts'
import { serverMetadata } from '../../oauth/metadata.ts'
import { pushRequest } from '../../oauth/pushed.ts'
import { checkPushedRequest, repeated, withoutEmpty } from '../../oauth/request.ts'
import { scopeNames } from '../../oauth/scopes.ts'
import { type Granted, refreshTokens } from '../../oauth/tokens.ts'
import { AppError } from '../../errors.ts'
import { errorFields } from '../../log.ts'
import type { RateLimiter } from '../../operation/rate-limit.ts'
import type { Tx } from '../../store/open.ts'
import type { Runtime } from '../../runtime.ts'
import { logCall } from '../core/app-log.ts'
import { isJson, parseJson, readText } from '../core/body.ts'
import { type Exchange, type Handler, json } from '../core/exchange.ts'
import { API_ROOT } from '../core/paths.ts'

/** `POST /general/oauth/token` (RFC 6749, 3.2): a code or a refresh token for a pair of tokens. */
export function oauthToken(runtime: Runtime, limiter: RateLimiter): Handler {
  return clientEndpoint(runtime, limiter, async ({ app }, params, now) => {
    const grant = GRANTS.get(required(params, 'grant_type'))
    if (!grant)
      throw new OAuthError('unsupported_grant_type', 'The grant types are authorization_code and refresh_token.')
    if (params.getAll('resource').some((resource) => resource !== runtime.base_url + API_ROOT))
      throw new OAuthError('invalid_target', 'The resource is unknown (RFC 8707).')
    await requireRunning(runtime.store.db, app)
    const exchange = grant(params, app, runtime.config.access_token_ttl_seconds, now)
    const granted = await runtime.store.write(exchange)
    if ('answer' in granted) return granted.answer
    if (granted.ended)
      runtime.log.warn('a code or refresh token was used again; its authorization was ended', {
        authorization_id: granted.ended,
        app_id: app.id,
      })
    throw granted.refusal
  })
}

type Grant = (
  params: URLSearchParams,
  app: KnownClient['app'],
  ttl_seconds: number,
  now: number,
) => (tx: Tx) => Promise<Granted>

const GRANTS: ReadonlyMap<string, Grant> = new Map<string, Grant>([
  [
    'authorization_code',
    (params, app, ttl_seconds, now) => {
      const exchange = {
        code: required(params, 'code'),
        redirect_uri: required(params, 'redirect_uri'),
        code_verifier: params.get('code_verifier'),
      }
      return (tx) => exchangeCode(tx, app, exchange, ttl_seconds, now)
    },
  ],
  [
    'refresh_token',
    (params, app, ttl_seconds, now) => {
      const token = required(params, 'refresh_token')
      const asked = params.has('scope') ? scopeNames(params.get('scope')!) : null
      return (tx) => refreshTokens(tx, app, token, asked, ttl_seconds, now)
    },
  ],
])

/** `POST /general/oauth/revoke` (RFC 7009). An empty 200 would do; some clients insist on JSON. */
export function oauthRevoke(runtime: Runtime, limiter: RateLimiter): Handler {
  return clientEndpoint(runtime, limiter, async ({ app }, params, now) => {
    const token = required(params, 'token')
    await runtime.store.write((tx) => revokeToken(tx, app, token, now))
    return {}
  })
}

/** `POST /general/oauth/introspect` (RFC 7662) */
export function oauthIntrospect(runtime: Runtime, limiter: RateLimiter): Handler {
  return clientEndpoint(runtime, limiter, ({ app }, params, now) =>
    introspect(runtime.store, app, required(params, 'token'), runtime.base_url, now),
  )
}

/** `POST /general/oauth/par` (RFC 9126, 2): an authorization request for a reference to it, which the browser brings. */
export function oauthPush(runtime: Runtime, limiter: RateLimiter): Handler {
  return clientEndpoint(
    runtime,
    limiter,
    async ({ app }, params, now) => {
      await requireRunning(runtime.store.db, app)
      const request = checkPushedRequest(app, params, runtime.base_url + API_ROOT)
      return runtime.store.write((tx) => pushRequest(tx, app.id, request, now))
    },
    201,
  )
}

/** `GET /.well-known/oauth-authorization-server` (RFC 8414), and under the name that OpenID clients look for. */
export function oauthMetadata(runtime: Runtime): Handler {
  return ({ request }) => {
    if (request.method !== 'GET' && request.method !== 'HEAD')
      throw new AppError('METHOD_NOT_ALLOWED', 'This document is read with GET.', { headers: { Allow: 'GET, HEAD' } })
    const text = JSON.stringify(serverMetadata(runtime.base_url))
    const headers = {
      ETag: `"${Bun.hash(text).toString(36)}"`,
      'Cache-Control': 'public, max-age=300',
      'Access-Control-Allow-Origin': '*',
    }
    return request.headers.get('if-none-match') === headers.ETag
      ? new Response(null, { status: 304, headers })
      : json(200, text, headers)
  }
}

type Run = (client: KnownClient, params: URLSearchParams, now: number) => Promise<object>

/** An endpoint that clients call from their servers: POST, form or JSON in, JSON out, never stored on the way. */
function clientEndpoint(runtime: Runtime, limiter: RateLimiter, run: Run, status = 200): Handler {
  return (exchange) => {
    const { request, url, now } = exchange
    return orRefusal(runtime, exchange, async () => {
      if (request.method !== 'POST')
        throw new OAuthError('invalid_request', 'This endpoint is called with POST.', 405, { Allow: 'POST' })
      const params = await readParameters(request)
      const client = await admitClient(
        runtime,
        limiter,
        exchange,
        clientCredentials(request.headers.get('authorization'), params),
      )
      return logCall(runtime, exchange, { app_id: client.app.id, route: url.pathname }, () =>
        orRefusal(runtime, exchange, async () => json(status, await run(client, params, now), NEVER_STORED)),
      )
    })
  }
}

async function orRefusal(runtime: Runtime, { request_id }: Exchange, work: () => Promise<Response>): Promise<Response> {
  try {
    return await work()
  } catch (error) {
    return refusal(asOAuthError(runtime, error, request_id))
  }
}

const NEVER_STORED = { 'Cache-Control': 'no-store', Pragma: 'no-cache' }
const MAX_BYTES = 64 * 1024

/** The parameters of a form, or the texts of a JSON object; those without a value count as left out. */
async function readParameters(request: Request): Promise<URLSearchParams> {
  const type = request.headers.get('content-type') ?? ''
  const text = await readText(request, MAX_BYTES)
  if (!isJson(request) && type !== '' && !/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type))
    throw new OAuthError('invalid_request', 'The body is a form (application/x-www-form-urlencoded) or JSON.')
  const params = withoutEmpty(isJson(request) ? jsonParameters(parseJson(text)) : new URLSearchParams(text))
  const twice = repeated(params)
  if (twice !== null) throw new OAuthError('invalid_request', `A parameter stands more than once: ${plain(twice)}.`)
  return params
}

function jsonParameters(body: unknown): URLSearchParams {
  const fields = body !== null && typeof body === 'object' && !Array.isArray(body) ? Object.entries(body) : null
  if (!fields || fields.some(([, value]) => typeof value !== 'string'))
    throw new OAuthError('invalid_request', 'A JSON body is an object of texts.')
  return new URLSearchParams(fields as [string, string][])
}

function required(params: URLSearchParams, name: string): string {
  const value = params.get(name)
  if (value === null) throw new OAuthError('invalid_request', `${name} is missing.`)
  return value
}

/** How the client says who it is: in the Authorization header or in the body, never in both (RFC 6749, 2.3). */
function clientCredentials(authorization: string | null, params: URLSearchParams): ClientCredentials | null {
  const client_id = params.get('client_id')
  const secret = params.get('client_secret')
  if (authorization === null) return client_id === null ? null : { method: 'post', claims: [{ client_id, secret }] }
  if (secret !== null) throw new OAuthError('invalid_request', 'The client authenticates in two ways at once.')
  const encoded = /^basic +(\S+)$/i.exec(authorization.trim())?.[1]
  if (encoded === undefined) return { method: 'basic', claims: [] }
  const claims = basicClaims(encoded)
  const named = client_id === null ? claims : claims.filter((claim) => claim.client_id === client_id)
  if (named.length === 0)
    throw new OAuthError('invalid_request', 'The client_id in the body is not the one in the Authorization header.')
  return { method: 'basic', claims: named }
}

/** Id and secret are form-encoded before they are joined (RFC 6749, 2.3.1). Many programs leave that out: both are read. */
function basicClaims(encoded: string): { client_id: string; secret: string | null }[] {
  const joined = /^[A-Za-z0-9+/_-]+={0,2}$/.test(encoded) ? Buffer.from(encoded, 'base64').toString('utf8') : ''
  const colon = joined.indexOf(':')
  if (colon < 1)
    throw new OAuthError('invalid_request', 'The Authorization header is not Basic with an id and a secret.')
  const raw = { client_id: joined.slice(0, colon), secret: joined.slice(colon + 1) || null }
  const decoded = { client_id: formDecoded(raw.client_id), secret: raw.secret && formDecoded(raw.secret) }
  return decoded.client_id === raw.client_id && decoded.secret === raw.secret ? [raw] : [decoded, raw]
}

function formDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

/** Lets a client in, as often as the limit allows. Those who fail are counted by their address: nobody can use up a client's share. */
async function admitClient(
  runtime: Runtime,
  limiter: RateLimiter,
  { address, now }: Exchange,
  credentials: ClientCredentials | null,
): Promise<KnownClient> {
  const client = await authenticateClient(runtime.store, credentials).catch(async (error: unknown) => {
    await allow(runtime, limiter, `oauth:address:${addressBlock(address)}`)
    throw error
  })
  await allow(
    runtime,
    limiter,
    client.secret ? `oauth:client:${client.app.id}` : `oauth:client:${client.app.id}:${addressBlock(address)}`,
  )
  if (secretUseIsNews(client, now)) {
    await runtime.store
      .write((tx) => noteSecretUse(tx, client, now))
      .catch((error: unknown) => runtime.log.warn('the last use of a client secret was not kept', errorFields(error)))
  }
  return client
}

async function allow(runtime: Runtime, limiter: RateLimiter, bucket: string): Promise<void> {
  const allowance = await limiter.take(bucket, runtime.config.oauth_requests_per_minute)
  if (allowance.allowed) return
  throw new OAuthError(
    'temporarily_unavailable',
    `Too many requests. Try again in ${allowance.reset_seconds} seconds.`,
    429,
    { 'Retry-After': String(allowance.reset_seconds) },
  )
}

function asOAuthError(runtime: Runtime, error: unknown, request_id: string): OAuthError {
  if (error instanceof OAuthError) return error
  if (error instanceof AppError && error.status < 500)
    return new OAuthError('invalid_request', error.message, error.status, error.headers)
  runtime.log.error('request failed', {
    request_id,
    ...errorFields(error instanceof AppError ? (error.cause ?? error) : error),
  })
  if (error instanceof AppError && error.status === 503)
    return new OAuthError('temporarily_unavailable', error.message, 503)
  return new OAuthError('server_error', 'Something went wrong. It was logged with the request id.', 500)
}

function refusal({ error, description, status, headers }: OAuthError): Response {
  return json(status, { error, error_description: description }, { ...NEVER_STORED, ...headers })
}

/** RFC 6749, 5.2: what a description is made of. */
function plain(text: string): string {
  return text.replace(/[^\x20\x21\x23-\x5B\x5D-\x7E]/g, '?').slice(0, 100)
}
