import { AppError } from '../errors.ts'
import { brokenUnique } from '../store/constraint.ts'

/** CONFLICT, pointing at `path`, for a write that a unique value stands against. */
export async function orTaken<T>(writing: Promise<T>, path: string, message: string): Promise<T> {
  try {
    return await writing
  } catch (error) {
    if (brokenUnique(error) === null) throw error
    throw new AppError('CONFLICT', message, { details: [{ path, message }], cause: error })
  }
}

/** A project has so many of a thing and no more. */
export function requireRoom(count: number, most: number, what: string): void {
  if (count >= most)
    throw new AppError('INVALID_STATE', `A project has at most ${most} ${what}.`, {
      details: { state: 'full', limit: most },
    })
}
