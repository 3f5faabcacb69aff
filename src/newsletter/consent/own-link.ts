import { note } from '../../audit/record.ts'
import { sql } from 'drizzle-orm'
import type { ProjectId } from '../../ids.ts'
import { emailKey } from '../../address.ts'
import type { Keys } from '../../secrets.ts'
import type { Tx } from '../../store/open.ts'
import { first } from '../../store/rows.ts'
import { enqueueLink } from '../outbox/enqueue.ts'
import { admitMessages } from './message-requests.ts'

/**
 * Queues the personal link of a contact's subscription to its address (docs/api/consent.md#preferences). False for an
 * address that gets none: it is unknown or blocked, unsubscribed, or got one within the last hour.
 */
export async function sendOwnLink(
  tx: Tx,
  { keys, project_id, now }: { keys: Keys; project_id: ProjectId; now: number },
  email: string,
): Promise<boolean> {
  const contact = first(
    await tx.all<{ id: number; email: string }>(sql`
      SELECT id, email FROM contacts
      WHERE project_id = ${project_id} AND email_key = ${emailKey(email)}
        AND global_status IN ('subscribed', 'pending')`),
  )
  if (!contact) return false
  const due = await admitMessages(tx, { keys, project_id, kind: 'link', now, by_stranger: true }, [contact.email])
  if (!due.has(contact.email)) return false
  note(tx, { target: `contact:${contact.id}`, project_id })
  await enqueueLink(tx, { project_id, contact_id: contact.id, email: contact.email, now })
  return true
}
