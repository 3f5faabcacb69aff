import { sql } from 'drizzle-orm'
import { note } from '../audit/record.ts'
import type { ProjectId } from '../ids.ts'
import type { Loop, LoopContext } from '../runtime.ts'

/** Publishes the posts whose moment has come (docs/api/sites.md#dates-of-posts). */
export const postLoop: Loop = { name: 'posts', pattern: '* * * * * *', tick: publishDue }

const BATCH = 100

/** @returns whether more posts may be due */
async function publishDue({ store, clock }: LoopContext): Promise<boolean> {
  const now = clock.now()
  const due = sql`SELECT id FROM cms_posts WHERE status = 'scheduled' AND published_at <= ${now}
    ORDER BY published_at, id LIMIT ${BATCH}`
  if ((await store.db.all(due)).length === 0) return false
  // The same condition inside the transaction: of several processes one publishes a post, and a date that was changed
  // meanwhile holds.
  const published = await store.write(async (tx) => {
    const posts = await tx.all<{ id: number; project_id: ProjectId }>(sql`
      UPDATE cms_posts SET status = 'published', updated_at = max(${now}, updated_at + 1) WHERE id IN (${due})
      RETURNING id, project_id`)
    for (const { id, project_id } of posts) note(tx, { action: 'cms/posts/publish', target: `post:${id}`, project_id })
    return posts.length
  })
  return published === BATCH
}
