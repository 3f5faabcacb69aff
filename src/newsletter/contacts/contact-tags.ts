import { sql } from 'drizzle-orm'
import { jsonText } from '../../store/json-text.ts'
import type { Tx } from '../../store/open.ts'
import { valuesOf, withRows } from '../../store/rows.ts'

/** Adds all of the tags to all of the contacts. Contacts that get a tag count as updated. */
export async function putTags(
  tx: Tx,
  contact_ids: readonly number[],
  tag_ids: readonly number[],
  now: number,
): Promise<void> {
  await touchContacts(tx, await insertTags(tx, contact_ids, tag_ids), now)
}

/** As `putTags`, for contacts that the caller updates. Answers a contact for each tag that is new to it. */
export async function insertTags(
  tx: Tx,
  contact_ids: readonly number[],
  tag_ids: readonly number[],
): Promise<number[]> {
  if (contact_ids.length === 0 || tag_ids.length === 0) return []
  const tagged = await tx.all<{ contact_id: number }>(sql`
    INSERT INTO contact_tags (contact_id, tag_id)
    SELECT contact.value, tag.value
    FROM json_each(${jsonText(contact_ids)}) contact, json_each(${jsonText(tag_ids)}) tag
    WHERE true ON CONFLICT DO NOTHING RETURNING contact_id`)
  return tagged.map(({ contact_id }) => contact_id)
}

/** Removes all of the tags from all of the contacts. Contacts that lose a tag count as updated. */
export async function removeTags(
  tx: Tx,
  contact_ids: readonly number[],
  tag_ids: readonly number[],
  now: number,
): Promise<void> {
  if (contact_ids.length === 0 || tag_ids.length === 0) return
  const untagged = await tx.all<{ contact_id: number }>(sql`
    DELETE FROM contact_tags
    WHERE contact_id IN (SELECT value FROM json_each(${jsonText(contact_ids)}))
      AND tag_id IN (SELECT value FROM json_each(${jsonText(tag_ids)}))
    RETURNING contact_id`)
  const ids = untagged.map(({ contact_id }) => contact_id)
  await touchContacts(tx, ids, now)
}

/** Contacts whose memberships or tags changed count as updated (docs/api/contacts.md). */
export async function touchContacts(tx: Tx, contact_ids: readonly number[], now: number): Promise<void> {
  if (contact_ids.length === 0) return
  await tx.run(sql`
    UPDATE contacts SET updated_at = ${now}
    WHERE id IN (SELECT value FROM json_each(${jsonText(contact_ids)})) AND updated_at <> ${now}`)
}

/** Adds tags to contacts: pairs of ids. */
export async function assignTags(
  tx: Tx,
  pairs: readonly (readonly [contact_id: number, tag_id: number])[],
): Promise<void> {
  if (pairs.length === 0) return
  await tx.run(sql`
    ${withRows(pairs)}
    INSERT INTO contact_tags (contact_id, tag_id) SELECT ${valuesOf(0, 2)} FROM r WHERE true ON CONFLICT DO NOTHING`)
}
