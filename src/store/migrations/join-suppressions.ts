import { sql } from 'drizzle-orm'
import { allKeys, emailKey, tidyAddress } from '../../address.ts'
import { addressMark } from '../address-key.ts'
import { jsonText } from '../json-text.ts'
import { withRows } from '../rows.ts'
import type { Tx } from '../store.ts'
import { byMailbox, type ScopedKey, withPresentKeys } from './scoped-keys.ts'

/** Suppressions of one mailbox become one, with the stronger reason (docs/api/consent.md#suppressions). */

interface Suppression {
  id: number
  project_id: number
  email: string
  email_key: string
  reason: 'manual' | 'unsubscribe' | 'hard_bounce' | 'complaint'
  opted_out: 0 | 1
  note: string
  created_at: number
}

const STRENGTH = { manual: 0, unsubscribe: 1, hard_bounce: 2, complaint: 3 }

export async function joinSuppressions(tx: Tx, keys: readonly ScopedKey[], now: number): Promise<void> {
  const named = withPresentKeys(keys)
  const rows = await tx.all<Suppression>(sql`
    SELECT suppression.* FROM json_each(${named}) named
    CROSS JOIN suppressions suppression
      ON suppression.project_id = named.value ->> 0 AND suppression.email_key = named.value ->> 1`)
  await joinRows(tx, rows)
  await applySuppressions(tx, named, now)
}

/**
 * Gives suppressions their address again that have only a hash of a spelling of it, because a contact has that address
 * in another spelling.
 */
export async function revealSuppressions(tx: Tx, keys: readonly ScopedKey[]): Promise<void> {
  const projects = jsonText([...new Set(keys.map(({ scope }) => scope))])
  const secrets = await tx.all<{ project_id: number; key: string }>(sql`
    SELECT project_id, key FROM address_keys WHERE project_id IN (SELECT value FROM json_each(${projects}))`)
  const secret_of = new Map(secrets.map(({ project_id, key }) => [project_id, key]))
  const marks = keys.flatMap(({ scope, key }) => {
    const secret = secret_of.get(Number(scope))
    return secret === undefined
      ? []
      : allKeys(emailKey(key)).map((one) => [Number(scope), addressMark(secret, one), emailKey(key)] as const)
  })
  if (marks.length === 0) return
  const hidden = await tx.all<Suppression & { known_key: string }>(sql`
    ${withRows(marks)}
    SELECT suppression.*, v->>2 AS known_key FROM r
    CROSS JOIN suppressions suppression ON suppression.project_id = v->>0 AND suppression.email_key = v->>1`)
  if (hidden.length === 0) return
  const revealed = hidden.map(({ known_key, ...row }) => ({
    ...row,
    email: tidyAddress(known_key),
    email_key: known_key,
  }))
  const known = await tx.all<Suppression>(sql`
    SELECT suppression.* FROM json_each(${jsonText(revealed.map((row) => [row.project_id, row.email_key]))}) named
    CROSS JOIN suppressions suppression
      ON suppression.project_id = named.value ->> 0 AND suppression.email_key = named.value ->> 1`)
  await joinRows(tx, [...revealed, ...known])
}

async function joinRows(tx: Tx, rows: readonly Suppression[]): Promise<void> {
  for (const [, joined] of byMailbox(rows, ({ project_id }) => project_id)) {
    const [oldest, ...others] = joined.toSorted((one, other) => one.id - other.id)
    const { id, email, email_key } = oldest!
    const strongest = joined.toSorted((one, other) => STRENGTH[other.reason] - STRENGTH[one.reason])[0]!
    for (const other of others) await tx.run(sql`DELETE FROM suppressions WHERE id = ${other.id}`)
    await tx.run(sql`
      UPDATE suppressions SET email = ${tidyAddress(email)}, email_key = ${emailKey(email_key)},
        reason = ${strongest.reason}, opted_out = ${Math.max(...joined.map((row) => row.opted_out))},
        note = ${strongest.note || (joined.find(({ note }) => note !== '')?.note ?? '')},
        created_at = ${Math.min(...joined.map((row) => row.created_at))}
      WHERE id = ${id}`)
  }
}

/** The contact status that each suppression reason gives. STATUSES lists statuses from the weakest to the strongest. */
const STATUS = { unsubscribe: 'unsubscribed', hard_bounce: 'bounced', complaint: 'complained' } as const
const STATUSES: readonly string[] = ['subscribed', 'unsubscribed', 'bounced', 'complained']
const strengthOf = (status: string) => Math.max(0, STATUSES.indexOf(status))

/**
 * Gives contacts the status of a suppression that named their mailbox in another spelling, unless theirs is stronger.
 * @param named pairs of project and key, as JSON
 */
export async function applySuppressions(tx: Tx, named: string, now: number): Promise<void> {
  const suppressed = await tx.all<{
    id: number
    project_id: number
    email: string
    global_status: string
    opted_out: 0 | 1
    reason: keyof typeof STATUS
    left: 0 | 1
  }>(sql`
    SELECT contact.id, contact.project_id, contact.email, contact.global_status, contact.opted_out,
      suppression.reason, suppression.opted_out AS left
    FROM json_each(${named}) named
    CROSS JOIN suppressions suppression
      ON suppression.project_id = named.value ->> 0 AND suppression.email_key = named.value ->> 1
    CROSS JOIN contacts contact ON contact.project_id = named.value ->> 0 AND contact.email_key = named.value ->> 1
    WHERE suppression.reason <> 'manual'`)
  const changed = suppressed.flatMap((contact) => {
    const implied = STATUS[contact.reason]
    const isStronger = strengthOf(implied) > strengthOf(contact.global_status)
    const after = isStronger ? implied : contact.global_status
    // A reset of the bounce must not forget the opt-out.
    const isOptOut = contact.left === 1 || contact.global_status === 'unsubscribed'
    const opted_out = after === 'bounced' && isOptOut ? 1 : contact.opted_out
    return isStronger || opted_out !== contact.opted_out ? [{ ...contact, after, opted_out }] : []
  })
  if (changed.length === 0) return
  await tx.run(sql`
    ${withRows(changed.map(({ id, after, opted_out }) => [id, after, opted_out]))}
    UPDATE contacts SET global_status = v->>1, opted_out = v->>2, updated_at = ${now} FROM r WHERE contacts.id = v->>0`)
  await tx.run(sql`
    ${withRows(changed.map(({ project_id, id, email, reason }) => [project_id, id, email, reason]))}
    INSERT INTO events (project_id, type, contact_id, email, at, detail)
    SELECT v->>0, 'suppressed', v->>1, v->>2, ${now}, v->>3 FROM r`)
  const withdrawn = changed.filter(({ reason }) => reason !== 'hard_bounce')
  await tx.run(sql`
    ${withRows(withdrawn.map(({ project_id, id, reason }) => [project_id, id, reason]))}
    INSERT INTO consents (project_id, contact_id, list_id, action, source, at)
    SELECT v->>0, v->>1, NULL, 'withdrawn', v->>2, ${now} FROM r`)
  await endMemberships(
    tx,
    changed.map(({ id }) => id),
    now,
  )
}

/** Ends every membership of those of the contacts who left or complained, and their queued confirmations. */
export async function endMemberships(tx: Tx, contact_ids: readonly number[], now: number): Promise<void> {
  const left = sql`(
    SELECT id FROM contacts WHERE id IN (SELECT value FROM json_each(${jsonText(contact_ids)}))
      AND (global_status IN ('unsubscribed', 'complained') OR opted_out))`
  await tx.run(sql`
    UPDATE memberships SET status = 'unsubscribed', unsubscribed_at = ${now}
    WHERE contact_id IN ${left} AND status <> 'unsubscribed'`)
  await tx.run(sql`DELETE FROM deliveries WHERE contact_id IN ${left} AND kind = 'confirmation' AND status = 'queued'`)
}
