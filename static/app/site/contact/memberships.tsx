import { useMutation } from '../../api/action.ts'
import type { ResponseOf } from '../../api/calls.ts'
import type { Contact, List } from '../../api/operations.d.ts'
import { can } from '../../api/role.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Switch } from '../../ui/choice.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { day } from '../../ui/format.ts'
import { StateMark } from '../../ui/state.tsx'
import { toast } from '../../ui/toast.tsx'
import { keepContact } from './keep-contact.ts'
import { BLOCKED } from '../people/blocked.ts'

interface MembershipsProps {
  contact: Contact
  lists: readonly List[]
  /** Asks for the consent wording, for a list that the contact will join. */
  onSubscribe: (list_id: number | null) => void
  /** Whether the contact can join lists at all. */
  can_join: boolean
}

/** The lists of a contact, each with a switch. */
export function Memberships({ contact, lists, onSubscribe, can_join }: MembershipsProps) {
  const shown = contact.lists.filter(({ list_id }) => lists.some(({ id }) => id === list_id))
  return (
    <Card
      title="Lists"
      actions={
        can('editor') &&
        can_join && (
          <Button small kind="quiet" icon="plus" onClick={() => onSubscribe(null)}>
            Subscribe
          </Button>
        )
      }
    >
      {shown.length === 0 ? (
        <p class="quiet">On no list: no campaign that goes to a list reaches them.</p>
      ) : (
        <ul class="memberships">
          {shown.map((membership) => (
            <Membership
              key={membership.list_id}
              contact={contact}
              membership={membership}
              list={lists.find(({ id }) => id === membership.list_id)!}
              onSubscribe={can_join ? onSubscribe : undefined}
            />
          ))}
        </ul>
      )}
    </Card>
  )
}

interface MembershipProps {
  contact: Contact
  membership: Contact['lists'][number]
  list: List
  onSubscribe?: (list_id: number) => void
}

function Membership({ contact, membership, list, onSubscribe }: MembershipProps) {
  const { status, subscribed_at, unsubscribed_at } = membership
  const change = useMutation('contacts/membership', {
    invalidates: ['contacts/', 'overview'],
    done: (answer) => keepContact(answer.contact),
  })
  const about = { contact_id: contact.id, list_id: list.id }
  const leave = async () => {
    const left = await change.run({ ...about, action: 'unsubscribe' })
    if (left) toast({ text: `Taken off “${list.name}”.` })
  }
  const askAgain = async () => {
    // A contact imported without a wording has none that could be repeated.
    if (contact.consent_text === '') return onSubscribe?.(list.id)
    const asked = await change.run({ ...about, action: 'subscribe', consent_text: contact.consent_text })
    if (asked) toast({ text: askedWords(asked), tone: asked.confirmations_queued > 0 ? 'good' : 'wait' })
  }
  const since = status === 'unsubscribed' ? unsubscribed_at : subscribed_at
  return (
    <li class="membership">
      <div class="membership-words">
        <span class="membership-name">
          {list.name}
          {list.archived && <span class="quiet"> (archived)</span>}
        </span>
        <StateMark state={status}>{status === 'pending' ? 'Waits for a confirmation' : undefined}</StateMark>
        {since && <span class="quiet small">{`since ${day(since)}`}</span>}
      </div>
      {can('editor') && (
        <Switch
          label={`On the list ${list.name}`}
          label_hidden
          checked={status !== 'unsubscribed'}
          busy={change.busy}
          disabled={status === 'unsubscribed' && !onSubscribe}
          onChange={(on) => (on ? onSubscribe?.(list.id) : void leave())}
        />
      )}
      {status === 'pending' && can('editor') && onSubscribe && (
        <div class="membership-more">
          <Button small busy={change.busy} onClick={() => void askAgain()}>
            Send the confirmation again
          </Button>
        </div>
      )}
      {change.error && (
        <div class="membership-more">
          <ErrorNote error={change.error} />
        </div>
      )}
    </li>
  )
}

/** The outcome of a request to confirm. */
export function askedWords({
  confirmations_queued,
  confirmations_blocked = [],
}: ResponseOf<'contacts/membership'>): string {
  const [blocked] = confirmations_blocked
  if (blocked) return `The message to confirm waits: ${BLOCKED[blocked.reason]}.`
  if (confirmations_queued > 0) return 'A message to confirm is queued.'
  return 'They were asked within the last hour. A mailbox is not asked again before that hour is over.'
}
