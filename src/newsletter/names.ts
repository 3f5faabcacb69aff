import { normalForm } from '../normal-form.ts'
import { notFound } from '../errors.ts'

/** The form in which names are compared: without case, Unicode in NFC (docs/api/conventions.md#names-and-types). */
export function nameKey(name: string): string {
  return normalForm(name).trim().toLowerCase()
}

/** Throws NOT_FOUND, pointing at the first of `ids` that is not in `found`. */
export function requireAll(what: string, path: string, ids: readonly number[], found: readonly { id: number }[]): void {
  const missing = ids.findIndex((id) => !found.some((thing) => thing.id === id))
  if (missing !== -1) throw notFound(what, `${path}/${missing}`)
}
