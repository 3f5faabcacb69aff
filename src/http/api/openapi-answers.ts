import type { ErrorCode } from '../../errors.ts'
import { OAUTH_PATHS } from '../../oauth/metadata.ts'
import { contentOf, type Named } from '../../operation/openapi.ts'
import { headerRefs } from '../../operation/openapi-headers.ts'
import { type NamedResponses, RATE_HEADERS, refusals } from '../../operation/openapi-refusals.ts'
import type { Place } from '../../operation/vocabulary.ts'
import { formRefusal, platformRefusal } from '../core/exchange.ts'
import type { Route } from '../core/route.ts'

/** The answers of a route by status: a success, and every refusal in the shape that the route has. */
export function responses(route: Route, named: Named, place: Place): Record<string, unknown> {
  const { auth, forms, refuse, errors } = route
  const success = { ...successOf(route, named, place) }
  if (auth === 'client') return { ...success, ...OAUTH_REFUSALS, ...refusals(OF_HOST, 'platform', named.responses) }
  const isJson = refuse === platformRefusal || refuse === formRefusal
  const isLink = route.response === 'redirect' || route.media_type === 'image/gif'
  if (typeof route.response === 'string' && (route.response === 'page' || isLink || !isJson))
    return { ...success, ...(route.path === OAUTH_PATHS.authorize ? LED_ON : {}), ...pageRefusals(route.path) }
  const refused = refusals(errors, refuse === formRefusal ? 'form' : 'platform', named.responses)
  if (route.also) return { ...success, ...refused, ...otherAnswers(route.also, named, place) }
  if (forms === null) return { ...success, ...refused }
  const { 200: json, ...others } = success as Record<number, { content?: object }>
  const thanks = { ...FORM_SUCCESSES[200], ...json, content: { ...json?.content, ...PAGE } }
  return { 200: thanks, ...others, 303: FORM_SUCCESSES[303], ...withPages(refused, named.responses) }
}

function successOf({ response, status, media_type, auth, path }: Route, named: Named, place: Place) {
  const headers = headerRefs(['X-Request-ID', ...(auth === 'session' || auth === 'oauth' ? RATE_HEADERS : [])])
  if (response === 'redirect')
    return { [status]: { description: 'Leads to the link.', headers: { ...headers, ...headerRefs(['Location']) } } }
  if (response === 'page') return { [status]: { description: 'A page.', headers, content: PAGE } }
  if (typeof response === 'string') return { [status]: { description: 'Done.', headers, content: other(media_type) } }
  const content = { 'application/json': contentOf(response, { named, place }, named.wording.answers?.[path]) }
  return { [status]: { description: 'Done.', headers, content } }
}

/** Answers that are neither a success nor one of the error shapes, each beside an error of its status. */
function otherAnswers(also: NonNullable<Route['also']>, named: Named, place: Place): Record<string, unknown> {
  const headers = headerRefs(['X-Request-ID'])
  return Object.fromEntries(
    Object.entries(also).map(([status, other]) => {
      const { schema, example } = contentOf(other, { named, place })
      const either = { anyOf: [schema, { $ref: '#/components/schemas/PlatformError' }] }
      const description = other.description ?? 'Another answer.'
      return [status, { description, headers, content: { 'application/json': { schema: either, example } } }]
    }),
  )
}

const text = (example: string) => ({ schema: { type: 'string' }, example })
const PAGE = { 'text/html': text('<!doctype html><title>Tides</title>') }

function other(media_type: string): Record<string, unknown> {
  if (media_type === 'application/json')
    return { [media_type]: { schema: { type: 'object', description: 'JSON.' }, example: {} } }
  return { [media_type]: /^(?:text|image\/svg)/.test(media_type) ? text('…') : { schema: {}, example: '…' } }
}

/** A browser that sends a form of a page gets a page, or goes where the form says. */
const FORM_SUCCESSES = {
  200: { description: 'A page that thanks, for an HTML form.', content: PAGE },
  303: { description: 'For an HTML form with an address to go to.', headers: headerRefs(['Location']) },
}

function withPages(refused: Record<string, unknown>, named: NamedResponses): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(refused).map(([status, reference]) => {
      const name = (reference as { $ref: string }).$ref.split('/').at(-1)!
      const refusal = named[name] as { content: object }
      return [status, { ...refusal, content: { ...refusal.content, ...PAGE } }]
    }),
  )
}

/** The authorization endpoint leads to the login page, or to the app with a code or an error. */
const LED_ON = {
  303: {
    description: 'Leads to the login page, or back to the app with a code or an error.',
    headers: headerRefs(['X-Request-ID', 'Location']),
  },
}

/** What a program gets that asks a page for JSON; the authorization endpoint has the errors of OAuth as well. */
function pageRefusals(path: string): Record<string, unknown> {
  const platform = { $ref: '#/components/schemas/PlatformError' }
  const isOAuth = path === OAUTH_PATHS.authorize
  const json = {
    schema: isOAuth ? { oneOf: [platform, { $ref: '#/components/schemas/OAuthError' }] } : platform,
    example: { error: 'invalid_request', message: 'The request is not valid.' },
  }
  const refused = (description: string) => ({
    description,
    headers: headerRefs(['X-Request-ID']),
    content: { ...PAGE, 'application/json': json },
  })
  return { '4XX': refused('A page that says why not.'), '5XX': refused('A page that says that it failed.') }
}

/** The codes of RFC 6749 (5.2), RFC 8707 and RFC 9126 by the status that they come with. */
const OAUTH_CODES: Readonly<Record<number, readonly (readonly [code: string, says: string])[]>> = {
  400: [
    ['invalid_request', 'A parameter is missing, malformed or given twice, or the body is neither form nor JSON.'],
    ['invalid_grant', 'The code or refresh token is unknown, used, expired or of another client.'],
    ['invalid_scope', 'The scope is unknown, or more than was granted.'],
    ['invalid_target', 'The resource is unknown.'],
    ['unauthorized_client', 'The app is suspended, or its kind may not do this.'],
    ['unsupported_grant_type', 'The grant types are authorization_code and refresh_token.'],
    ['unsupported_response_type', 'The response type is code.'],
    ['unsupported_response_mode', 'The response mode is query.'],
    ['request_not_supported', 'Request objects are not supported.'],
  ],
  401: [['invalid_client', 'The client is unknown, or its authentication failed.']],
  408: [['invalid_request', 'The body arrived too slowly.']],
  413: [['invalid_request', 'The body is larger than 64 KiB.']],
  429: [['temporarily_unavailable', 'Too many requests. Try again in 42 seconds.']],
  500: [['server_error', 'Something went wrong. It was logged with the request id.']],
  503: [['temporarily_unavailable', 'Too many bodies are being received, or the rate limit could not be checked.']],
}

/** What is refused before the route is known. */
const OF_HOST: ReadonlySet<ErrorCode> = new Set(['MISDIRECTED_REQUEST'])

/** The codes that only the authorization endpoint answers. */
const AUTHORIZE_CODES = ['invalid_redirect_uri', 'invalid_request_uri']

/** The shape of errors of the endpoints that OAuth clients call. */
export const OAuthError = {
  type: 'object',
  description: 'A refusal of an endpoint for OAuth clients (RFC 6749, 5.2).',
  required: ['error', 'error_description'],
  additionalProperties: false,
  properties: {
    error: {
      type: 'string',
      enum: [
        ...new Set(Object.values(OAUTH_CODES).flatMap((codes) => codes.map(([code]) => code))),
        ...AUTHORIZE_CODES,
      ],
      description: 'Why the request was refused, for programs.',
    },
    error_description: { type: 'string', description: 'Why the request was refused, for developers.' },
  },
}

const OAUTH_REFUSALS = Object.fromEntries(
  Object.entries(OAUTH_CODES).map(([status, codes]) => [
    status,
    {
      description: codes.map(([code, says]) => `\`${code}\`: ${says}`).join(' '),
      headers: headerRefs([
        'X-Request-ID',
        ...(status === '401' ? ['WWW-Authenticate'] : []),
        ...(status === '429' || status === '503' ? ['Retry-After'] : []),
      ]),
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/OAuthError' },
          examples: Object.fromEntries(
            codes.map(([code, says]) => [code, { value: { error: code, error_description: says } }]),
          ),
        },
      },
    },
  ]),
)
