import type { ProjectId } from '../../ids.ts'
import { Type } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import { mutation } from '../../operation/declare.ts'
import { Email, Id, obj } from '../../schema.ts'
import { orConflict } from '../../store/constraint.ts'
import { jsonText } from '../../store/json-text.ts'
import type { Tx } from '../../store/open.ts'
import type { GlobalStatus, SuppressionReason } from '../../store/tables/audience.ts'
import { recordEvents } from '../tracking/events.ts'
import { enqueueConfirmations, withdrawConfirmations } from '../outbox/enqueue.ts'
import {
  emailKey,
  findSuppression,
  applySuppression,
  suppress,
  suppressAddresses,
} from '../suppressions/suppression.ts'
import { isBlocked } from '../consent/consent-rule.ts'
import { Contact, type ContactRow, getContact, PersonName, toContact } from './contact.ts'
import { CustomValuesInput, fieldDefinitions, requireCustomValues } from './custom-values.ts'
import { unsubscribeFromAll } from '../consent/unsubscribe.ts'
import { updateProfile } from './save.ts'

export const updateContact = mutation({
  path: '/contacts/update',
  scope: 'write',
  summary:
    "Changes a contact's profile and subscribes to nothing. A new address that is suppressed brings the status of its suppression with it.",
  request: obj({
    contact_id: Id,
    first_name: Type.Optional(PersonName),
    last_name: Type.Optional(PersonName),
    email: Type.Optional(Email),
    custom_fields: Type.Optional(CustomValuesInput),
  }),
  response: obj({ contact: Contact }),
  async run({ contact_id, email, ...profile }, { tx, project_id, now, afterCommit, wake }) {
    const fields = profile.custom_fields ? await fieldDefinitions(tx, project_id) : []
    requireCustomValues(fields, profile.custom_fields)
    const known = await getContact(tx, project_id, contact_id)
    await orConflict(
      updateProfile(tx, known, { ...profile, email: email ?? known.email }, { fields, now }),
      { email_key: '/email' },
      'Another contact has this address.',
    )
    if (email !== undefined && emailKey(email) !== emailKey(known.email)) {
      const asksAgain = await moveTo(tx, project_id, known, email.trim(), now)
      if (asksAgain) afterCommit(() => wake('delivery'))
    }
    return { contact: toContact(await getContact(tx, project_id, contact_id)) }
  },
})

export const deleteContact = mutation({
  path: '/contacts/delete',
  scope: 'write',
  summary:
    'Deletes a contact. Of one who unsubscribed, bounced or complained the address stays suppressed for that reason.',
  request: obj({ contact_id: Id }),
  response: obj({ contact: Contact }),
  async run({ contact_id }, { tx, project_id, now }) {
    const contact = await getContact(tx, project_id, contact_id)
    await deleteContacts(tx, project_id, [contact], now)
    return { contact: toContact(contact) }
  },
})

export const unsubscribeContact = mutation({
  path: '/contacts/unsubscribe',
  scope: 'write',
  summary: 'Unsubscribes a contact from everything.',
  request: obj({ contact_id: Id }),
  response: obj({ contact: Contact }),
  async run({ contact_id }, { tx, project_id, now }) {
    const contact = await getContact(tx, project_id, contact_id)
    const changed = await unsubscribeFromAll(tx, { ...contact, project_id }, now)
    return { contact: toContact(changed ? await getContact(tx, project_id, contact_id) : contact) }
  },
})

/**
 * Deletes contacts. What was sent stays in the reports of its campaigns, address included: they tell who got a message.
 * What waits to be sent is skipped when its turn comes, because the contact is gone.
 */
export async function deleteContacts(
  tx: Tx,
  project_id: ProjectId,
  contacts: readonly { id: number; email: string; global_status: GlobalStatus }[],
  now: number,
): Promise<void> {
  const ids = contacts.map(({ id }) => id)
  await withdrawConfirmations(tx, ids)
  await tx.run(sql`DELETE FROM contacts WHERE id IN (SELECT value FROM json_each(${jsonText(ids)}))`)
  await suppressAddresses(
    tx,
    project_id,
    contacts.flatMap(({ email, global_status }) => {
      const reason = REASON_LEFT_BEHIND[global_status]
      return reason ? [{ email, reason }] : []
    }),
    now,
  )
}

/** What deleting a contact must not forget (contract-details 23). */
const REASON_LEFT_BEHIND: Readonly<Record<GlobalStatus, SuppressionReason | null>> = {
  pending: null,
  subscribed: null,
  unsubscribed: 'unsubscribe',
  bounced: 'hard_bounce',
  complained: 'complaint',
}

/**
 * What a new address brings with it: its suppression, and for lists that wait for a confirmation a message to the new
 * address instead of the old one. Answers whether such a message was queued.
 */
async function moveTo(tx: Tx, project_id: ProjectId, known: ContactRow, email: string, now: number): Promise<boolean> {
  await recordEvents(tx, [
    { project_id, type: 'address_changed', contact_id: known.id, email, at: now, detail: known.email },
  ])
  // Who complained has complained about us, not about an address.
  if (known.global_status === 'complained')
    await suppress(tx, {
      project_id,
      email,
      reason: 'complaint',
      note: `The contact complained as ${known.email}.`,
      now,
    })
  // And who left has left as both: whoever finds the old address again must not subscribe it.
  if (known.global_status === 'unsubscribed')
    await suppressAddresses(tx, project_id, [{ email: known.email, reason: 'unsubscribe' }], now)
  await withdrawConfirmations(tx, [known.id])
  const suppression = await findSuppression(tx, project_id, email)
  if (suppression) {
    await applySuppression(tx, known, suppression.reason, now)
    return false
  }
  if (isBlocked(known.global_status)) return false
  const list_ids = known.memberships.filter(({ status }) => status === 'pending').map(({ list_id }) => list_id)
  if (list_ids.length === 0) return false
  await enqueueConfirmations(tx, project_id, [{ contact_id: known.id, email, list_ids }], now)
  await tx.run(
    sql`UPDATE memberships SET confirmation_sent_at = ${now} WHERE contact_id = ${known.id} AND status = 'pending'`,
  )
  return true
}
