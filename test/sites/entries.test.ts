import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import type { ProjectId } from '../../src/ids.ts'
import { addEntry, allEntries, deleteEntries, fieldsOf, listEntries, listForms } from '../../src/sites/entries.ts'
import { form_entries } from '../../src/store/tables/sites.ts'
import { KEYS, newProject, NOW, sharedStore, write } from '../support/shared-store.ts'

type Fields = Parameters<typeof addEntry>[2]['fields']
const add = (project_id: ProjectId, form: string, fields: Fields = {}, { now = NOW, most = 1000 } = {}) =>
  write((tx) => addEntry(tx, { project_id, most, now }, { form, fields }))
const list = async (project: ProjectId, query: Parameters<typeof listEntries>[3] = {}) =>
  listEntries((await sharedStore()).db, KEYS, project, query)
const named = ({ items }: { items: { fields: unknown }[] }) => items.map(({ fields }) => (fields as { n: number }).n)

/** A project with four entries of two forms; the number of each is in the order of their times. */
async function filled(): Promise<ProjectId> {
  const project = await newProject()
  await add(project, 'contact', { n: 2 }, { now: NOW + 1 })
  await add(project, ' contact ', { n: 1 })
  await add(project, 'booking', { n: 3 }, { now: NOW + 1 })
  await add(project, 'contact', { n: 4 }, { now: NOW + 5 })
  await add(await newProject(), 'contact', { n: 99 })
  return project
}

test('Entries are listed newest first, all or those of a form, in pages that follow each other.', async () => {
  const project = await filled()
  expect(named(await list(project))).toEqual([4, 3, 2, 1])
  expect(named(await list(project, { form: ' contact' }))).toEqual([4, 2, 1])
  const first = await list(project, { limit: 2 })
  expect(named(first)).toEqual([4, 3])
  const second = await list(project, { limit: 2, cursor: first.next_cursor! })
  expect([named(second), second.next_cursor]).toEqual([[2, 1], null])
  expect((await list(project)).items[3]).toEqual({
    ...{ id: expect.any(Number), form: 'contact', fields: { n: 1 }, created_on: '2026-01-15T09:00:00.000Z' },
  })
})

test('A cursor continues the list that it came from, and no other.', async () => {
  const project = await filled()
  const { next_cursor } = await list(project, { form: 'contact', limit: 1 })
  const cursor = next_cursor!
  expect(named(await list(project, { form: 'contact', limit: 1, cursor }))).toEqual([2])
  for (const form of ['booking', undefined])
    await expect(list(project, { form, cursor })).rejects.toMatchObject({ code: 'INVALID_CURSOR' })
})

test('Forms are told with their numbers, the one with the newest entry first.', async () => {
  const project = await filled()
  await add(project, 'also', {}, { now: NOW + 1 })
  expect(await listForms(await sharedStore(), project)).toEqual([
    { form: 'contact', entries: 3, last_at: NOW + 5 },
    { form: 'also', entries: 1, last_at: NOW + 1 },
    { form: 'booking', entries: 1, last_at: NOW + 1 },
  ])
})

test('Entries are deleted by id or by form, in their own project only, and what is left of them is told.', async () => {
  const project = await filled()
  const remove = (selection: Parameters<typeof deleteEntries>[2], of = project) =>
    write((tx) => deleteEntries(tx, of, selection))
  const ids = (await list(project)).items.map(({ id }) => id)
  expect(await remove({ entry_ids: ids }, await newProject())).toEqual({ deleted: 0, left: 0 })
  expect(await remove({ entry_ids: [ids[0]!, 999_999_999] })).toEqual({ deleted: 1, left: 0 })
  expect(named(await list(project))).toEqual([3, 2, 1])
  expect(await remove({ form: ' contact ' })).toEqual({ deleted: 2, left: 0 })
  expect(named(await list(project))).toEqual([3])
})

test('One request deletes at most 5000 entries of a form, the oldest first.', async () => {
  const project = await newProject()
  await write((tx) =>
    tx.run(sql`
      WITH RECURSIVE n(v) AS (SELECT 1 UNION ALL SELECT v + 1 FROM n WHERE v < 5001)
      INSERT INTO form_entries (project_id, form, fields, created_at)
      SELECT ${project}, 'contact', json_object('n', v), ${NOW} - v FROM n`),
  )
  await add(project, 'booking', { n: 0 }, { most: 6000 })
  const removed = await write((tx) => deleteEntries(tx, project, { form: 'contact' }))
  expect([removed, named(await list(project))]).toEqual([{ deleted: 5000, left: 1 }, [0, 1]])
})

test('The columns of an export are the fields in the order in which they came up, at most 300.', async () => {
  const project = await newProject()
  const store = await sharedStore()
  await add(project, 'contact', { name: 'Ada', email: 'a@example.com' })
  await add(project, 'booking', { zoo: true, email: 'b@example.com', above: 1 })
  expect(await fieldsOf(store, { project_id: project })).toEqual(['name', 'email', 'zoo', 'above'])
  expect(await fieldsOf(store, { project_id: project, form: ' booking ' })).toEqual(['zoo', 'email', 'above'])
  const wide = await newProject()
  const fields = Object.fromEntries(Array.from({ length: 301 }, (_, at) => [`f${at}`, at]))
  await write((tx) => tx.insert(form_entries).values({ project_id: wide, form: 'x', fields, created_at: NOW }))
  const columns = await fieldsOf(store, { project_id: wide })
  expect([columns.length, columns[0], columns.at(-1)]).toEqual([300, 'f0', 'f299'])
})

test('An export has every entry once, oldest first, however many pages it takes.', async () => {
  const project = await newProject()
  await write((tx) =>
    tx.insert(form_entries).values(
      Array.from({ length: 101 }, (_, n) => ({
        ...{ project_id: project, form: n % 2 ? 'odd' : 'even', fields: { n }, created_at: NOW - Math.floor(n / 40) },
      })),
    ),
  )
  const pages = await Array.fromAsync(allEntries(await sharedStore(), { project_id: project }))
  expect(pages.map((page) => page.length)).toEqual([50, 50, 1])
  const numbers = Array.from({ length: 101 }, (_, n) => n)
  const oldestFirst = [...numbers.slice(80), ...numbers.slice(40, 80), ...numbers.slice(0, 40)]
  expect(named({ items: pages.flat() })).toEqual(oldestFirst)
  const odd = await Array.fromAsync(allEntries(await sharedStore(), { project_id: project, form: ' odd ' }))
  expect(named({ items: odd.flat() })).toEqual(oldestFirst.filter((n) => n % 2 === 1))
  const whole = allEntries(await sharedStore(), { project_id: project, form: 'none' })
  expect(await Array.fromAsync(whole)).toEqual([])
})

test('A project takes as many entries as it may, and not one more.', async () => {
  const project = await newProject()
  await add(project, 'contact', {}, { most: 2 })
  await add(project, 'contact', {}, { most: 2 })
  await expect(add(project, 'contact', {}, { most: 2 })).rejects.toMatchObject({ code: 'INVALID_STATE' })
  expect((await list(project)).items).toHaveLength(2)
})
