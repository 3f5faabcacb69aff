import { AppError, SilentDatabase } from '../errors.ts'
import { chain } from './constraint.ts'

/** Seconds after which a caller may try again. */
const RETRY_AFTER_S = '5'

/** What a caller is told when the database could not do its work (docs/api/errors.md#codes); null for other errors. */
export function databaseRefusal(error: unknown): AppError | null {
  if (error instanceof AppError || !isSilent(error)) return null
  return new AppError('DATABASE_UNAVAILABLE', 'The database does not answer. Try again in a moment.', {
    cause: error,
    headers: { 'Retry-After': RETRY_AFTER_S },
  })
}

/** Whether the server of the database could not be reached, or did not answer in time. */
export function isSilent(error: unknown): boolean {
  return chain(error).some((link) => link instanceof SilentDatabase)
}

/** A sentence about a database that cannot be used, without its credentials. */
export function unreachableText(url: string, what: 'opened' | 'reached', reason: unknown): string {
  const shown = url.replace(/\/\/[^@/]*@/, '//')
  return `The database ${shown} cannot be ${what}: ${reason instanceof Error ? reason.message : String(reason)}`
}
