import { type Changed, findEditor } from '../access/editor.ts'
import { iso } from '../clock.ts'
import { AppError, invalid } from '../errors.ts'
import { Instant, instantOf } from '../schema.ts'
import type { Reader } from '../store/open.ts'

/** The `updated_at` that an editor has read (docs/api/conventions.md#edits-that-cross). */
export const ExpectedUpdatedAt = {
  ...Instant,
  description: 'The updated_at that was read. When it has changed since, nothing is written and the answer is 409.',
}

/** CONFLICT, with who changed it and the present time, when something was changed after it was read. */
export async function requireUnchanged(db: Reader, expected: string | undefined, changed: Changed): Promise<void> {
  if (expected === undefined) return
  const at = instantOf(expected)
  if (at === null) throw invalid('/expected_updated_at', 'This day does not exist.')
  if (at === changed.updated_at) return
  const updated_by = await findEditor(db, changed)
  const updated_at = iso(changed.updated_at)
  const message = `Changed meanwhile${updated_by ? ` by ${updated_by.name}` : ''}: updated_at is ${updated_at}.`
  const details = [{ path: '/expected_updated_at', message, updated_at, updated_by }]
  throw new AppError('CONFLICT', message, { details })
}
