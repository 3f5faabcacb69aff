import { signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { dropDraft, keepDraft, keptDraft } from './draft-copy.ts'

/** Text that is not saved yet, with the stored state that it was made from. */
interface Kept<T> {
  value: T
  stored: Stored<T>
}

export interface Stored<T> {
  value: T
  /** The `last_update` of the service; null for a new thing, and for one without such a time. */
  at: string | null
}

/** What the user edits. Its properties are getters, so a key pressed before the next frame sees the latest values. */
export interface Draft<T> {
  readonly value: T
  /** The stored state that the draft was made from. */
  readonly stored: Stored<T>
  readonly isChanged: boolean
  /** When an earlier visit wrote the text that was recovered now, and whether it was made from an older state. */
  readonly recovered: { at: number; is_older: boolean } | null
  change(part: Partial<T>): void
  /** Sets another stored state as the base of the draft. Without `keep` the draft becomes that state. */
  restart(stored: Stored<T>, keep?: boolean): void
  /** The sent value is stored. Edits made since then stay as a draft of the thing that `key` names. */
  saved(stored: Stored<T>, sent: T, key?: string): void
  /** Shows what is stored in the place of what was recovered. */
  dropRecovered(): void
}

/** Drafts outlive their page, so that opening another page loses nothing. */
const drafts = new Map<string, Kept<unknown>>()
/** The drafts whose copy in the browser belongs to this document. Another window may have a draft of the same thing. */
const copied = new Set<string>()
/** The drafts whose copy is older than they are. */
const waiting = new Set<string>()

/** Whether this browser has no room for a copy. */
const isWithoutRoom = signal(false)

const KEEP_MS = 300
let timer: ReturnType<typeof setTimeout> | undefined

/** Brings the copies in the browser's storage up to date. */
function keepCopies(): void {
  clearTimeout(timer)
  isWithoutRoom.value = false
  for (const key of waiting) {
    const draft = drafts.get(key)
    if (draft) {
      if (!keepDraft(key, { ...draft, at: Date.now() })) {
        isWithoutRoom.value = true
        continue
      }
      copied.add(key)
    } else if (copied.delete(key)) dropDraft(key)
    waiting.delete(key)
  }
}

/** Stores the copy soon: a text of a page is long, and storing it takes longer than a key. */
function keepSoon(key: string): void {
  waiting.add(key)
  clearTimeout(timer)
  timer = setTimeout(keepCopies, KEEP_MS)
}

/**
 * A draft of a stored value. A copy in the browser's storage outlives the tab. Without room for it, the browser asks
 * before the tab is closed.
 */
export function useDraft<T extends object>(key: string, stored: Stored<T>): Draft<T> {
  const recovered = useSignal<Draft<T>['recovered']>(null)
  const kept = useSignal<Kept<T>>(null!)
  kept.value ??= begin()
  const set = (next: Kept<T>, name = key) => {
    if (isSame(next.value, next.stored.value)) {
      drafts.delete(name)
      recovered.value = null
    } else drafts.set(name, next)
    keepSoon(name)
    if (name !== key) {
      drafts.delete(key)
      keepSoon(key)
    }
    kept.value = next
  }
  const draft: Draft<T> = {
    get value() {
      return kept.value.value
    },
    get stored() {
      return kept.value.stored
    },
    get isChanged() {
      return !isSame(kept.value.value, kept.value.stored.value)
    },
    get recovered() {
      return recovered.value
    },
    change: (part) => set({ ...kept.value, value: { ...kept.value.value, ...part } }),
    restart: (next, keep = false) => set({ value: keep ? kept.value.value : next.value, stored: next }),
    saved(next, sent, name) {
      const { value } = kept.value
      set({ value: isSame(value, sent) ? next.value : value, stored: next }, name)
    },
    dropRecovered: () => set({ value: stored.value, stored }),
  }
  const { isChanged } = draft
  useEffect(() => {
    if (!isChanged) return
    const leaving = (event: BeforeUnloadEvent) => {
      keepCopies()
      if (isWithoutRoom.peek()) event.preventDefault()
    }
    addEventListener('beforeunload', leaving)
    addEventListener('pagehide', keepCopies)
    return () => {
      removeEventListener('beforeunload', leaving)
      removeEventListener('pagehide', keepCopies)
    }
  }, [isChanged])
  useEffect(() => keepCopies, [])
  useEffect(() => {
    // A newer state was loaded after the page was drawn from an older one.
    if (!draft.isChanged && !isSame(stored, draft.stored)) set({ value: stored.value, stored })
  }, [JSON.stringify(stored)])
  return draft

  function begin(): Kept<T> {
    const own = drafts.get(key) as Kept<T> | undefined
    if (own) return own
    const copy = keptDraft(key, stored.value)
    if (!copy) return { value: stored.value, stored }
    copied.add(key)
    if (isSame(copy.value, stored.value)) {
      keepSoon(key)
      return { value: stored.value, stored }
    }
    const found = { value: copy.value, stored: copy.stored }
    drafts.set(key, found)
    recovered.value = { at: copy.at, is_older: copy.stored.at !== stored.at }
    return found
  }
}

/** What the save state of a draft says that only the user saves. */
export function unsavedWords(): string {
  return isWithoutRoom.value ? 'Not saved yet' : 'Not saved yet (kept in this browser)'
}

function isSame<T extends object>(one: T, other: T): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
