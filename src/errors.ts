/**
 * The code of every refusal: its HTTP status, whether the same call may succeed later, and the name that the platform's
 * routes give it. `operation/envelope.ts` renders refusals in both shapes (docs/api/errors.md#codes).
 */
export const ERROR_CODES = {
  VALIDATION_FAILED: { status: 400, retryable: false, platform: 'invalid_request' },
  INVALID_JSON: { status: 400, retryable: false, platform: 'invalid_request' },
  INVALID_CURSOR: { status: 400, retryable: false, platform: 'invalid_request' },
  IDEMPOTENCY_KEY_REQUIRED: { status: 400, retryable: false, platform: 'invalid_request' },
  UNAUTHORIZED: { status: 401, retryable: false, platform: 'unauthorized' },
  INVALID_TOKEN: { status: 401, retryable: false, platform: 'invalid_token' },
  CONFIRMATION_REQUIRED: { status: 403, retryable: false, platform: 'confirmation_required' },
  FORBIDDEN: { status: 403, retryable: false, platform: 'forbidden' },
  INSUFFICIENT_SCOPE: { status: 403, retryable: false, platform: 'insufficient_scope' },
  INSUFFICIENT_ROLE: { status: 403, retryable: false, platform: 'forbidden' },
  PROJECT_NOT_AUTHORIZED: { status: 403, retryable: false, platform: 'project_not_authorized' },
  PLAN_LIMIT_EXCEEDED: { status: 403, retryable: false, platform: 'forbidden' },
  NOT_FOUND: { status: 404, retryable: false, platform: 'not_found' },
  METHOD_NOT_ALLOWED: { status: 405, retryable: false, platform: 'invalid_request' },
  REQUEST_TIMEOUT: { status: 408, retryable: true, platform: 'invalid_request' },
  CONFLICT: { status: 409, retryable: false, platform: 'conflict' },
  INVALID_STATE: { status: 409, retryable: false, platform: 'conflict' },
  NOT_READY: { status: 409, retryable: false, platform: 'conflict' },
  IDEMPOTENCY_CONFLICT: { status: 409, retryable: false, platform: 'conflict' },
  REQUEST_IN_PROGRESS: { status: 409, retryable: true, platform: 'conflict' },
  PAYLOAD_TOO_LARGE: { status: 413, retryable: false, platform: 'invalid_request' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, retryable: false, platform: 'invalid_request' },
  MISDIRECTED_REQUEST: { status: 421, retryable: false, platform: 'invalid_request' },
  RATE_LIMITED: { status: 429, retryable: true, platform: 'rate_limited' },
  INTERNAL: { status: 500, retryable: true, platform: 'internal_error' },
  RATE_LIMIT_UNAVAILABLE: { status: 503, retryable: true, platform: 'internal_error' },
  DATABASE_UNAVAILABLE: { status: 503, retryable: true, platform: 'internal_error' },
  INSUFFICIENT_STORAGE: { status: 507, retryable: true, platform: 'internal_error' },
  TOO_MANY_UPLOADS: { status: 503, retryable: true, platform: 'internal_error' },
  TOO_MANY_UNREAD: { status: 503, retryable: true, platform: 'internal_error' },
} as const

export type ErrorCode = keyof typeof ERROR_CODES

/** One thing that is wrong with a request: where (a JSON pointer, RFC 6901) and, where it helps, what. */
export interface Flaw {
  path: string
  message?: string
}

interface AppErrorOptions {
  /** Shown to the caller under `error.details`. */
  details?: unknown
  /** Headers that belong to this refusal (`Retry-After`, `WWW-Authenticate`). */
  headers?: Record<string, string>
  cause?: unknown
}

/** A refusal that the caller sees. `message` is a sentence for people and never names internals. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly details: unknown
  readonly headers: Record<string, string>

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.details = options.details
    this.headers = options.headers ?? {}
  }

  get status(): number {
    return ERROR_CODES[this.code].status
  }
}

/** NOT_FOUND for a thing that a body or path names; the same for one that never existed and one of another project. */
export function notFound(what: string, path?: string): AppError {
  return new AppError('NOT_FOUND', `No such ${what}.`, path ? { details: [{ path }] } : {})
}

/** Most flaws that one refusal lists. */
export const MAX_FLAWS = 20

/** VALIDATION_FAILED with the first 20 flaws of a request (docs/api/conventions.md#validation). */
export function invalidRequest(flaws: readonly Flaw[]): AppError {
  return new AppError('VALIDATION_FAILED', 'The request is not valid.', { details: flaws.slice(0, MAX_FLAWS) })
}

/** VALIDATION_FAILED for one flaw that the schema does not express. */
export function invalid(path: string, message: string): AppError {
  return invalidRequest([{ path, message }])
}

/** CONFLICT: the value at `path` is already in use (docs/api/errors.md#codes). */
export function conflict(path: string, message: string, cause?: unknown): AppError {
  return new AppError('CONFLICT', message, { details: [{ path, message }], cause })
}

/** INVALID_STATE: the operation is not allowed in the resource's present state. */
export function invalidState(message: string, state: string): AppError {
  return new AppError('INVALID_STATE', message, { details: { state } })
}

/** Throws INVALID_STATE when a project already has as many of a thing as it may have. */
export function requireRoom(count: number, most: number, what: string): void {
  if (count >= most)
    throw new AppError('INVALID_STATE', `A project can have at most ${most} ${what}.`, {
      details: { state: 'full', limit: most },
    })
}

/** Names the database that cannot be used and the reason, without its credentials. */
export class UnreachableDatabase extends Error {}

/** The server of the database does not answer now; it may later. */
export class SilentDatabase extends UnreachableDatabase {}
