import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Action } from '../../api/action.ts'
import { Button } from '../../ui/button.tsx'
import { FormActions } from '../../ui/page.tsx'

interface SaveBarProps {
  save: Action<undefined, unknown>
  isChanged: boolean
  verb?: string
  children?: ComponentChildren
}

/** The button that saves, also by Ctrl S. */
export function SaveBar({ save, isChanged, verb = 'Save', children }: SaveBarProps) {
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 's') return
      event.preventDefault()
      if (isChanged) void save.run(undefined)
    }
    addEventListener('keydown', pressed)
    return () => removeEventListener('keydown', pressed)
  })
  return (
    <FormActions changed={isChanged}>
      <Button kind="primary" main busy={save.busy} disabled={!isChanged} onClick={() => void save.run(undefined)}>
        {verb}
      </Button>
      {children}
    </FormActions>
  )
}
