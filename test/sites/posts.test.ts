import { expect, test } from 'bun:test'
import { createPost, listPosts, updatePost } from '../../src/sites/posts.ts'
import { createWorld } from '../support/world.ts'

test('A renamed post is found and sorted by its new title.', async () => {
  const world = await createWorld()
  const { store } = world.service.runtime
  const project_id = world.project.id
  const titles = (query: Parameters<typeof listPosts>[2]) =>
    listPosts(store.db, project_id, query).then((posts) => posts.map(({ title }) => title))
  await store.write(async (tx) => {
    const { id } = await createPost(tx, project_id, { title: 'Anchors' }, 1)
    await createPost(tx, project_id, { title: 'Lighthouses' }, 2)
    await updatePost(tx, { project_id, post_id: id }, { title: 'Zander' }, 3)
  })
  expect(await titles({ filters: { search: 'ZAND' } })).toEqual(['Zander'])
  expect(await titles({ filters: { search: 'anchor' } })).toEqual([])
  expect(await titles({ sort: 'title', order: 'asc' })).toEqual(['Lighthouses', 'Zander'])
  await world.close()
})
