import { beforeAll, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { eraseProjects } from '../../src/deletion/erasure.ts'
import type { ProjectId } from '../../src/ids.ts'
import { newContact, newList, newProject, NOW, sharedStore, write } from '../support/shared-store.ts'

const COUNTED = ['contacts', 'memberships', 'suppressions', 'pages', 'events', 'deliveries'] as const
const counts = async (id: ProjectId): Promise<Record<(typeof COUNTED)[number], number>> => {
  const store = await sharedStore()
  const found = COUNTED.map(async (table) => {
    const of = table === 'memberships' ? 'list_id IN (SELECT id FROM lists WHERE project_id = ?)' : 'project_id = ?'
    const [row] = await store.query(`SELECT count(*) AS n FROM ${table} WHERE ${of}`, [id])
    return [table, Number(row!.n)]
  })
  return Object.fromEntries(await Promise.all(found))
}
const erasedAt = async (id: ProjectId) =>
  (await (await sharedStore()).query('SELECT erased_at FROM projects WHERE id = ?', [id]))[0]!.erased_at
const remove = (id: ProjectId) => write((tx) => tx.run(sql`UPDATE projects SET deleted_at = ${NOW} WHERE id = ${id}`))
const erase = async (stopping = () => false) => eraseProjects(await sharedStore(), stopping)
const NONE = { contacts: 0, memberships: 0, suppressions: 0, pages: 0, events: 0, deliveries: 0 }
const FULL = { contacts: 501, memberships: 501, suppressions: 501, pages: 21, events: 502, deliveries: 1 }

// Other tests of the process may have left deleted projects.
beforeAll(async () => {
  for (let run = 0; run < 10; run++) await erase()
})

/** More rows than one transaction erases, some of them far behind the others of the history. */
async function filled(): Promise<ProjectId> {
  const id = await newProject()
  const list_id = await newList(id)
  const numbers = (last: number) =>
    sql`WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${last})`
  await write(async (tx) => {
    await tx.run(sql`
      ${numbers(501)} INSERT INTO contacts
        (project_id, email, email_key, search_key, global_status, created_at, updated_at)
      SELECT ${id}, n || '@example.com', n || '@example.com', '', 'subscribed', 0, 0 FROM numbers`)
    await tx.run(sql`
      INSERT INTO memberships (contact_id, list_id, status)
      SELECT id, ${list_id}, 'subscribed' FROM contacts WHERE project_id = ${id}`)
    await tx.run(sql`
      ${numbers(501)} INSERT INTO suppressions (project_id, email, email_key, reason, created_at)
      SELECT ${id}, n, n, 'manual', 0 FROM numbers`)
    await tx.run(sql`
      ${numbers(21)} INSERT INTO pages
        (project_id, path, title, published, version, insertion_points, created_at, updated_at, html)
      SELECT ${id}, '/' || n, '', 1, 1, '{}', 0, 0, '' FROM numbers`)
    await tx.run(sql`
      ${numbers(501)} INSERT INTO events (project_id, type, at) SELECT ${id}, 'opened', 0 FROM numbers`)
    await tx.run(sql`
      INSERT INTO events (id, project_id, type, at) SELECT max(id) + 20001, ${id}, 'opened', 0 FROM events`)
    await tx.run(sql`
      INSERT INTO deliveries (project_id, kind, email, status, next_attempt_at, created_at)
      VALUES (${id}, 'test', '', 'sent', 0, 0)`)
  })
  return id
}

test('A deleted project is erased row by row in any number, and another one keeps all of its rows.', async () => {
  const [gone, other] = [await filled(), await filled()]
  await erase()
  expect([await counts(gone), await erasedAt(gone)]).toEqual([FULL, null])
  await remove(gone)
  await erase()
  expect([await counts(gone), await erasedAt(gone)]).toEqual([NONE, NOW])
  expect([await counts(other), await erasedAt(other)]).toEqual([FULL, null])
})

test('A project whose messages are in flight waits until they are not.', async () => {
  const id = await newProject()
  await newContact(id, 'ada@example.com')
  await remove(id)
  for (const status of ['leased', 'sending']) {
    await write(async (tx) => {
      await tx.run(sql`DELETE FROM deliveries WHERE project_id = ${id}`)
      await tx.run(sql`
        INSERT INTO deliveries (project_id, kind, email, status, next_attempt_at, created_at)
        VALUES (${id}, 'test', '', ${status}, 0, 0)`)
    })
    await erase()
    expect([status, (await counts(id)).contacts, await erasedAt(id)]).toEqual([status, 1, null])
  }
  await write((tx) => tx.run(sql`UPDATE deliveries SET status = 'queued' WHERE project_id = ${id}`))
  await erase()
  expect([await counts(id), await erasedAt(id)]).toEqual([NONE, NOW])
})

test('A process that stops leaves the rest to the next run.', async () => {
  const id = await filled()
  await remove(id)
  await erase(() => true)
  expect([await counts(id), await erasedAt(id)]).toEqual([FULL, null])
  let asked = 0
  // Past the history and into the contacts.
  await erase(() => ++asked > 6)
  expect(await erasedAt(id)).toBeNull()
  expect((await counts(id)).pages).toBe(21)
  await erase()
  expect([await counts(id), await erasedAt(id)]).toEqual([NONE, NOW])
})

test('The campaigns of an erased project say nothing, and keep when they were deleted.', async () => {
  const id = await newProject()
  const campaign = (name: string, deleted_at: number | null) =>
    write((tx) =>
      tx.run(sql`
        INSERT INTO campaigns (project_id, name, search_key, subject, preheader, editor_json, audience_spec, from_name,
          from_email, reply_to, failure, posts, track_opens, track_clicks, status, deleted_at, created_at, updated_at)
        VALUES (${id}, ${name}, 'k', 'Secret', 'p', '{"a":1}', '{}', 'Ada', 'a@example.com', 'r@example.com', '{}',
          '[]', 1, 1, 'sending', ${deleted_at}, 1, 2)`),
    )
  await campaign('May', null)
  await campaign('June', 1)
  await remove(id)
  await erase()
  const nothing = {
    name: '',
    search_key: '',
    subject: '',
    preheader: '',
    editor_json: '{}',
    failure: null,
    posts: null,
  }
  const nobody = { posts: null, from_name: '', from_email: '', reply_to: '', status: 'cancelled' }
  expect(
    await (
      await sharedStore()
    ).query(
      `SELECT name, search_key, subject, preheader, editor_json, failure, posts, from_name, from_email, reply_to,
        status, deleted_at FROM campaigns WHERE project_id = ? ORDER BY id`,
      [id],
    ),
  ).toEqual([
    { ...nothing, ...nobody, deleted_at: 2 },
    { ...nothing, ...nobody, deleted_at: 1 },
  ])
})
