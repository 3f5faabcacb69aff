import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import type { ApiError } from '../api/errors.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { FlawSummary } from './error-note.tsx'
import { unfinishedNumber } from './field.tsx'

interface FormDialogProps {
  title: string
  /** The label of the button; it contains the number when the action reaches people. */
  verb: string
  danger?: boolean
  busy: boolean
  error: ApiError | null
  /** Why the button does nothing yet. */
  missing?: string | null
  onSubmit: () => void
  onClose: () => void
  children: ComponentChildren
}

/** A form in a dialog. It keeps what was typed until the service has accepted it. */
export function FormDialog({
  title,
  verb,
  danger,
  busy,
  error,
  missing,
  onSubmit,
  onClose,
  children,
}: FormDialogProps) {
  const id = useId()
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button kind={danger ? 'danger' : 'primary'} type="submit" form={id} busy={busy} disabled_reason={missing}>
            {verb}
          </Button>
          <Button onClick={onClose}>Not now</Button>
        </>
      }
    >
      <form
        class="stack"
        id={id}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          const unfinished = unfinishedNumber(event.currentTarget)
          if (unfinished) unfinished.focus()
          else if (!missing) onSubmit()
        }}
      >
        <FlawSummary error={error} />
        {children}
      </form>
    </Dialog>
  )
}
