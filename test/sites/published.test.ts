import { expect, test } from 'bun:test'
import { createPage, readDocument } from '../../src/sites/pages.ts'
import { createPost } from '../../src/sites/posts.ts'
import { countPublished } from '../../src/sites/published.ts'
import { newProject, NOW, sharedStore, write } from '../support/shared-store.ts'

test('All that visitors can open is counted: published pages and posts of the project.', async () => {
  const [project, other] = [await newProject(), await newProject()]
  const document = await readDocument('<p>Hi')
  for (const [of, published] of [
    [project, true],
    [project, false],
    [other, true],
  ] as const)
    await write((tx) => createPage(tx, of, { path: `/${published}`, title: '', published, document }, NOW))
  for (const [slug, status] of Object.entries({ a: 'published', b: 'published', c: 'draft', d: 'archived' } as const))
    await write((tx) => createPost(tx, project, { title: 'Tides', slug, status }, NOW))
  expect(await countPublished((await sharedStore()).db, project)).toBe(3)
})
