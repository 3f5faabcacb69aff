import { DAY_MS, HOUR_MS } from '../clock.ts'
import type { ProjectId } from '../ids.ts'
import { createItem } from '../sites/directory.ts'
import { createPage, type Document } from '../sites/pages.ts'
import { createPost, updatePost } from '../sites/posts.ts'
import type { Tx } from '../store/open.ts'

/** The home page of project main. */
export const HOME = `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>Harbour News</title></head>
<body><h1>Harbour News</h1><p>High water is at noon.</p></body>
</html>
`

/** Creates a page, three posts of different age and status, and one directory item. */
export async function seedSite(tx: Tx, project_id: ProjectId, document: Document, now: number): Promise<void> {
  await createPage(tx, project_id, { path: '/', title: 'Harbour News', document }, now)
  const posts = [
    {
      title: 'The ferry runs again',
      status: 'published',
      author: 'Edith Lane',
      category: 'Harbour',
      content: '<p>From Monday the ferry crosses every half hour.</p>',
      age: 3,
    },
    {
      title: 'A winter of storms',
      status: 'published',
      author: 'Milo Ford',
      category: 'Weather',
      content:
        '<p>Eleven gales in two months: what the gauges say, and what the old hands remember of worse years.</p>',
      age: 2,
    },
    {
      title: 'Plans for the pier',
      status: 'draft',
      author: 'Edith Lane',
      category: 'Harbour',
      content: '<p>Still to be checked.</p>',
      age: 1,
    },
  ] as const
  for (const { age, ...post } of posts) {
    const { id } = await createPost(tx, project_id, post, now - age * DAY_MS)
    await updatePost(
      tx,
      { project_id, post_id: id },
      { excerpt: post.content.replace(/<[^>]+>/g, '') },
      now - age * DAY_MS + HOUR_MS,
    )
  }
  await createItem(
    tx,
    project_id,
    { directory: 'shops', title: 'Chandlery on the Quay', fields: { open: 'Monday to Saturday' } },
    now,
  )
}
