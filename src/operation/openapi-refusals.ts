import { ERROR_CODES, type ErrorCode } from '../errors.ts'
import { isInEnvelope } from './openapi-errors.ts'
import { headerRefs } from './openapi-headers.ts'

/** Named error responses, one for each set of error codes, to which operations refer. */
export type NamedResponses = Record<string, unknown>

/** The JSON shape of a route's errors (docs/api/errors.md). */
export type RefusalShape = 'newsletter' | 'platform' | 'form'

/** Error responses by status for these codes, as references. Adds the missing ones to `named`. */
export function refusals(
  errors: ReadonlySet<ErrorCode>,
  shape: RefusalShape,
  named: NamedResponses,
): Record<string, unknown> {
  const byStatus = Map.groupBy([...errors].toSorted(inOrder), (code) => ERROR_CODES[code].status)
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => {
      const name = `${codes.map(pascal).join('Or')}${SUFFIX[shape]}`
      named[name] ??= refusal(codes, shape)
      return [status, { $ref: `#/components/responses/${name}` }]
    }),
  )
}

const ORDER = Object.keys(ERROR_CODES)
const inOrder = (one: ErrorCode, other: ErrorCode): number =>
  ERROR_CODES[one].status - ERROR_CODES[other].status || ORDER.indexOf(one) - ORDER.indexOf(other)
const SUFFIX = { newsletter: '', platform: 'OfPlatform', form: 'OfForm' } as const

function pascal(code: string): string {
  return code.toLowerCase().replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

function refusal(codes: readonly ErrorCode[], shape: RefusalShape): unknown {
  const inEnvelope = codes.filter((code) => shape === 'newsletter' && isInEnvelope(code))
  const ofPlatform = codes.filter((code) => !inEnvelope.includes(code))
  const variants = [
    ...(inEnvelope.length > 0 ? [narrowed('Error', codeIn(inEnvelope))] : []),
    ...(ofPlatform.length > 0 ? [narrowed(shape === 'form' ? 'FormError' : 'PlatformError', errorIn(ofPlatform))] : []),
  ]
  const schema = variants.length === 1 ? variants[0] : { oneOf: variants }
  return {
    description: codes.map((code) => `\`${code}\`: ${SENTENCES[code]}`).join(' '),
    headers: headerRefs(headersOf(codes)),
    content: {
      'application/json': {
        schema,
        examples: Object.fromEntries(
          codes.map((code) => [code, { value: exampleOf(code, inEnvelope.includes(code)) }]),
        ),
      },
    },
  }
}

/** A schema of an error shape, limited to some of its codes. */
function narrowed(name: string, properties: Record<string, unknown>): unknown {
  return { allOf: [{ $ref: `#/components/schemas/${name}` }, { type: 'object', properties }] }
}

const codeIn = (codes: readonly ErrorCode[]): Record<string, unknown> => ({
  error: {
    type: 'object',
    description: 'The refusal.',
    properties: { code: { type: 'string', enum: codes, description: 'Why the request was refused, for programs.' } },
  },
})
const errorIn = (codes: readonly ErrorCode[]): Record<string, unknown> => ({
  error: {
    type: 'string',
    enum: [...new Set(codes.map((code) => ERROR_CODES[code].platform))],
    description: 'Why the request was refused, for programs.',
  },
})

function headersOf(codes: readonly ErrorCode[]): string[] {
  const status = ERROR_CODES[codes[0]!].status
  return [
    'X-Request-ID',
    ...(status === 401 || codes.includes('INSUFFICIENT_SCOPE') ? ['WWW-Authenticate'] : []),
    ...(status === 429 || status === 503 || codes.includes('REQUEST_IN_PROGRESS') ? ['Retry-After'] : []),
    ...(status === 404 || codes.includes('REQUEST_IN_PROGRESS') ? ['Idempotent-Replayed'] : []),
    ...([400, 403, 404, 409, 429].includes(status) ? RATE_HEADERS : []),
  ]
}

/** The rate limit headers of responses (docs/api/limits.md#rate-limits). */
export const RATE_HEADERS = [
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'RateLimit',
  'RateLimit-Policy',
]

function exampleOf(code: ErrorCode, isEnvelope: boolean): unknown {
  const { retryable, platform } = ERROR_CODES[code]
  const message = SENTENCES[code]
  const details = DETAILS[code]
  if (!isEnvelope) return { error: platform, message }
  return { error: { code, message, retryable, ...(details === undefined ? {} : { details }) }, request_id: 'req_1f2e' }
}

const DETAILS: Partial<Record<ErrorCode, unknown>> = {
  VALIDATION_FAILED: [{ path: '/email', message: 'Required.' }],
  INSUFFICIENT_SCOPE: { scope: 'newsletter:write' },
  INSUFFICIENT_ROLE: { role: 'editor' },
  PLAN_LIMIT_EXCEEDED: { limit: 5_000_000 },
  NOT_FOUND: [{ path: '/list_ids/0' }],
  CONFLICT: [{ path: '/name', message: 'Another one has this name.' }],
  INVALID_STATE: { state: 'sent' },
  NOT_READY: { checks: [{ code: 'sender', ok: false, severity: 'error', message: 'Set the sender address.' }] },
}

/** The meaning of each error code, as one sentence. */
export const SENTENCES: Record<ErrorCode, string> = {
  VALIDATION_FAILED: 'The request is not valid.',
  INVALID_JSON: 'The body is not JSON in UTF-8.',
  INVALID_CURSOR: 'The cursor does not belong to this list and these filters.',
  IDEMPOTENCY_KEY_REQUIRED: 'A mutation needs an idempotency key.',
  UNAUTHORIZED: 'Credentials are missing.',
  INVALID_TOKEN: 'The credentials are unknown, expired or revoked.',
  CONFIRMATION_REQUIRED: 'The user must confirm the session first.',
  FORBIDDEN: 'The caller may not do this, the app is suspended, or the request comes from a page of another site.',
  INSUFFICIENT_SCOPE: 'The authorization lacks the scope.',
  INSUFFICIENT_ROLE: 'The role is too low.',
  PROJECT_NOT_AUTHORIZED: 'The caller has no access to the project.',
  PLAN_LIMIT_EXCEEDED: 'The project has as many contacts as it may have.',
  NOT_FOUND: 'Something that the request names does not exist.',
  METHOD_NOT_ALLOWED: 'The path is called with another method.',
  REQUEST_TIMEOUT: 'The body arrived too slowly.',
  CONFLICT: 'A name is in use, another thing uses this one, or it was changed meanwhile.',
  INVALID_STATE: 'The present state does not allow it.',
  NOT_READY: 'It is not ready to be sent.',
  IDEMPOTENCY_CONFLICT: 'The idempotency key was used with another body.',
  REQUEST_IN_PROGRESS: 'The first request with this idempotency key has not ended.',
  PAYLOAD_TOO_LARGE: 'The body, or the answer, is too large.',
  UNSUPPORTED_MEDIA_TYPE: 'The media type of the body is not supported.',
  MISDIRECTED_REQUEST: 'The host is not served here.',
  RATE_LIMITED: 'Too many requests.',
  INTERNAL: 'Something went wrong. It was logged with the request id.',
  RATE_LIMIT_UNAVAILABLE: 'The rate limit could not be checked, so the request was not run.',
  INSUFFICIENT_STORAGE: 'The disk is nearly full.',
  DATABASE_UNAVAILABLE: 'The database does not answer.',
  TOO_MANY_UNREAD: 'Too many answers wait to be read, of the address or in all.',
  TOO_MANY_UPLOADS: 'Too many bodies are being received.',
}
