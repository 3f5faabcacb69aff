import { AppError, notFound } from '../errors.ts'
import { brokenUnique } from '../store/constraint.ts'

/** What makes two names the same: case and the way of writing a letter do not matter (contract-details 36). */
export function nameKey(name: string): string {
  return name.normalize('NFC').trim().toLowerCase()
}

/** Waits for a write that may break a unique name or address: then CONFLICT, with `message` and pointing at `path`. */
export async function orTaken<T>(write: Promise<T>, path: string, message: string): Promise<T> {
  try {
    return await write
  } catch (error) {
    if (brokenUnique(error) === null) throw error
    throw new AppError('CONFLICT', message, { details: [{ path }] })
  }
}

/** A project has so many of a thing and no more; INVALID_STATE says which. */
export function full(what: string, most: number): AppError {
  return new AppError('INVALID_STATE', `A project has at most ${most} ${what}.`, {
    details: { state: 'full', limit: most },
  })
}

/** NOT_FOUND, pointing at the first of the named ids that is not among those found (contract-details 9). */
export function requireAll(what: string, path: string, ids: readonly number[], found: readonly { id: number }[]): void {
  const missing = ids.findIndex((id) => !found.some((thing) => thing.id === id))
  if (missing !== -1) throw notFound(what, `${path}/${missing}`)
}
