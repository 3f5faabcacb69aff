import type { ProjectId } from '../../ids.ts'
import { sql } from 'drizzle-orm'
import { jsonText } from '../../store/json-text.ts'
import type { Reader, Tx } from '../../store/open.ts'
import { hasRows } from '../../store/rows.ts'
import type { GlobalStatus } from '../../store/tables/audience.ts'
import { recordEvents } from '../tracking/events.ts'
import { recordWithdrawals, type Withdrawal } from './withdrawals.ts'
import { touchContacts } from '../contacts/contact-tags.ts'
import { withdrawConfirmations } from '../outbox/enqueue.ts'
import { findSuppression, suppress } from '../suppressions/suppression.ts'

export interface UnsubscribingContact {
  id: number
  project_id: ProjectId
  email: string
  global_status: GlobalStatus
}

/**
 * Unsubscribes contacts from lists; the global status stays (docs/api/consent.md#memberships). Answers a list for each
 * membership that ended.
 */
export async function unsubscribeFromLists(
  tx: Tx,
  contacts: readonly UnsubscribingContact[],
  list_ids: readonly number[],
  act: Withdrawal,
): Promise<number[]> {
  const { now } = act
  if (contacts.length === 0 || list_ids.length === 0) return []
  const left = await tx.all<{ contact_id: number; list_id: number }>(sql`
    UPDATE memberships SET status = 'unsubscribed', unsubscribed_at = ${now}
    WHERE contact_id IN (SELECT value FROM json_each(${idsOf(contacts)})) AND status <> 'unsubscribed'
    AND list_id IN (SELECT value FROM json_each(${jsonText(list_ids)}))
    RETURNING contact_id, list_id`)
  await touchContacts(
    tx,
    left.map(({ contact_id }) => contact_id),
    now,
  )
  const byId = new Map(contacts.map((contact) => [contact.id, contact]))
  await recordWithdrawals(
    tx,
    left.map((membership) => ({ ...membership, project_id: byId.get(membership.contact_id)!.project_id })),
    act,
  )
  await recordEvents(
    tx,
    left.map(({ contact_id, list_id }) => {
      const { project_id, email } = byId.get(contact_id)!
      return { project_id, type: 'left_list' as const, contact_id, list_id, email, at: now }
    }),
  )
  return left.map(({ list_id }) => list_id)
}

/** The message whose link was used; a campaign's report counts it once. */
export interface UnsubscribeLink {
  campaign_id: number
  delivery_id: number
}

/**
 * Unsubscribes a contact from everything: the global status and every membership (docs/api/consent.md#resubscribing).
 * It suppresses nothing, so `resubscribe` is enough to come back. Status `complained` stays; `bounced` becomes
 * `unsubscribed`, or else resetting the bounce would undo the opt-out. Answers whether anything changed.
 */
export async function unsubscribeFromAll(
  tx: Tx,
  contact: UnsubscribingContact,
  act: Withdrawal,
  through?: UnsubscribeLink,
): Promise<boolean> {
  const [left] = await endAll(tx, [contact], act)
  if (left) await recordUnsubscribe(tx, contact, act.now, { through })
  return left !== undefined
}

/**
 * Unsubscribes a recipient who asked for it from everything, and suppresses the address, so that only the recipient or
 * an explicit resubscription brings them back (docs/api/consent.md#leaving). Answers whether anything changed.
 */
export async function optOut(
  tx: Tx,
  contact: UnsubscribingContact,
  act: Withdrawal,
  through?: UnsubscribeLink,
): Promise<boolean> {
  const changed = await unsubscribeFromAll(tx, contact, act, through)
  const { project_id, email } = contact
  const before = await findSuppression(tx, project_id, email)
  if (before?.reason === 'manual' || before?.opted_out) return changed
  await suppress(tx, { project_id, email, reason: 'unsubscribe', now: act.now })
  return true
}

/** Whether a contact is subscribed to a list that is in use, other than those named. */
export async function isOnAnyList(db: Reader, contact_id: number, besides: readonly number[] = []): Promise<boolean> {
  return hasRows(
    await db.all(sql`
      SELECT 1 FROM memberships membership JOIN lists list ON list.id = membership.list_id
      WHERE membership.contact_id = ${contact_id} AND membership.status = 'subscribed' AND list.archived_at IS NULL
        AND list.id NOT IN (SELECT value FROM json_each(${jsonText(besides)}))
      LIMIT 1`),
  )
}

/** As `unsubscribeFromAll`, for many contacts and without a message. */
export async function unsubscribeAll(
  tx: Tx,
  contacts: readonly UnsubscribingContact[],
  act: Withdrawal,
): Promise<void> {
  const left = await endAll(tx, contacts, act)
  await recordEvents(
    tx,
    left.map(({ id, project_id, email }) => ({
      project_id,
      type: 'unsubscribe' as const,
      contact_id: id,
      email,
      at: act.now,
    })),
  )
}

/** Ends memberships, status and pending confirmations; answers the contacts that changed. */
async function endAll(
  tx: Tx,
  contacts: readonly UnsubscribingContact[],
  act: Withdrawal,
): Promise<UnsubscribingContact[]> {
  const { now } = act
  const left = await tx.all<{ contact_id: number }>(sql`
    UPDATE memberships SET status = 'unsubscribed', unsubscribed_at = ${now}
    WHERE contact_id IN (SELECT value FROM json_each(${idsOf(contacts)})) AND status <> 'unsubscribed'
    RETURNING contact_id`)
  const changing = contacts.filter(
    ({ global_status }) => global_status !== 'unsubscribed' && global_status !== 'complained',
  )
  if (changing.length > 0)
    await tx.run(
      sql`
        UPDATE contacts SET global_status = 'unsubscribed', updated_at = ${now}
        WHERE id IN (SELECT value FROM json_each(${idsOf(changing)}))`,
    )
  await touchContacts(
    tx,
    left.map(({ contact_id }) => contact_id),
    now,
  )
  const changed = new Set([...left.map(({ contact_id }) => contact_id), ...changing.map(({ id }) => id)])
  const leavers = contacts.filter(({ id }) => changed.has(id))
  await recordWithdrawals(
    tx,
    leavers.map(({ id, project_id }) => ({ project_id, contact_id: id, list_id: null })),
    act,
  )
  await withdrawConfirmations(
    tx,
    leavers.map(({ id }) => id),
  )
  return leavers
}

function idsOf(contacts: readonly UnsubscribingContact[]): string {
  return jsonText(contacts.map(({ id }) => id))
}

/**
 * Records an opt-out in the contact's history and in the campaign's report. The report counts a message once, also when
 * its recipient unsubscribes from lists first and from everything later. Detail `lists` marks the first kind.
 */
export async function recordUnsubscribe(
  tx: Tx,
  contact: UnsubscribingContact,
  now: number,
  { through, detail }: { through: UnsubscribeLink | undefined; detail?: 'lists' },
): Promise<void> {
  const counted = through ? await isCounted(tx, through) : true
  await recordEvents(tx, [
    {
      project_id: contact.project_id,
      type: 'unsubscribe',
      contact_id: contact.id,
      email: contact.email,
      at: now,
      detail,
      ...(through && !counted ? { campaign_id: through.campaign_id, delivery_id: through.delivery_id } : {}),
    },
  ])
}

async function isCounted(tx: Tx, { campaign_id, delivery_id }: UnsubscribeLink): Promise<boolean> {
  return hasRows(
    await tx.all(
      sql`
      SELECT 1 FROM events WHERE campaign_id = ${campaign_id} AND type = 'unsubscribe' AND type <> 'sent'
        AND delivery_id = ${delivery_id} LIMIT 1`,
    ),
  )
}
