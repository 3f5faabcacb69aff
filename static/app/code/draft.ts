import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

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
  change(part: Partial<T>): void
  /** Sets another stored state as the base of the draft. Without `keep` the draft becomes that state. */
  restart(stored: Stored<T>, keep?: boolean): void
  /** The sent value is stored. Edits made since then stay as a draft of the thing that `key` names. */
  saved(stored: Stored<T>, sent: T, key?: string): void
}

/** Drafts outlive their page, so that opening another page loses nothing. */
const drafts = new Map<string, unknown>()

/** A draft of a stored value. The browser asks before a tab with unsaved text is closed. */
export function useDraft<T extends object>(key: string, stored: Stored<T>): Draft<T> {
  const kept = useSignal<Kept<T>>((drafts.get(key) as Kept<T> | undefined) ?? { value: stored.value, stored })
  const set = (next: Kept<T>, name = key) => {
    if (isSame(next.value, next.stored.value)) drafts.delete(name)
    else drafts.set(name, next)
    if (name !== key) drafts.delete(key)
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
    change: (part) => set({ ...kept.value, value: { ...kept.value.value, ...part } }),
    restart: (next, keep = false) => set({ value: keep ? kept.value.value : next.value, stored: next }),
    saved(next, sent, name) {
      const { value } = kept.value
      set({ value: isSame(value, sent) ? next.value : value, stored: next }, name)
    },
  }
  const { isChanged } = draft
  useEffect(() => {
    if (!isChanged) return
    const leaving = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', leaving)
    return () => removeEventListener('beforeunload', leaving)
  }, [isChanged])
  useEffect(() => {
    // A newer state was loaded after the page was drawn from an older one.
    if (!draft.isChanged && !isSame(stored, draft.stored)) set({ value: stored.value, stored })
  }, [JSON.stringify(stored)])
  return draft
}

function isSame<T extends object>(one: T, other: T): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
