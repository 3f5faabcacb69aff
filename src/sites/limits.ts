import { AppError } from '../errors.ts'

/** Throws INVALID_STATE when a project already has `most` of something. */
export function requireRoom(count: number, most: number, what: string): void {
  if (count >= most)
    throw new AppError('INVALID_STATE', `A project can have at most ${most} ${what}.`, {
      details: { state: 'full', limit: most },
    })
}
