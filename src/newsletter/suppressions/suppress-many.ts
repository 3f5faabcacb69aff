import { sql } from 'drizzle-orm'
import type { ProjectId } from '../../ids.ts'
import { emailKey } from '../../address.ts'
import { jsonText } from '../../store/json-text.ts'
import type { Tx } from '../../store/open.ts'
import type { GlobalStatus, SuppressionReason } from '../../store/tables/audience.ts'
import { recordWithdrawals } from '../consent/withdrawals.ts'
import { touchContacts } from '../contacts/contact-tags.ts'
import { withdrawConfirmations } from '../outbox/enqueue.ts'
import { recordEvents } from '../tracking/events.ts'
import {
  OF_THE_PERSON,
  STATUS_OF_REASON,
  STRENGTH_OF_STATUS,
  suppressAddresses,
  suppressFormer,
  withdrawalSource,
} from './suppression.ts'

interface Suppressed {
  id: number
  email: string
  email_key: string
  global_status: GlobalStatus
  opted_out: 0 | 1
}

/** A contact as it was before, with its suppression as it is now. */
interface Known extends Suppressed {
  reason: SuppressionReason
  ends: 0 | 1
}

/**
 * As `suppress`, for many addresses with or without contacts (docs/api/consent.md#suppressions). The number of
 * statements does not depend on the number of addresses. Answers the keys of the addresses whose contact changed.
 */
export async function suppressMany(
  tx: Tx,
  project_id: ProjectId,
  addresses: readonly { email: string; reason: SuppressionReason }[],
  now: number,
): Promise<ReadonlySet<string>> {
  if (addresses.length === 0) return new Set()
  const keys = jsonText([...new Set(addresses.map(({ email }) => emailKey(email)))])
  const before = await reasonsOf(tx, project_id, keys)
  await suppressAddresses(tx, project_id, addresses, now)
  const known = await tx.all<Known>(sql`
    SELECT contact.id, contact.email, contact.email_key, contact.global_status, contact.opted_out, suppression.reason,
      suppression.reason IN ('unsubscribe', 'complaint') OR suppression.opted_out AS ends
    FROM json_each(${keys}) address
    CROSS JOIN contacts contact ON contact.project_id = ${project_id} AND contact.email_key = address.value
    CROSS JOIN suppressions suppression
      ON suppression.project_id = ${project_id} AND suppression.email_key = address.value`)
  if (known.length === 0) return new Set()
  const changed = await changeStatus(tx, project_id, keys, now)
  const leaving = known.filter(({ ends }) => ends === 1).map(({ id }) => id)
  const ended = await endMemberships(tx, leaving, now)
  const reasons = new Map(known.map(({ id, reason }) => [id, reason]))
  const known_by_id = new Map(known.map((contact) => [contact.id, contact]))
  for (const is_hidden of [false, true]) {
    const withdrawn = Map.groupBy(
      changed.filter(({ opted_out }) => (opted_out === 1) === is_hidden),
      ({ id }) => {
        const contact = known_by_id.get(id)!
        return withdrawalSource(contact, { reason: contact.reason, isHidden: is_hidden })
      },
    )
    withdrawn.delete(null)
    for (const [source, contacts] of withdrawn)
      await recordWithdrawals(
        tx,
        contacts.map(({ id }) => ({ project_id, contact_id: id, list_id: null })),
        { now, source: source!, is_hidden },
      )
  }
  const refusing = new Set(
    addresses.filter(({ reason }) => OF_THE_PERSON.has(reason)).map(({ email }) => emailKey(email)),
  )
  const leavers = changed.filter((contact) => contact.global_status !== 'bounced' || refusing.has(contact.email_key))
  await suppressFormer(
    tx,
    leavers.map(({ id }) => ({ contact_id: id, reason: reasonOfLeaver(reasons.get(id)!) })),
    now,
  )
  const statuses = new Map(changed.map(({ id, global_status }) => [id, global_status]))
  const news = known.filter(
    ({ id, email_key, reason, global_status }) =>
      before.get(email_key) !== reason || (statuses.get(id) ?? global_status) !== global_status,
  )
  await touchContacts(
    tx,
    news.map(({ id }) => id),
    now,
  )
  await recordEvents(
    tx,
    news.map(({ id, email, reason }) => ({
      project_id,
      type: 'suppressed',
      contact_id: id,
      email,
      at: now,
      detail: reason,
    })),
  )
  const ids = new Set([...changed.map(({ id }) => id), ...ended])
  return new Set(known.filter(({ id }) => ids.has(id)).map(({ email_key }) => email_key))
}

/** The reasons of the suppressions that addresses have, by the key of the address. */
async function reasonsOf(tx: Tx, project_id: ProjectId, keys: string): Promise<ReadonlyMap<string, SuppressionReason>> {
  const rows = await tx.all<{ email_key: string; reason: SuppressionReason }>(sql`
    SELECT suppression.email_key, suppression.reason
    FROM json_each(${keys}) address
    CROSS JOIN suppressions suppression
      ON suppression.project_id = ${project_id} AND suppression.email_key = address.value`)
  return new Map(rows.map(({ email_key, reason }) => [email_key, reason]))
}

/** Why somebody left whose suppression has this reason: a bounce is the stronger reason, and hides an opt-out. */
function reasonOfLeaver(reason: SuppressionReason): SuppressionReason {
  return reason === 'hard_bounce' ? 'unsubscribe' : reason
}

/** Gives contacts the status of their suppression, unless their own is stronger, as `applySuppression` does. */
async function changeStatus(tx: Tx, project_id: ProjectId, keys: string, now: number): Promise<Suppressed[]> {
  const implied = sql`(${jsonText(STATUS_OF_REASON)} ->> suppression.reason)`
  const strength = sql`${jsonText(STRENGTH_OF_STATUS)}`
  const isStronger = sql`(${strength} ->> ${implied}) > (${strength} ->> contacts.global_status)`
  const after = sql`iif(${isStronger}, ${implied}, contacts.global_status)`
  // A reset of the bounce must not forget the opt-out.
  const remembers = sql`(${after} = 'bounced' AND (suppression.opted_out OR contacts.global_status = 'unsubscribed'))`
  return tx.all(sql`
    UPDATE contacts SET global_status = ${after}, opted_out = ${remembers}, updated_at = ${now}
    FROM json_each(${keys}) address
    CROSS JOIN suppressions suppression
      ON suppression.project_id = ${project_id} AND suppression.email_key = address.value
    WHERE contacts.project_id = ${project_id} AND contacts.email_key = address.value
      AND ${implied} IS NOT NULL AND (${isStronger} OR (${remembers} AND NOT contacts.opted_out))
    RETURNING contacts.id, contacts.email, contacts.email_key, contacts.global_status, contacts.opted_out`)
}

/** Ends every membership of the contacts; answers the ids of those that had one. */
async function endMemberships(tx: Tx, contact_ids: readonly number[], now: number): Promise<number[]> {
  if (contact_ids.length === 0) return []
  const ended = await tx.all<{ contact_id: number }>(sql`
    UPDATE memberships SET status = 'unsubscribed', unsubscribed_at = ${now}
    WHERE contact_id IN (SELECT value FROM json_each(${jsonText(contact_ids)})) AND status <> 'unsubscribed'
    RETURNING contact_id`)
  const ids = [...new Set(ended.map(({ contact_id }) => contact_id))]
  await touchContacts(tx, ids, now)
  await withdrawConfirmations(tx, contact_ids)
  return ids
}
