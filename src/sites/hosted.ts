import type { ProjectId } from '../ids.ts'
import { inArray } from 'drizzle-orm'
import { createCache } from '../cache.ts'
import { AppError } from '../errors.ts'
import { createSharedWork } from '../shared-work.ts'
import type { Runtime } from '../runtime.ts'
import { createTurns } from '../turns.ts'
import type { Reader } from '../store/open.ts'
import { projects } from '../store/tables/accounts.ts'
import { SITES_PATH } from './addresses.ts'
import { insertionsOf } from './insertions.ts'
import { assembled, isSame, type PageText, textOfMade } from './page-text.ts'
import { requestedPaths } from './paths.ts'
import { readPreviewToken, readScriptPreviewToken } from './previews.ts'
import { type Admit, admitAll, type ServedFile } from './site-files.ts'
import { previewOf, type SiteRequest } from './site-posts.ts'
import { type Archive, sourceAt } from './source.ts'
import { MAX_VALUE_BYTES } from '../store/store.ts'

/** The project with this proven domain, or with this slug. */
export interface SiteName {
  by: 'domain' | 'slug'
  name: string
}

/** A page as it is served to visitors. */
export interface ServedPage {
  kind: 'page'
  status: 200 | 404
  /** The text in UTF-8. Its compressed forms are made once and shared by all who ask for the page. */
  bytes: Uint8Array<ArrayBuffer>
  /** A hash of the text, which changes with the page, its scripts and the consent settings. */
  version: string
  /** Whether the text depends on the request's `Sec-GPC` header. */
  asks_consent: boolean
}

export interface HostedSites {
  /** Whether there is such a site. */
  has(site: SiteName): Promise<boolean>
  /**
   * What is at a path: a page, or else a file, or else what is made of posts and letters, or else the site's own page
   * `/404`. Null when none exists, undefined when there is no such site.
   * Throws what `admit` throws.
   */
  find(visit: Visit, admit?: Admit): Promise<ServedPage | ServedFile | null | undefined>
  /** A post as it would be shown, by the token of `previewToken`. Null for a token of another site and a spent one. */
  preview(site: SiteName, token: string, gpc: boolean): Promise<ServedPage | null>
  /**
   * A page with a script on it or without, by the token of `scriptPreviewToken`. Null for a token of another site, a
   * spent one, and a path without a page.
   */
  previewScript(visit: Visit, token: string, admit?: Admit): Promise<ServedPage | null>
}

/** What a visitor asks for. */
export interface Visit {
  site: SiteName
  pathname: string
  /** The visitor's browser sends Global Privacy Control (`Sec-GPC: 1`). */
  gpc: boolean
}

interface CachedPage {
  /** The database revision it was read at; null for a database without revisions. */
  revision: number | null
  page: PageText
  served: ServedPage
}

type SitesRuntime = Pick<Runtime, 'store' | 'base_url' | 'log' | 'keys' | 'clock'>

const CACHED_PAGE_BYTES = 32 * 1024 * 1024
const CACHED_FILE_BYTES = 16 * 1024 * 1024
const CACHED_SITES = 1000
/** Pages that are made at the same time, or read from a libSQL server. Each takes some times its size of memory. */
const MADE_AT_ONCE = 16

/**
 * Serves the pages of all sites (docs/api/sites.md#hosted-pages). A cached page is served only while the database
 * revision is unchanged, so an edit is visible with the next request. After any commit, page, settings and scripts are
 * read again and only what differs is rebuilt. A libSQL server has no revision: there every request reads again.
 */
export function hostedSites(runtime: SitesRuntime, archive: Archive): HostedSites {
  const { store, log } = runtime
  const { db, revision } = store
  const cachedPages = createCache<string, CachedPage>({
    max_size: CACHED_PAGE_BYTES,
    largest: 3 * MAX_VALUE_BYTES,
    // The text, its bytes and what they are compressed to.
    sizeOf: ({ served }) => 3 * served.bytes.length,
  })
  // Making a feed or a sitemap and compressing it takes long, and anyone can ask for it.
  const cachedFiles = createCache<string, { revision: number | null; file: ServedFile }>({
    max_size: CACHED_FILE_BYTES,
    largest: MAX_VALUE_BYTES,
    sizeOf: ({ file }) => file.bytes.length,
  })
  const turns = createTurns({ at_once: MADE_AT_ONCE })
  const making = createSharedWork<ServedPage | ServedFile | null | undefined>()
  const cachedSites = createCache<string, { revision: number | null; project_id: ProjectId | null }>({
    max_entries: CACHED_SITES,
  })

  const projectOf = async (site: SiteName, current: number | null): Promise<ProjectId | null> => {
    const key = `${site.by} ${site.name}`
    const cached = cachedSites.get(key)
    if (cached && current !== null && cached.revision === current) return cached.project_id
    const project_id = await findSite(db, site)
    cachedSites.set(key, { revision: current, project_id })
    return project_id
  }

  // The public address is known once the server listens.
  const requestOf = (site: SiteName, project_id: ProjectId): SiteRequest => ({
    store,
    base_url: runtime.base_url,
    project_id,
    by_slug: site.by === 'slug',
  })

  const findAnew = async (
    { site, pathname, gpc }: Visit,
    { key, current, admit }: { key: string; current: number | null; admit: Admit },
  ): Promise<ServedPage | ServedFile | null | undefined> => {
    const project_id = await projectOf(site, current)
    if (project_id === null) return undefined
    const not_found_key = pageKey(site, NOT_FOUND_SHOWN, gpc)
    const cached = () => (cachedPages.get(key) ?? cachedPages.get(not_found_key))?.page
    const source = await sourceAt({ request: requestOf(site, project_id), archive, admit, turns }, pathname, cached)
    if (source === null) return null
    if ('kind' in source) {
      // The same bytes as before are compressed already.
      const file_key = fileKey(site, pathname)
      const known = cachedFiles.get(file_key)?.file
      const file = known?.version === source.version ? known : source
      cachedFiles.set(file_key, { revision: current, file })
      return file
    }
    const { insertions, asks_consent } = await insertionsOf(db, { project_id, gpc }, log)
    const page = { ...source.text, insertions }
    // Visitors can ask for any number of unknown paths, which all show the same page.
    const page_key = source.status === 200 ? key : not_found_key
    const before = cachedPages.get(page_key)
    const served = {
      kind: 'page' as const,
      status: source.status,
      asks_consent,
      ...(before && isSame(before.page, page)
        ? { bytes: before.served.bytes, version: before.served.version }
        : assembled(page, prefixOf(site))),
    }
    // The page that was at this path before is gone.
    if (page_key !== key) cachedPages.delete(key)
    cachedPages.set(page_key, { revision: current, page, served })
    return served
  }

  return {
    has: async (site) => (await projectOf(site, revision.now())) !== null,

    async find(visit, admit = admitAll) {
      const { site, pathname, gpc } = visit
      const key = pageKey(site, pathname, gpc)
      // Read before the page, so that a commit in between makes the next request read again.
      const current = revision.now()
      const cached = cachedPages.get(key)
      if (cached && current !== null && cached.revision === current) return cached.served
      const cachedFile = cachedFiles.get(fileKey(site, pathname))
      if (cachedFile && current !== null && cachedFile.revision === current) return cachedFile.file
      const find = () => findAnew(visit, { key, current, admit })
      // Without revisions nobody knows whether what another request reads is recent enough for this one.
      if (current === null) return find()
      let isOwn = false
      const found = making(`${current} ${key}`, () => ((isOwn = true), find()))
      // The answers to another visitor's address may fill its budget.
      return found.catch((error: unknown) => {
        if (isOwn || !(error instanceof AppError) || error.code !== 'TOO_MANY_UNREAD') throw error
        return find()
      })
    },

    async preview(site, token, gpc) {
      const project_id = await projectOf(site, revision.now())
      const post_id = readPreviewToken(runtime, token)
      if (project_id === null || post_id === null) return null
      const made = await previewOf(requestOf(site, project_id), post_id)
      if (!made) return null
      const { insertions, asks_consent } = await insertionsOf(db, { project_id, gpc }, log)
      const text = await textOfMade(made, undefined)
      return { kind: 'page', status: 200, asks_consent, ...assembled({ ...text, insertions }, prefixOf(site)) }
    },

    async previewScript({ site, pathname, gpc }, token, admit = admitAll) {
      const project_id = await projectOf(site, revision.now())
      const trial = readScriptPreviewToken(runtime, token)
      if (project_id === null || trial?.project_id !== project_id) return null
      const reading = { request: requestOf(site, project_id), archive, admit, turns }
      const source = await sourceAt(reading, pathname, () => undefined)
      if (source === null || 'kind' in source) return null
      const { insertions, asks_consent } = await insertionsOf(db, { project_id, gpc, trial }, log)
      return {
        kind: 'page',
        status: source.status,
        asks_consent,
        ...assembled({ ...source.text, insertions }, prefixOf(site)),
      }
    },
  }
}

function prefixOf({ by, name }: SiteName): string {
  return by === 'slug' ? `${SITES_PATH}/${name}` : ''
}

async function findSite(db: Reader, { by, name }: SiteName): Promise<ProjectId | null> {
  const column = by === 'domain' ? projects.domain : projects.slug
  // A domain is also served with `www.` before it, unless a project has proven that name.
  const names = by === 'domain' && name.startsWith('www.') ? [name, name.slice(4)] : [name]
  const found = await db.select({ id: projects.id, name: column }).from(projects).where(inArray(column, names))
  return (found.find((project) => project.name === name) ?? found[0])?.id ?? null
}

function pageKey({ by, name }: SiteName, pathname: string, gpc: boolean): string {
  return `${by} ${name} ${gpc ? 1 : 0} ${pathname}`
}

/** In the place of a path, which begins with a slash. */
const NOT_FOUND_SHOWN = 'not found'

function fileKey({ by, name }: SiteName, pathname: string): string {
  return `${by} ${name} ${requestedPaths(pathname)[0] ?? ''}`
}
