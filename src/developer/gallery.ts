import { type SQL, sql } from 'drizzle-orm'
import type { ProjectId } from '../ids.ts'
import type { Keys } from '../secrets.ts'
import type { Reader, Store } from '../store/open.ts'
import { type CursorPosition, type Page, page } from '../store/page.ts'
import { oneOrNotFound } from '../store/rows.ts'
import type { VersionContents } from '../store/tables/developer.ts'
import { projectsUsing } from './installs.ts'

/** An approved app as everybody sees it, with the listing of the version that sites get. */
export interface GalleryApp {
  id: string
  display_name: string
  /** The name of the person who registered the app; null where the person gave none. */
  maker: string | null
  homepage: string
  listing: VersionContents['listing']
  /** Projects that use the app now. */
  projects: number
  approved_at: number
}

/** An app with the further data that only its own page shows. */
export interface FullGalleryApp extends GalleryApp {
  description: string
  scopes: string[]
  scope_reasons: VersionContents['scope_reasons']
  scripts: Pick<VersionContents['scripts'][number], 'name' | 'type' | 'placement'>[]
  version: number
}

export interface GalleryQuery {
  /** A part of the name, tagline or category. */
  search?: string | undefined
  category?: string | undefined
  limit?: number | undefined
  cursor?: string | undefined
}

interface Row {
  id: number
  app_id: string
  display_name: string
  maker: string
  description: string
  homepage: string
  scopes: string
  /** Parts of the version's contents. Its code can be megabytes, and anyone may ask for a hundred apps at once. */
  listing: string
  scope_reasons: string
  scripts: string
  version: number
  projects: number
  created_at: number
}

/** One page of the approved apps that are not suspended, newest version first. Throws INVALID_CURSOR. */
export function listGallery(
  { heavy }: Pick<Store, 'heavy'>,
  keys: Keys,
  { limit, cursor, ...filter }: GalleryQuery,
): Promise<Page<GalleryApp>> {
  return page(
    { keys, operation: 'gallery', project_id: 0 as ProjectId, filters: filter, order: 'newest', cursor, limit },
    (after, most) => heavy<Row>(rows(matching(filter, after), most)),
    galleryApp,
  )
}

/** NOT_FOUND for an app that is not approved, or is suspended. */
export async function getGalleryApp(db: Reader, app_id: string): Promise<FullGalleryApp> {
  const row = oneOrNotFound(await db.all<Row>(rows([sql`a.id = ${app_id}`], 1)), 'app')
  return {
    ...galleryApp(row),
    description: row.description,
    scopes: JSON.parse(row.scopes) as string[],
    scope_reasons: JSON.parse(row.scope_reasons) as FullGalleryApp['scope_reasons'],
    scripts: JSON.parse(row.scripts) as FullGalleryApp['scripts'],
    version: row.version,
  }
}

function galleryApp({ app_id, display_name, maker, homepage, listing, projects, created_at }: Row): GalleryApp {
  const shown = JSON.parse(listing) as GalleryApp['listing']
  return {
    id: app_id,
    display_name,
    maker: maker.trim() || null,
    homepage,
    listing: shown,
    projects,
    approved_at: created_at,
  }
}

function matching({ search, category }: GalleryQuery, after: CursorPosition | null): SQL[] {
  const text = search !== undefined && sql`lower(${search.trim()})`
  const listed = (name: string) => sql`lower(coalesce(v.contents ->> ${`$.listing.${name}`}, ''))`
  return [
    after !== null && sql`v.id < ${after.id}`,
    category !== undefined && sql`${listed('category')} = lower(${category.trim()})`,
    text !== false &&
      sql`(instr(lower(a.display_name), ${text}) > 0 OR instr(${listed('tagline')}, ${text}) > 0
        OR instr(${listed('category')}, ${text}) > 0)`,
  ].filter((condition) => condition !== false)
}

/** Ids of versions ascend with the time of their creation. */
function rows(conditions: SQL[], most: number): SQL {
  const all = [
    sql`a.status = 'approved'`,
    sql`NOT EXISTS (SELECT 1 FROM app_suspensions s WHERE s.app_id = a.id)`,
    ...conditions,
  ]
  return sql`
    SELECT v.id, a.id AS app_id, a.display_name, u.first_name || ' ' || u.last_name AS maker, a.description, a.homepage,
      a.scopes, v.number AS version, v.created_at,
      v.contents -> '$.listing' AS listing, v.contents -> '$.scope_reasons' AS scope_reasons,
      (SELECT json_group_array(json_object('name', s.value ->> 'name', 'type', s.value ->> 'type',
        'placement', s.value ->> 'placement')) FROM json_each(v.contents, '$.scripts') s) AS scripts,
      ${projectsUsing(sql`a.id`)} AS projects
    FROM apps a JOIN users u ON u.id = a.user_id
    JOIN app_drafts d ON d.app_id = a.id JOIN app_versions v ON v.id = d.live_version_id
    WHERE ${sql.join(all, sql` AND `)} ORDER BY v.id DESC LIMIT ${most}`
}
