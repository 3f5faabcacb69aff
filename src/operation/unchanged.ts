import { iso } from '../clock.ts'
import { conflict, invalid } from '../errors.ts'
import { Instant, instantOf } from '../schema.ts'

/** The `updated_at` that an editor has read (docs/api/conventions.md#edits-that-cross). */
export const ExpectedUpdatedAt = {
  ...Instant,
  description: 'The updated_at that was read. When it has changed since, nothing is written and the answer is 409.',
}

/** CONFLICT, with the present time, when something was changed after it was read. */
export function requireUnchanged(expected: string | undefined, updated_at: number): void {
  if (expected === undefined) return
  const at = instantOf(expected)
  if (at === null) throw invalid('/expected_updated_at', 'This day does not exist.')
  if (at !== updated_at) throw conflict('/expected_updated_at', `Changed meanwhile: updated_at is ${iso(updated_at)}.`)
}
