import { expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import type { ProjectId } from '../../../src/ids.ts'
import { importJob } from '../../../src/newsletter/imports/import-job.ts'
import { settledOptions } from '../../../src/newsletter/imports/mapping.ts'
import { refusedRows } from '../../../src/newsletter/imports/refused-file.ts'
import { getImport } from '../../../src/newsletter/imports/resource.ts'
import type { RowPerson } from '../../../src/newsletter/imports/row-person.ts'
import { stageImport } from '../../../src/newsletter/imports/states.ts'
import { type ReadPage, storePage } from '../../../src/newsletter/imports/storage.ts'
import { enqueueJob, type Job } from '../../../src/newsletter/jobs/queue.ts'
import type { Runtime } from '../../../src/runtime.ts'
import { custom_fields } from '../../../src/store/tables/audience.ts'
import { imports } from '../../../src/store/tables/imports.ts'
import { KEYS, newList, newProject, newTag, NOW, sharedStore, write } from '../../support/shared-store.ts'

const LATER = NOW + 1000

type Settled = ReturnType<typeof settledOptions>
type Import = typeof imports.$inferSelect

/** A committed import of a project; `step` saves its next page. */
async function committed(project_id: ProjectId, options: Partial<Settled> = {}, more: Partial<Import> = {}) {
  const import_id = await write(async (tx) => {
    const file = { project_id, filename: 'a.csv', size_bytes: 9, delimiter: ',' as const, columns: [], now: NOW }
    const { id } = await stageImport(tx, file)
    const settled = { ...settledOptions({}, { delimiter: ',', date_format: 'iso' }), ...options }
    await tx
      .update(imports)
      .set({ status: 'queued', options: settled, fields: [], ...more })
      .where(eq(imports.id, id))
    return id
  })
  const payload = { import_id, address: '192.0.2.7', user_agent: 'Shop' }
  const job = (await write((tx) => enqueueJob(tx, { project_id, kind: 'import', payload, now: NOW }))) as Job<'import'>
  return {
    job,
    page: (last_row: number, people: RowPerson[], more: Partial<ReadPage> = {}) => {
      const page = {
        last_row,
        rows: people.length,
        failed: 0,
        duplicates: 0,
        people: JSON.stringify(people),
        refusals: null,
        ...more,
      }
      return write((tx) => storePage(tx, import_id, page))
    },
    step: async (contacts_per_project = 1000, of: Job<'import'> = job, now = LATER) => {
      const runtime = { config: { contacts_per_project }, keys: KEYS, store: await sharedStore() } as unknown as Runtime
      const prepared = await importJob.prepare!(of, runtime, now)
      return write((tx) => importJob.step(tx, of, { ...runtime, ...prepared }, now))
    },
    row: async () => {
      const [row] = await (await sharedStore()).db.select().from(imports).where(eq(imports.id, import_id))
      const { processed, created, updated, skipped, failed, ...others } = row!
      return { ...others, counts: [processed, created, updated, skipped, failed] }
    },
  }
}
const emailsOf = async (project: ProjectId) =>
  (
    await (
      await sharedStore()
    ).db.all<{ email: string }>(sql`SELECT email FROM contacts WHERE project_id = ${project} ORDER BY id`)
  ).map(({ email }) => email)
const person = (row: number, email: string, facts?: RowPerson[5]): RowPerson =>
  facts ? [row, email, null, null, null, facts] : [row, email, null, null, null]

test('Pages are saved in the order of the file, one a step, and every row is counted once.', async () => {
  const project = await newProject()
  const { job, page, step, row } = await committed(project)
  await page(20, [person(11, 'cy@example.com'), person(12, 'ada@example.com')], { rows: 5, duplicates: 2, failed: 1 })
  await page(10, [person(2, 'bo@example.com'), person(3, 'ada@example.com')])
  expect(await step()).toEqual({ state: 'more', position: 10, processed: 2 })
  expect(await emailsOf(project)).toEqual(['bo@example.com', 'ada@example.com'])
  expect(await row()).toMatchObject({ status: 'processing', counts: [2, 2, 0, 0, 0], finished_at: null })
  expect(await step(1000, job, LATER - 1)).toEqual({ state: 'more', position: 20, processed: 5 })
  expect(await row()).toMatchObject({ status: 'processing', counts: [7, 3, 0, 3, 1], updated_at: LATER - 1 })
  expect(await step()).toEqual({ state: 'completed' })
  expect(await row()).toMatchObject({ status: 'completed', finished_at: LATER, counts: [7, 3, 0, 3, 1] })
  expect(await step()).toEqual({ state: 'cancelled' })
})

test('Known people change where the options say so, and who left by the file counts as updated.', async () => {
  const project = await newProject()
  const first = await committed(project)
  await first.page(3, [person(2, 'ada@example.com'), person(3, 'bo@example.com')])
  await first.step()
  const named: RowPerson = [2, 'ada@example.com', 'Ada', null, null]
  const left = person(3, 'bo@example.com', { status: 'unsubscribed' })
  const again = person(4, 'ada@example.com', { status: 'unsubscribed', alone: true })
  const kept = await committed(project)
  await kept.page(3, [named, left])
  await kept.step()
  expect((await kept.row()).counts).toEqual([2, 0, 1, 1, 0])
  const updating = await committed(project, { update_existing: true })
  await updating.page(4, [named, again])
  await updating.step()
  expect((await updating.row()).counts).toEqual([2, 0, 1, 0, 0])
  const statuses = await (
    await sharedStore()
  ).db.all(sql`SELECT first_name, global_status FROM contacts WHERE project_id = ${project} ORDER BY id`)
  expect(statuses).toEqual([
    { first_name: 'Ada', global_status: 'unsubscribed' },
    { first_name: '', global_status: 'unsubscribed' },
  ])
})

test('People for whom the plan has no room fail, and no more than a hundred errors are kept.', async () => {
  const project = await newProject()
  const error = (row: number) => ({ row, field: null, code: 'malformed' as const, message: '', value: null })
  const row_errors = Array.from({ length: 99 }, (_, row) => error(row))
  const { page, step, row } = await committed(project, {}, { row_errors })
  const people = ['ada', 'bo', 'cy'].map((name, at) => person(200 + at, `${name}@example.com`))
  await page(300, people)
  await step(1)
  const after = await row()
  expect([after.counts, after.row_errors.length]).toEqual([[3, 1, 0, 0, 2], 100])
  expect(after.row_errors[99]).toEqual({
    ...{ row: 201, field: null, code: 'plan_limit', value: 'bo@example.com' },
    message: 'The plan allows no more contacts.',
  })
})

test('People for whom the plan has no room are told with the other refused rows while there is room.', async () => {
  const refused = async (stored_bytes: number) => {
    const reasons = [{ code: 'malformed' as const, field: null, errors: 1 }]
    const summary = { rows: 3, valid: 2, invalid: 1, new: 2, existing: 0, duplicates_in_file: 0, suppressed: 0 }
    const more = { summary, findings: { reasons } as unknown as Import['findings'] }
    const { job, page, step } = await committed(await newProject(), {}, more)
    const people = ['ada', 'bo'].map((name, at) => person(2 + at, `${name}@example.com`))
    const refusals = '[[4,null,"malformed","Unread.",null]'.padEnd(stored_bytes) + ']'
    await page(4, people, { rows: 3, failed: 1, refusals })
    await step(1)
    const { db } = await sharedStore()
    const row = await getImport(db, job.project_id, job.payload.import_id)
    const pieces = await Array.fromAsync(refusedRows(db, row))
    return Buffer.concat(pieces).toString().split('\r\n').slice(1, -1)
  }
  expect(await refused(0)).toEqual(['4,,,Unread.', '3,,,The plan allows no more contacts.'])
  expect(await refused(32 * 1024 * 1024)).toEqual(['4,,,Unread.', ',,,1 more are not stored.'])
})

test('Lists, tags and fields of a row are added to those of the options, as far as they still exist.', async () => {
  const project = await newProject()
  const [general, own, tag] = [await newList(project), await newList(project), await newTag(project)]
  const field = { label: '', type: 'text' as const, created_at: NOW, updated_at: NOW, project_id: project }
  await write((tx) =>
    tx.insert(custom_fields).values([
      { ...field, key: 'town' },
      { ...field, key: 'age' },
    ]),
  )
  const fields = [
    { key: 'town', type: 'text' as const, options: null },
    { key: 'age', type: 'number' as const, options: null },
  ]
  const options = { list_ids: [general], tag_ids: [tag, 999_999_999], consent_confirmed: true, create_tags: true }
  const { page, step } = await committed(project, options, { fields })
  const facts = { list_ids: [own, 999_999_999], tags: ['Sailor', 'sailor'] }
  await page(3, [[2, 'ada@example.com', null, null, { town: 'Kiel', age: 7 }, facts], person(3, 'bo@example.com')])
  await step()
  const { db } = await sharedStore()
  const rows = await db.all<{ custom: string; lists: string; tags: string }>(sql`
    SELECT custom_fields AS custom,
      (SELECT json_group_array(list_id) FROM memberships WHERE contact_id = contact.id ORDER BY list_id) AS lists,
      (SELECT json_group_array(name) FROM contact_tags JOIN tags ON tags.id = tag_id
        WHERE contact_id = contact.id AND tag_id <> ${tag}) AS tags
    FROM contacts contact WHERE project_id = ${project} AND EXISTS (
      SELECT 1 FROM contact_tags WHERE contact_id = contact.id AND tag_id = ${tag}) ORDER BY id`)
  expect(rows.map(({ custom, lists, tags }) => [JSON.parse(custom), JSON.parse(lists), JSON.parse(tags)])).toEqual([
    [{ town: 'Kiel' }, [general, own], ['Sailor']],
    [{}, [general], []],
  ])
})

test('A tag that was deleted since the dry-run is created again only where the options create tags.', async () => {
  const project = await newProject()
  for (const create_tags of [false, true]) {
    const { page, step } = await committed(project, { create_tags, update_existing: true })
    await page(2, [person(2, 'ada@example.com', { tags: ['Sailor'] })])
    await step()
    const { db } = await sharedStore()
    expect(await db.all(sql`SELECT name FROM tags WHERE project_id = ${project}`)).toHaveLength(create_tags ? 1 : 0)
  }
})

test.each<[boolean, boolean, string]>([
  [true, false, 'subscribed'],
  [true, true, 'pending'],
  [false, true, 'pending'],
])('With consent_confirmed %p and send_confirmation %p a list that asks is %s.', async (...given) => {
  const [consent_confirmed, send_confirmation, status] = given
  const project = await newProject()
  const list_ids = [await newList(project, { double_opt_in: true })]
  const { page, step } = await committed(project, { list_ids, consent_confirmed, send_confirmation })
  await page(2, [person(2, 'ada@example.com')])
  await step()
  const { db } = await sharedStore()
  expect(await db.all(sql`SELECT status FROM memberships WHERE list_id = ${list_ids[0]}`)).toEqual([{ status }])
  expect(await db.all(sql`SELECT source, caller_address FROM consents WHERE project_id = ${project}`)).toEqual([
    { source: 'import', caller_address: '192.0.2.7' },
  ])
})

test('A row that waits makes no other row of its page wait.', async () => {
  const project = await newProject()
  const { page, step } = await committed(project, {
    ...{ list_ids: [await newList(project)], consent_confirmed: true },
  })
  const waiting = (row: number, name: string) => person(row, `${name}@example.com`, { status: 'pending' })
  await page(4, [waiting(2, 'a'), person(3, 'b@example.com'), waiting(4, 'c')])
  await step()
  const { db } = await sharedStore()
  expect(
    await db.all(sql`
      SELECT email, global_status, (SELECT count(*) FROM memberships WHERE contact_id = contact.id) AS lists
      FROM contacts contact WHERE project_id = ${project} ORDER BY id`),
  ).toEqual([
    { email: 'a@example.com', global_status: 'pending', lists: 0 },
    { email: 'b@example.com', global_status: 'subscribed', lists: 1 },
    { email: 'c@example.com', global_status: 'pending', lists: 0 },
  ])
})

test('A job goes on with an import that failed, and ends for one that ended or is of another project.', async () => {
  const [project, other] = [await newProject(), await newProject()]
  const failed = await committed(project, {}, { status: 'failed', error: 'why', finished_at: NOW })
  await failed.page(2, [person(2, 'ada@example.com')])
  expect(await failed.step()).toMatchObject({ state: 'more' })
  expect(await failed.row()).toMatchObject({ status: 'processing', error: null, finished_at: null })
  expect(await failed.step(1000, { ...failed.job, project_id: other })).toEqual({ state: 'cancelled' })
  const cancelled = await committed(project, {}, { status: 'cancelled' })
  await cancelled.page(2, [person(2, 'bo@example.com')])
  expect(await cancelled.step()).toEqual({ state: 'cancelled' })
  expect([await emailsOf(project), await emailsOf(other)]).toEqual([['ada@example.com'], []])
})

test('The failure of a job is that of its import.', async () => {
  const { job, row } = await committed(await newProject())
  await write((tx) => importJob.onFailure!(tx, job, 'A disk is full.', LATER))
  expect(await row()).toMatchObject({ status: 'failed', error: 'A disk is full.', finished_at: LATER })
})
