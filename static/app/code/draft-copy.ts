import { data } from '../api/data.ts'
import { store, stored } from '../api/stored.ts'

/** What this browser stores of drafts, separately for each user and project. */

export interface DraftCopy<T> {
  value: T
  /** The stored state that the draft was made from, with its `last_update`. */
  stored: { value: T; at: string | null }
  /** When it was written, in ms since 1970. */
  at: number
}

const place = (key: string): string => `masthead-draft ${data.user.id} ${data.project?.id ?? '-'} ${key}`

/** Stores a copy. False when the browser's storage is full. */
export function keepDraft<T>(key: string, copy: DraftCopy<T>): boolean {
  return store(place(key), copy)
}

export function dropDraft(key: string): void {
  localStorage.removeItem(place(key))
}

/**
 * The copy of a draft, or null.
 * @param fields a value of the draft. The copy gets its fields, because an older version may have had others.
 */
export function keptDraft<T extends object>(key: string, fields: T): DraftCopy<T> | null {
  const copy = stored<DraftCopy<Partial<T>>>(place(key))
  if (copy === null) return null
  const { value, stored: base, at } = copy
  return { value: withFields(fields, value), stored: { ...base, value: withFields(fields, base.value) }, at }
}

function withFields<T extends object>(fields: T, value: Partial<T>): T {
  const names = Object.keys(fields) as (keyof T)[]
  return Object.fromEntries(names.map((name) => [name, name in value ? value[name] : fields[name]])) as T
}
