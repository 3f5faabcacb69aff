import type { TSchema } from '@sinclair/typebox'
import type { ErrorCode } from '../errors.ts'

/** What is known of an operation before its code runs. */
interface Checks {
  kind: 'read' | 'stream' | 'mutation'
  role: string
  request: TSchema
}

/** What every call may be answered with: credentials, body and quota are checked before the operation. */
const ALWAYS = [
  'VALIDATION_FAILED',
  'INVALID_JSON',
  'UNAUTHORIZED',
  'INVALID_TOKEN',
  'FORBIDDEN',
  'PROJECT_NOT_AUTHORIZED',
  'INSUFFICIENT_SCOPE',
  'REQUEST_TIMEOUT',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'MISDIRECTED_REQUEST',
  'RATE_LIMITED',
  'INTERNAL',
  'RATE_LIMIT_UNAVAILABLE',
  'DATABASE_UNAVAILABLE',
  'TOO_MANY_UPLOADS',
  'TOO_MANY_UNREAD',
] as const satisfies readonly ErrorCode[]

const OF_KEYS = ['IDEMPOTENCY_KEY_REQUIRED', 'IDEMPOTENCY_CONFLICT', 'REQUEST_IN_PROGRESS'] as const

/** The codes that the pipeline gives an operation, and NOT_FOUND where the request names things by their ids. */
export function impliedErrors({ kind, role, request }: Checks): ErrorCode[] {
  const names = propertyNames(request)
  return [
    ...ALWAYS,
    ...(role === 'member' ? [] : (['INSUFFICIENT_ROLE'] as const)),
    ...(kind === 'mutation' ? OF_KEYS : []),
    ...(names.has('cursor') ? (['INVALID_CURSOR'] as const) : []),
    ...([...names].some((name) => /^(?:.+_)?ids?$/.test(name)) ? (['NOT_FOUND'] as const) : []),
  ]
}

function propertyNames(schema: unknown, found = new Set<string>()): Set<string> {
  if (schema === null || typeof schema !== 'object') return found
  for (const [key, value] of Object.entries(schema)) {
    // The blocks of an email document have ids of their own.
    if (key === 'properties' && !('blocks' in value)) Object.keys(value as object).forEach((name) => found.add(name))
    if (key !== 'blocks') propertyNames(value, found)
  }
  return found
}
