import { useState } from 'preact/hooks'
import { newKey } from '../../api/calls.ts'
import { invalidate } from '../../api/query.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { toast } from '../../ui/toast.tsx'

interface AskedProps {
  title: string
  verb: string
  sentence: string
  danger?: boolean
  /** Called again with the same key when there was no answer. */
  act: (key: string) => Promise<unknown>
  done: string
  /** The page that opens afterwards. */
  after?: () => void
  onClose: () => void
}

/** Asks for confirmation before a change to what is stored about people. */
export function Asked({ title, verb, sentence, danger, act, done, after, onClose }: AskedProps) {
  const [key] = useState(newKey)
  return (
    <ConfirmDialog
      title={title}
      verb={verb}
      danger={danger}
      onClose={onClose}
      onConfirm={async () => {
        await act(key)
        toast({ text: done, tone: 'good' })
        // The page of a deleted contact closes before its answers are requested again.
        after?.()
        invalidate('contacts/', 'suppressions/', 'overview', 'segments/preview')
      }}
    >
      <p>{sentence}</p>
    </ConfirmDialog>
  )
}
