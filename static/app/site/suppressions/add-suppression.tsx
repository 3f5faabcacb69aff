import { useState } from 'preact/hooks'
import { useMutation } from '../../api/action.ts'
import { TextField, Select } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { type Reason, REASON_CHOICES } from './query.ts'

/** Suppresses an address, whether a contact has it or not. */
export function AddSuppression({ onClose }: { onClose: () => void }) {
  const [email, setEmail] = useState('')
  const [reason, setReason] = useState<Reason>('manual')
  const [note, setNote] = useState('')
  const add = useMutation('suppressions/add', {
    invalidates: ['suppressions/', 'contacts/', 'overview'],
    done: ({ suppression }) => {
      toast({ text: `Nothing is sent to ${suppression.email ?? email} any more.`, tone: 'good' })
      onClose()
    },
  })
  return (
    <FormDialog
      title="Add an address"
      verb="Suppress 1 address"
      busy={add.busy}
      error={add.error}
      onSubmit={() => void add.run({ email: email.trim(), reason, ...(note && { note }) })}
      onClose={onClose}
    >
      <p>
        From now on nothing is sent to it, whatever list it is on. A contact with the address stays, with its history.
      </p>
      <TextField
        label="Address"
        type="email"
        required
        autocomplete="off"
        value={email}
        onInput={setEmail}
        flaw={add.error?.flawOf('/email')}
      />
      <Select
        label="Why"
        value={reason}
        options={REASON_CHOICES}
        onInput={(next) => setReason(next as Reason)}
        hint="Of two reasons the stronger stays: complained, bounced, opted out, by hand."
      />
      <TextField
        label="Note"
        optional
        maxlength={1000}
        value={note}
        onInput={setNote}
        flaw={add.error?.flawOf('/note')}
      />
    </FormDialog>
  )
}
