import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import type { ProjectId } from '../../../src/ids.ts'
import type { ContactFilters } from '../../../src/newsletter/contacts/contact-filter.ts'
import {
  contactsOf,
  contactsPage,
  fastestSource,
  type PageRow,
  type PageSource,
} from '../../../src/newsletter/contacts/contact-page.ts'
import { newContact, newList, newProject, newTag, NOW, sharedStore, write } from '../../support/shared-store.ts'

test('A list or a tag of at most two thousand is read by itself, a larger one with all contacts.', async () => {
  const project = await newProject()
  const [few, many, tag] = [await newList(project), await newList(project), await newTag(project)]
  await write(async (tx) => {
    await tx.run(sql`
      WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 2001)
      INSERT INTO contacts (project_id, email, email_key, search_key, global_status, created_at, updated_at)
      SELECT ${project}, n || '@x.example', n || '@x.example', '', 'subscribed', 0, 0 FROM numbers`)
    for (const [list, count] of [
      [few, 2000],
      [many, 2001],
    ])
      await tx.run(sql`
        INSERT INTO memberships (contact_id, list_id, status)
        SELECT id, ${list}, 'subscribed' FROM contacts WHERE project_id = ${project} LIMIT ${count}`)
  })
  const { db } = await sharedStore()
  const source = (filters: ContactFilters) => fastestSource(db, filters)
  expect([await source({ list_id: few }), await source({ list_id: many })]).toEqual(['by_list', 'in_order'])
  expect([await source({ tag_id: tag }), await source({})]).toEqual(['by_tag', 'in_order'])
  expect(await source({ list_id: few, tag_id: tag })).toBe('by_list')
  expect(await source({ list_id: many, tag_id: tag })).toBe('by_tag')
})

/** The ids of a page. */
async function pageOf(
  project: ProjectId,
  source: PageSource,
  filters: ContactFilters,
  place: Parameters<typeof contactsPage>[3],
): Promise<number[]> {
  const { db } = await sharedStore()
  const condition = sql`contact.project_id = ${project} AND contact.global_status = 'subscribed'`
  const rows = await db.all<PageRow>(contactsPage(condition, filters, source, place))
  return contactsOf(rows).map(({ id }) => id)
}

test('Every source has the same pages, in both orders, also where many contacts were made at once.', async () => {
  const project = await newProject()
  const [list_id, tag_id] = [await newList(project), await newTag(project)]
  const ids: number[] = []
  for (const created_at of [NOW, NOW, NOW, NOW + 1, NOW - 1])
    ids.push(await newContact(project, `${ids.length}@x.example`, { created_at }, { [list_id]: 'subscribed' }))
  const hidden = await newContact(project, 'h@x.example', { global_status: 'pending' }, { [list_id]: 'pending' })
  const outside = await newContact(project, 'o@x.example', { created_at: NOW + 2 })
  await write(async (tx) => {
    for (const id of [...ids, hidden])
      await tx.run(sql`INSERT INTO contact_tags (contact_id, tag_id) VALUES (${id}, ${tag_id})`)
  })
  const oldest = [ids[4]!, ids[0]!, ids[1]!, ids[2]!, ids[3]!]
  const after = { created_at: NOW, id: ids[1]! }
  for (const [source, filters, more] of [
    ['in_order', {}, [outside]],
    ['by_list', { list_id }, []],
    ['by_tag', { tag_id }, []],
  ] as const) {
    const all = [...oldest, ...more]
    const of = (place: Parameters<typeof contactsPage>[3]) => pageOf(project, source, filters, place)
    expect(await of({ after: null, most: 9 })).toEqual(all)
    expect(await of({ after: null, most: 2, order: 'oldest' })).toEqual(all.slice(0, 2))
    expect(await of({ after: null, most: 9, order: 'newest' })).toEqual(all.toReversed())
    expect(await of({ after, most: 9 })).toEqual(all.slice(3))
    expect(await of({ after, most: 1 })).toEqual(all.slice(3, 4))
    expect(await of({ after, most: 9, order: 'newest' })).toEqual([ids[0]!, ids[4]!])
  }
})
