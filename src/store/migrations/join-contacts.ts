import { sql } from 'drizzle-orm'
import { normalForm } from '../../normal-form.ts'
import { emailKey, tidyAddress } from '../../address.ts'
import { jsonText } from '../json-text.ts'
import { withRows } from '../rows.ts'
import type { Tx } from '../store.ts'
import { applySuppressions, endMemberships, revealSuppressions } from './join-suppressions.ts'
import { byMailbox, type ScopedKey, withPresentKeys } from './scoped-keys.ts'

/**
 * Contacts of one mailbox become one: the oldest stays, takes what the others have and it lacks, and of two states the
 * one that forbids more (docs/api/contacts.md#addresses).
 */

interface Contact {
  id: number
  project_id: number
  email: string
  email_key: string
  first_name: string
  last_name: string
  custom_fields: string
  created_at: number
}

export async function joinContacts(tx: Tx, keys: readonly ScopedKey[], now: number): Promise<void> {
  const named = withPresentKeys(keys)
  const rows = await tx.all<Contact>(sql`
    SELECT contact.id, contact.project_id, contact.email, contact.email_key, contact.first_name, contact.last_name,
      contact.custom_fields, contact.created_at
    FROM json_each(${named}) named
    CROSS JOIN contacts contact ON contact.project_id = named.value ->> 0 AND contact.email_key = named.value ->> 1`)
  const kept: Contact[] = []
  for (const [, joined] of byMailbox(rows, ({ project_id }) => project_id)) {
    const [oldest, ...others] = joined.toSorted((one, other) => one.created_at - other.created_at || one.id - other.id)
    let contact = oldest!
    for (const other of others) contact = await joinInto(tx, contact, other, now)
    kept.push(contact)
    await respellMessages(tx, contact.id, joined)
  }
  const changed = kept.filter(
    ({ email, email_key }) => email_key !== emailKey(email_key) || email !== tidyAddress(email),
  )
  await tx.run(sql`
    ${withRows(changed.map((row) => [row.id, tidyAddress(row.email), emailKey(row.email_key), searchKey(row)]))}
    UPDATE contacts SET email = v->>1, email_key = v->>2, search_key = v->>3 FROM r WHERE contacts.id = v->>0`)
  await revealSuppressions(tx, keys)
  await applySuppressions(tx, named, now)
}

/** Moves everything of `other` to `contact`, and deletes `other`. Answers the contact as it is then. */
async function joinInto(tx: Tx, contact: Contact, other: Contact, now: number): Promise<Contact> {
  const [id, other_id] = [contact.id, other.id]
  for (const table of ['consents', 'events'])
    await tx.run(sql`UPDATE ${sql.raw(table)} SET contact_id = ${id} WHERE contact_id = ${other_id}`)
  await tx.run(sql`
    INSERT OR IGNORE INTO contact_tags (contact_id, tag_id)
    SELECT ${id}, tag_id FROM contact_tags WHERE contact_id = ${other_id}`)
  await joinMemberships(tx, id, other_id)
  await joinDeliveries(tx, id, other_id)
  const joined: Contact = {
    ...contact,
    first_name: contact.first_name || other.first_name,
    last_name: contact.last_name || other.last_name,
    custom_fields: jsonText({ ...valuesOf(other), ...valuesOf(contact) }),
  }
  const isStricter = sql`
    instr(${ORDER}, other.global_status) > instr(${ORDER}, contacts.global_status)`
  const isLater = sql`coalesce(other.consent_at, 0) > coalesce(contacts.consent_at, 0)`
  const later = (column: string) =>
    sql`${sql.raw(column)} = iif(${isLater}, ${sql.raw(`other.${column}`)}, ${sql.raw(`contacts.${column}`)})`
  const slots = Array.from(
    { length: 12 },
    (_, slot) => `slot_${slot + 1} = coalesce(contacts.slot_${slot + 1}, other.slot_${slot + 1})`,
  )
  await tx.run(sql`
    UPDATE contacts SET first_name = ${joined.first_name}, last_name = ${joined.last_name},
      first_name_key = iif(contacts.first_name = '', other.first_name_key, contacts.first_name_key),
      last_name_key = iif(contacts.last_name = '', other.last_name_key, contacts.last_name_key),
      search_key = ${searchKey(joined)}, custom_fields = ${joined.custom_fields}, ${sql.raw(slots.join(', '))},
      more_keys = nullif(json_patch(coalesce(other.more_keys, '{}'), coalesce(contacts.more_keys, '{}')), '{}'),
      global_status = iif(${isStricter}, other.global_status, contacts.global_status),
      opted_out = max(contacts.opted_out, other.opted_out,
        'bounced' IN (contacts.global_status, other.global_status)
        AND 'unsubscribed' IN (contacts.global_status, other.global_status)),
      ${later('consent_wording_id')}, ${later('consent_source')}, ${later('consent_at')}, updated_at = ${now}
    FROM contacts other WHERE contacts.id = ${id} AND other.id = ${other_id}`)
  await tx.run(sql`DELETE FROM contacts WHERE id = ${other_id}`)
  await tx.run(sql`
    UPDATE project_usage SET rows = rows - 1 WHERE project_id = ${contact.project_id} AND kind = 'contacts'`)
  await endMemberships(tx, [id], now)
  return joined
}

/** Global statuses; a later one forbids more. */
const ORDER = 'subscribed pending unsubscribed bounced complained'

async function joinMemberships(tx: Tx, id: number, other_id: number): Promise<void> {
  const order = sql`'subscribed pending unsubscribed'`
  await tx.run(sql`
    INSERT INTO memberships (contact_id, list_id, status, subscribed_at, unsubscribed_at, confirmation_sent_at)
    SELECT ${id}, list_id, status, subscribed_at, unsubscribed_at, confirmation_sent_at
    FROM memberships WHERE contact_id = ${other_id}
    ON CONFLICT (contact_id, list_id) DO UPDATE SET
      status = excluded.status, subscribed_at = excluded.subscribed_at, unsubscribed_at = excluded.unsubscribed_at,
      confirmation_sent_at = excluded.confirmation_sent_at
    WHERE instr(${order}, excluded.status) > instr(${order}, memberships.status)`)
}

/** One mailbox gets a campaign once: a message that waits is skipped where the other contact got or awaits it. */
async function joinDeliveries(tx: Tx, id: number, other_id: number): Promise<void> {
  const skip = sql`status = 'skipped', worker_id = NULL, lease_id = NULL,
    last_error = 'The address got this message in another spelling.'`
  const waits = sql`kind = 'campaign' AND status IN ('queued', 'leased')`
  await tx.run(sql`
    UPDATE deliveries SET ${skip} WHERE contact_id = ${other_id} AND ${waits} AND EXISTS (
      SELECT 1 FROM deliveries own
      WHERE own.campaign_id = deliveries.campaign_id AND own.contact_id = ${id} AND own.kind = 'campaign')`)
  await tx.run(sql`
    UPDATE deliveries SET ${skip} WHERE contact_id = ${id} AND ${waits} AND EXISTS (
      SELECT 1 FROM deliveries other
      WHERE other.campaign_id = deliveries.campaign_id AND other.contact_id = ${other_id} AND other.kind = 'campaign'
        AND other.status IN ('sending', 'sent', 'uncertain', 'bounced'))`)
  await tx.run(sql`UPDATE OR IGNORE deliveries SET contact_id = ${id} WHERE contact_id = ${other_id}`)
}

/** Messages that may still be sent take the address of their contact: their consent is looked up by it. */
async function respellMessages(tx: Tx, id: number, contacts: readonly Contact[]): Promise<void> {
  const email = tidyAddress(contacts.find((contact) => contact.id === id)!.email)
  const spellings = contacts.map((contact) => contact.email).filter((spelling) => spelling !== email)
  if (spellings.length === 0) return
  await tx.run(sql`
    UPDATE deliveries SET email = ${email}
    WHERE contact_id = ${id} AND email IN (SELECT value FROM json_each(${jsonText(spellings)}))
      AND status IN ('queued', 'leased', 'failed', 'uncertain')`)
}

/** The custom values of a contact that are not empty. */
function valuesOf({ custom_fields }: Contact): Record<string, unknown> {
  const values = JSON.parse(custom_fields) as Record<string, unknown>
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))
}

function searchKey({ email, first_name, last_name }: Contact): string {
  return normalForm(`${tidyAddress(email)} ${first_name} ${last_name}`.trim()).toLowerCase()
}
