import type { ComponentChildren } from 'preact'
import type { Action } from '../api/action.ts'
import { isOnline, isSignedOut } from '../api/conditions.ts'
import { type Draft, unsavedWords } from './draft.ts'
import { useSaveKey } from './save-key.ts'
import { Button } from '../ui/button.tsx'
import { clock } from '../ui/format.ts'
import { FormActions } from '../ui/page.tsx'
import type { SelfSaving } from './use-save.ts'

interface SaveBarProps {
  save: Action<undefined, unknown>
  draft: Draft<object>
  /** How far it has saved itself; null where only the user saves it. */
  itself?: SelfSaving | null
  /** Whether it is not stored yet, so that it can be saved unchanged. */
  isNew?: boolean
  verb?: string
  children?: ComponentChildren
}

/** What is saved and what this browser keeps, and the button that saves, also by Ctrl S. */
export function SaveBar({ save, draft, itself = null, isNew = false, verb = 'Save', children }: SaveBarProps) {
  const isUnsaved = () => isNew || draft.isChanged
  useSaveKey(() => {
    if (isUnsaved()) void save.run(undefined)
  })
  return (
    <FormActions changed={isUnsaved()} note={draft.isChanged ? unsaved(itself) : saved(itself)}>
      <Button kind="primary" main busy={save.busy} disabled={!isUnsaved()} onClick={() => void save.run(undefined)}>
        {verb}
      </Button>
      {children}
    </FormActions>
  )
}

/** Why a draft is not saved yet, or that it is being saved. */
export function unsaved(itself: SelfSaving | null): string {
  if (!itself) return unsavedWords()
  const reason = !isOnline.value
    ? 'there is no connection'
    : isSignedOut.value
      ? 'your session has ended'
      : itself.refusal?.message
  if (reason !== undefined) return `${unsavedWords()}: ${reason}`
  return itself.isSaving ? 'Saving…' : 'Not saved yet'
}

function saved(itself: SelfSaving | null): string | undefined {
  return itself?.savedAt ? `Saved ${clock(itself.savedAt)}` : undefined
}
