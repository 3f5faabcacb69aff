import type { ProjectId } from '../../ids.ts'
import { sql } from 'drizzle-orm'
import { jsonText } from '../../store/json-text.ts'
import type { Reader } from '../../store/open.ts'
import type { projects } from '../../store/tables/accounts.ts'
import type { NewsletterSettings } from '../connections/settings.operations.ts'
import { type EmailDocument, postsWanted } from '../email/document.ts'
import type { EmailPost } from '../../store/tables/email-document.ts'
import { sanitizeHtml } from '../email/sanitize.ts'
import { htmlToText } from '../email/text.ts'
import { POSTS_PATH, siteAddress } from '../../sites/addresses.ts'
import { encodedPath } from '../../sites/paths.ts'
import { localDate } from '../../clock.ts'

/**
 * The published posts that the blocks of a document show, newest first. A document without such a block costs no query.
 */
export async function newestPosts(
  db: Reader,
  document: EmailDocument,
  {
    project,
    settings,
    base_url,
  }: {
    project: Pick<typeof projects.$inferSelect, 'id' | 'slug' | 'domain'>
    settings: Pick<NewsletterSettings, 'locale' | 'timezone'>
    base_url: string
  },
): Promise<EmailPost[]> {
  const found = new Map<number, PostRow>()
  for (const { category, count } of postsWanted(document)) {
    for (const post of await db.all<PostRow>(postsQuery(project.id, category, count))) found.set(post.id, post)
  }
  const posts = [...found.values()].sort((one, other) => other.published_at - one.published_at || other.id - one.id)
  const pages = await pagesOf(db, project.id, posts)
  return posts.map((post) => ({
    title: post.title,
    slug: post.slug,
    url: siteAddress(project, base_url) + encodedPath(pages.get(post.id) ?? `${POSTS_PATH}/${post.slug}`),
    excerpt: post.excerpt.trim() || beginningOf(post.beginning),
    category: post.category,
    tags: JSON.parse(post.tags) as string[],
    date: localDate(post.published_at, settings.locale, settings.timezone),
  }))
}

/** For a post without an excerpt: characters of HTML to read, and characters of text to show. */
const BEGINNING = 4000
const EXCERPT = 200

/** The beginning of a post's text, cut between two words. */
function beginningOf(html: string): string {
  const text = htmlToText(sanitizeHtml(html)).replace(/\s+/g, ' ')
  if (text.length <= EXCERPT) return text
  const cut = text.slice(0, EXCERPT)
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), EXCERPT / 2)).replace(/[\s.,;:–-]+$/, '')}…`
}

interface PostRow {
  id: number
  title: string
  slug: string
  excerpt: string
  category: string
  /** JSON. */
  tags: string
  published_at: number
  /** The first characters of its HTML. */
  beginning: string
}

function postsQuery(project_id: ProjectId, tag: string | null, count: number) {
  const row = sql`post.id, title, slug, excerpt, category, tags, post.published_at,
    substr(content, 1, ${BEGINNING}) AS beginning`
  if (tag === null)
    return sql`
      SELECT ${row} FROM cms_posts post WHERE project_id = ${project_id} AND status = 'published'
      ORDER BY published_at DESC, id DESC LIMIT ${count}`
  return sql`
    SELECT ${row} FROM cms_post_tags tagged JOIN cms_posts post ON post.id = tagged.post_id
    WHERE tagged.project_id = ${project_id} AND tagged.tag = ${tag} AND tagged.published_at IS NOT NULL
    ORDER BY tagged.published_at DESC, tagged.post_id DESC LIMIT ${count}`
}

/** For posts that a published page shows its path: the shortest path that ends with the post's slug. */
async function pagesOf(db: Reader, project_id: ProjectId, posts: readonly PostRow[]): Promise<Map<number, string>> {
  if (posts.length === 0) return new Map()
  const endings = jsonText(posts.map(({ id, slug }) => ({ id, ending: `/${slug}` })))
  // The shortest path comes last and replaces the longer ones in the map.
  const rows = await db.all<{ id: number; path: string }>(sql`
    SELECT post.value ->> 'id' AS id, page.path AS path FROM pages page, json_each(${endings}) post
    WHERE page.project_id = ${project_id} AND page.published = 1
      AND substr(page.path, -length(post.value ->> 'ending')) = post.value ->> 'ending'
    ORDER BY length(page.path) DESC, page.path DESC`)
  return new Map(rows.map(({ id, path }) => [id, path]))
}
