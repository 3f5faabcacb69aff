import type { Static, TObject } from '@sinclair/typebox'
import { addressBlock } from '../../access/address.ts'
import { unaudited } from '../../audit/record.ts'
import { errorFields } from '../../log.ts'
import {
  authenticateClient,
  type ClientCredentials,
  type KnownClient,
  noteSecretUse,
  shouldNoteSecretUse,
} from '../../oauth/clients.ts'
import { OAuthError } from '../../oauth/errors.ts'
import { repeated, withoutEmpty } from '../../oauth/request.ts'
import { platformError } from '../../operation/envelope.ts'
import { parseJson } from '../../operation/json-body.ts'
import { declaredError } from '../../operation/pipeline.ts'
import { check } from '../../schema.ts'
import type { Runtime } from '../../runtime.ts'
import { logCall, type LoggedCall } from './app-log.ts'
import { isJson, readText } from './body.ts'
import { json, knownError, type Refuse } from './exchange.ts'
import { logFailure } from './failures.ts'
import type { ClientRequest, PublicContext, Route } from './route.ts'

/**
 * The response of an endpoint that clients call from their servers (docs/api/oauth.md#clients): parameters, credentials
 * and rate limit, then `answer`.
 */
export async function respondToClient(
  context: PublicContext,
  route: Route,
  answer: (request: ClientRequest, logged: LoggedCall) => Promise<Response>,
): Promise<Response> {
  const sent = await readParameters(context, route.max_body)
  const client = await admitClient(context, clientCredentials(context.request.headers.get('authorization'), sent))
  const named = { app_id: client.app.id, authorization_id: null, route: route.path, shape: 'platform' } as const
  return logCall(context, context, named, async (logged) => {
    logged.request = JSON.stringify(Object.fromEntries(sent))
    try {
      return await answer({ client, sent }, logged)
    } catch (error) {
      // Rendered here, so that the app's request log gets status and code.
      const refusal = asOAuthError(context, declaredError(context.config, route, error), context.request_id)
      logged.error = refusal.error
      logged.answer = JSON.stringify(bodyOf(refusal))
      return rendered(refusal)
    }
  })
}

/** Renders errors as RFC 6749, 5.2 says. */
export const clientRefusal: Refuse = (runtime, error, { request_id }) =>
  rendered(asOAuthError(runtime, error, request_id))

function rendered(refusal: OAuthError): Response {
  return json(refusal.status, bodyOf(refusal), { ...NEVER_STORED, ...refusal.headers })
}

function bodyOf({ error, description }: OAuthError) {
  return { error, error_description: description }
}

export const NEVER_STORED = { 'Cache-Control': 'no-store', Pragma: 'no-cache' }

/** The parameters of a form or of a JSON object of strings. A parameter without a value counts as missing. */
async function readParameters(context: PublicContext, max: number): Promise<URLSearchParams> {
  const { request } = context
  const type = request.headers.get('content-type') ?? ''
  const text = await readText(context, max)
  if (!isJson(request) && type !== '' && !/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type))
    throw new OAuthError('invalid_request', 'The body must be a form (application/x-www-form-urlencoded) or JSON.')
  const params = withoutEmpty(isJson(request) ? jsonParameters(parseJson(text)) : new URLSearchParams(text))
  const twice = repeated(params)
  if (twice !== null)
    throw new OAuthError('invalid_request', `A parameter was given more than once: ${plain(twice.slice(0, 100))}.`)
  return params
}

function jsonParameters(body: unknown): URLSearchParams {
  const fields = body !== null && typeof body === 'object' && !Array.isArray(body) ? Object.entries(body) : null
  if (!fields || fields.some(([, value]) => typeof value !== 'string'))
    throw new OAuthError('invalid_request', 'A JSON body must be an object of strings.')
  return new URLSearchParams(fields as [string, string][])
}

/** The parameters as their schema says. Throws invalid_request for the first that is missing. */
export function parsed<Body extends TObject>(schema: Body, sent: URLSearchParams): Static<Body> {
  const missing = schema.required?.find((name) => !sent.has(name))
  if (missing !== undefined) throw new OAuthError('invalid_request', `${missing} is missing.`)
  return check(schema, Object.fromEntries(sent))
}

/** The client's credentials, from the Authorization header or the body, never from both (RFC 6749, 2.3). */
function clientCredentials(authorization: string | null, params: URLSearchParams): ClientCredentials | null {
  const client_id = params.get('client_id')
  const secret = params.get('client_secret')
  if (authorization === null) return client_id === null ? null : { method: 'post', claims: [{ client_id, secret }] }
  if (secret !== null) throw new OAuthError('invalid_request', 'The client used two authentication methods.')
  const encoded = /^basic +(\S+)$/i.exec(authorization.trim())?.[1]
  if (encoded === undefined) return { method: 'basic', claims: [] }
  const claims = basicClaims(encoded)
  const named = client_id === null ? claims : claims.filter((claim) => claim.client_id === client_id)
  if (named.length === 0)
    throw new OAuthError('invalid_request', 'The client_id in the body is not the one in the Authorization header.')
  return { method: 'basic', claims: named }
}

/** Id and secret must be form-encoded before they are joined (RFC 6749, 2.3.1). Many clients skip that; both work. */
function basicClaims(encoded: string): { client_id: string; secret: string | null }[] {
  const joined = /^[A-Za-z0-9+/_-]+={0,2}$/.test(encoded) ? Buffer.from(encoded, 'base64').toString('utf8') : ''
  const colon = joined.indexOf(':')
  if (colon < 1)
    throw new OAuthError('invalid_request', 'The Authorization header is not Basic with a client id and secret.')
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

/**
 * Authenticates a client and applies its rate limit. Failed attempts count against the caller's address, so that others
 * cannot use up a client's limit.
 */
async function admitClient(context: PublicContext, credentials: ClientCredentials | null): Promise<KnownClient> {
  const { store, log, address, now } = context
  const client = await authenticateClient(store, credentials).catch(async (error: unknown) => {
    await countRequest(context, `oauth:address:${addressBlock(address)}`)
    throw error
  })
  await countRequest(
    context,
    client.secret ? `oauth:client:${client.app.id}` : `oauth:client:${client.app.id}:${addressBlock(address)}`,
  )
  if (shouldNoteSecretUse(client, now)) {
    await unaudited(store)
      .write((tx) => noteSecretUse(tx, client, now), { durable: false })
      .catch((error: unknown) => log.warn('the last use of a client secret was not stored', errorFields(error)))
  }
  return client
}

async function countRequest({ limiter, config }: PublicContext, bucket: string): Promise<void> {
  const allowance = await limiter.take(bucket, config.oauth_requests_per_minute)
  if (allowance.allowed) return
  throw new OAuthError(
    'temporarily_unavailable',
    `Too many requests. Try again in ${allowance.reset_seconds} seconds.`,
    429,
    { 'Retry-After': String(allowance.reset_seconds) },
  )
}

function asOAuthError(runtime: Runtime, thrown: unknown, request_id: string): OAuthError {
  if (thrown instanceof OAuthError) return thrown
  const error = knownError(thrown)
  if (error.status < 500)
    return new OAuthError('invalid_request', plain(platformError(error).message), error.status, error.headers)
  logFailure(runtime, error, request_id)
  if (error.code !== 'INTERNAL') return new OAuthError('temporarily_unavailable', error.message, 503, error.headers)
  return new OAuthError('server_error', 'Something went wrong. It was logged with the request id.', 500)
}

/** Replaces characters that an error description cannot contain (RFC 6749, 5.2). */
function plain(text: string): string {
  return text.replace(/[^\x20\x21\x23-\x5B\x5D-\x7E]/g, '?')
}
