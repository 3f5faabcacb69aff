import type { ProjectId } from '../ids.ts'
import { and, asc, eq, sql } from 'drizzle-orm'
import { invalid } from '../errors.ts'
import { requireUsage, USAGE_LIMITS } from '../projects/usage.ts'
import { orConflict } from '../store/constraint.ts'
import { one, oneOrNotFound, first } from '../store/rows.ts'
import type { Reader, Tx } from '../store/open.ts'
import { MAX_VALUE_BYTES } from '../store/store.ts'
import { type InsertionPoints, pages } from '../store/tables/sites.ts'
import { outlineOf } from './insertion-points.ts'
import { requirePagePath } from './paths.ts'

/** docs/api/limits.md#page-sizes */
export const MAX_PAGE_BYTES = MAX_VALUE_BYTES

export interface NewPage {
  path: string
  title: string
  published?: boolean
  document: Document
}

/** A page without its text. */
export interface HostedPage {
  id: number
  path: string
  title: string
  published: boolean
  created_at: number
  updated_at: number
}

/** A parsed document, as it is stored. */
export interface Document {
  html: string
  insertion_points: InsertionPoints
  /** The text of the title element; empty without one. */
  title: string
}

/**
 * Parses a document before it is saved. Parsing can be slow: call it outside any transaction.
 * Throws VALIDATION_FAILED at `/html` for a document that is too large, contains NUL or nests too deep.
 */
export async function readDocument(html: string): Promise<Document> {
  if (Buffer.byteLength(html) > MAX_PAGE_BYTES)
    throw invalid('/html', `A page can have at most ${MAX_PAGE_BYTES} bytes.`)
  if (html.includes('\0')) throw invalid('/html', 'A page cannot contain a NUL character.')
  // Lone surrogates are stored as U+FFFD; offsets must refer to the stored text.
  const stored = html.toWellFormed()
  const { points, title } = await outlineOf(stored)
  return { html: stored, insertion_points: points, title }
}

/** Creates a page. Throws CONFLICT when the path is in use, INVALID_STATE beyond the project's limit. */
export async function createPage(
  tx: Tx,
  project_id: ProjectId,
  { path, title, published = true, document }: NewPage,
  now: number,
): Promise<HostedPage> {
  const row = {
    project_id,
    path: requirePagePath(path),
    title: title.trim(),
    published,
    version: 1,
    html: document.html,
    insertion_points: document.insertion_points,
    created_at: now,
    updated_at: now,
  }
  const page = one(await orConflict(tx.insert(pages).values(row).returning(PAGE), ...PATH_IN_USE))
  await requireUsage(tx, project_id, USAGE_LIMITS.pages)
  return page
}

/** Changes the given properties. Throws NOT_FOUND, or as `createPage`. */
export async function updatePage(
  tx: Tx,
  { project_id, page_id }: { project_id: ProjectId; page_id: number },
  { path, title, document, published }: Partial<NewPage>,
  now: number,
): Promise<HostedPage> {
  const page = oneOrNotFound(
    await orConflict(
      tx
        .update(pages)
        .set({
          ...(path === undefined ? {} : { path: requirePagePath(path) }),
          ...(title === undefined ? {} : { title: title.trim() }),
          ...(published === undefined ? {} : { published }),
          ...(document === undefined
            ? {}
            : { html: document.html, insertion_points: document.insertion_points, version: sql`${pages.version} + 1` }),
          updated_at: sql`max(${now}, ${pages.updated_at} + 1)`,
        })
        .where(own(project_id, page_id))
        .returning(PAGE),
      ...PATH_IN_USE,
    ),
    'page',
    '/page_id',
  )
  await requireUsage(tx, project_id, USAGE_LIMITS.pages)
  return page
}

export async function deletePage(tx: Tx, project_id: ProjectId, page_id: number): Promise<void> {
  oneOrNotFound(await tx.delete(pages).where(own(project_id, page_id)).returning({ id: pages.id }), 'page', '/page_id')
}

export async function getPage(
  db: Reader,
  project_id: ProjectId,
  page_id: number,
): Promise<HostedPage & { html: string }> {
  return oneOrNotFound(
    await db
      .select({ ...PAGE, html: pages.html })
      .from(pages)
      .where(own(project_id, page_id)),
    'page',
    '/page_id',
  )
}

/** All pages of a project (at most 5,000) without their text, ordered by path. */
export async function listPages(db: Reader, project_id: ProjectId): Promise<HostedPage[]> {
  return db.select(PAGE).from(pages).where(eq(pages.project_id, project_id)).orderBy(asc(pages.path))
}

/** The page at a path, with its text, or null. */
export async function findPageAt(
  db: Reader,
  project_id: ProjectId,
  path: string,
): Promise<(HostedPage & { html: string }) | null> {
  return first(
    await db
      .select({ ...PAGE, html: pages.html })
      .from(pages)
      .where(and(eq(pages.project_id, project_id), eq(pages.path, path))),
  )
}

const PAGE = {
  id: pages.id,
  path: pages.path,
  title: pages.title,
  published: pages.published,
  created_at: pages.created_at,
  updated_at: pages.updated_at,
}

function own(project_id: ProjectId, page_id: number) {
  return and(eq(pages.project_id, project_id), eq(pages.id, page_id))
}

const PATH_IN_USE = [{ path: '/path' }, 'Another page has this path.'] as const
