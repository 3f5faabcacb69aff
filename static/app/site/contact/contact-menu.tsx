import { useState } from 'preact/hooks'
import { mutate, read } from '../../api/calls.ts'
import { Menu } from '../../ui/menu.tsx'
import { toast } from '../../ui/toast.tsx'
import { saveFile } from '../../ui/csv.ts'
import { Asked } from '../people/asked.tsx'
import { later } from '../../later.tsx'
import type { PersonDialogProps } from './dialogs.tsx'
import type { ContactAnswer } from './history.ts'
import { LiftDialog } from './lift-dialog.tsx'
import { leavesSuppression } from './standing.ts'

const AddressDialog = later<PersonDialogProps>(async () => (await import('./dialogs.tsx')).AddressDialog)
const SuppressDialog = later<PersonDialogProps>(async () => (await import('./dialogs.tsx')).SuppressDialog)

type Asking = 'address' | 'suppress' | 'lift' | 'reset' | 'delete'

/** Rare actions on a contact. */
export function ContactMenu({ answer, onDeleted }: { answer: ContactAnswer; onDeleted: () => void }) {
  const { contact, suppression } = answer
  const [asking, ask] = useState<Asking | null>(null)
  const close = () => ask(null)
  const name = contact.full_name || contact.email
  return (
    <>
      <Menu
        icon="more"
        label="More to do with this contact"
        items={[
          { label: 'Change the address…', icon: 'pencil', onSelect: () => ask('address') },
          contact.global_status === 'bounced' && {
            label: 'Reset the bounced status…',
            icon: 'undo',
            onSelect: () => ask('reset'),
          },
          suppression
            ? { label: 'Lift the suppression…', icon: 'undo', onSelect: () => ask('lift') }
            : { label: 'Suppress the address…', icon: 'ban', onSelect: () => ask('suppress') },
          { label: 'Export this person’s data (JSON)', icon: 'download', onSelect: () => void exportPerson(answer) },
          'line',
          { label: 'Delete…', icon: 'trash', danger: true, onSelect: () => ask('delete') },
        ]}
      />
      {asking === 'address' && <AddressDialog contact={contact} onClose={close} />}
      {asking === 'suppress' && <SuppressDialog contact={contact} onClose={close} />}
      {asking === 'lift' && suppression && (
        <LiftDialog email={contact.email} reason={suppression.reason} onClose={close} />
      )}
      {asking === 'reset' && (
        <Asked
          title="Reset the bounced status?"
          verb="Reset 1 contact"
          sentence="Mail to the address is tried again. Do this when the mailbox works again; bounces harm your reputation."
          act={(key) => mutate('contacts/reset-status', { contact_id: contact.id }, key)}
          done="The status is reset."
          onClose={close}
        />
      )}
      {asking === 'delete' && (
        <Asked
          title={`Delete ${name}?`}
          verb="Delete 1 contact"
          danger
          sentence={[
            'Their history and consent records go with them.',
            leavesSuppression(answer)
              ? 'Their opt-out stays as a suppression, so that an import cannot bring them back.'
              : '',
          ].join(' ')}
          act={(key) => mutate('contacts/delete', { contact_id: contact.id }, key)}
          done={`${name} is deleted.`}
          after={onDeleted}
          onClose={close}
        />
      )}
    </>
  )
}

/** Downloads everything that is stored about a contact. */
async function exportPerson({ contact, suppression, activity, consents }: ContactAnswer): Promise<void> {
  const all = { contact, suppression, activity: [...activity], consents: [...consents] }
  for (;;) {
    const more = await read('contacts/get', {
      contact_id: contact.id,
      activity_after_id: all.activity.at(-1)?.id ?? 1,
      consents_after_id: all.consents.at(-1)?.id ?? 1,
    })
    if (more.activity.length === 0 && more.consents.length === 0) break
    all.activity.push(...more.activity)
    all.consents.push(...more.consents)
  }
  saveFile(`contact-${contact.id}.json`, new Blob([JSON.stringify(all, null, 2)], { type: 'application/json' }))
  toast({ text: 'The file is ready.', tone: 'good' })
}
