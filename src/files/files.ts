import { type Static, Type } from '@sinclair/typebox'
import { and, desc, eq, sql } from 'drizzle-orm'
import { iso } from '../clock.ts'
import { AppError } from '../errors.ts'
import type { ProjectId } from '../ids.ts'
import { requireUsage, USAGE_LIMITS } from '../projects/usage.ts'
import { Cursor, enumOf, Id, Limit, line, name, nullable, obj, Timestamp } from '../schema.ts'
import type { Keys } from '../secrets.ts'
import type { Reader, Store, Tx } from '../store/open.ts'
import { type Page, page } from '../store/page.ts'
import { first, one, oneOrNotFound } from '../store/rows.ts'
import { CAMPAIGN_STATUSES } from '../store/tables/delivery.ts'
import { files, PICTURE_TYPES } from '../store/tables/files.ts'
import { urlOf } from './address.ts'
import type { Picture } from './picture.ts'

/** The pictures of a project, for its letters and pages (docs/api/files.md). */

export const FileName = name(200)
/** The text alternative of a picture; empty for a decorative one. */
export const AltText = line(500)

/** Fields that the API returns for every picture, of a project or of an app. */
export const PICTURE_FIELDS = {
  url: Type.String(),
  type: enumOf(PICTURE_TYPES),
  width: Type.Integer(),
  height: Type.Integer(),
  bytes: Type.Integer(),
  created_on: Timestamp,
}

/** A file as the API shows it. */
export const FileRecord = obj({ id: Id, name: Type.String(), alt: Type.String(), ...PICTURE_FIELDS })

const USES = ['campaign', 'template', 'settings', 'post', 'page'] as const

export const FileUse = obj({
  type: enumOf(USES, { description: 'settings: the logo of the newsletter.' }),
  /** Null for the settings. */
  id: nullable(Id),
  name: Type.String(),
  /** Of a campaign. */
  status: nullable(enumOf(CAMPAIGN_STATUSES)),
})

type ListedFile = Omit<typeof files.$inferSelect, 'content' | 'project_id'>
const LISTED = {
  id: files.id,
  address: files.address,
  name: files.name,
  alt: files.alt,
  type: files.type,
  width: files.width,
  height: files.height,
  bytes: files.bytes,
  created_at: files.created_at,
}

interface NewFile {
  picture: Picture
  name: string
  alt: string
}

/**
 * Adds a picture to a project. A picture that the project has already stays as it is. INVALID_STATE when the project
 * holds as many files as it may.
 */
export async function addFile(
  tx: Tx,
  { project_id, address, most, now }: { project_id: ProjectId; address: string; most: number; now: number },
  { picture: { bytes: content, ...picture }, name, alt }: NewFile,
): Promise<ListedFile> {
  const known = first(await tx.select(LISTED).from(files).where(eq(files.address, address)))
  if (known) return known
  const values = { project_id, address, name, alt, ...picture, bytes: content.length, created_at: now, content }
  const file = one(await tx.insert(files).values(values).returning(LISTED))
  await requireUsage(tx, project_id, { ...USAGE_LIMITS.files, rows: most })
  return file
}

export const FileQuery = obj({ limit: Type.Optional(Limit), cursor: Type.Optional(Cursor) })

/** One page of the files of a project, newest first. Throws INVALID_CURSOR. */
export async function listFiles(
  { db, keys, base_url }: { db: Reader; keys: Keys; base_url: string },
  project_id: ProjectId,
  { limit, cursor }: Static<typeof FileQuery>,
): Promise<Page<Static<typeof FileRecord>>> {
  const { id, created_at } = files
  return page(
    { keys, operation: 'files/list', project_id, filters: {}, cursor, limit },
    (after, most) =>
      db
        .select(LISTED)
        .from(files)
        .where(
          and(
            eq(files.project_id, project_id),
            after === null ? undefined : sql`(${created_at}, ${id}) < (${after.created_at}, ${after.id})`,
          ),
        )
        .orderBy(desc(created_at), desc(id))
        .limit(most),
    (file) => fileRecord(base_url, file),
  )
}

export async function getFile(db: Reader, project_id: ProjectId, file_id: number): Promise<ListedFile> {
  return oneOrNotFound(await db.select(LISTED).from(files).where(isFile(project_id, file_id)), 'file', '/file_id')
}

export async function updateFile(
  tx: Tx,
  { project_id, file_id }: { project_id: ProjectId; file_id: number },
  changes: { name?: string | undefined; alt?: string | undefined },
): Promise<ListedFile> {
  const { name, alt } = { ...(await getFile(tx, project_id, file_id)), ...changes }
  return one(await tx.update(files).set({ name, alt }).where(isFile(project_id, file_id)).returning(LISTED))
}

export async function deleteFile(tx: Tx, project_id: ProjectId, file_id: number): Promise<void> {
  oneOrNotFound(
    await tx.delete(files).where(isFile(project_id, file_id)).returning({ id: files.id }),
    'file',
    '/file_id',
  )
}

function isFile(project_id: ProjectId, file_id: number) {
  return and(eq(files.project_id, project_id), eq(files.id, file_id))
}

/** Most uses that are named. */
const MAX_USES = 20

type Use = Static<typeof FileUse>

/** The first things of a project that name a file. It reads all documents, pages and posts of the project. */
export function usesOf(
  { heavy }: Pick<Store, 'heavy'>,
  project_id: ProjectId,
  { address }: Pick<ListedFile, 'address'>,
): Promise<Use[]> {
  const naming = (column: string) => sql`project_id = ${project_id} AND instr(${sql.raw(column)}, ${address}) > 0`
  return heavy<Use>(sql`
    SELECT 'campaign' AS type, id, name, status FROM campaigns WHERE ${naming('editor_json')} AND deleted_at IS NULL
    UNION ALL SELECT 'template', id, name, NULL FROM templates WHERE ${naming('editor_json')}
    UNION ALL SELECT 'settings', NULL, '', NULL FROM newsletter_settings WHERE ${naming('logo_url')}
    UNION ALL SELECT 'post', id, title, NULL FROM cms_posts WHERE ${naming('content')}
    UNION ALL SELECT 'page', id, title, NULL FROM pages WHERE ${naming('html')}
    LIMIT ${MAX_USES}`)
}

/** CONFLICT when something of the project shows the file, which it names. */
export async function requireUnused(
  store: Pick<Store, 'heavy'>,
  project_id: ProjectId,
  file: Pick<ListedFile, 'address'>,
): Promise<void> {
  const [use, ...others] = await usesOf(store, project_id, file)
  if (!use) return
  const first_use = use.type === 'settings' ? 'the logo of the newsletter' : `the ${use.type} "${use.name}"`
  const more = others.length === 0 ? '' : ` and ${others.length} more`
  throw new AppError(
    'CONFLICT',
    `The file is used by ${first_use}${more}. With force it is deleted all the same; letters that were sent show it ` +
      'no more.',
  )
}

export function fileRecord(base_url: string, file: ListedFile): Static<typeof FileRecord> {
  const { id, name, alt, type, width, height, bytes, created_at } = file
  return {
    id,
    name,
    alt,
    url: urlOf(base_url, file),
    type,
    width,
    height,
    bytes,
    created_on: iso(created_at),
  }
}
