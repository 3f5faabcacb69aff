import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import type { ApiError } from '../api/errors.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { FlawSummary } from './error-note.tsx'

interface FormDialogProps {
  title: string
  /** The button; it names the number where it reaches people. */
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

/** A form over the page. What was written stays in it until the service has taken it. */
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
  const submit = () => {
    if (!missing) onSubmit()
  }
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
          submit()
        }}
      >
        <FlawSummary error={error} />
        {children}
      </form>
    </Dialog>
  )
}
