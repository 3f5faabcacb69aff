import { useState } from 'preact/hooks'
import { useMutation } from '../../api/action.ts'
import type { Contact, List } from '../../api/operations.d.ts'
import { Combobox } from '../../ui/combobox.tsx'
import { TextField } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.tsx'
import { ConsentText } from '../people/consent-text.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { askedWords } from './memberships.tsx'

const CHANGES = ['contacts/', 'suppressions/', 'overview', 'segments/preview']

export interface SubscribeProps {
  contact: Contact
  lists: readonly List[]
  list_id: number | null
  onClose: () => void
}

/** Subscribes one contact to a list, with the wording that the person agreed to. */
export function SubscribeDialog({ contact, lists, list_id, onClose }: SubscribeProps) {
  const [chosen, choose] = useState(list_id === null ? null : String(list_id))
  const [consent_text, setConsent] = useState('')
  const list = lists.find(({ id }) => String(id) === chosen)
  const join = useMutation('contacts/membership', {
    invalidates: CHANGES,
    done: (answer) => {
      toast({
        text: list!.double_opt_in ? askedWords(answer) : `Subscribed to “${list!.name}”.`,
        tone: answer.confirmations_blocked?.length ? 'wait' : 'good',
      })
      onClose()
    },
  })
  const submit = () =>
    void join.run({ contact_id: contact.id, list_id: Number(chosen), action: 'subscribe', consent_text })
  const missing =
    chosen === null ? 'Choose a list first.' : consent_text.trim() === '' ? 'Say what they agreed to first.' : null
  return (
    <FormDialog
      title={`Subscribe ${contact.full_name || contact.email} to a list`}
      verb="Subscribe"
      busy={join.busy}
      error={join.error}
      missing={missing}
      onSubmit={submit}
      onClose={onClose}
    >
      <Combobox
        label="List"
        required
        options={lists
          .filter(({ archived, id }) => (!archived && !isOn(contact, id)) || id === list_id)
          .map(({ id, name }) => ({ value: String(id), label: name }))}
        value={chosen}
        onChange={choose}
        hint={list?.double_opt_in ? 'They get a message to confirm, and count once they click.' : undefined}
      />
      <ConsentText value={consent_text} onInput={setConsent} flaw={join.error?.flawOf('/consent_text')} />
    </FormDialog>
  )
}

function isOn({ lists }: Contact, id: number): boolean {
  return lists.some(({ list_id, status }) => list_id === id && status !== 'unsubscribed')
}

export interface PersonDialogProps {
  contact: Contact
  onClose: () => void
}

/** Changes the address of a contact. */
export function AddressDialog({ contact, onClose }: PersonDialogProps) {
  const [email, setEmail] = useState(contact.email)
  const change = useMutation('contacts/update', {
    invalidates: CHANGES,
    done: () => {
      toast({ text: 'The address is changed.', tone: 'good' })
      onClose()
    },
  })
  const submit = () => void change.run({ contact_id: contact.id, email: email.trim() })
  return (
    <FormDialog
      title="Change the address"
      verb="Change it"
      busy={change.busy}
      error={change.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Address"
        type="email"
        required
        autocomplete="off"
        value={email}
        onInput={setEmail}
        flaw={change.error?.flawOf('/email')}
        hint="Consent and history stay. If the new address is suppressed, it stays suppressed."
      />
    </FormDialog>
  )
}

/** Suppresses the address of a contact. */
export function SuppressDialog({ contact, onClose }: PersonDialogProps) {
  const [note, setNote] = useState('')
  const suppress = useMutation('suppressions/add', {
    invalidates: CHANGES,
    done: () => {
      toast({ text: 'The address is suppressed.', tone: 'good' })
      onClose()
    },
  })
  const submit = () => void suppress.run({ email: contact.email, reason: 'manual', ...(note && { note }) })
  return (
    <FormDialog
      title={`Suppress ${contact.email}?`}
      verb="Suppress 1 address"
      danger
      busy={suppress.busy}
      error={suppress.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>Nothing is sent to it any more, whatever list it is on, until the suppression is lifted.</p>
      <TextField
        label="Note"
        flaw={suppress.error?.flawOf('/note')}
        optional
        maxlength={200}
        value={note}
        onInput={setNote}
        hint="Why, for your colleagues."
      />
    </FormDialog>
  )
}
