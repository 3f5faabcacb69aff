import { expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import type { ProjectId } from '../../../src/ids.ts'
import { findTags, getTag, requireTags, tagNamed, tagsNamed } from '../../../src/newsletter/lists/tags.operations.ts'
import { tags } from '../../../src/store/tables/audience.ts'
import { newProject, newTag, NOW, sharedStore, write } from '../../support/shared-store.ts'

const namesOf = async (project: ProjectId) =>
  (await (await sharedStore()).db.select().from(tags).where(eq(tags.project_id, project)).orderBy(tags.id)).map(
    ({ name }) => name,
  )
const named = (project: ProjectId, names: string[], create = true) =>
  write((tx) => tagsNamed(tx, project, names, { create, now: NOW }))

test('Tags are found and required in their own project only.', async () => {
  const [project, other] = [await newProject(), await newProject()]
  const [own, foreign] = [await newTag(project), await newTag(other)]
  const { db } = await sharedStore()
  expect(await findTags(db, project, [foreign, own])).toEqual([{ id: own }])
  expect(await findTags(db, project, [])).toEqual([])
  expect(await getTag(db, project, own)).toMatchObject({ id: own, created_at: NOW })
  await expect(getTag(db, project, foreign)).rejects.toMatchObject({
    code: 'NOT_FOUND',
    details: [{ path: '/tag_id' }],
  })
  await requireTags(db, project, [own])
  const missing = (path: string) => ({ code: 'NOT_FOUND', details: [{ path }] })
  await expect(requireTags(db, project, [own, foreign])).rejects.toMatchObject(missing('/tag_ids/1'))
  await expect(requireTags(db, project, [foreign], '/add')).rejects.toMatchObject(missing('/add/0'))
})

test('A tag is found by its name in whatever case, or created.', async () => {
  const [project, other] = [await newProject(), await newProject()]
  const find = (of: ProjectId, name: string) => write((tx) => tagNamed(tx, of, name, NOW))
  const { id } = await find(project, ' Sailor ')
  expect(await find(project, 'SAILOR')).toEqual({ id })
  expect((await find(other, 'Sailor')).id).not.toBe(id)
  expect([await namesOf(project), await namesOf(other)]).toEqual([['Sailor'], ['Sailor']])
})

test('Of many names each is created once, in the spelling and order in which it came first.', async () => {
  const [project, other] = [await newProject(), await newProject()]
  const { id } = await write((tx) => tagNamed(tx, project, 'Old', NOW))
  await write((tx) => tagNamed(tx, other, 'Foreign', NOW))
  expect(await named(project, ['old', 'Foreign'], false)).toEqual(new Map([['old', id]]))
  const found = await named(project, ['b', ' Foreign ', 'OLD', 'B', 'foreign', 'a'])
  expect([...found.keys()].sort()).toEqual(['a', 'b', 'foreign', 'old'])
  expect([await namesOf(project), found.get('old')]).toEqual([['Old', 'b', 'Foreign', 'a'], id])
  expect(await named(project, ['A', 'b'])).toEqual(
    new Map([
      ['b', found.get('b')!],
      ['a', found.get('a')!],
    ]),
  )
  expect([await named(project, []), await namesOf(other)]).toEqual([new Map(), ['Foreign']])
})

test('Names are created as far as the project has room for tags, the first of them first.', async () => {
  const project = await newProject()
  await write((tx) =>
    tx.run(sql`
      WITH RECURSIVE n(v) AS (SELECT 1 UNION ALL SELECT v + 1 FROM n WHERE v < 1999)
      INSERT INTO tags (project_id, name, name_key, created_at, updated_at)
      SELECT ${project}, 'n' || v, 'n' || v, ${NOW}, ${NOW} FROM n`),
  )
  const found = await named(project, ['n7', 'x', 'y'])
  expect([...found.keys()].sort()).toEqual(['n7', 'x'])
  expect([...(await named(project, ['z', 'n8'])).keys()]).toEqual(['n8'])
  await expect(write((tx) => tagNamed(tx, project, 'z', NOW))).rejects.toMatchObject({ code: 'INVALID_STATE' })
})
