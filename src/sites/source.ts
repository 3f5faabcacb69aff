import { and, eq, sql } from 'drizzle-orm'
import type { ProjectId } from '../ids.ts'
import { jsonText } from '../store/json-text.ts'
import type { Reader } from '../store/open.ts'
import { pages } from '../store/tables/sites.ts'
import type { Turns } from '../turns.ts'
import type { Location } from './feed.ts'
import { type PageText, textOfMade } from './page-text.ts'
import { requestedPaths } from './paths.ts'
import { type Admit, type ServedFile, siteFileAt } from './site-files.ts'
import { madeAt, type SiteRequest } from './site-posts.ts'
import { cut } from './splice.ts'

/** Renders paths of a site that no page, file or post has: its archive of letters. */
export interface Archive {
  /** Makes what is at a path; null for nothing. */
  makeAt(request: SiteRequest, pathname: string): Promise<ServedFile | null>
  /** The paths for the sitemap. */
  paths(request: SiteRequest): Promise<Location[]>
}

interface Source {
  status: 200 | 404
  text: Omit<PageText, 'insertions'>
}

interface Reading {
  request: SiteRequest
  archive: Archive
  admit: Admit
  turns: Turns
}

/** The content at a path of a site, before scripts are inserted. */
export async function sourceAt(
  { request, archive, admit, turns }: Reading,
  pathname: string,
  cached: () => PageText | undefined,
): Promise<Source | ServedFile | null> {
  const { db } = request.store
  const page = await findPublished(db, request.project_id, pathname)
  if (page?.status !== 200) {
    const file = await siteFileAt(db, request.project_id, pathname, admit)
    if (file) return file
    const made = await turns.take(async () => {
      const found =
        (await madeAt(request, pathname, () => archive.paths(request))) ?? (await archive.makeAt(request, pathname))
      if (!found || found.kind === 'file') return found
      return { status: 200 as const, text: await textOfMade(found, cached()) }
    })
    if (made) return made
  }
  if (!page) return null
  const known = cachedText(page, cached)
  const text =
    known ?? (await admit(page.bytes, () => turns.take(async () => cachedText(page, cached) ?? textOf(db, page))))
  return text && { status: page.status, text }
}

/** The text of a page that is cached, also since this request began. */
function cachedText({ id, version }: Found, cached: () => PageText | undefined): Omit<PageText, 'insertions'> | null {
  const text = cached()
  return text?.id === id && text.version === version ? text : null
}

type Found = Pick<typeof pages.$inferSelect, 'id' | 'version'> & { bytes: number; status: 200 | 404 }

const NOT_FOUND_PATH = '/404'

async function findPublished(db: Reader, project_id: ProjectId, pathname: string): Promise<Found | null> {
  const wanted = requestedPaths(pathname)
  const rows = await db
    .select({ id: pages.id, path: pages.path, version: pages.version, bytes: sql<number>`octet_length(${pages.html})` })
    .from(pages)
    .where(
      and(
        eq(pages.project_id, project_id),
        eq(pages.published, true),
        sql`${pages.path} IN (SELECT value FROM json_each(${jsonText([...wanted, NOT_FOUND_PATH])}))`,
      ),
    )
  const [found] = [...wanted, NOT_FOUND_PATH].flatMap((path) => rows.find((row) => row.path === path) ?? [])
  return found ? { ...found, status: wanted.includes(found.path) ? 200 : 404 } : null
}

/** The text and its insertion points, read together because they must match. Null when the page was just deleted. */
async function textOf(db: Reader, { id }: Found): Promise<Omit<PageText, 'insertions'> | null> {
  const [page] = await db
    .select({ version: pages.version, insertion_points: pages.insertion_points, html: pages.html })
    .from(pages)
    .where(eq(pages.id, id))
  return page ? { id, version: page.version, cut: cut(page.html, page.insertion_points) } : null
}
