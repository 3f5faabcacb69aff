import { useSignal } from '@preact/signals'
import { useEffect, useRef, useState } from 'preact/hooks'
import { type Action, useAction } from '../api/action.ts'
import { ApiError } from '../api/errors.ts'
import { invalidate } from '../api/query.ts'
import type { Draft, Stored } from './draft.ts'
import { createAutosave } from './autosave.ts'
import { isConflict } from './crossing.tsx'

/** The stored state, and the key of its draft when it was just created. */
type Saved<T> = Stored<T> & { key?: string }

interface SaveOptions<T> {
  draft: Draft<T>
  /** Prefixes of the cached answers that a save changes. */
  invalidates: readonly string[]
  /**
   * Saves, unless the stored state is not the one that the draft was made from. Returns the new state.
   * @param itself whether it saves itself, without a word of the user
   */
  save(value: T, expected: string | null, itself: boolean): Promise<Saved<T>>
  /** The stored state; null when there is none. */
  load(): Promise<Stored<T> | null>
  /** Whether it saves itself: neither what is stored nor the draft is public. Absent: never. */
  savesItself?(value: T, stored: T): boolean
  done?(): void
}

/** How far a draft that saves itself has been saved. */
export interface SelfSaving {
  isSaving: boolean
  /** When it was saved last; null before the first save. */
  savedAt: string | null
  /** Why it could not be saved. */
  refusal: ApiError | null
}

interface Save<T> {
  save: Action<undefined, Stored<T>>
  /** Null where each save is the user's. */
  itself: SelfSaving | null
  /** Why it was not saved: the refusal of a save by the user, or a conflict. */
  error: ApiError | null
  /** The refusal of the last save, by the user or by itself, for the fields that it names. */
  refusal: ApiError | null
  /** The state that another user saved meanwhile. */
  theirs: Stored<T> | null
  chosen(): void
}

/** Saves a draft when the user says so, or by itself while nothing of it is public, and detects conflicts. */
export function useSave<T extends object>(options: SaveOptions<T>): Save<T> {
  const { draft, invalidates, save, load, savesItself, done } = options
  const [theirs, setTheirs] = useState<Stored<T> | null>(null)
  const itself = useSignal<SelfSaving>({ isSaving: false, savedAt: null, refusal: null })
  /** The last save. Two at once would each take the other for another user's. */
  const last = useRef<Promise<unknown>>(Promise.resolve())
  const store = (bySelf: boolean) => {
    const attempt = last.current.then(async () => {
      const sent = draft.value
      try {
        const stored = await save(sent, draft.stored.at, bySelf)
        draft.saved(stored, sent, stored.key)
        return stored
      } catch (error) {
        const now = isConflict(error) ? await load() : null
        if (now && now.at !== draft.stored.at) setTheirs(now)
        throw error
      }
    })
    last.current = attempt.catch(() => undefined)
    return attempt
  }
  const action = useAction(
    () => {
      setTheirs(null)
      itself.value = { ...itself.value, refusal: null }
      return store(false)
    },
    { invalidates, done },
  )

  const isSelfSaving = savesItself?.(draft.value, draft.stored.value) ?? false
  const saveItself = async () => {
    await last.current
    if (theirs || !draft.isChanged || !savesItself?.(draft.value, draft.stored.value)) return
    itself.value = { ...itself.value, isSaving: true }
    try {
      await store(true)
      itself.value = { isSaving: false, savedAt: new Date().toISOString(), refusal: null }
      invalidate(...invalidates)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      itself.value = { ...itself.value, isSaving: false, refusal: error }
      if (error.code === 'NO_ANSWER') autosave.retry()
    }
  }
  const latest = useRef(saveItself)
  latest.current = saveItself
  const [autosave] = useState(() => createAutosave(() => latest.current()))
  useEffect(() => {
    // After a conflict the user chooses first.
    if (isSelfSaving && draft.isChanged && !theirs) autosave.changed()
  }, [draft.value, isSelfSaving, theirs])
  useEffect(() => () => void autosave.flush().then(autosave.stop), [])

  const chosen = () => {
    setTheirs(null)
    itself.value = { ...itself.value, refusal: null }
    action.clear()
  }
  const own = itself.value
  return {
    save: action,
    itself: isSelfSaving ? own : null,
    error: action.error ?? (theirs ? own.refusal : null),
    refusal: action.error ?? (isSelfSaving ? own.refusal : null),
    theirs,
    chosen,
  }
}
