import { useEffect, useState } from 'preact/hooks'

/** What is written and not saved, with the state of the stored thing that it began from. */
interface Kept<T> {
  value: T
  stored: Stored<T>
}

export interface Stored<T> {
  value: T
  /** The `last_update` of the service; null for what is new. */
  at: string | null
}

export interface Draft<T> {
  value: T
  /** The state that the draft began from. */
  stored: Stored<T>
  isChanged: boolean
  change(part: Partial<T>): void
  /** The service has another state now: the draft begins from it. Without `keep` it is shown. */
  restart(stored: Stored<T>, keep?: boolean): void
}

/** Drafts outlive their page, so that a look at another page loses nothing. */
const drafts = new Map<string, unknown>()

/** What a person writes, beside what is saved. The browser asks before a tab with unsaved text is closed. */
export function useDraft<T extends object>(key: string, stored: Stored<T>): Draft<T> {
  const [kept, setKept] = useState<Kept<T>>(
    () => (drafts.get(key) as Kept<T> | undefined) ?? { value: stored.value, stored },
  )
  const isChanged = !isSame(kept.value, kept.stored.value)
  const set = (next: Kept<T>) => {
    if (isSame(next.value, next.stored.value)) drafts.delete(key)
    else drafts.set(key, next)
    setKept(next)
  }
  useEffect(() => {
    if (!isChanged) return
    const leaving = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', leaving)
    return () => removeEventListener('beforeunload', leaving)
  }, [isChanged])
  useEffect(() => {
    // A newer state came after the page was drawn from an older one.
    if (!isChanged && stored.at !== kept.stored.at) set({ value: stored.value, stored })
  }, [stored.at])
  return {
    value: kept.value,
    stored: kept.stored,
    isChanged,
    change: (part) => set({ ...kept, value: { ...kept.value, ...part } }),
    restart: (next, keep = false) => set({ value: keep ? kept.value : next.value, stored: next }),
  }
}

function isSame<T extends object>(one: T, other: T): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
