import { type AppError, ERROR_CODES } from '../errors.ts'

/** Refusals of authentication keep the platform's own shape on newsletter routes, too (spec, Errors; details 7, 8). */
const PLATFORM_SHAPED: ReadonlySet<string> = new Set(['UNAUTHORIZED', 'INVALID_TOKEN', 'PROJECT_NOT_AUTHORIZED'])

/** A refusal as the newsletter's callers get it. */
export function errorEnvelope(error: AppError, request_id: string): unknown {
  if (PLATFORM_SHAPED.has(error.code)) return platformError(error)
  return {
    error: { code: error.code, message: error.message, retryable: ERROR_CODES[error.code].retryable, ...(error.details === undefined ? {} : { details: error.details }) },
    request_id,
  }
}

/** A refusal as everybody else gets it. */
export function platformError(error: AppError): { error: string; message: string } {
  return { error: ERROR_CODES[error.code].platform, message: error.message }
}
