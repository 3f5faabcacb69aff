import { Type } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import { invalid } from '../../errors.ts'
import { mutation } from '../../operation/declare.ts'
import { atLeastOneOf, Id, obj } from '../../schema.ts'
import { jsonText } from '../../store/json-text.ts'
import type { Tx } from '../../store/open.ts'
import { Contact, getContact, toContact } from './contact.ts'
import { requireTags } from '../lists/tags.operations.ts'

const TagIds = Type.Array(Id, { maxItems: 100 })

const CHANGES = atLeastOneOf('add', 'remove')

export const changeTags = mutation({
  path: '/contacts/tags',
  scope: 'write',
  summary: 'Puts tags on a contact and takes tags off.',
  request: obj({ contact_id: Id, add: Type.Optional(TagIds), remove: Type.Optional(TagIds) }, CHANGES.keywords),
  response: obj({ contact: Contact }),
  async run({ contact_id, add, remove }, { tx, project_id }) {
    CHANGES.check({ add, remove })
    const both = remove?.findIndex((tag_id) => add?.includes(tag_id)) ?? -1
    if (both !== -1) throw invalid(`/remove/${both}`, 'Listed in both add and remove.')
    await getContact(tx, project_id, contact_id)
    await requireTags(tx, project_id, add ?? [], '/add')
    await requireTags(tx, project_id, remove ?? [], '/remove')
    await putTags(tx, [contact_id], add ?? [])
    await takeTags(tx, [contact_id], remove ?? [])
    return { contact: toContact(await getContact(tx, project_id, contact_id)) }
  },
})

/** Puts every one of the tags on every one of the contacts; answers those who did not have all of them. */
export async function putTags(
  tx: Tx,
  contact_ids: readonly number[],
  tag_ids: readonly number[],
): Promise<Set<number>> {
  if (contact_ids.length === 0 || tag_ids.length === 0) return new Set()
  const added = await tx.all<{ contact_id: number }>(sql`
    INSERT INTO contact_tags (contact_id, tag_id) SELECT c.value, t.value FROM json_each(${jsonText(contact_ids)}) c, json_each(${jsonText(tag_ids)}) t WHERE true
    ON CONFLICT DO NOTHING RETURNING contact_id`)
  return new Set(added.map(({ contact_id }) => contact_id))
}

/** Takes every one of the tags off all of the contacts. */
export async function takeTags(tx: Tx, contact_ids: readonly number[], tag_ids: readonly number[]): Promise<void> {
  if (contact_ids.length === 0 || tag_ids.length === 0) return
  await tx.run(sql`
    DELETE FROM contact_tags
    WHERE contact_id IN (SELECT value FROM json_each(${jsonText(contact_ids)})) AND tag_id IN (SELECT value FROM json_each(${jsonText(tag_ids)}))`)
}
