import { and, eq, inArray } from 'drizzle-orm'
import type { ProjectId } from '../ids.ts'
import type { Reader } from '../store/open.ts'
import { cms_posts, pages, site_files } from '../store/tables/sites.ts'
import { addressBySlug, LETTERS_PATH, POSTS_PATH } from './addresses.ts'
import { requestedPaths } from './paths.ts'
import { isPublished } from './published.ts'
import { MADE_PATHS } from './site-posts.ts'

/** The addresses of a project's site: its domain, and below the service's own address. */
interface SiteNames {
  slug: string
  domain: string | null
  base_url: string
}

/** An address on a project's site. */
export interface SitePath {
  /** `/` for the site itself. */
  path: string
  /** Whether the address names the project's domain. Another server may serve it. */
  on_domain: boolean
}

/** What an address names on a project's site; null for other addresses. */
export function pathOnSite(address: string, { slug, domain, base_url }: SiteNames): SitePath | null {
  const url = URL.parse(address)
  if (!url) return null
  const host = url.host.replace(/^www\./, '')
  // A project's domain serves form entries and the links of messages as well.
  if (domain !== null && host === domain)
    return url.pathname.startsWith('/general/') ? null : { path: url.pathname, on_domain: true }
  const root = new URL(addressBySlug(base_url, slug, ''))
  if (url.host !== root.host) return null
  if (url.pathname === root.pathname) return { path: '/', on_domain: false }
  if (!url.pathname.startsWith(`${root.pathname}/`)) return null
  return { path: url.pathname.slice(root.pathname.length), on_domain: false }
}

/**
 * Of some requested paths, those at which a site has no published page, post or file. Paths that the site generates
 * itself, such as its feed and the archive of letters, are not checked.
 */
export async function missingPaths(db: Reader, project_id: ProjectId, pathnames: readonly string[]): Promise<string[]> {
  const wanted = pathnames
    .map((pathname) => ({ pathname, paths: requestedPaths(pathname) }))
    .filter(({ paths }) => !paths.some(isMade))
  const paths = wanted.flatMap((entry) => entry.paths)
  if (wanted.length === 0) return []
  const published = and(eq(cms_posts.project_id, project_id), isPublished)
  const slugs = paths.flatMap((path) => slugOf(path) ?? [])
  const [shown, files, posts, anyPost] = await Promise.all([
    db
      .select({ path: pages.path })
      .from(pages)
      .where(and(eq(pages.project_id, project_id), eq(pages.published, true), inArray(pages.path, paths))),
    db
      .select({ path: site_files.path })
      .from(site_files)
      .where(and(eq(site_files.project_id, project_id), inArray(site_files.path, paths))),
    slugs.length === 0
      ? []
      : db
          .select({ slug: cms_posts.slug })
          .from(cms_posts)
          .where(and(published, inArray(cms_posts.slug, slugs))),
    paths.includes(POSTS_PATH) ? db.select({ id: cms_posts.id }).from(cms_posts).where(published).limit(1) : [],
  ])
  const found = new Set([...shown, ...files].map(({ path }) => path))
  // Without a post there is no index of posts.
  if (anyPost.length > 0) found.add(POSTS_PATH)
  for (const { slug } of posts) found.add(`${POSTS_PATH}/${slug}`)
  return wanted.filter((entry) => !entry.paths.some((path) => found.has(path))).map(({ pathname }) => pathname)
}

const isMade = (path: string): boolean =>
  MADE_PATHS.includes(path) ||
  path.startsWith(`${POSTS_PATH}/page/`) ||
  path === LETTERS_PATH ||
  path.startsWith(`${LETTERS_PATH}/`)

/** The slug of a post's own path. */
const slugOf = (path: string): string | null => /^\/posts\/([a-z0-9_-]+)$/.exec(path)?.[1] ?? null
