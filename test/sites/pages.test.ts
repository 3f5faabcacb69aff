import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import type { ProjectId } from '../../src/ids.ts'
import {
  createPage,
  deletePage,
  findPageAt,
  getPage,
  listPages,
  MAX_PAGE_BYTES,
  type NewPage,
  readDocument,
  updatePage,
} from '../../src/sites/pages.ts'
import { newProject, NOW, sharedStore, write } from '../support/shared-store.ts'

const HTML = '<!doctype html><title>Tides</title><body>Hi</body>'
const create = async (project: ProjectId, path: string, more: Partial<NewPage> = {}) => {
  const document = await readDocument(HTML)
  return write((tx) => createPage(tx, project, { path, title: ' Tides ', document, ...more }, NOW))
}
const update = (project_id: ProjectId, page_id: number, changes: Partial<NewPage>, now = NOW) =>
  write((tx) => updatePage(tx, { project_id, page_id }, changes, now))
const versionOf = async (id: number) =>
  (await (await sharedStore()).db.all<{ version: number }>(sql`SELECT version FROM pages WHERE id = ${id}`))[0]!.version

test('A document is read as it is stored, with its title and its insertion points.', async () => {
  const document = await readDocument(`${HTML}\ud800`)
  expect([document.html, document.title]).toEqual([`${HTML}\ufffd`, 'Tides'])
  expect(document.insertion_points.body_start).toBe(HTML.indexOf('Hi'))
})

test('A document that is too large or has a NUL character anywhere is refused.', async () => {
  const flaw = (message: string) => ({ details: [{ path: '/html', message: expect.stringContaining(message) }] })
  await expect(readDocument('<p>a\0b')).rejects.toMatchObject(flaw('NUL'))
  await expect(readDocument('é'.repeat(MAX_PAGE_BYTES / 2) + 'x')).rejects.toMatchObject(flaw('bytes'))
})

test('A page is published unless told otherwise, and found by id and path in its project only.', async () => {
  const [project, other] = [await newProject(), await newProject()]
  const page = await create(project, '/b')
  expect(page).toEqual({
    ...{ id: expect.any(Number), path: '/b', title: 'Tides' },
    ...{ published: true, created_at: NOW, updated_at: NOW },
  })
  const hidden = await create(project, '/a', { published: false })
  const { db } = await sharedStore()
  expect(await listPages(db, project)).toEqual([hidden, page])
  expect(await getPage(db, project, page.id)).toEqual({ ...page, html: HTML })
  expect(await findPageAt(db, project, '/b')).toEqual({ ...page, html: HTML })
  expect([await findPageAt(db, other, '/b'), await listPages(db, other)]).toEqual([null, []])
  const missing = { code: 'NOT_FOUND', details: [{ path: '/page_id' }] }
  await expect(getPage(db, other, page.id)).rejects.toMatchObject(missing)
  await expect(update(other, page.id, { title: 'x' })).rejects.toMatchObject(missing)
  await expect(write((tx) => deletePage(tx, other, page.id))).rejects.toMatchObject(missing)
  await write((tx) => deletePage(tx, project, page.id))
  expect(await listPages(db, project)).toEqual([hidden])
})

test('An update changes what it names, and a new document alone is a new version.', async () => {
  const project = await newProject()
  const { id } = await create(project, '/a')
  expect(await update(project, id, { title: ' New ' })).toMatchObject({ title: 'New', path: '/a', published: true })
  expect(await update(project, id, { path: '/b' })).toMatchObject({ title: 'New', path: '/b', published: true })
  expect(await update(project, id, { published: false })).toMatchObject({ title: 'New', path: '/b', published: false })
  expect(await versionOf(id)).toBe(1)
  const document = await readDocument('<title>Ebb</title><p>Low')
  await update(project, id, { document })
  const { db } = await sharedStore()
  expect([await versionOf(id), (await getPage(db, project, id)).html]).toEqual([2, document.html])
  const [stored] = await db.all<{ points: string }>(sql`SELECT insertion_points AS points FROM pages WHERE id = ${id}`)
  expect(JSON.parse(stored!.points)).toEqual(document.insertion_points)
})

test('Each update has a later time than the one before, also within a millisecond.', async () => {
  const project = await newProject()
  const { id } = await create(project, '/a')
  expect((await update(project, id, {})).updated_at).toBe(NOW + 1)
  expect((await update(project, id, {}, NOW - 9)).updated_at).toBe(NOW + 2)
  expect((await update(project, id, {}, NOW + 50)).updated_at).toBe(NOW + 50)
})

test('A path is that of one page, and must be one.', async () => {
  const project = await newProject()
  const { id } = await create(project, '/a')
  await create(project, '/b')
  const conflict = { code: 'CONFLICT', details: [{ path: '/path' }] }
  await expect(create(project, '/a')).rejects.toMatchObject(conflict)
  await expect(update(project, id, { path: '/b' })).rejects.toMatchObject(conflict)
  await expect(create(project, 'a')).rejects.toMatchObject({ details: [{ path: '/path' }] })
  await expect(update(project, id, { path: '/../b' })).rejects.toMatchObject({ details: [{ path: '/path' }] })
})

test('A project that holds as many pages or bytes as it may takes no more.', async () => {
  const project = await newProject()
  const { id } = await create(project, '/a')
  const use = (column: string, count: number) =>
    write((tx) =>
      tx.run(sql`
        UPDATE project_usage SET ${sql.raw(column)} = ${count} WHERE project_id = ${project} AND kind = 'pages'`),
    )
  await use('rows', 5000)
  await expect(create(project, '/b')).rejects.toMatchObject({ code: 'INVALID_STATE' })
  await use('rows', 1)
  await use('bytes', 1024 ** 3)
  const document = await readDocument(`${HTML}${HTML}`)
  await expect(update(project, id, { document })).rejects.toMatchObject({ code: 'INVALID_STATE' })
  expect((await listPages((await sharedStore()).db, project)).map(({ path }) => path)).toEqual(['/a'])
})
