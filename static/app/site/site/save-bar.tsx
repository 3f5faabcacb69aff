import type { ComponentChildren } from 'preact'
import type { Action } from '../../api/action.ts'
import type { Draft } from '../../code/draft.ts'
import { useSaveKey } from '../../code/save-key.ts'
import { Button } from '../../ui/button.tsx'
import { FormActions } from '../../ui/page.tsx'

interface SaveBarProps {
  save: Action<undefined, unknown>
  draft: Draft<object>
  /** Whether it is not stored yet, so that it can be saved unchanged. */
  isNew?: boolean
  verb?: string
  children?: ComponentChildren
}

/** The button that saves, also by Ctrl S. */
export function SaveBar({ save, draft, isNew = false, verb = 'Save', children }: SaveBarProps) {
  const isUnsaved = () => isNew || draft.isChanged
  useSaveKey(() => {
    if (isUnsaved()) void save.run(undefined)
  })
  return (
    <FormActions changed={isUnsaved()}>
      <Button kind="primary" main busy={save.busy} disabled={!isUnsaved()} onClick={() => void save.run(undefined)}>
        {verb}
      </Button>
      {children}
    </FormActions>
  )
}
