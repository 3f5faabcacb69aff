/**
 * Every refusal of the service is an `AppError` with a code of this table. The table gives the status,
 * whether the same call may succeed later, and the word that the platform's routes use for it; the two
 * renderings (newsletter envelope, platform error) are made from it in one place, `http/errors.ts`.
 */
export const ERROR_CODES = {
  VALIDATION_FAILED: { status: 400, retryable: false, platform: 'invalid_request' },
  INVALID_JSON: { status: 400, retryable: false, platform: 'invalid_request' },
  INVALID_CURSOR: { status: 400, retryable: false, platform: 'invalid_request' },
  IDEMPOTENCY_KEY_REQUIRED: { status: 400, retryable: false, platform: 'invalid_request' },
  UNAUTHORIZED: { status: 401, retryable: false, platform: 'unauthorized' },
  INVALID_TOKEN: { status: 401, retryable: false, platform: 'invalid_token' },
  FORBIDDEN: { status: 403, retryable: false, platform: 'forbidden' },
  INSUFFICIENT_SCOPE: { status: 403, retryable: false, platform: 'insufficient_scope' },
  INSUFFICIENT_ROLE: { status: 403, retryable: false, platform: 'forbidden' },
  PROJECT_NOT_AUTHORIZED: { status: 403, retryable: false, platform: 'project_not_authorized' },
  PLAN_LIMIT_EXCEEDED: { status: 403, retryable: false, platform: 'forbidden' },
  NOT_FOUND: { status: 404, retryable: false, platform: 'not_found' },
  METHOD_NOT_ALLOWED: { status: 405, retryable: false, platform: 'invalid_request' },
  CONFLICT: { status: 409, retryable: false, platform: 'conflict' },
  INVALID_STATE: { status: 409, retryable: false, platform: 'conflict' },
  NOT_READY: { status: 409, retryable: false, platform: 'conflict' },
  IDEMPOTENCY_CONFLICT: { status: 409, retryable: false, platform: 'conflict' },
  REQUEST_IN_PROGRESS: { status: 409, retryable: false, platform: 'conflict' },
  PAYLOAD_TOO_LARGE: { status: 413, retryable: false, platform: 'invalid_request' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, retryable: false, platform: 'invalid_request' },
  RATE_LIMITED: { status: 429, retryable: true, platform: 'rate_limited' },
  INTERNAL: { status: 500, retryable: true, platform: 'internal_error' },
  RATE_LIMIT_UNAVAILABLE: { status: 503, retryable: true, platform: 'internal_error' },
} as const

export type ErrorCode = keyof typeof ERROR_CODES

/** One thing that is wrong with a request: where (a JSON pointer) and, where it helps, what. */
export interface Flaw {
  path: string
  message?: string
}

export interface AppErrorOptions {
  /** Shown to the caller under `error.details`. */
  details?: unknown
  /** Headers that belong to this refusal (`Retry-After`, `WWW-Authenticate`). */
  headers?: Record<string, string>
  cause?: unknown
}

/** A refusal that the caller is told about. `message` is a sentence for people and never names the inside. */
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

/** NOT_FOUND for a thing named in a body or path; the same words whether it never was or is another project's. */
export function notFound(what: string, path?: string): AppError {
  return new AppError('NOT_FOUND', `No such ${what}.`, path ? { details: [{ path }] } : {})
}

/** VALIDATION_FAILED for a rule that a schema cannot say. */
export function invalid(path: string, message: string): AppError {
  return new AppError('VALIDATION_FAILED', 'The request is not valid.', { details: [{ path, message }] })
}

/** INVALID_STATE: the move is not allowed from the state the thing is in. */
export function invalidState(message: string, state: string): AppError {
  return new AppError('INVALID_STATE', message, { details: { state } })
}

/** Says which database cannot be used and why, without its credentials. */
export class UnreachableDatabase extends Error {}
