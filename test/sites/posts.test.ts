import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import type { ProjectId } from '../../src/ids.ts'
import { checker } from '../../src/schema.ts'
import { createPost, deletePost, getPost, listPosts, NewPost, updatePost } from '../../src/sites/posts.ts'
import { newProject, NOW, sharedStore, write } from '../support/shared-store.ts'

type New = Parameters<typeof createPost>[2]
const create = (project: ProjectId, title: string, more: Partial<New> = {}, now = NOW) =>
  write((tx) => createPost(tx, project, { title, ...more }, now))
const update = (project_id: ProjectId, post_id: number, changes: Partial<New>, now = NOW) =>
  write((tx) => updatePost(tx, { project_id, post_id }, changes, now))
const titles = async (project: ProjectId, query: Parameters<typeof listPosts>[2] = {}) =>
  (await listPosts((await sharedStore()).db, project, query)).map(({ title }) => title)

test('A post is a draft with a slug of its title and counted words, and its names are trimmed.', async () => {
  const project = await newProject()
  const post = await create(project, ' High Tide ', { author: ' Edith ', category: ' Sea ', content: '<p>a b</p> c' })
  expect(post).toEqual({
    ...{ id: expect.any(Number), title: 'High Tide', slug: 'high-tide', status: 'draft', author: 'Edith' },
    ...{
      published_at: null,
      tags: ['Sea'],
      category: 'Sea',
      excerpt: '',
      word_count: 3,
      created_at: NOW,
      updated_at: NOW,
    },
  })
  const { db } = await sharedStore()
  expect(await getPost(db, project, post.id)).toEqual({ ...post, content: '<p>a b</p> c' })
  expect(await create(project, 'x', { slug: 'own', status: 'published' })).toMatchObject({
    ...{ slug: 'own', status: 'published', author: '', category: '', word_count: 0 },
  })
})

test('An update changes what it names, and always moves the time of the last change on.', async () => {
  const project = await newProject()
  const { id, ...before } = await create(project, 'Tides', { author: 'Edith', category: 'Sea', content: 'one' })
  expect(await update(project, id, {})).toEqual({ id, ...before, updated_at: NOW + 1 })
  const changes = { title: ' Ebb ', author: ' Bo ', category: ' Land ', content: 'one two' }
  expect(await update(project, id, changes, NOW + 9)).toEqual({
    ...{
      id,
      ...before,
      title: 'Ebb',
      author: 'Bo',
      tags: ['Land'],
      category: 'Land',
      word_count: 2,
      updated_at: NOW + 9,
    },
  })
  const settled = { slug: 'low', status: 'archived' as const, excerpt: ' kept ' }
  expect(await update(project, id, settled)).toMatchObject({ ...settled, title: 'Ebb', updated_at: NOW + 10 })
})

test('Tags stand once and in order; a category takes the place of the first, an empty one removes it.', async () => {
  const project = await newProject()
  const { id, ...made } = await create(project, 'Tides', { tags: [' Sea ', 'sea', 'Moon', 'SE\u0041', 'Quay'] })
  expect([made.tags, made.category]).toEqual([['Sea', 'Moon', 'Quay'], 'Sea'])
  const after = async (changes: Partial<New>) => (await update(project, id, changes)).tags
  expect(await after({ category: ' Land ' })).toEqual(['Land', 'Moon', 'Quay'])
  expect(await after({ category: 'Quay' })).toEqual(['Quay', 'Moon'])
  expect(await after({ category: '' })).toEqual(['Moon'])
  expect(await after({ tags: ['Sun', 'Moon'], category: 'sun' })).toEqual(['Sun', 'Moon'])
  await expect(after({ tags: ['Sun'], category: 'Moon' })).rejects.toMatchObject({ details: [{ path: '/category' }] })
  expect(await titles(project, { filters: { tag: 'MOON' } })).toEqual(['Tides'])
  expect([await after({ tags: [] }), await titles(project, { filters: { tag: 'Moon' } })]).toEqual([[], []])
})

test('A slug is that of one post of a project.', async () => {
  const [project, other] = [await newProject(), await newProject()]
  await create(project, 'Tides')
  const { id } = await create(project, 'Ebb')
  await create(other, 'Tides')
  const conflict = { code: 'CONFLICT', details: [{ path: '/slug' }] }
  await expect(create(project, 'tides')).rejects.toMatchObject(conflict)
  await expect(update(project, id, { slug: 'tides' })).rejects.toMatchObject(conflict)
})

test('A post belongs to its project alone, and a deleted one is gone.', async () => {
  const [project, other] = [await newProject(), await newProject()]
  const { id } = await create(project, 'Tides')
  const { db } = await sharedStore()
  const missing = { code: 'NOT_FOUND', details: [{ path: '/post_id' }] }
  await expect(getPost(db, other, id)).rejects.toMatchObject(missing)
  await expect(update(other, id, { title: 'x' })).rejects.toMatchObject(missing)
  await expect(write((tx) => deletePost(tx, other, id))).rejects.toMatchObject(missing)
  expect([await titles(other), await titles(project)]).toEqual([[], ['Tides']])
  await write((tx) => deletePost(tx, project, id))
  expect(await titles(project)).toEqual([])
})

test('A renamed post is found and sorted by its new title.', async () => {
  const project = await newProject()
  const { id } = await create(project, 'Anchors')
  await create(project, 'Lighthouses')
  await update(project, id, { title: 'Zander' })
  expect(await titles(project, { filters: { search: ' ZAND' } })).toEqual(['Zander'])
  expect(await titles(project, { filters: { search: 'anchor' } })).toEqual([])
  expect(await titles(project, { sort: 'title', order: 'asc' })).toEqual(['Lighthouses', 'Zander'])
})

test('Posts are filtered by everything that a query names.', async () => {
  const project = await newProject()
  await create(project, 'a', { author: 'Edith', category: 'Sea', status: 'published' })
  await create(project, 'b', { author: 'Edith', category: 'Land', status: 'archived' })
  await create(project, 'cafe\u0301', { author: 'Bo', category: 'Sea' })
  const by = { order: 'asc' as const }
  expect(await titles(project, { ...by, filters: { author: 'Edith' } })).toEqual(['a', 'b'])
  expect(await titles(project, { ...by, filters: { category: 'Sea' } })).toEqual(['a', 'cafe\u0301'])
  expect(await titles(project, { ...by, filters: { category: 'Sea', author: 'Bo' } })).toEqual(['cafe\u0301'])
  expect(await titles(project, { ...by, filters: { statuses: ['archived'] } })).toEqual(['b'])
  expect(await titles(project, { ...by, filters: { search: 'CAFÉ' } })).toEqual(['cafe\u0301'])
  expect(await titles(project, { ...by, filters: { tag: ' sea ' } })).toEqual(['a', 'cafe\u0301'])
})

test('Posts come in the order that is asked for, ties by id, the last changed first by default.', async () => {
  const project = await newProject()
  const first = await create(project, 'b', { content: 'one two three' })
  await create(project, 'a', { slug: 'a1', content: 'one' }, NOW + 1)
  await create(project, 'A', { slug: 'a2', content: 'one' }, NOW + 2)
  await update(project, first.id, {}, NOW + 9)
  expect(await titles(project)).toEqual(['b', 'A', 'a'])
  expect(await titles(project, { order: 'desc' })).toEqual(['b', 'A', 'a'])
  expect(await titles(project, { order: 'asc' })).toEqual(['a', 'A', 'b'])
  expect(await titles(project, { sort: 'created_on', order: 'asc' })).toEqual(['b', 'a', 'A'])
  expect(await titles(project, { sort: 'title' })).toEqual(['b', 'A', 'a'])
  expect(await titles(project, { sort: 'word_count', order: 'asc' })).toEqual(['a', 'A', 'b'])
  expect(await titles(project, { limit: 1, offset: 1 })).toEqual(['A'])
})

test('A project that holds as many posts or bytes as it may takes no more.', async () => {
  const project = await newProject()
  const { id } = await create(project, 'Tides')
  const use = (column: string, count: number) =>
    write((tx) =>
      tx.run(sql`
        UPDATE project_usage SET ${sql.raw(column)} = ${count} WHERE project_id = ${project} AND kind = 'posts'`),
    )
  await use('rows', 50_000)
  await expect(create(project, 'Ebb')).rejects.toMatchObject({ code: 'INVALID_STATE' })
  await use('rows', 1)
  await use('bytes', 512 * 1024 ** 2)
  await expect(update(project, id, { content: 'longer' })).rejects.toMatchObject({ code: 'INVALID_STATE' })
})

test('The parts of a post are bounded.', () => {
  const fits = (more: object) => checker(NewPost).Check({ title: 'x', ...more })
  for (const [name, most] of [
    ['title', 300],
    ['slug', 200],
    ['author', 200],
    ['category', 200],
    ['excerpt', 2000],
    ['content', 1_000_000],
  ] as const)
    expect([name, fits({ [name]: 'x'.repeat(most) }), fits({ [name]: 'x'.repeat(most + 1) })]).toEqual([
      ...[name, true, false],
    ])
  expect([fits({ slug: 'A' }), fits({ slug: '-a' }), fits({ slug: 'a-_9' }), fits({ status: 'hidden' })]).toEqual([
    ...[false, false, true, false],
  ])
})
