import { type AppError, ERROR_CODES, type Flaw } from '../errors.ts'

/** Codes that newsletter routes render in the platform's shape (docs/api/errors.md#newsletter-errors). */
export const PLATFORM_SHAPED: ReadonlySet<string> = new Set([
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

interface PlatformError {
  error: string
  message: string
  details?: Flaw[]
}

/** An error in the platform's shape. The message includes the first flaw unless it repeats it. */
export function platformError(error: AppError): PlatformError {
  const [flaw] = flawsOf(error)
  const where =
    flaw?.message !== undefined && flaw.message !== error.message
      ? ` ${flaw.path === '' ? 'The body' : flaw.path.slice(1).replaceAll('/', '.')}: ${flaw.message}`
      : ''
  return { error: ERROR_CODES[error.code].platform, message: error.message + where }
}

/** The platform's shape with every flaw, for forms that say each beside its field. */
export function formError(error: AppError): PlatformError {
  const flaws = flawsOf(error)
  return { ...platformError(error), ...(flaws.length > 0 ? { details: flaws } : {}) }
}

function flawsOf({ details }: AppError): Flaw[] {
  return Array.isArray(details) ? (details as Flaw[]) : []
}
