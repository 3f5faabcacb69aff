import { and, desc, eq, sql } from 'drizzle-orm'
import { iso, localDate } from '../clock.ts'
import { directionOf } from '../i18n/languages.ts'
import type { ProjectId } from '../ids.ts'
import type { Reader, Store } from '../store/open.ts'
import { first, one } from '../store/rows.ts'
import { projects } from '../store/tables/accounts.ts'
import { newsletter_settings } from '../store/tables/delivery.ts'
import { cms_posts } from '../store/tables/sites.ts'
import { POSTS_PATH, SITES_PATH, siteAddress } from './addresses.ts'
import { atomFeed, type FeedPost, type Location, sitemap } from './feed.ts'
import { encodedPath, requestedPaths } from './paths.ts'
import type { ServedFile } from './site-files.ts'
import { Raw, renderTemplate, type Values } from './site-template.ts'
import { templateFor } from './site-templates.ts'

/** What a site serves by itself of its published posts (docs/api/sites.md#posts-on-the-site). */

const POSTS_A_PAGE = 20
const FEED_POSTS = 20
/** The feed has the content of posts up to this length, and the excerpt of longer ones. */
const MAX_FEED_CONTENT = 100_000
const SITEMAP_POSTS = 10_000
const FEED_PATH = '/feed.xml'
const SITEMAP_PATH = '/sitemap.xml'

export interface Made {
  kind: 'made'
  html: string
}

/** A request for something on a site. */
export interface Asked {
  store: Pick<Store, 'db' | 'heavy'>
  base_url: string
  project_id: ProjectId
  /** Whether the site was asked for by its slug, below the service's own address. */
  by_slug: boolean
}

/** The posts, a post, the feed or the sitemap of a site at a requested path; null for other paths. */
export async function madeAt(asked: Asked, pathname: string): Promise<Made | ServedFile | null> {
  for (const path of requestedPaths(pathname)) {
    if (path === FEED_PATH) return feedOf(asked)
    if (path === SITEMAP_PATH) return sitemapOf(asked)
    if (path === POSTS_PATH) return indexOf(asked, 1)
    const [, slug, number] = /^\/posts\/(?:([a-z0-9_-]+)|page\/([1-9]\d{0,3}))$/.exec(path) ?? []
    if (slug !== undefined) return postOf(asked, eq(cms_posts.slug, slug), true)
    if (number !== undefined && number !== '1') return indexOf(asked, Number(number))
  }
  return null
}

/** A post in whatever status; null when it was deleted. */
export function previewOf(asked: Asked, post_id: number): Promise<Made | null> {
  return postOf(asked, eq(cms_posts.id, post_id), false)
}

interface Site {
  public_id: string
  name: string
  language: string
  timezone: string
  /** What links between its pages begin with. */
  base: string
  /** Its address, without a slash at the end. */
  address: string
}

async function siteOf({ store, base_url, project_id, by_slug }: Asked): Promise<Site> {
  const { slug, domain, name, public_id } = projects
  const { locale, timezone } = newsletter_settings
  const project = one(
    await store.db
      .select({ slug, domain, name, public_id, locale, timezone })
      .from(projects)
      .leftJoin(newsletter_settings, eq(newsletter_settings.project_id, projects.id))
      .where(eq(projects.id, project_id)),
  )
  return {
    public_id: project.public_id,
    name: project.name,
    language: project.locale ?? 'en',
    timezone: project.timezone ?? 'UTC',
    base: by_slug ? `${SITES_PATH}/${project.slug}` : '',
    address: siteAddress(project, base_url),
  }
}

function siteValues({ name, language, base }: Site): Values {
  return {
    'site.name': name,
    'site.language': language,
    'site.direction': directionOf(language),
    'site.home': `${base}/`,
    'site.posts': base + POSTS_PATH,
    'site.feed': base + FEED_PATH,
  }
}

const LISTED = {
  title: cms_posts.title,
  slug: cms_posts.slug,
  author: cms_posts.author,
  category: cms_posts.category,
  excerpt: cms_posts.excerpt,
  created_at: cms_posts.created_at,
}
type ListedPost = Pick<typeof cms_posts.$inferSelect, keyof typeof LISTED>

function postValues({ base, address, language, timezone }: Site, post: ListedPost): Values {
  const path = `${POSTS_PATH}/${post.slug}`
  return {
    'post.title': post.title,
    'post.url': base + path,
    'post.address': address + path,
    'post.date': localDate(post.created_at, language, timezone),
    'post.time': iso(post.created_at),
    'post.author': post.author,
    'post.category': post.category,
    'post.excerpt': post.excerpt.trim(),
  }
}

const isPublished = sql`${cms_posts.status} = 'published'`

async function postOf(asked: Asked, which: ReturnType<typeof eq>, published: boolean): Promise<Made | null> {
  const { store, project_id } = asked
  const post = first(
    await store.db
      .select({ ...LISTED, content: cms_posts.content })
      .from(cms_posts)
      .where(and(eq(cms_posts.project_id, project_id), which, published ? isPublished : undefined)),
  )
  if (!post) return null
  const [site, template] = [await siteOf(asked), await templateFor(store.db, project_id, 'post')]
  const values = { ...siteValues(site), ...postValues(site, post), 'post.content': new Raw(post.content) }
  return { kind: 'made', html: renderTemplate(template, values) }
}

/** A page of the posts, newest first; null where there is none. */
async function indexOf(asked: Asked, number: number): Promise<Made | null> {
  const { store, project_id } = asked
  const posts = await newest(store.db, project_id)
    .limit(POSTS_A_PAGE + 1)
    .offset((number - 1) * POSTS_A_PAGE)
  if (posts.length === 0) return null
  const [site, template] = [await siteOf(asked), await templateFor(store.db, project_id, 'index')]
  const linkTo = (page: number) => site.base + POSTS_PATH + (page === 1 ? '' : `/page/${page}`)
  const has_older = posts.length > POSTS_A_PAGE
  const values = {
    ...siteValues(site),
    posts: posts.slice(0, POSTS_A_PAGE).map((post) => postValues(site, post)),
    'page.newer': number === 1 ? '' : linkTo(number - 1),
    'page.newer_number': number === 1 ? '' : String(number - 1),
    'page.older': has_older ? linkTo(number + 1) : '',
    'page.older_number': has_older ? String(number + 1) : '',
  }
  return { kind: 'made', html: renderTemplate(template, values) }
}

function newest(db: Reader, project_id: ProjectId) {
  return db
    .select(LISTED)
    .from(cms_posts)
    .where(and(eq(cms_posts.project_id, project_id), isPublished))
    .orderBy(desc(cms_posts.created_at), desc(cms_posts.id))
}

async function feedOf(asked: Asked): Promise<ServedFile | null> {
  const posts = await asked.store.db
    .select({
      ...LISTED,
      id: cms_posts.id,
      updated_at: cms_posts.updated_at,
      content: sql<string | null>`iif(length(${cms_posts.content}) <= ${MAX_FEED_CONTENT}, ${cms_posts.content}, NULL)`,
    })
    .from(cms_posts)
    .where(and(eq(cms_posts.project_id, asked.project_id), isPublished))
    .orderBy(desc(cms_posts.created_at), desc(cms_posts.id))
    .limit(FEED_POSTS)
  if (posts.length === 0) return null
  const site = await siteOf(asked)
  const entries = posts.map((post): FeedPost => ({ ...post, address: `${site.address}${POSTS_PATH}/${post.slug}` }))
  const feed = { ...site, feed: site.address + FEED_PATH, posts: site.address + POSTS_PATH }
  return fileOf('application/atom+xml; charset=utf-8', atomFeed(feed, entries))
}

async function sitemapOf(asked: Asked): Promise<ServedFile | null> {
  const { store, project_id } = asked
  const rows = await store.heavy<Location>(sql`
    SELECT path, updated_at FROM pages WHERE project_id = ${project_id} AND published = 1 AND path <> '/404'
    UNION ALL
    SELECT * FROM (
      SELECT ${`${POSTS_PATH}/`} || slug AS path, updated_at FROM cms_posts
      WHERE project_id = ${project_id} AND status = 'published'
      ORDER BY created_at DESC, id DESC LIMIT ${SITEMAP_POSTS})`)
  if (rows.length === 0) return null
  const { address } = await siteOf(asked)
  const locations = rows.map(({ path, updated_at }) => ({ path: address + encodedPath(path), updated_at }))
  return fileOf('application/xml; charset=utf-8', sitemap(locations))
}

function fileOf(type: string, text: string): ServedFile {
  return { kind: 'file', type, version: Bun.hash(text).toString(36), bytes: new TextEncoder().encode(text) }
}
