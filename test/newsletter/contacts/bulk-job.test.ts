import { expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import type { ProjectId } from '../../../src/ids.ts'
import { bulkJob } from '../../../src/newsletter/contacts/bulk-job.ts'
import type { Job, Progress } from '../../../src/newsletter/jobs/queue.ts'
import type { Runtime } from '../../../src/runtime.ts'
import { contacts } from '../../../src/store/tables/audience.ts'
import type { JobPayloads } from '../../../src/store/tables/jobs.ts'
import { KEYS, newContact, newList, newProject, newTag, NOW, sharedStore, write } from '../../support/shared-store.ts'

const step = (
  project_id: ProjectId,
  payload: Partial<JobPayloads['bulk']>,
  position = 0,
  now = NOW,
): Promise<Progress> =>
  write((tx) =>
    bulkJob.step(
      tx,
      { project_id, position, created_at: NOW, payload: { address: '', user_agent: '', ...payload } } as Job<'bulk'>,
      { keys: KEYS } as Runtime,
      now,
    ),
  )
const left = async (project: ProjectId) =>
  (await (await sharedStore()).db.select().from(contacts).where(eq(contacts.project_id, project))).map(({ id }) => id)

test('A step handles the named contacts after its position, and the one after the last ends the job.', async () => {
  const [project, other] = [await newProject(), await newProject()]
  const ids: number[] = []
  for (const name of ['a', 'b', 'c']) ids.push(await newContact(project, `${name}@x.example`))
  const foreign = await newContact(other, 'd@x.example')
  const named = { action: 'delete' as const, contact_ids: [...ids, foreign, 999_999_999] }
  expect(await step(project, named, ids[0])).toEqual({ state: 'more', position: 999_999_999, processed: 4 })
  expect([await left(project), await left(other)]).toEqual([[ids[0]!], [foreign]])
  expect(await step(project, named, 999_999_999)).toEqual({ state: 'completed' })
})

test('A step of a filter goes over a thousand contacts, and counts those that match.', async () => {
  const project = await newProject()
  const [tag, gone] = [await newTag(project), 999_999_999]
  const first = await newContact(project, 'first@y.example')
  await write((tx) =>
    tx.run(sql`
      WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1000)
      INSERT INTO contacts (project_id, email, email_key, search_key, global_status, created_at, updated_at)
      SELECT ${project}, n || '@x.example', n || '@x.example', '', 'subscribed', 0, 0 FROM numbers`),
  )
  const tagged = async () => {
    const rows = await (await sharedStore()).db.all(sql`SELECT contact_id FROM contact_tags WHERE tag_id = ${tag}`)
    return rows.length
  }
  const rule = (value: string) => ({ field: 'email_domain', operator: 'eq' as const, value })
  const filter = { op: 'and' as const, rules: [rule('x.example')] }
  const put = { action: 'add_tags' as const, filter, tag_ids: [tag, gone] }
  expect(await step(project, put)).toEqual({ state: 'more', position: first + 999, processed: 999 })
  expect(await tagged()).toBe(999)
  expect(await step(project, put, first + 999)).toEqual({ state: 'more', position: first + 1000, processed: 1 })
  expect([await tagged(), await step(project, put, first + 1000)]).toEqual([1000, { state: 'completed' }])
  expect(await step(project, { ...put, tag_ids: [gone] })).toEqual({ state: 'cancelled' })
  expect(await step(project, { action: 'remove_from_list', filter, list_id: gone })).toEqual({ state: 'cancelled' })
})

test('A consent that a step gives or takes is evidence of the source bulk, at the time of the step.', async () => {
  const project = await newProject()
  const [list, other] = [await newList(project), await newList(project)]
  const id = await newContact(project, 'ada@x.example', {}, { [list]: 'subscribed' })
  const of = { contact_ids: [id] }
  await step(project, { ...of, action: 'add_to_list', list_id: other, consent_text: 'Yes.' }, 0, NOW + 1)
  await step(project, { ...of, action: 'remove_from_list', list_id: list }, 0, NOW + 2)
  await step(project, { ...of, action: 'unsubscribe' }, 0, NOW + 3)
  const { db } = await sharedStore()
  expect(
    await db.all(sql`SELECT action, list_id, source, at FROM consents WHERE contact_id = ${id} ORDER BY id`),
  ).toEqual([
    { action: 'given', list_id: other, source: 'bulk', at: NOW + 1 },
    { action: 'withdrawn', list_id: list, source: 'bulk', at: NOW + 2 },
    { action: 'withdrawn', list_id: null, source: 'bulk', at: NOW + 3 },
  ])
})

test('The rules of a filter hold as of the time at which the job was queued.', async () => {
  const project = await newProject()
  const day = 86_400_000
  await newContact(project, 'ada@x.example', { created_at: NOW - day })
  await newContact(project, 'bo@x.example', { created_at: NOW - day - 1 })
  const filter = { op: 'and' as const, rules: [{ field: 'created_at', operator: 'in_last_days' as const, value: 1 }] }
  expect(await step(project, { action: 'delete', filter }, 0, NOW + day)).toMatchObject({ processed: 1 })
  expect(await left(project)).toHaveLength(1)
})

test('A step wakes the delivery, because somebody may have been asked to confirm.', () => {
  const woken: string[] = []
  bulkJob.afterStep!({ state: 'more' }, { wake: (loop: string) => woken.push(loop) } as never, { total: 1 } as never)
  expect(woken).toEqual(['delivery'])
})
