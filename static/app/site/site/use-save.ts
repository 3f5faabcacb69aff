import { useState } from 'preact/hooks'
import { type Action, useAction } from '../../api/action.ts'
import type { Draft, Stored } from '../../code/draft.ts'
import { isConflict } from './crossing.tsx'

/** The stored state, and the key of its draft when it was just created. */
type Saved<T> = Stored<T> & { key?: string }

interface SaveOptions<T> {
  draft: Draft<T>
  /** Prefixes of the cached answers that a save changes. */
  invalidates: readonly string[]
  /** Saves, unless the stored state is not the one that the draft was made from. Returns the new state. */
  save(value: T, expected: string | null): Promise<Saved<T>>
  /** The stored state; null when there is none. */
  load(): Promise<Stored<T> | null>
  done?(): void
}

interface Save<T> {
  save: Action<undefined, Stored<T>>
  /** The state that another user saved meanwhile. */
  theirs: Stored<T> | null
  chosen(): void
}

/** Saves a draft, and detects conflicts. */
export function useSave<T>({ draft, invalidates, save, load, done }: SaveOptions<T>): Save<T> {
  const [theirs, setTheirs] = useState<Stored<T> | null>(null)
  const action = useAction(
    async () => {
      setTheirs(null)
      const sent = draft.value
      try {
        const stored = await save(sent, draft.stored.at)
        draft.saved(stored, sent, stored.key)
        return stored
      } catch (error) {
        const now = isConflict(error) ? await load() : null
        if (now && now.at !== draft.stored.at) setTheirs(now)
        throw error
      }
    },
    { invalidates, done },
  )
  const chosen = () => {
    setTheirs(null)
    action.clear()
  }
  return { save: action, theirs, chosen }
}
