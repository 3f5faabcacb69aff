/** The headers of answers, described once in the components of both OpenAPI documents. */
export const HEADERS: Readonly<Record<string, unknown>> = {
  'X-Request-ID': { description: 'The id of the request.', schema: { type: 'string' } },
  'RateLimit-Limit': { description: 'Requests a window.', schema: { type: 'integer' } },
  'RateLimit-Remaining': { description: 'Requests left in the window.', schema: { type: 'integer' } },
  'RateLimit-Reset': {
    description: 'Seconds until the window ends.',
    schema: { type: 'integer', minimum: 1, maximum: 60 },
  },
  RateLimit: {
    description: 'The window by its name, with what is left (r) and the seconds until it ends (t).',
    schema: { type: 'string' },
    example: '"mutation";r=118;t=42',
  },
  'RateLimit-Policy': {
    description: 'The window by its name, with its requests (q) and its length in seconds (w).',
    schema: { type: 'string' },
    example: '"mutation";q=120;w=60',
  },
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 1 } },
  'WWW-Authenticate': { description: 'Which credentials are needed (RFC 6750).', schema: { type: 'string' } },
  'Idempotent-Replayed': {
    description: 'Present where the answer is the stored one of an earlier request with the same key.',
    schema: { type: 'string', enum: ['true'] },
  },
  Location: { description: 'Where to go.', schema: { type: 'string' } },
}

/** References to these headers. */
export function headerRefs(names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}
