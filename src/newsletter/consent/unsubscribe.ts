import type { ProjectId } from '../../ids.ts'
import { sql } from 'drizzle-orm'
import { jsonText } from '../../store/json-text.ts'
import type { Tx } from '../../store/open.ts'
import type { GlobalStatus } from '../../store/tables/audience.ts'
import { recordEvents } from '../tracking/events.ts'
import { withdrawConfirmations } from '../outbox/enqueue.ts'

export interface Leaver {
  id: number
  project_id: ProjectId
  email: string
  global_status: GlobalStatus
}

/** Takes a contact off these lists; the global status stays (contract-details 15e). Answers the lists that were left. */
export async function unsubscribeFromLists(
  tx: Tx,
  contact: Leaver,
  list_ids: readonly number[],
  now: number,
): Promise<number[]> {
  return takeOffLists(tx, [contact], list_ids, now)
}

/** As `unsubscribeFromLists`, for many at once. Answers a list for each membership that ended. */
export async function takeOffLists(
  tx: Tx,
  contacts: readonly Leaver[],
  list_ids: readonly number[],
  now: number,
): Promise<number[]> {
  if (contacts.length === 0 || list_ids.length === 0) return []
  const left = await tx.all<{ contact_id: number; list_id: number }>(sql`
    UPDATE memberships SET status = 'unsubscribed', unsubscribed_at = ${now}
    WHERE contact_id IN (SELECT value FROM json_each(${idsOf(contacts)})) AND status <> 'unsubscribed' AND list_id IN (SELECT value FROM json_each(${jsonText(list_ids)}))
    RETURNING contact_id, list_id`)
  const byId = new Map(contacts.map((contact) => [contact.id, contact]))
  await recordEvents(
    tx,
    left.map(({ contact_id, list_id }) => {
      const { project_id, email } = byId.get(contact_id)!
      return { project_id, type: 'left_list' as const, contact_id, list_id, email, at: now }
    }),
  )
  return left.map(({ list_id }) => list_id)
}

/** The message that somebody left through; a campaign's report counts it once. */
export interface LeftThrough {
  campaign_id: number
  delivery_id: number
}

/**
 * Unsubscribes a contact from everything: the global status and every membership. No suppression is made, so that
 * `resubscribe` is enough to come back (contract-details 19). Answers whether anything changed. A complaint says more
 * than leaving and stays the status; a bounce gives way, or else resetting it would undo the opt-out.
 */
export async function unsubscribeFromAll(
  tx: Tx,
  contact: Leaver,
  now: number,
  through?: LeftThrough,
): Promise<boolean> {
  const [left] = await endAll(tx, [contact], now)
  if (left) await recordUnsubscribe(tx, contact, now, through)
  return left !== undefined
}

/** As `unsubscribeFromAll`, for many at once and through no message. */
export async function unsubscribeAll(tx: Tx, contacts: readonly Leaver[], now: number): Promise<void> {
  const left = await endAll(tx, contacts, now)
  await recordEvents(
    tx,
    left.map(({ id, project_id, email }) => ({
      project_id,
      type: 'unsubscribe' as const,
      contact_id: id,
      email,
      at: now,
    })),
  )
}

/** Ends memberships, status and waiting confirmations; answers those of the contacts for whom anything changed. */
async function endAll(tx: Tx, contacts: readonly Leaver[], now: number): Promise<Leaver[]> {
  const left = await tx.all<{ contact_id: number }>(sql`
    UPDATE memberships SET status = 'unsubscribed', unsubscribed_at = ${now}
    WHERE contact_id IN (SELECT value FROM json_each(${idsOf(contacts)})) AND status <> 'unsubscribed' RETURNING contact_id`)
  const changing = contacts.filter(
    ({ global_status }) => global_status !== 'unsubscribed' && global_status !== 'complained',
  )
  if (changing.length > 0)
    await tx.run(
      sql`UPDATE contacts SET global_status = 'unsubscribed', updated_at = ${now} WHERE id IN (SELECT value FROM json_each(${idsOf(changing)}))`,
    )
  const changed = new Set([...left.map(({ contact_id }) => contact_id), ...changing.map(({ id }) => id)])
  const leavers = contacts.filter(({ id }) => changed.has(id))
  await withdrawConfirmations(
    tx,
    leavers.map(({ id }) => id),
  )
  return leavers
}

function idsOf(contacts: readonly Leaver[]): string {
  return jsonText(contacts.map(({ id }) => id))
}

/**
 * Puts leaving into the contact's history and into the campaign's report. A message is counted there once: whoever
 * leaves its lists first and everything later is one person who left. `lists` says that only those of the message were.
 */
export async function recordUnsubscribe(
  tx: Tx,
  contact: Leaver,
  now: number,
  through?: LeftThrough,
  detail?: 'lists',
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

async function isCounted(tx: Tx, { campaign_id, delivery_id }: LeftThrough): Promise<boolean> {
  const found = await tx.all(
    sql`SELECT 1 FROM events WHERE campaign_id = ${campaign_id} AND type = 'unsubscribe' AND type <> 'sent' AND delivery_id = ${delivery_id} LIMIT 1`,
  )
  return found.length > 0
}
