import { sql } from 'drizzle-orm'
import type { ProjectId } from '../ids.ts'
import type { Reader } from '../store/open.ts'
import { one } from '../store/rows.ts'
import { cms_posts } from '../store/tables/sites.ts'

/** A condition of published posts. The status is part of the statement: with a parameter SQLite uses no partial index. */
export const isPublished = sql`${cms_posts.status} = 'published'`

/** How many pages and posts of a site visitors can open. */
export async function countPublished(db: Reader, project_id: ProjectId): Promise<number> {
  return one(
    await db.all<{ n: number }>(sql`
      SELECT (SELECT count(*) FROM pages WHERE project_id = ${project_id} AND published = 1)
        + (SELECT count(*) FROM cms_posts WHERE project_id = ${project_id} AND status = 'published') AS n`),
  ).n
}

/** Whether a site has a published page or post, or a file. A project without one may have its site elsewhere. */
export async function hasSite(db: Reader, project_id: ProjectId): Promise<boolean> {
  const found = one(
    await db.all<{ has_site: number }>(sql`
      SELECT EXISTS (SELECT 1 FROM pages WHERE project_id = ${project_id} AND published = 1)
        OR EXISTS (SELECT 1 FROM cms_posts WHERE project_id = ${project_id} AND status = 'published')
        OR EXISTS (SELECT 1 FROM site_files WHERE project_id = ${project_id}) AS has_site`),
  )
  return found.has_site === 1
}
