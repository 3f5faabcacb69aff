import type { ProjectId } from '../../ids.ts'
import { type SQL, sql } from 'drizzle-orm'
import { jsonText } from '../../store/json-text.ts'
import type { Reader, Tx } from '../../store/open.ts'
import { first, one } from '../../store/rows.ts'
import type { GlobalStatus, SuppressionReason, suppressions } from '../../store/tables/audience.ts'
import { recordEvents } from '../tracking/events.ts'
import { recordWithdrawals } from '../consent/withdrawals.ts'
import { withdrawConfirmations } from '../outbox/enqueue.ts'
import { emailKey, tidyAddress } from '../../address.ts'
import { touchContacts } from '../contacts/contact-tags.ts'
import { formerAddresses } from '../contacts/former-addresses.ts'
import { recordFacts } from '../facts.ts'
import { keysOf, revealSuppressions } from './address-marks.ts'
import { STRENGTH, strongest } from './strength.ts'

export type Suppression = typeof suppressions.$inferSelect

/**
 * An address of a project that gets no messages, whatever its contact consented to (docs/api/consent.md#suppressions).
 */
interface SuppressedAddress {
  project_id: ProjectId
  email: string
  reason: SuppressionReason
  /** Free text; empty keeps the stored note. */
  note?: string
  now: number
}

/** The global status that a suppression gives its contact; `manual` only blocks (docs/api/consent.md#global-status). */
export const STATUS_OF_REASON: Readonly<Record<SuppressionReason, 'bounced' | 'complained' | 'unsubscribed' | null>> = {
  hard_bounce: 'bounced',
  complaint: 'complained',
  unsubscribe: 'unsubscribed',
  manual: null,
}

/**
 * Suppresses an address and updates its contact. An address has one suppression, with the stronger of two reasons; an
 * existing one keeps its id and time, and remembers an opt-out under a stronger reason.
 */
export async function suppress(
  tx: Tx,
  { project_id, email, reason, note = '', now }: SuppressedAddress,
): Promise<Suppression> {
  await revealSuppressions(tx, project_id, [email])
  const before = await findSuppression(tx, project_id, email)
  const stronger = before ? strongest(before.reason, reason) : reason
  const opted_out = reason === 'unsubscribe' ? 1 : 0
  const rows = await tx.all<Suppression>(sql`
    INSERT INTO suppressions (project_id, email, email_key, reason, opted_out, note, created_at)
    VALUES (${project_id}, ${tidyAddress(email)}, ${emailKey(email)}, ${stronger}, ${opted_out},
      ${note}, ${now})
    ON CONFLICT (project_id, email_key) DO UPDATE SET reason = excluded.reason,
      opted_out = max(opted_out, excluded.opted_out),
      note = CASE excluded.note WHEN '' THEN note ELSE excluded.note END
    RETURNING *`)
  const row = one(rows)
  recordFacts(tx, [
    { project_id, at: now, what: 'suppressed', reason, opted_out: opted_out === 1, email_key: emailKey(email) },
  ])
  const contact = await contactAt(tx, project_id, email)
  if (contact) {
    await applySuppression(tx, contact, row, now)
    if (OF_THE_PERSON.has(reason)) await suppressFormer(tx, [{ contact_id: contact.id, reason }], now)
    await touchContacts(tx, [contact.id], now)
    if (row.reason !== before?.reason) {
      await recordEvents(tx, [
        { project_id, type: 'suppressed', contact_id: contact.id, email: contact.email, at: now, detail: row.reason },
      ])
    }
  }
  return row
}

/** An import that still has an earlier address of somebody who left must not subscribe it. */
export async function suppressFormer(
  tx: Tx,
  leavers: readonly { contact_id: number; reason: SuppressionReason }[],
  now: number,
): Promise<void> {
  const reasons = new Map(leavers.map(({ contact_id, reason }) => [contact_id, reason]))
  const former = await formerAddresses(tx, [...reasons.keys()])
  for (const [project_id, addresses] of Map.groupBy(former, (address) => address.project_id))
    await suppressAddresses(
      tx,
      project_id,
      addresses.map(({ contact_id, email_key }) => ({ email: email_key, reason: reasons.get(contact_id)! })),
      now,
    )
}

/** Reasons by which a person refuses messages, so that they hold for all addresses of the person. */
export const OF_THE_PERSON: ReadonlySet<SuppressionReason> = new Set(['unsubscribe', 'complaint'])

/** As `suppress`, for many addresses without a contact. `opted_out`: the person unsubscribed, whatever the reason. */
export async function suppressAddresses(
  tx: Tx,
  project_id: ProjectId,
  addresses: readonly { email: string; reason: SuppressionReason; opted_out?: boolean }[],
  now: number,
): Promise<void> {
  if (addresses.length === 0) return
  await revealSuppressions(
    tx,
    project_id,
    addresses.map(({ email }) => email),
  )
  await addSuppressions(
    tx,
    project_id,
    addresses.map(({ email, ...why }) => ({ email: tidyAddress(email), email_key: emailKey(email), ...why })),
    now,
  )
}

/** As `suppressAddresses`, for addresses of which only the keyed hash may be known: `email` is empty then. */
export async function addSuppressions(
  tx: Tx,
  project_id: ProjectId,
  addresses: readonly { email: string; email_key: string; reason: SuppressionReason; opted_out?: boolean }[],
  now: number,
): Promise<void> {
  const rows = addresses.map(({ email, email_key, reason, opted_out = reason === 'unsubscribe' }) => [
    email,
    email_key,
    reason,
    opted_out ? 1 : 0,
  ])
  const strength = (reason: SQL) => sql`(${jsonText(STRENGTH)} ->> ${reason})`
  await tx.run(sql`
    INSERT INTO suppressions (project_id, email, email_key, reason, opted_out, created_at)
    SELECT ${project_id}, value->>0, value->>1, value->>2, value->>3, ${now} FROM json_each(${jsonText(rows)})
    WHERE true
    ON CONFLICT (project_id, email_key) DO UPDATE SET opted_out = max(opted_out, excluded.opted_out),
      reason = iif(${strength(sql`excluded.reason`)} > ${strength(sql`suppressions.reason`)}, excluded.reason, reason)`)
  recordFacts(
    tx,
    addresses.map(({ email_key, reason, opted_out = reason === 'unsubscribe' }) => ({
      project_id,
      at: now,
      what: 'suppressed',
      reason,
      opted_out,
      email_key,
    })),
  )
}

export async function findSuppression(db: Reader, project_id: ProjectId, email: string): Promise<Suppression | null> {
  const found = await db.all<Suppression>(
    sql`
      SELECT * FROM suppressions
      WHERE project_id = ${project_id} AND email_key IN ${await keysOf(db, project_id, email)}`,
  )
  // Hidden ones may name the address in several spellings.
  return first(found.toSorted((one, other) => STRENGTH[other.reason] - STRENGTH[one.reason]))
}

/**
 * Ends the suppression of an address; answers the one that ended. The contact keeps its global status, because the end
 * of a suppression is no new consent.
 */
export async function liftSuppression(
  tx: Tx,
  { project_id, email, now }: { project_id: ProjectId; email: string; now: number },
): Promise<Suppression | null> {
  const [row] = await tx.all<Suppression>(
    sql`
      DELETE FROM suppressions
      WHERE project_id = ${project_id} AND email_key IN ${await keysOf(tx, project_id, email)} RETURNING *`,
  )
  if (!row) return null
  const contact = await contactAt(tx, project_id, email)
  if (contact) {
    await touchContacts(tx, [contact.id], now)
    await recordEvents(tx, [
      { project_id, type: 'unsuppressed', contact_id: contact.id, email: contact.email, at: now, detail: row.reason },
    ])
  }
  return row
}

interface SuppressedContact {
  id: number
  global_status: GlobalStatus
}

/**
 * Applies a suppression to the contact with the address. The contact gets the status of the reason, unless its own is
 * stronger. A complaint or opt-out ends every membership; a bounce or a manual suppression ends none.
 */
export async function applySuppression(
  tx: Tx,
  contact: SuppressedContact,
  { reason, opted_out }: Pick<Suppression, 'reason' | 'opted_out'>,
  now: number,
): Promise<void> {
  const status = STATUS_OF_REASON[reason]
  if (status === null) return
  const isStronger = STRENGTH_OF_STATUS[status] > STRENGTH_OF_STATUS[contact.global_status]
  const after = isStronger ? status : contact.global_status
  // A reset of the bounce must not forget the opt-out.
  const remembers = after === 'bounced' && (Boolean(opted_out) || contact.global_status === 'unsubscribed')
  if (isStronger || remembers) {
    const before = one(
      await tx.all<{ project_id: ProjectId; opted_out: 0 | 1 }>(
        sql`SELECT project_id, opted_out FROM contacts WHERE id = ${contact.id}`,
      ),
    )
    await tx.run(sql`
      UPDATE contacts SET global_status = ${after}, opted_out = ${remembers ? 1 : 0}, updated_at = ${now}
      WHERE id = ${contact.id}`)
    const source = withdrawalSource({ ...contact, ...before }, { reason, isHidden: remembers })
    if (source !== null)
      await recordWithdrawals(tx, [{ project_id: before.project_id, contact_id: contact.id, list_id: null }], {
        now,
        source,
        is_hidden: remembers,
      })
  }
  if (status === 'bounced' && !opted_out) return
  await tx.run(
    sql`
      UPDATE memberships SET status = 'unsubscribed', unsubscribed_at = ${now}
      WHERE contact_id = ${contact.id} AND status <> 'unsubscribed'`,
  )
  await touchContacts(tx, [contact.id], now)
  await withdrawConfirmations(tx, [contact.id])
}

/**
 * The source of the withdrawal that a suppression is for a contact whose status or `opted_out` changes; null for none.
 * A bounce is no withdrawal, but it may hide an opt-out, which is one unless the contact had opted out before.
 * @param contact as it was before
 */
export function withdrawalSource(
  contact: Pick<SuppressedContact, 'global_status'> & { opted_out: 0 | 1 },
  { reason, isHidden }: { reason: SuppressionReason; isHidden: boolean },
): SuppressionReason | null {
  if (isHidden) return contact.opted_out || contact.global_status === 'unsubscribed' ? null : 'unsubscribe'
  return reason === 'hard_bounce' ? null : reason
}

export const STRENGTH_OF_STATUS: Readonly<Record<GlobalStatus, number>> = {
  subscribed: 0,
  pending: 0,
  unsubscribed: 1,
  bounced: 2,
  complained: 3,
}

async function contactAt(
  tx: Tx,
  project_id: ProjectId,
  email: string,
): Promise<(SuppressedContact & { email: string }) | null> {
  return first(
    await tx.all<SuppressedContact & { email: string }>(
      sql`
      SELECT id, email, global_status FROM contacts WHERE project_id = ${project_id}
        AND email_key = ${emailKey(email)}`,
    ),
  )
}
