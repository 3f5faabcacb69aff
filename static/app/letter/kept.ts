import { data } from '../api/data.ts'
import { store, stored } from '../api/stored.ts'
import type { Content } from './editor.ts'

/** What this browser stores of a letter: the unsaved copy and earlier versions, separately for each user. */

interface KeptCopy {
  content: Content
  /** The `updated_at` of the version that the copy was made from. */
  base: string
  at: number
}

interface Version {
  at: number
  content: Content
}

const MAX_VERSIONS = 20
/** A saved letter becomes a version when the latest version is older than this. */
const VERSION_EVERY_MS = 10 * 60_000

const place = (what: 'letter' | 'versions', letter: string): string => `masthead-${what} ${data.user.id} ${letter}`

/** Stores the unsaved copy. False when the browser's storage is full. */
export function keepCopy(letter: string, copy: KeptCopy): boolean {
  return store(place('letter', letter), copy)
}

export function dropCopy(letter: string): void {
  localStorage.removeItem(place('letter', letter))
}

export function keptCopy(letter: string): KeptCopy | null {
  return stored<KeptCopy>(place('letter', letter))
}

/** Versions of this letter, newest first. */
export function versions(letter: string): Version[] {
  return stored<Version[]>(place('versions', letter)) ?? []
}

/**
 * Stores saved content as a version, unless the latest one is recent. Old versions are dropped when storage is full.
 */
export function keepVersion(letter: string, content: Content, { always = false } = {}): void {
  const kept = versions(letter)
  if (!always && kept[0] && Date.now() - kept[0].at < VERSION_EVERY_MS) return
  for (let most = MAX_VERSIONS - 1; most >= 0; most--) {
    if (store(place('versions', letter), [{ at: Date.now(), content }, ...kept.slice(0, most)])) return
  }
}
