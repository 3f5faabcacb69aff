import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import { iso, localDate } from '../clock.ts'
import { directionOf } from '../i18n/languages.ts'
import { brandColor, readableOn } from '../shared/contrast.ts'
import type { ProjectId } from '../ids.ts'
import type { HeavyTask, Reader, Store } from '../store/open.ts'
import { first, one } from '../store/rows.ts'
import { projects } from '../store/tables/accounts.ts'
import { newsletter_settings } from '../store/tables/delivery.ts'
import { cms_posts, type TemplateKind } from '../store/tables/sites.ts'
import { POSTS_PATH, SITES_PATH, siteAddress } from './addresses.ts'
import { atomFeed, type FeedPost, type Location, sitemap } from './feed.ts'
import { encodedPath, requestedPaths } from './paths.ts'
import { isPublished } from './published.ts'
import type { ServedFile } from './site-files.ts'
import { Raw, readTemplate, renderTemplate, type Values } from './site-template.ts'
import { TEMPLATE_NAMES, templateFor } from './site-templates.ts'

/** The pages that a site has for its published posts (docs/api/sites.md#posts-on-the-site). */

const POSTS_A_PAGE = 20
const FEED_POSTS = 20
/** The feed has the content of posts up to this length, and the excerpt of longer ones. */
const MAX_FEED_CONTENT = 100_000
const SITEMAP_POSTS = 10_000
const FEED_PATH = '/feed.xml'
const SITEMAP_PATH = '/sitemap.xml'
const ROBOTS_PATH = '/robots.txt'
/** Paths that every site has. */
export const MADE_PATHS: readonly string[] = [FEED_PATH, SITEMAP_PATH, ROBOTS_PATH]

export interface Made {
  kind: 'made'
  html: string
}

/** A request for something on a site. */
export interface SiteRequest {
  store: Pick<Store, 'db' | 'heavyTask'>
  base_url: string
  project_id: ProjectId
  /** Whether the address names the site by its slug, below the service's own address. */
  by_slug: boolean
}

/**
 * What a site has at a requested path by itself: posts, a post, feed, sitemap or robots.txt; null for other paths.
 * `more` are paths for the sitemap besides pages and posts.
 */
export async function madeAt(
  request: SiteRequest,
  pathname: string,
  more: () => Promise<Location[]>,
): Promise<Made | ServedFile | null> {
  for (const path of requestedPaths(pathname)) {
    if (path === FEED_PATH) return feedOf(request)
    if (path === SITEMAP_PATH) return sitemapOf(request, await more())
    // Crawlers ask for it at the root of a host only (RFC 9309, section 2.3).
    if (path === ROBOTS_PATH && !request.by_slug) return robotsOf(request)
    if (path === POSTS_PATH) return shown(request, 'index', await indexValues(request, 1))
    const [, slug, number] = /^\/posts\/(?:([a-z0-9_-]+)|page\/([1-9]\d{0,3}))$/.exec(path) ?? []
    if (slug !== undefined)
      return shown(request, 'post', await postValues(request, and(eq(cms_posts.slug, slug), isPublished)))
    if (number !== undefined && number !== '1')
      return shown(request, 'index', await indexValues(request, Number(number)))
  }
  return null
}

/** A post in whatever status; null when it was deleted. */
export async function previewOf(request: SiteRequest, post_id: number): Promise<Made | null> {
  return shown(request, 'post', await postValues(request, eq(cms_posts.id, post_id)))
}

interface Site {
  public_id: string
  name: string
  language: string
  timezone: string
  /** The color of the project as `#rrggbb`. */
  color: string
  /** The prefix of links between its pages. */
  base: string
  /** Its address, without a slash at the end. */
  address: string
}

async function siteOf({ store, base_url, project_id, by_slug }: SiteRequest): Promise<Site> {
  const { slug, domain, name, public_id } = projects
  const { locale, timezone, brand_color } = newsletter_settings
  const project = one(
    await store.db
      .select({ slug, domain, name, public_id, locale, timezone, brand_color })
      .from(projects)
      .leftJoin(newsletter_settings, eq(newsletter_settings.project_id, projects.id))
      .where(eq(projects.id, project_id)),
  )
  return {
    public_id: project.public_id,
    name: project.name,
    language: project.locale ?? 'en',
    timezone: project.timezone ?? 'UTC',
    color: brandColor(project.brand_color),
    base: by_slug ? `${SITES_PATH}/${project.slug}` : '',
    address: siteAddress(project, base_url),
  }
}

function siteValues({ name, language, base, color }: Site): Values {
  return {
    'site.name': name,
    'site.language': language,
    'site.direction': directionOf(language),
    'site.color': color,
    'site.link_color': readableOn('#ffffff', color),
    'site.home': `${base}/`,
    'site.posts': base + POSTS_PATH,
    'site.feed': base + FEED_PATH,
  }
}

const LISTED = {
  title: cms_posts.title,
  slug: cms_posts.slug,
  author: cms_posts.author,
  tags: cms_posts.tags,
  excerpt: cms_posts.excerpt,
  /** Of a draft, which only previews show, the time of its last change. */
  dated_at: sql<number>`coalesce(${cms_posts.published_at}, ${cms_posts.updated_at})`,
}
type ListedPost = Omit<FeedPost, 'id' | 'address' | 'content' | 'updated_at'> & { slug: string }

function listedValues({ base, address, language, timezone }: Site, post: ListedPost): Values {
  const path = `${POSTS_PATH}/${post.slug}`
  return {
    'post.title': post.title,
    'post.url': base + path,
    'post.address': address + path,
    'post.date': localDate(post.dated_at, language, timezone),
    'post.time': iso(post.dated_at),
    'post.author': post.author,
    'post.category': post.tags[0] ?? '',
    'post.tags': post.tags.join(', '),
    'post.excerpt': post.excerpt.trim(),
  }
}

/** The post that fulfills a condition, or null. */
async function postValues(request: SiteRequest, condition: SQL | undefined): Promise<Values | null> {
  const post = first(
    await request.store.db
      .select({ ...LISTED, content: cms_posts.content })
      .from(cms_posts)
      .where(and(eq(cms_posts.project_id, request.project_id), condition))
      .orderBy(desc(cms_posts.created_at), desc(cms_posts.id))
      .limit(1),
  )
  if (!post) return null
  const site = await siteOf(request)
  return { ...siteValues(site), ...listedValues(site, post), 'post.content': new Raw(post.content) }
}

/** A page of the posts, newest first; null where there is none. */
async function indexValues(request: SiteRequest, number: number): Promise<Values | null> {
  const posts = await newest(request.store.db, request.project_id)
    .limit(POSTS_A_PAGE + 1)
    .offset((number - 1) * POSTS_A_PAGE)
  if (posts.length === 0) return null
  const site = await siteOf(request)
  const linkTo = (page: number) => site.base + POSTS_PATH + (page === 1 ? '' : `/page/${page}`)
  const has_older = posts.length > POSTS_A_PAGE
  return {
    ...siteValues(site),
    posts: posts.slice(0, POSTS_A_PAGE).map((post) => listedValues(site, post)),
    'page.newer': number === 1 ? '' : linkTo(number - 1),
    'page.newer_number': number === 1 ? '' : String(number - 1),
    'page.older': has_older ? linkTo(number + 1) : '',
    'page.older_number': has_older ? String(number + 1) : '',
  }
}

async function shown(
  { store, project_id }: SiteRequest,
  kind: TemplateKind,
  values: Values | null,
): Promise<Made | null> {
  if (!values) return null
  return { kind: 'made', html: renderTemplate(await templateFor(store.db, project_id, kind), values) }
}

/**
 * A template as it would show the newest post, published or not, or the first page of the list. A site without posts
 * has empty values. VALIDATION_FAILED at `/html` for a template that cannot be read.
 */
export async function tryTemplate(request: SiteRequest, kind: TemplateKind, html: string): Promise<string> {
  const template = readTemplate(html, TEMPLATE_NAMES[kind])
  const values = kind === 'post' ? await postValues(request, undefined) : await indexValues(request, 1)
  return renderTemplate(template, values ?? siteValues(await siteOf(request)))
}

function newest(db: Reader, project_id: ProjectId) {
  return db
    .select(LISTED)
    .from(cms_posts)
    .where(and(eq(cms_posts.project_id, project_id), isPublished))
    .orderBy(desc(cms_posts.published_at), desc(cms_posts.id))
}

async function feedOf(request: SiteRequest): Promise<ServedFile | null> {
  const posts = await request.store.db
    .select({
      ...LISTED,
      id: cms_posts.id,
      updated_at: cms_posts.updated_at,
      content: sql<string | null>`iif(length(${cms_posts.content}) <= ${MAX_FEED_CONTENT}, ${cms_posts.content}, NULL)`,
    })
    .from(cms_posts)
    .where(and(eq(cms_posts.project_id, request.project_id), isPublished))
    .orderBy(desc(cms_posts.published_at), desc(cms_posts.id))
    .limit(FEED_POSTS)
  if (posts.length === 0) return null
  const site = await siteOf(request)
  const entries = posts.map((post): FeedPost => ({ ...post, address: `${site.address}${POSTS_PATH}/${post.slug}` }))
  const feed = { ...site, feed: site.address + FEED_PATH, posts: site.address + POSTS_PATH }
  return fileOf('application/atom+xml; charset=utf-8', atomFeed(feed, entries))
}

async function sitemapOf(request: SiteRequest, more: Location[]): Promise<ServedFile | null> {
  const { store, project_id } = request
  const { address } = await siteOf(request)
  const text = await store.heavyTask(sitemapTask, { project_id, address, more })
  return text === null ? null : fileOf('application/xml; charset=utf-8', text)
}

async function robotsOf(request: SiteRequest): Promise<ServedFile> {
  const { address } = await siteOf(request)
  const text = `User-agent: *\nAllow: /\n\nSitemap: ${address}${SITEMAP_PATH}\n`
  return fileOf('text/plain; charset=utf-8', text)
}

interface Mapped {
  project_id: ProjectId
  address: string
  more: Location[]
}

/** The sitemap of a site at an address; null for a site without pages, posts and letters. */
export const sitemapTask: HeavyTask<Mapped, string | null> = {
  name: 'sitemap',
  timeout_ms: 10_000,
  ownerOf: ({ project_id }) => project_id,
  async run(db, { project_id, address, more }) {
    const rows = await db.all<Location>(sql`
      SELECT path, updated_at FROM pages WHERE project_id = ${project_id} AND published = 1 AND path <> '/404'
      UNION ALL
      SELECT * FROM (
        SELECT ${`${POSTS_PATH}/`} || slug AS path, updated_at FROM cms_posts
        WHERE project_id = ${project_id} AND status = 'published'
        ORDER BY published_at DESC, id DESC LIMIT ${SITEMAP_POSTS})`)
    const all = [...rows, ...more]
    if (all.length === 0) return null
    return sitemap(all.map(({ path, updated_at }) => ({ path: address + encodedPath(path), updated_at })))
  },
}

/** A text that a site serves as a file. */
export function fileOf(type: string, text: string): ServedFile {
  return { kind: 'file', type, version: Bun.hash(text).toString(36), bytes: new TextEncoder().encode(text) }
}
