import type { Tx } from '../../store/open.ts'
import { enqueueConfirmations, extendConfirmations } from '../outbox/enqueue.ts'
import { admitMessages, type MessageRequests } from './message-requests.ts'

/** A contact who is asked to confirm memberships. */
interface ConfirmationRequest {
  contact_id: number
  email: string
  /** Every list that waits for the contact's confirmation. */
  list_ids: number[]
}

/**
 * Queues a confirmation message to each of these contacts, as far as the limits of their mailboxes allow
 * (docs/api/consent.md#double-opt-in). A message that is still queued names the lists of both requests.
 * @returns when the message of each contact is due; a contact that gets none is missing
 */
export async function requestConfirmations(
  tx: Tx,
  by: Omit<MessageRequests, 'kind'>,
  requests: readonly ConfirmationRequest[],
): Promise<Map<number, number>> {
  if (requests.length === 0) return new Map()
  const due = new Map((await extendConfirmations(tx, requests)).map((id) => [id, by.now]))
  const others = requests.filter(({ contact_id }) => !due.has(contact_id))
  const admitted = await admitMessages(
    tx,
    { ...by, kind: 'confirmation' },
    others.map(({ email }) => email),
  )
  const messages = others.flatMap((person) => {
    const due_at = admitted.get(person.email)
    return due_at === undefined ? [] : [{ ...person, due_at }]
  })
  for (const { contact_id, due_at } of messages) due.set(contact_id, due_at)
  await enqueueConfirmations(tx, by.project_id, messages, by.now)
  return due
}
