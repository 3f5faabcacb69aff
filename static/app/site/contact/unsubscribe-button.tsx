import { useState } from 'preact/hooks'
import { mutate } from '../../api/calls.ts'
import { Button } from '../../ui/button.tsx'
import { Asked } from '../people/asked.tsx'
import type { ContactAnswer } from './history.ts'

/** Ends all memberships of a contact. Absent when they have ended. */
export function UnsubscribeButton({ answer: { contact } }: { answer: ContactAnswer }) {
  const [asking, ask] = useState(false)
  if (contact.global_status !== 'subscribed' && contact.global_status !== 'pending') return null
  const name = contact.full_name || contact.email
  return (
    <>
      <Button onClick={() => ask(true)}>Unsubscribe…</Button>
      {asking && (
        <Asked
          title={`Unsubscribe ${name} from everything?`}
          verb="Unsubscribe 1 person"
          danger
          sentence="They leave every list. Their history stays."
          act={(key) => mutate('contacts/unsubscribe', { contact_id: contact.id }, key)}
          done={`${name} gets no campaign any more.`}
          onClose={() => ask(false)}
        />
      )}
    </>
  )
}
