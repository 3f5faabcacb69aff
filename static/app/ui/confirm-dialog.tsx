import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { ErrorNote, type ErrorLike, errorOf } from './error-note.tsx'
import { TextField } from './field.tsx'

interface ConfirmDialogProps {
  title: ComponentChildren
  /** What happens, and what cannot be undone. */
  children?: ComponentChildren
  /** The label of the button; it contains the number: "Delete 312 contacts". */
  verb: string
  /** The label of the button that changes nothing; it has the focus first. */
  no?: string
  danger?: boolean
  /** The text that has to be typed before the button works. */
  typed?: string
  /** Why the button does not work yet. */
  disabled_reason?: string | null
  onConfirm: () => Promise<void> | void
  onClose: () => void
}

/** Asks before an action that reaches people or cannot be undone. An error is shown inside it. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const [busy, setBusy] = useState(false)
  const [text, setText] = useState('')
  const [error, setError] = useState<ErrorLike | null>(null)
  const matches = !props.typed || text.trim() === props.typed
  const confirm = async () => {
    setBusy(true)
    setError(null)
    try {
      await props.onConfirm()
      props.onClose()
    } catch (cause) {
      setError(errorOf(cause))
      setBusy(false)
    }
  }
  return (
    <Dialog
      alert
      title={props.title}
      onClose={() => {
        if (!busy) props.onClose()
      }}
      initial_focus={props.typed ? 'input' : '.dialog-no button'}
      actions={
        <>
          <Button
            kind={props.danger ? 'danger' : 'primary'}
            busy={busy}
            disabled_reason={matches ? props.disabled_reason : `Type ${props.typed} first.`}
            onClick={() => void confirm()}
          >
            {props.verb}
          </Button>
          <span class="dialog-no">
            <Button onClick={props.onClose}>{props.no ?? 'Not now'}</Button>
          </span>
        </>
      }
    >
      <div class="stack">
        {error && <ErrorNote error={error} />}
        {props.children && <div>{props.children}</div>}
        {props.typed && (
          <TextField
            label={
              <>
                Type <strong class="typed">{props.typed}</strong> to go on
              </>
            }
            value={text}
            onInput={setText}
            autocomplete="off"
          />
        )}
      </div>
    </Dialog>
  )
}
