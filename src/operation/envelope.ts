import { type AppError, ERROR_CODES, type Flaw } from '../errors.ts'

/** Refusals of authentication keep the platform's own shape on newsletter routes, too (spec, Errors; details 7, 8). */
const PLATFORM_SHAPED: ReadonlySet<string> = new Set([
  'UNAUTHORIZED',
  'INVALID_TOKEN',
  'FORBIDDEN',
  'PROJECT_NOT_AUTHORIZED',
])

/** A refusal as the newsletter's callers get it. */
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

/** A refusal in the platform's shape. It has no `details`, so the sentence names the first flaw, unless it says the same. */
export function platformError(error: AppError): { error: string; message: string } {
  const [flaw] = Array.isArray(error.details) ? (error.details as Partial<Flaw>[]) : []
  const where =
    flaw?.path !== undefined && flaw.message !== undefined && flaw.message !== error.message
      ? ` ${flaw.path === '' ? 'The body' : flaw.path.slice(1).replaceAll('/', '.')}: ${flaw.message}`
      : ''
  return { error: ERROR_CODES[error.code].platform, message: error.message + where }
}
