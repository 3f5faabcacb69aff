import type { TSchema } from '@sinclair/typebox'
import type { ErrorCode } from '../errors.ts'

/** The parts of a declaration that decide which errors the pipeline itself can raise. */
interface Checks {
  kind: 'read' | 'stream' | 'mutation'
  role: string
  request: TSchema
}

/** Errors that any call can get, because credentials, body and quota are checked before the operation. */
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

const OF_CHANGES = [
  'IDEMPOTENCY_KEY_REQUIRED',
  'IDEMPOTENCY_CONFLICT',
  'REQUEST_IN_PROGRESS',
  'INSUFFICIENT_STORAGE',
] as const

/**
 * The error codes that the pipeline adds to an operation: NOT_FOUND among them when the request refers to things by id.
 */
export function impliedErrors({ kind, role, request }: Checks): ErrorCode[] {
  const names = propertyNames(request)
  return [
    ...ALWAYS,
    ...(role === 'member' ? [] : (['INSUFFICIENT_ROLE'] as const)),
    ...(kind === 'mutation' ? OF_CHANGES : []),
    ...(names.has('cursor') ? (['INVALID_CURSOR'] as const) : []),
    ...([...names].some((name) => /^(?:.+_)?ids?$/.test(name)) ? (['NOT_FOUND'] as const) : []),
  ]
}

function propertyNames(schema: unknown, found = new Set<string>()): Set<string> {
  if (schema === null || typeof schema !== 'object') return found
  for (const [key, value] of Object.entries(schema)) {
    // Ignores the `id` of blocks in an email document: it names no stored thing.
    if (key === 'properties' && !('blocks' in value)) Object.keys(value as object).forEach((name) => found.add(name))
    if (key !== 'blocks') propertyNames(value, found)
  }
  return found
}
