import { normalForm } from '../normal-form.ts'
import type { ProjectId } from '../ids.ts'
import { type Static, Type } from '@sinclair/typebox'
import { and, asc, desc, eq, inArray, sql } from 'drizzle-orm'
import { requireUsage, USAGE_LIMITS } from '../projects/usage.ts'
import { Limit, line, name, nullable, obj, prose, enumOf } from '../schema.ts'
import { ScheduledTime } from '../scheduled-time.ts'
import { orConflict } from '../store/constraint.ts'
import { one, oneOrNotFound } from '../store/rows.ts'
import type { Reader, Tx } from '../store/open.ts'
import { DEFAULT_LIMIT } from '../store/page.ts'
import { cms_posts, POST_STATUSES, type PostStatus } from '../store/tables/sites.ts'
import { slugOf } from '../projects/slugs.ts'
import { publicationOf } from './post-dates.ts'
import { MAX_TAGS, tagsOf } from './post-tags.ts'
import { MAX_SLUG, Slug } from './slugs.ts'
import { wordCount } from './word-count.ts'

const MAX_CONTENT = 1_000_000

export const NewPost = obj({
  title: name(300),
  slug: Type.Optional(Slug),
  status: Type.Optional(enumOf(POST_STATUSES)),
  published_at: Type.Optional(nullable(ScheduledTime)),
  author: Type.Optional(line(200)),
  tags: Type.Optional(Type.Array(name(200), { maxItems: MAX_TAGS })),
  category: Type.Optional(line(200)),
  excerpt: Type.Optional(prose(2000)),
  content: Type.Optional(prose(MAX_CONTENT)),
})
type NewPost = Static<typeof NewPost>

const FILTERS = {
  category: Type.Optional(Type.String({ maxLength: 200 })),
  author: Type.Optional(Type.String({ maxLength: 200 })),
  search: Type.Optional(Type.String({ maxLength: 300, description: 'Case-insensitive search in titles' })),
}
const ORDER = {
  sort: Type.Optional(enumOf(['created_on', 'last_update', 'title', 'word_count'])),
  order: Type.Optional(enumOf(['asc', 'dsc', 'desc'])),
  limit: Type.Optional(Limit),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
}

/** The states of posts as apps know them: a scheduled post is a `draft`. */
export const API_STATUSES = ['draft', 'published', 'archived'] as const

/** The query of apps (docs/api/sites.md#posts). */
export const PostQuery = obj({
  filters: Type.Optional(obj({ status: Type.Optional(enumOf(API_STATUSES)), ...FILTERS })),
  ...ORDER,
})
/** The query of the dashboard. */
export const DashboardPostQuery = obj({
  filters: Type.Optional(
    obj({ status: Type.Optional(enumOf(POST_STATUSES)), tag: Type.Optional(name(200)), ...FILTERS }),
  ),
  ...ORDER,
})

/** A post without its content. */
export type Post = Omit<typeof cms_posts.$inferSelect, 'project_id' | 'title_key' | 'content'>

/**
 * Creates a post, by default a draft with a slug made from the title. Throws CONFLICT when the slug is in use,
 * INVALID_STATE beyond the limit.
 */
export async function createPost(
  tx: Tx,
  project_id: ProjectId,
  { title, slug, author = '', excerpt = '', content = '', status, published_at, ...labels }: NewPost,
  now: number,
): Promise<Post> {
  const row = {
    project_id,
    ...(await publicationOf(tx, project_id, { status, published_at }, now)),
    title: title.trim(),
    title_key: titleKey(title),
    slug: slug ?? slugOf(title, MAX_SLUG),
    author: author.trim(),
    tags: tagsOf(labels) ?? [],
    excerpt,
    content,
    word_count: wordCount(content),
    created_at: now,
    updated_at: now,
  }
  const post = one(await orConflict(tx.insert(cms_posts).values(row).returning(POST), ...SLUG_IN_USE))
  await requireUsage(tx, project_id, USAGE_LIMITS.posts)
  return post
}

/** Changes the given properties. Throws NOT_FOUND, or as `createPost`. */
export async function updatePost(
  tx: Tx,
  { project_id, post_id }: { project_id: ProjectId; post_id: number },
  changes: Partial<NewPost>,
  now: number,
): Promise<Post> {
  const { title, author, tags, category, content, status, published_at, ...rest } = changes
  const found = await tx.select(POST).from(cms_posts).where(own(project_id, post_id))
  const present = oneOrNotFound(found, 'post', '/post_id')
  const post = oneOrNotFound(
    await orConflict(
      tx
        .update(cms_posts)
        .set({
          ...rest,
          ...(title === undefined ? {} : { title: title.trim(), title_key: titleKey(title) }),
          ...(author === undefined ? {} : { author: author.trim() }),
          ...(await publicationOf(tx, project_id, { status, published_at, present }, now)),
          tags: tagsOf({ tags, category }, present.tags),
          ...(content === undefined ? {} : { content, word_count: wordCount(content) }),
          updated_at: sql`max(${now}, ${cms_posts.updated_at} + 1)`,
        })
        .where(own(project_id, post_id))
        .returning(POST),
      ...SLUG_IN_USE,
    ),
    'post',
    '/post_id',
  )
  await requireUsage(tx, project_id, USAGE_LIMITS.posts)
  return post
}

export async function deletePost(tx: Tx, project_id: ProjectId, post_id: number): Promise<void> {
  oneOrNotFound(
    await tx.delete(cms_posts).where(own(project_id, post_id)).returning({ id: cms_posts.id }),
    'post',
    '/post_id',
  )
}

export async function getPost(db: Reader, project_id: ProjectId, post_id: number): Promise<Post & { content: string }> {
  return oneOrNotFound(
    await db
      .select({ ...POST, content: cms_posts.content })
      .from(cms_posts)
      .where(own(project_id, post_id)),
    'post',
    '/post_id',
  )
}

interface Asked extends Omit<Static<typeof DashboardPostQuery>, 'filters'> {
  filters?: Omit<NonNullable<Static<typeof DashboardPostQuery>['filters']>, 'status'> & { statuses?: PostStatus[] }
}

/** One page of the posts that match the filters, in the requested order; ties are ordered by id. */
export async function listPosts(
  db: Reader,
  project_id: ProjectId,
  { filters = {}, sort = 'last_update', order = 'dsc', limit = DEFAULT_LIMIT, offset = 0 }: Asked,
): Promise<Post[]> {
  const by = order === 'asc' ? asc : desc
  return db
    .select(POST)
    .from(cms_posts)
    .where(
      and(
        eq(cms_posts.project_id, project_id),
        filters.statuses === undefined ? undefined : inArray(cms_posts.status, filters.statuses),
        filters.tag === undefined
          ? undefined
          : sql`${cms_posts.id} IN (
              SELECT post_id FROM cms_post_tags WHERE project_id = ${project_id} AND tag = ${filters.tag.trim()})`,
        filters.category === undefined ? undefined : eq(cms_posts.category, filters.category),
        filters.author === undefined ? undefined : eq(cms_posts.author, filters.author),
        filters.search === undefined ? undefined : sql`instr(${cms_posts.title_key}, ${titleKey(filters.search)}) > 0`,
      ),
    )
    .orderBy(by(SORTED_BY[sort]), by(cms_posts.id))
    .limit(limit)
    .offset(offset)
}

const SORTED_BY = {
  created_on: cms_posts.created_at,
  last_update: cms_posts.updated_at,
  title: cms_posts.title_key,
  word_count: cms_posts.word_count,
}

const POST = {
  id: cms_posts.id,
  title: cms_posts.title,
  slug: cms_posts.slug,
  status: cms_posts.status,
  published_at: cms_posts.published_at,
  author: cms_posts.author,
  tags: cms_posts.tags,
  category: cms_posts.category,
  excerpt: cms_posts.excerpt,
  word_count: cms_posts.word_count,
  created_at: cms_posts.created_at,
  updated_at: cms_posts.updated_at,
}

function own(project_id: ProjectId, post_id: number) {
  return and(eq(cms_posts.project_id, project_id), eq(cms_posts.id, post_id))
}

function titleKey(title: string): string {
  return normalForm(title).toLowerCase().trim()
}

const SLUG_IN_USE = [{ slug: '/slug' }, 'Another post has this slug.'] as const
