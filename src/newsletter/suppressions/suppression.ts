import type { ProjectId } from '../../ids.ts'
import { type SQL, sql } from 'drizzle-orm'
import { jsonText } from '../../store/json-text.ts'
import type { Reader, Tx } from '../../store/open.ts'
import { first, one } from '../../store/rows.ts'
import type { GlobalStatus, SuppressionReason, suppressions } from '../../store/tables/audience.ts'
import { recordEvents } from '../tracking/events.ts'
import { withdrawConfirmations } from '../outbox/enqueue.ts'
import { emailKey } from '../../schema.ts'

export type Suppression = typeof suppressions.$inferSelect

/**
 * An address of a project that gets no messages, whatever its contact consented to (docs/api/consent.md#suppressions).
 */
export interface SuppressedAddress {
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
 * existing one keeps its id and time.
 */
export async function suppress(
  tx: Tx,
  { project_id, email, reason, note = '', now }: SuppressedAddress,
): Promise<Suppression> {
  const before = await findSuppression(tx, project_id, email)
  const rows = await tx.all<Suppression>(sql`
    INSERT INTO suppressions (project_id, email, email_key, reason, note, created_at)
    VALUES (${project_id}, ${email.trim()}, ${emailKey(email)}, ${strongest(before?.reason, reason)}, ${note}, ${now})
    ON CONFLICT (project_id, email_key) DO UPDATE SET reason = excluded.reason, note = CASE excluded.note
    WHEN '' THEN note ELSE excluded.note END
    RETURNING *`)
  const row = one(rows)
  const contact = await contactAt(tx, project_id, email)
  if (contact) {
    // Both reasons apply: the weaker one may end memberships that the stronger one leaves.
    for (const given of new Set([row.reason, reason])) await applySuppression(tx, contact, given, now)
    if (row.reason !== before?.reason) {
      await recordEvents(tx, [
        { project_id, type: 'suppressed', contact_id: contact.id, email: contact.email, at: now, detail: row.reason },
      ])
    }
  }
  return row
}

/** As `suppress`, for many addresses without a contact. */
export async function suppressAddresses(
  tx: Tx,
  project_id: ProjectId,
  addresses: readonly { email: string; reason: SuppressionReason }[],
  now: number,
): Promise<void> {
  if (addresses.length === 0) return
  const rows = addresses.map(({ email, reason }) => [email.trim(), emailKey(email), reason])
  const strength = (reason: SQL) => sql`(${jsonText(STRENGTH)} ->> ${reason})`
  await tx.run(sql`
    INSERT INTO suppressions (project_id, email, email_key, reason, created_at)
    SELECT ${project_id}, value->>0, value->>1, value->>2, ${now} FROM json_each(${jsonText(rows)}) WHERE true
    ON CONFLICT (project_id, email_key) DO UPDATE SET reason = excluded.reason
    WHERE ${strength(sql`excluded.reason`)} > ${strength(sql`suppressions.reason`)}`)
}

export async function findSuppression(db: Reader, project_id: ProjectId, email: string): Promise<Suppression | null> {
  return first(
    await db.all<Suppression>(
      sql`SELECT * FROM suppressions WHERE project_id = ${project_id} AND email_key = ${emailKey(email)}`,
    ),
  )
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
    sql`DELETE FROM suppressions WHERE project_id = ${project_id} AND email_key = ${emailKey(email)} RETURNING *`,
  )
  if (!row) return null
  const contact = await contactAt(tx, project_id, email)
  if (contact)
    await recordEvents(tx, [
      { project_id, type: 'unsuppressed', contact_id: contact.id, email: contact.email, at: now, detail: row.reason },
    ])
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
  reason: SuppressionReason,
  now: number,
): Promise<void> {
  const status = STATUS_OF_REASON[reason]
  if (status === null) return
  if (STRENGTH_OF_STATUS[status] > STRENGTH_OF_STATUS[contact.global_status]) {
    const opted_out = status === 'bounced' && contact.global_status === 'unsubscribed'
    await tx.run(
      sql`
        UPDATE contacts SET global_status = ${status}, opted_out = ${opted_out ? 1 : 0}, updated_at = ${now}
        WHERE id = ${contact.id}`,
    )
  } else if (status === 'unsubscribed' && contact.global_status === 'bounced') {
    await tx.run(sql`UPDATE contacts SET opted_out = 1, updated_at = ${now} WHERE id = ${contact.id}`)
  }
  if (status === 'bounced') return
  await tx.run(
    sql`
      UPDATE memberships SET status = 'unsubscribed', unsubscribed_at = ${now}
      WHERE contact_id = ${contact.id} AND status <> 'unsubscribed'`,
  )
  await withdrawConfirmations(tx, [contact.id])
}

const STRENGTH: Readonly<Record<SuppressionReason, number>> = {
  manual: 0,
  unsubscribe: 1,
  hard_bounce: 2,
  complaint: 3,
}
const STRENGTH_OF_STATUS: Readonly<Record<GlobalStatus, number>> = {
  subscribed: 0,
  pending: 0,
  unsubscribed: 1,
  bounced: 2,
  complained: 3,
}

function strongest(one: SuppressionReason | undefined, other: SuppressionReason): SuppressionReason {
  return one !== undefined && STRENGTH[one] > STRENGTH[other] ? one : other
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
