import type { ProjectId } from '../../ids.ts'
import { sql } from 'drizzle-orm'
import { jsonText } from '../../store/json-text.ts'
import type { Keys } from '../../secrets.ts'
import type { Tx } from '../../store/open.ts'
import type { GlobalStatus, SuppressionReason } from '../../store/tables/audience.ts'
import { isBlocked } from '../consent/consent-rule.ts'
import { requestConfirmations } from '../consent/confirmations.ts'
import { withdrawConfirmations } from '../outbox/enqueue.ts'
import {
  applySuppression,
  findSuppression,
  liftSuppression,
  suppress,
  suppressAddresses,
} from '../suppressions/suppression.ts'
import { hideSuppressions, revealSuppressions } from '../suppressions/address-marks.ts'
import { recordEvents } from '../tracking/events.ts'
import type { ContactRow } from './contact.ts'
import { requestErasure } from './erasure.ts'

/**
 * Deletes contacts (docs/api/consent.md#deleting). Messages that were sent stay in the reports of their campaigns,
 * without the address. Queued messages are skipped when they are due, because their contact no longer exists.
 */
export async function deleteContacts(
  tx: Tx,
  project_id: ProjectId,
  contacts: readonly { id: number; email: string; global_status: GlobalStatus }[],
  now: number,
): Promise<void> {
  const ids = contacts.map(({ id }) => id)
  await withdrawConfirmations(tx, ids)
  const bounced = await tx.all<{ id: number }>(sql`
    SELECT id FROM contacts WHERE opted_out = 1 AND id IN (SELECT value FROM json_each(${jsonText(ids)}))`)
  const optedOut = new Set(bounced.map(({ id }) => id))
  await tx.run(sql`DELETE FROM contacts WHERE id IN (SELECT value FROM json_each(${jsonText(ids)}))`)
  await requestErasure(tx, project_id, contacts, now)
  await suppressAddresses(
    tx,
    project_id,
    contacts.flatMap(({ id, email, global_status }) => {
      const reason = REASON_LEFT_BEHIND[global_status]
      return reason ? [{ email, reason, opted_out: reason === 'unsubscribe' || optedOut.has(id) }] : []
    }),
    now,
  )
  await hideSuppressions(
    tx,
    project_id,
    contacts.map(({ email }) => email),
  )
}

/** The suppression that keeps the opt-out, bounce or complaint of a deleted contact. */
const REASON_LEFT_BEHIND: Readonly<Record<GlobalStatus, SuppressionReason | null>> = {
  pending: null,
  subscribed: null,
  unsubscribed: 'unsubscribe',
  bounced: 'hard_bounce',
  complained: 'complaint',
}

/**
 * Applies the consequences of a new address: the suppression of that address, and for pending memberships a
 * confirmation message to it in place of the one to the old address. `before` is the contact with its old address.
 * Returns whether a confirmation was queued.
 */
export async function changeAddress(
  tx: Tx,
  before: ContactRow,
  { keys, project_id, email, now }: { keys: Keys; project_id: ProjectId; email: string; now: number },
): Promise<boolean> {
  await recordEvents(tx, [
    { project_id, type: 'address_changed', contact_id: before.id, email, at: now, detail: before.email },
  ])
  // A complaint is about the sender, so it holds for the new address too.
  if (before.global_status === 'complained')
    await suppress(tx, {
      project_id,
      email,
      reason: 'complaint',
      note: `The contact complained as ${before.email}.`,
      now,
    })
  // An opt-out holds for both addresses: an import that still has the old one must not subscribe it.
  if (before.global_status === 'unsubscribed')
    await suppressAddresses(tx, project_id, [{ email: before.email, reason: 'unsubscribe' }], now)
  await withdrawConfirmations(tx, [before.id])
  await revealSuppressions(tx, project_id, [email])
  const suppression = await findSuppression(tx, project_id, email)
  if (suppression) {
    await applySuppression(tx, before, suppression, now)
    return false
  }
  if (isBlocked(before.global_status)) return false
  const list_ids = before.memberships.filter(({ status }) => status === 'pending').map(({ list_id }) => list_id)
  if (list_ids.length === 0) return false
  const request = { contact_id: before.id, email, list_ids }
  const due_at = (await requestConfirmations(tx, { keys, project_id, now, by_stranger: false }, [request])).get(
    before.id,
  )
  if (due_at === undefined) return false
  await tx.run(
    sql`UPDATE memberships SET confirmation_sent_at = ${due_at} WHERE contact_id = ${before.id} AND status = 'pending'`,
  )
  return true
}

/** Ends a contact's bounce: its suppression and its status (docs/api/consent.md#global-status). */
export async function resetBounce(tx: Tx, project_id: ProjectId, contact: ContactRow, now: number): Promise<void> {
  const suppression = await findSuppression(tx, project_id, contact.email)
  const optedOut = Boolean(suppression?.opted_out)
  if (suppression?.reason === 'hard_bounce') {
    if (optedOut)
      await tx.run(sql`UPDATE suppressions SET reason = 'unsubscribe', note = '' WHERE id = ${suppression.id}`)
    else await liftSuppression(tx, { project_id, email: contact.email, now })
  }
  await tx.run(sql`
    UPDATE contacts SET
      global_status = iif(opted_out OR ${optedOut ? 1 : 0}, 'unsubscribed', ${statusWithoutBounce(contact)}),
      opted_out = 0, updated_at = ${now} WHERE id = ${contact.id}`)
}

/** A contact that had confirmed nothing before its bounce stays pending. */
function statusWithoutBounce({ memberships }: ContactRow): GlobalStatus {
  const has = (status: string) => memberships.some((membership) => membership.status === status)
  return has('pending') && !has('subscribed') ? 'pending' : 'subscribed'
}
