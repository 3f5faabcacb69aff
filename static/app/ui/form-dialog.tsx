import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'
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
  /** Another way to submit, such as one that keeps the dialog open for the next entry. */
  other?: { verb: string; onSubmit: () => void }
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
  other,
  onClose,
  children,
}: FormDialogProps) {
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  const submit = (act: () => void) => {
    const unfinished = unfinishedNumber(form.current!)
    if (unfinished) unfinished.focus()
    else if (!missing) act()
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
          {other && (
            <Button busy={busy} disabled_reason={missing} onClick={() => submit(other.onSubmit)}>
              {other.verb}
            </Button>
          )}
          <Button onClick={onClose}>Not now</Button>
        </>
      }
    >
      <form
        class="stack"
        ref={form}
        id={id}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          submit(onSubmit)
        }}
      >
        <FlawSummary error={error} />
        {children}
      </form>
    </Dialog>
  )
}
