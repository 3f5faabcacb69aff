import { sql } from 'drizzle-orm'
import { jsonText } from '../../store/json-text.ts'
import type { Tx } from '../../store/open.ts'

/** Adds all of the tags to all of the contacts. */
export async function putTags(tx: Tx, contact_ids: readonly number[], tag_ids: readonly number[]): Promise<void> {
  if (contact_ids.length === 0 || tag_ids.length === 0) return
  await tx.run(sql`
    INSERT INTO contact_tags (contact_id, tag_id)
    SELECT contact.value, tag.value
    FROM json_each(${jsonText(contact_ids)}) contact, json_each(${jsonText(tag_ids)}) tag
    WHERE true ON CONFLICT DO NOTHING`)
}

/** Removes all of the tags from all of the contacts. */
export async function removeTags(tx: Tx, contact_ids: readonly number[], tag_ids: readonly number[]): Promise<void> {
  if (contact_ids.length === 0 || tag_ids.length === 0) return
  await tx.run(sql`
    DELETE FROM contact_tags
    WHERE contact_id IN (SELECT value FROM json_each(${jsonText(contact_ids)}))
      AND tag_id IN (SELECT value FROM json_each(${jsonText(tag_ids)}))`)
}
