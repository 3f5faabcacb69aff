import { type AppError, ERROR_CODES, type Flaw } from '../errors.ts'

/** Codes that newsletter routes render in the platform's shape (docs/api/errors.md#newsletter-errors). */
const PLATFORM_SHAPED: ReadonlySet<string> = new Set([
  'UNAUTHORIZED',
  'INVALID_TOKEN',
  'FORBIDDEN',
  'PROJECT_NOT_AUTHORIZED',
])

/** An error as newsletter routes answer it. */
export function errorEnvelope(error: AppError, request_id: string): unknown {
  if (PLATFORM_SHAPED.has(error.code)) return platformError(error)
  return {
    error: {
      code: error.code,
      message: error.message,
      retryable: ERROR_CODES[error.code].retryable,
      ...(error.details === undefined ? {} : { details: error.details }),
    },
    request_id,
  }
}

/**
 * An error in the platform's shape. It has no `details`, so the message includes the first flaw unless it repeats it.
 */
export function platformError(error: AppError): { error: string; message: string } {
  const [flaw] = Array.isArray(error.details) ? (error.details as Partial<Flaw>[]) : []
  const where =
    flaw?.path !== undefined && flaw.message !== undefined && flaw.message !== error.message
      ? ` ${flaw.path === '' ? 'The body' : flaw.path.slice(1).replaceAll('/', '.')}: ${flaw.message}`
      : ''
  return { error: ERROR_CODES[error.code].platform, message: error.message + where }
}
