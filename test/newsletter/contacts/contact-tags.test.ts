import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import {
  assignTags,
  insertTags,
  putTags,
  removeTags,
  touchContacts,
} from '../../../src/newsletter/contacts/contact-tags.ts'
import { newContact, newProject, newTag, NOW, sharedStore, write } from '../../support/shared-store.ts'

const LATER = NOW + 1000

async function placed() {
  const project = await newProject()
  const ids = [await newContact(project, 'a@example.com'), await newContact(project, 'b@example.com')]
  const tags = [await newTag(project), await newTag(project)]
  const { db } = await sharedStore()
  /** Of each contact its tags, by their place, and whether it counts as updated. */
  const state = async () => {
    const rows = await db.all<{ tags: string; updated_at: number }>(sql`
      SELECT updated_at, (SELECT json_group_array(tag_id) FROM (
        SELECT tag_id FROM contact_tags WHERE contact_id = contact.id ORDER BY tag_id)) AS tags
      FROM contacts contact WHERE project_id = ${project} ORDER BY id`)
    return rows.map((row) => [
      ...(JSON.parse(row.tags) as number[]).map((id) => tags.indexOf(id)),
      row.updated_at === LATER ? 'updated' : 'unchanged',
    ])
  }
  return { ids: ids as [number, number], tags: tags as [number, number], state }
}

test('Each contact gets each tag once, and counts as updated where one is new.', async () => {
  const { ids, tags, state } = await placed()
  await write((tx) => assignTags(tx, [[ids[0], tags[0]]]))
  expect(await state()).toEqual([[0, 'unchanged'], ['unchanged']])
  await write((tx) => putTags(tx, ids, [tags[0]], LATER))
  expect(await state()).toEqual([
    [0, 'unchanged'],
    [0, 'updated'],
  ])
  expect(await write((tx) => insertTags(tx, ids, tags))).toEqual(expect.arrayContaining(ids))
  expect(await write((tx) => insertTags(tx, ids, tags))).toEqual([])
  expect((await state()).map((row) => row.slice(0, 2))).toEqual([
    [0, 1],
    [0, 1],
  ])
})

test('Removing tags takes those alone, and a contact without them stays unchanged.', async () => {
  const { ids, tags, state } = await placed()
  await write((tx) => assignTags(tx, [...tags.map((tag) => [ids[0], tag] as const), [ids[0], tags[0]]]))
  await write((tx) => removeTags(tx, ids, [tags[1]], LATER))
  expect(await state()).toEqual([[0, 'updated'], ['unchanged']])
  await write((tx) => removeTags(tx, [ids[1]], tags, LATER))
  expect(await state()).toEqual([[0, 'updated'], ['unchanged']])
})

test('Without contacts or tags nothing happens.', async () => {
  const { ids, tags, state } = await placed()
  await write(async (tx) => {
    await putTags(tx, ids, [], LATER)
    await putTags(tx, [], tags, LATER)
    await removeTags(tx, [], tags, LATER)
    await assignTags(tx, [])
    await touchContacts(tx, [], LATER)
  })
  expect(await state()).toEqual([['unchanged'], ['unchanged']])
  await write((tx) => touchContacts(tx, [ids[1]], LATER))
  expect(await state()).toEqual([['unchanged'], ['updated']])
})
