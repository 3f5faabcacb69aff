import { AppError } from '../errors.ts'

/** A project has so many of a thing and no more. */
export function requireRoom(count: number, most: number, what: string): void {
  if (count >= most)
    throw new AppError('INVALID_STATE', `A project has at most ${most} ${what}.`, {
      details: { state: 'full', limit: most },
    })
}
