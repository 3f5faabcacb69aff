import { ERROR_CODES } from '../errors.ts'
import { PLATFORM_SHAPED } from './envelope.ts'

/** The schemas of error responses in the components of the OpenAPI documents (docs/api/errors.md). */

const Flaw = {
  type: 'object',
  required: ['path'],
  additionalProperties: false,
  properties: {
    path: { type: 'string', description: 'Where, as a JSON pointer (RFC 6901); empty for the whole body.' },
    message: { type: 'string', description: 'What is wrong there, for people.' },
    updated_at: {
      type: 'string',
      format: 'date-time',
      description: 'For /expected_updated_at: when it changed last.',
    },
    updated_by: {
      description: 'For /expected_updated_at: who changed it last; null where it is unknown.',
      anyOf: [
        {
          type: 'object',
          required: ['kind', 'id', 'name'],
          additionalProperties: false,
          properties: {
            kind: { type: 'string', enum: ['user', 'api_key', 'app'], description: 'Who it is.' },
            id: { type: 'string', description: 'The id of the user or key, or the client_id of the app.' },
            name: { type: 'string', description: 'Its name, for people.' },
          },
        },
        { type: 'null' },
      ],
    },
  },
}

const ids = (description: string) => ({ type: 'array', items: { type: 'integer' }, description })

const ErrorDetails = {
  description: 'What the code is about: flaws of the request, or one object of facts.',
  anyOf: [
    { type: 'array', items: { $ref: '#/components/schemas/Flaw' } },
    {
      type: 'object',
      additionalProperties: false,
      properties: {
        scope: { type: 'string', description: 'INSUFFICIENT_SCOPE: the scope that is needed.' },
        role: { type: 'string', description: 'INSUFFICIENT_ROLE: the least role that is needed.' },
        state: { type: 'string', description: 'INVALID_STATE: the present state, or full.' },
        limit: { type: 'integer', description: 'PLAN_LIMIT_EXCEEDED and INVALID_STATE: how many there may be.' },
        campaign_ids: ids('CONFLICT: the campaigns that use it.'),
        segment_ids: ids('CONFLICT: the segments that use it.'),
        checks: {
          type: 'array',
          description: 'NOT_READY: the checks of readiness.',
          items: {
            type: 'object',
            required: ['code', 'ok', 'severity', 'message'],
            additionalProperties: false,
            properties: {
              code: { type: 'string', description: 'Which check.' },
              ok: { type: 'boolean', description: 'Whether it is in order.' },
              severity: { type: 'string', enum: ['error', 'warning'], description: 'Whether it stops the sending.' },
              message: { type: 'string', description: 'What was found, for people.' },
              skipped: { type: 'boolean', description: 'True where the check was not made; absent otherwise.' },
            },
          },
        },
        required: {
          type: 'string',
          description: 'NOT_READY of campaigns/resume: what has to be sent as true to go on.',
        },
        skipped: {
          type: 'array',
          description: 'NOT_READY of campaigns/test-send: the suppressed addresses.',
          items: {
            type: 'object',
            required: ['email', 'reason'],
            additionalProperties: false,
            properties: {
              email: { type: 'string', description: 'The address.' },
              reason: { type: 'string', description: 'Why nothing is sent to it.' },
            },
          },
        },
      },
    },
  ],
}

/**
 * Whether newsletter routes answer the code in their own error shape. MISDIRECTED_REQUEST is raised before the route is
 * known, so it has the platform's shape.
 */
export function isInEnvelope(code: string): boolean {
  return !PLATFORM_SHAPED.has(code) && code !== 'MISDIRECTED_REQUEST'
}

const ENVELOPE_CODES = Object.keys(ERROR_CODES).filter((code) => isInEnvelope(code) && code !== 'CONFIRMATION_REQUIRED')

const NewsletterError = {
  type: 'object',
  description: 'A refusal of a newsletter operation.',
  required: ['error', 'request_id'],
  additionalProperties: false,
  properties: {
    error: {
      type: 'object',
      description: 'The refusal.',
      required: ['code', 'message', 'retryable'],
      additionalProperties: false,
      properties: {
        code: { type: 'string', enum: ENVELOPE_CODES, description: 'Why the request was refused, for programs.' },
        message: { type: 'string', description: 'Why the request was refused, for people; it may change.' },
        retryable: { type: 'boolean', description: 'Whether the same request may succeed later.' },
        details: { $ref: '#/components/schemas/ErrorDetails', description: 'More for programs; absent without.' },
      },
    },
    request_id: { type: 'string', description: 'The id of the request, as in X-Request-ID.' },
  },
}

const platformProperties = {
  error: {
    type: 'string',
    enum: [...new Set(Object.values(ERROR_CODES).map(({ platform }) => platform))],
    description: 'Why the request was refused, for programs.',
  },
  message: { type: 'string', description: 'Why the request was refused, for people; it may change.' },
}
const platformError = (properties: Record<string, unknown>, description: string) => ({
  type: 'object',
  description,
  required: ['error', 'message'],
  additionalProperties: false,
  properties: { ...platformProperties, ...properties },
})

const PlatformError = platformError({}, 'A refusal outside the newsletter operations.')
const FormError = platformError(
  {
    details: {
      type: 'array',
      description: 'Every flaw of the request, at most 20; absent without flaws.',
      items: { $ref: '#/components/schemas/Flaw' },
    },
  },
  'A refusal of a route that pages of the service call, with every flaw of the request.',
)

export const NEWSLETTER_ERRORS = { Error: NewsletterError, ErrorDetails, Flaw, PlatformError }
export const PLATFORM_ERRORS = { PlatformError, FormError, Flaw }
