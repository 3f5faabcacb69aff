import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import type { ProjectId } from '../../src/ids.ts'
import { checker } from '../../src/schema.ts'
import {
  createItem,
  deleteItem,
  getItem,
  listDirectories,
  listItems,
  NewItem,
  updateItem,
} from '../../src/sites/directory.ts'
import { newProject, NOW, sharedStore, write } from '../support/shared-store.ts'

type New = Parameters<typeof createItem>[2]
const create = (project: ProjectId, item: Partial<New> = {}, now = NOW) =>
  write((tx) => createItem(tx, project, { directory: 'shops', title: 'Café Blå', ...item }, now))
const update = (project_id: ProjectId, item_id: number, changes: Partial<New>, now = NOW) =>
  write((tx) => updateItem(tx, { project_id, item_id }, changes, now))
/** Fields of so many bytes as JSON. */
const fieldsOf = (bytes: number) => ({ a: `${'é'.repeat(4)}${'x'.repeat(bytes - 16)}` })

test('An item gets a slug from its title and no fields, unless it has its own.', async () => {
  const project = await newProject()
  const item = await create(project, { directory: ' shops ', title: ' Café Blå ' })
  expect(item).toEqual({
    ...{ id: expect.any(Number), directory: 'shops', title: 'Café Blå', slug: 'cafe-bla', fields: {} },
    ...{ created_at: NOW, updated_at: NOW },
  })
  const own = await create(project, { slug: 'blue', fields: { open: [9, 17], at: { lat: 1 } } })
  expect(own).toMatchObject({ slug: 'blue', fields: { open: [9, 17], at: { lat: 1 } } })
  expect(await getItem((await sharedStore()).db, project, own.id)).toEqual(own)
})

test('An item may have a hundred fields of any kind.', () => {
  const isItem = (fields: unknown) => checker(NewItem).Check({ directory: 'shops', title: 'Blå', fields })
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, n]))
  for (const fields of [undefined, {}, { a: [null, { b: 'c' }] }, many(100)])
    expect([fields, isItem(fields)]).toEqual([fields, true])
  for (const fields of [null, ['a'], many(101)]) expect([fields, isItem(fields)]).toEqual([fields, false])
})

test('A slug is that of one item in a directory.', async () => {
  const project = await newProject()
  const { id } = await create(project)
  const conflict = { code: 'CONFLICT', details: [{ path: '/slug' }] }
  await expect(create(project)).rejects.toMatchObject(conflict)
  const elsewhere = await create(project, { directory: 'people' })
  await expect(update(project, elsewhere.id, { directory: 'shops' })).rejects.toMatchObject(conflict)
  expect(await update(project, id, { slug: 'cafe' })).toMatchObject({ slug: 'cafe', title: 'Café Blå' })
})

test('An update changes what it names, and its fields replace all.', async () => {
  const project = await newProject()
  const { id } = await create(project, { fields: { a: 1, b: 2 } })
  const before = { directory: 'shops', title: 'Café Blå', slug: 'cafe-bla', fields: { a: 1, b: 2 }, created_at: NOW }
  expect(await update(project, id, {}, NOW + 1)).toEqual({ id, ...before, updated_at: NOW + 1 })
  expect(await update(project, id, { fields: { c: 3 } })).toMatchObject({ ...before, fields: { c: 3 } })
  const moved = { directory: 'people', title: 'Bo', slug: 'bo' }
  expect(await update(project, id, { ...moved, title: ' Bo ', directory: ' people ' })).toMatchObject(moved)
})

test('The fields of an item have at most 64 KiB as JSON.', async () => {
  const project = await newProject()
  const { id } = await create(project, { fields: fieldsOf(65_536) })
  const flaw = { code: 'VALIDATION_FAILED', details: [{ path: '/fields' }] }
  await expect(create(project, { slug: 'x', fields: fieldsOf(65_537) })).rejects.toMatchObject(flaw)
  await expect(update(project, id, { fields: fieldsOf(65_537) })).rejects.toMatchObject(flaw)
})

test('Items are listed oldest first, by directory, and a page begins where it is asked to.', async () => {
  const [project, other] = [await newProject(), await newProject()]
  const { db } = await sharedStore()
  const late = await create(project, { slug: 'late' }, NOW + 2)
  const first = await create(project, { slug: 'first' })
  const second = await create(project, { slug: 'second' })
  const person = await create(project, { slug: 'ada', directory: 'people' }, NOW + 1)
  await create(other, { slug: 'foreign' })
  expect(await listItems(db, project, {})).toEqual([first, second, person, late])
  expect(await listItems(db, project, { directory: 'shops' })).toEqual([first, second, late])
  expect(await listItems(db, project, { limit: 2, offset: 1 })).toEqual([second, person])
  expect(await listItems(db, project, { directory: 'none' })).toEqual([])
  expect(await listDirectories(await sharedStore(), project)).toEqual([
    { directory: 'people', items: 1, updated_at: NOW + 1 },
    { directory: 'shops', items: 3, updated_at: NOW + 2 },
  ])
  await update(project, first.id, { title: 'Changed' }, NOW + 3)
  expect(await listDirectories(await sharedStore(), project)).toMatchObject([{}, { updated_at: NOW + 3 }])
})

test('A page has fifty items unless told otherwise.', async () => {
  const project = await newProject()
  await write((tx) =>
    tx.run(sql`
      WITH RECURSIVE n(v) AS (SELECT 1 UNION ALL SELECT v + 1 FROM n WHERE v < 51)
      INSERT INTO directory_items (project_id, directory, title, slug, fields, created_at, updated_at)
      SELECT ${project}, 'shops', 'x', 's' || v, '{}', 0, 0 FROM n`),
  )
  const { db } = await sharedStore()
  expect([(await listItems(db, project, {})).length, (await listItems(db, project, { offset: 50 })).length]).toEqual([
    ...[50, 1],
  ])
})

test('An item belongs to its project alone, and a deleted one is gone.', async () => {
  const [project, other] = [await newProject(), await newProject()]
  const { db } = await sharedStore()
  const item = await create(project)
  const missing = { code: 'NOT_FOUND', details: [{ path: '/item_id' }] }
  await expect(getItem(db, other, item.id)).rejects.toMatchObject(missing)
  await expect(update(other, item.id, { title: 'x' })).rejects.toMatchObject(missing)
  await expect(write((tx) => deleteItem(tx, other, item.id))).rejects.toMatchObject(missing)
  expect(await getItem(db, project, item.id)).toEqual(item)
  await write((tx) => deleteItem(tx, project, item.id))
  await expect(getItem(db, project, item.id)).rejects.toMatchObject(missing)
})

test('A project that holds as many items or bytes as it may takes no more.', async () => {
  const project = await newProject()
  const { id } = await create(project)
  const use = (column: string, count: number) =>
    write((tx) =>
      tx.run(sql`
        UPDATE project_usage SET ${sql.raw(column)} = ${count}
        WHERE project_id = ${project} AND kind = 'directory_items'`),
    )
  await use('rows', 50_000)
  await expect(create(project, { slug: 'more' })).rejects.toMatchObject({ code: 'INVALID_STATE' })
  await use('rows', 1)
  await use('bytes', 256 * 1024 ** 2)
  await expect(update(project, id, { fields: { a: 'longer' } })).rejects.toMatchObject({ code: 'INVALID_STATE' })
})
