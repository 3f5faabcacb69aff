import type { ProjectId } from '../ids.ts'
import { and, eq, sql } from 'drizzle-orm'
import { createCache } from '../cache.ts'
import { errorFields, type Log } from '../log.ts'
import { type ConnectedScript, connectedScripts } from '../scripts/connections.ts'
import { jsonText } from '../store/json-text.ts'
import type { Reader } from '../store/open.ts'
import type { Revision } from '../store/revision.ts'
import { projects } from '../store/tables/accounts.ts'
import { pages } from '../store/tables/sites.ts'
import { consentRuntime, heldBack } from './consent.ts'
import { requestedPaths } from './paths.ts'
import { getSiteSettings } from './settings.ts'
import { cut, type CutPage, type Insertions, NO_INSERTIONS, splice } from './splice.ts'

/** Whose pages: the project with this domain, or with this slug. */
export interface SiteName {
  by: 'domain' | 'slug'
  name: string
}

/** A page as visitors get it. */
export interface Served {
  status: 200 | 404
  html: string
  /** Another one whenever the text is: with the page, its scripts or what visitors are asked. */
  etag: string
  /** The text depends on the request's `Sec-GPC`. */
  asks_consent: boolean
}

export interface HostedSites {
  /** The page at an address, or the site's own page `/404`; null when there is neither, undefined when there is no such site. */
  find(site: SiteName, pathname: string, gpc: boolean): Promise<Served | null | undefined>
}

interface Kept {
  revision: number | null
  page: PageText
  served: Served
}

interface PageText {
  id: number
  version: number
  cut: CutPage
  /** What was put into it, and the text that this gave. */
  insertions: Insertions
}

const KEPT_CHARACTERS = 32 * 1024 * 1024
const KEPT_SITES = 1000

/**
 * The pages of all sites. What was served is kept, and served again as long as nothing at all was committed to the
 * database in the meantime; otherwise page, settings and scripts are read anew, and only what differs is made again.
 */
export function hostedSites(db: Reader, revision: Revision, log: Log): HostedSites {
  const kept = createCache<string, Kept>({
    max_size: KEPT_CHARACTERS,
    max_entry_size: KEPT_CHARACTERS / 8,
    sizeOf: ({ served }) => served.html.length,
  })
  const sites = createCache<string, { revision: number | null; project_id: ProjectId | null }>({
    max_entries: KEPT_SITES,
  })

  const projectOf = async (site: SiteName, now: number | null): Promise<string | null> => {
    const key = `${site.by} ${site.name}`
    const known = sites.get(key)
    if (known && now !== null && known.revision === now) return known.project_id
    const project_id = await findSite(db, site)
    sites.set(key, { revision: now, project_id })
    return project_id
  }

  return {
    async find(site, pathname, gpc) {
      const key = `${site.by} ${site.name} ${gpc ? 1 : 0} ${pathname}`
      // Looked at before anything is read: a commit in between makes the next request read again.
      const now = revision.atArrival()
      const known = kept.get(key)
      if (known && now !== null && known.revision === now) return known.served

      const project_id = await projectOf(site, now)
      if (project_id === null) return undefined
      const found = await findPublished(db, project_id, pathname)
      if (!found) return null
      const text = await textOf(db, found, known?.page)
      if (!text) return null
      const { insertions, asks_consent } = await insertionsOf(db, project_id, gpc, log)
      const page = { ...text, insertions }
      const served = {
        status: found.status,
        asks_consent,
        ...(known && isSame(known.page, page) ? textAndTag(known.served) : written(page)),
      }
      // Addresses without a page are without number.
      if (served.status === 200) kept.set(key, { revision: now, page, served })
      return served
    },
  }
}

async function findSite(db: Reader, { by, name }: SiteName): Promise<string | null> {
  const [project] = await db
    .select({ id: projects.id })
    .from(projects)
    .where(eq(by === 'domain' ? projects.domain : projects.slug, name))
  return project?.id ?? null
}

type Found = Pick<typeof pages.$inferSelect, 'id' | 'version'> & { status: 200 | 404 }

const NOT_FOUND_PATH = '/404'

async function findPublished(db: Reader, project_id: ProjectId, pathname: string): Promise<Found | null> {
  const wanted = requestedPaths(pathname)
  const rows = await db
    .select({ id: pages.id, path: pages.path, version: pages.version })
    .from(pages)
    .where(
      and(
        eq(pages.project_id, project_id),
        eq(pages.published, true),
        sql`${pages.path} IN (SELECT value FROM json_each(${jsonText([...wanted, NOT_FOUND_PATH])}))`,
      ),
    )
  for (const path of wanted) {
    const page = rows.find((row) => row.path === path)
    if (page) return { ...page, status: 200 }
  }
  const [instead] = rows
  return instead ? { ...instead, status: 404 } : null
}

/** The text with its insertion points, read in one: they belong together. Null when the page was deleted in the meantime. */
async function textOf(
  db: Reader,
  { id, version }: Found,
  known: PageText | undefined,
): Promise<Omit<PageText, 'insertions'> | null> {
  if (known?.id === id && known.version === version) return { id, version, cut: known.cut }
  const [page] = await db
    .select({ version: pages.version, insertion_points: pages.insertion_points, html: pages.html })
    .from(pages)
    .where(eq(pages.id, id))
  return page ? { id, version: page.version, cut: cut(page.html, page.insertion_points) } : null
}

/** What is put into the pages of a project now. Whatever is wrong with scripts, the page is served without them. */
async function insertionsOf(
  db: Reader,
  project_id: ProjectId,
  gpc: boolean,
  log: Log,
): Promise<{ insertions: Insertions; asks_consent: boolean }> {
  try {
    const scripts = await connectedScripts(db, project_id)
    if (scripts.length === 0) return { insertions: NO_INSERTIONS, asks_consent: false }
    const asks_consent = scripts.some(({ gated }) => gated)
    const insertions = insertionsFor(scripts, (script, error) => {
      log.warn('a script was left out of a page', {
        project_id,
        script_id: script.script_id,
        connection_id: script.connection_id,
        ...errorFields(error),
      })
    })
    return {
      insertions: asks_consent
        ? { ...insertions, head: consentRuntime(await getSiteSettings(db, project_id), gpc) + insertions.head }
        : insertions,
      asks_consent,
    }
  } catch (error) {
    log.error('pages are served without their scripts', { project_id, ...errorFields(error) })
    return { insertions: NO_INSERTIONS, asks_consent: false }
  }
}

const PLACES = {
  'HTML Head': 'head',
  'HTML Body start': 'body_start',
  'HTML Body end': 'body_end',
} as const satisfies Record<string, keyof Insertions>

/** The markup of scripts by place, in their order. One that cannot be written is left out, and `onFault` is told. */
export function insertionsFor(
  scripts: readonly ConnectedScript[],
  onFault: (script: ConnectedScript, error: unknown) => void,
): Insertions {
  const insertions = { ...NO_INSERTIONS }
  for (const script of scripts) {
    try {
      insertions[PLACES[script.placement]] += script.gated ? heldBack(script) : script.html
    } catch (error) {
      onFault(script, error)
    }
  }
  return insertions
}

function isSame(a: PageText, b: PageText): boolean {
  return (
    a.cut === b.cut &&
    a.insertions.head === b.insertions.head &&
    a.insertions.body_start === b.insertions.body_start &&
    a.insertions.body_end === b.insertions.body_end
  )
}

function textAndTag({ html, etag }: Served): Pick<Served, 'html' | 'etag'> {
  return { html, etag }
}

function written({ cut: page, insertions }: PageText): Pick<Served, 'html' | 'etag'> {
  const html = splice(page, insertions)
  return { html, etag: `"${Bun.hash(html).toString(36)}"` }
}
