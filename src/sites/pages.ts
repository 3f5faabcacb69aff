import type { ProjectId } from '../ids.ts'
import { and, asc, eq, sql } from 'drizzle-orm'
import { invalid, notFound } from '../errors.ts'
import { orConflict } from '../store/constraint.ts'
import type { Reader, Tx } from '../store/open.ts'
import { type InsertionPoints, pages } from '../store/tables/sites.ts'
import { outlineOf } from './insertion-points.ts'
import { requirePagePath } from './paths.ts'
import { requireRoom } from './refusals.ts'

export const MAX_PAGE_BYTES = 5 * 1024 * 1024
const MAX_PAGES = 5000

export interface NewPage {
  path: string
  title: string
  /** The whole document, raw. */
  html: string
  published?: boolean
}

/** A page as it is kept; its text is read on its own. */
export interface Page {
  id: number
  path: string
  title: string
  published: boolean
  created_at: number
  updated_at: number
}

/** A document that was read: what is stored of it. */
export interface Document {
  html: string
  insertion_points: InsertionPoints
  /** The text of its title element. */
  title: string
}

/**
 * Reads a document before it is saved. It may take a while, so it happens outside of any transaction.
 * VALIDATION_FAILED for one that is too large, holds NUL or nests without end.
 */
export async function readDocument(html: string): Promise<Document> {
  if (Buffer.byteLength(html) > MAX_PAGE_BYTES) throw invalid('/html', `A page has at most ${MAX_PAGE_BYTES} bytes.`)
  if (html.includes('\0')) throw invalid('/html', 'A page has no NUL character.')
  // What is not Unicode is stored as U+FFFD: the offsets are those of what is stored.
  const stored = html.toWellFormed()
  const { points, title } = await outlineOf(stored)
  return { html: stored, insertion_points: points, title }
}

/** CONFLICT when the project has a page with this path. */
export async function createPage(
  tx: Tx,
  project_id: ProjectId,
  page: Omit<NewPage, 'html'>,
  document: Document,
  now: number,
): Promise<Page> {
  const [count] = await tx.all<{ n: number }>(sql`SELECT count(*) AS n FROM pages WHERE project_id = ${project_id}`)
  requireRoom(count!.n, MAX_PAGES, 'pages')
  const row = {
    project_id,
    path: requirePagePath(page.path),
    title: page.title.trim(),
    published: page.published ?? true,
    version: 1,
    html: document.html,
    insertion_points: document.insertion_points,
    created_at: now,
    updated_at: now,
  }
  const [made] = await orConflict(tx.insert(pages).values(row).returning(PAGE), ...TAKEN)
  return made!
}

export interface PageChanges {
  path?: string
  title?: string
  document?: Document
  published?: boolean
}

/** Changes what is given. NOT_FOUND; CONFLICT when another page has the path. */
export async function updatePage(
  tx: Tx,
  project_id: ProjectId,
  page_id: number,
  { path, title, document, published }: PageChanges,
  now: number,
): Promise<Page> {
  const [changed] = await orConflict(
    tx
      .update(pages)
      .set({
        ...(path === undefined ? {} : { path: requirePagePath(path) }),
        ...(title === undefined ? {} : { title: title.trim() }),
        ...(published === undefined ? {} : { published }),
        ...(document === undefined
          ? {}
          : { html: document.html, insertion_points: document.insertion_points, version: sql`${pages.version} + 1` }),
        updated_at: now,
      })
      .where(own(project_id, page_id))
      .returning(PAGE),
    ...TAKEN,
  )
  if (!changed) throw notFound('page', '/page_id')
  return changed
}

export async function deletePage(tx: Tx, project_id: ProjectId, page_id: number): Promise<void> {
  const deleted = await tx.delete(pages).where(own(project_id, page_id)).returning({ id: pages.id })
  if (deleted.length === 0) throw notFound('page', '/page_id')
}

export async function getPage(db: Reader, project_id: ProjectId, page_id: number): Promise<Page & { html: string }> {
  const [page] = await db
    .select({ ...PAGE, html: pages.html })
    .from(pages)
    .where(own(project_id, page_id))
  if (!page) throw notFound('page', '/page_id')
  return page
}

/** All pages of a project by their path; at most 5,000, without their text. */
export async function listPages(db: Reader, project_id: ProjectId): Promise<Page[]> {
  return db.select(PAGE).from(pages).where(eq(pages.project_id, project_id)).orderBy(asc(pages.path))
}

/** By path, with its text; null when there is none. */
export async function findPageAt(
  db: Reader,
  project_id: ProjectId,
  path: string,
): Promise<(Page & { html: string }) | null> {
  const [page] = await db
    .select({ ...PAGE, html: pages.html })
    .from(pages)
    .where(and(eq(pages.project_id, project_id), eq(pages.path, path)))
  return page ?? null
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

const TAKEN = [{ path: '/path' }, 'Another page has this path.'] as const
