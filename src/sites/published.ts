import { sql } from 'drizzle-orm'
import type { ProjectId } from '../ids.ts'
import type { Reader } from '../store/open.ts'
import { one } from '../store/rows.ts'

/** How many pages and posts of a site visitors can open. */
export async function countPublished(db: Reader, project_id: ProjectId): Promise<number> {
  return one(
    await db.all<{ n: number }>(sql`
      SELECT (SELECT count(*) FROM pages WHERE project_id = ${project_id} AND published = 1)
        + (SELECT count(*) FROM cms_posts WHERE project_id = ${project_id} AND status = 'published') AS n`),
  ).n
}
