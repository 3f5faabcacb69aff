import { and, asc, eq, inArray } from 'drizzle-orm'
import { createCache } from '../cache.ts'
import { AppError, invalid } from '../errors.ts'
import type { ProjectId } from '../ids.ts'
import { createSharedWork } from '../shared-work.ts'
import { requireUsage, USAGE_LIMITS } from '../projects/usage.ts'
import { first, one, oneOrNotFound } from '../store/rows.ts'
import type { Reader, Tx } from '../store/open.ts'
import { MAX_VALUE_BYTES } from '../store/store.ts'
import { site_files } from '../store/tables/sites.ts'
import { requestedPaths, requirePagePath } from './paths.ts'

/** Style sheets, pictures, fonts and other files of a site, by path (docs/api/sites.md#files-of-a-site). */

export const MAX_FILE_BYTES = MAX_VALUE_BYTES

interface FileType {
  type: string
  /** Whether bytes begin as files of the type do. */
  is(bytes: Uint8Array): boolean
}

const begins =
  (...starts: string[]) =>
  (bytes: Uint8Array): boolean => {
    const head = Buffer.from(bytes.subarray(0, 12)).toString('latin1')
    return starts.some((start) => head.startsWith(start))
  }
const isWebp = (bytes: Uint8Array): boolean =>
  /^RIFF[^]{4}WEBP$/.test(Buffer.from(bytes.subarray(0, 12)).toString('latin1'))

function isText(bytes: Uint8Array): boolean {
  try {
    return !new TextDecoder('utf-8', { fatal: true }).decode(bytes).includes('\0')
  } catch {
    return false
  }
}

const JPEG: FileType = { type: 'image/jpeg', is: begins('\xFF\xD8\xFF') }

/**
 * File types by extension. Scripts are not allowed: on the service's own address they would run with its rights
 * (docs/security.md).
 */
const TYPES: Readonly<Record<string, FileType>> = {
  css: { type: 'text/css; charset=utf-8', is: isText },
  txt: { type: 'text/plain; charset=utf-8', is: isText },
  xml: { type: 'application/xml', is: isText },
  json: { type: 'application/json', is: isText },
  svg: { type: 'image/svg+xml', is: isText },
  png: { type: 'image/png', is: begins('\x89PNG\r\n\x1A\n') },
  jpg: JPEG,
  jpeg: JPEG,
  gif: { type: 'image/gif', is: begins('GIF87a', 'GIF89a') },
  webp: { type: 'image/webp', is: isWebp },
  ico: { type: 'image/x-icon', is: begins('\0\0\x01\0') },
  woff2: { type: 'font/woff2', is: begins('wOF2') },
}

/** The type of the files with a name, or null where a site has no such files. */
export function typeOf(name: string): FileType | null {
  const [, extension = ''] = /\.(\w+)$/.exec(name) ?? []
  return Object.hasOwn(TYPES, extension.toLowerCase()) ? TYPES[extension.toLowerCase()]! : null
}

/** A file without its content. */
export type SiteFile = Pick<
  typeof site_files.$inferSelect,
  'id' | 'path' | 'type' | 'bytes' | 'hash' | 'created_at' | 'updated_at'
>

/** A path and content that fit each other. */
interface NewSiteFile {
  path: string
  type: string
  hash: string
  content: Uint8Array<ArrayBuffer>
}

/**
 * Checks a file before it is stored. VALIDATION_FAILED for a path that cannot be served or bytes that are not what its
 * extension says, UNSUPPORTED_MEDIA_TYPE for an extension that a site does not have.
 */
export function readSiteFile(given: string, content: Uint8Array<ArrayBuffer>): NewSiteFile {
  const path = requirePagePath(given)
  const found = typeOf(path)
  if (!found) throw new AppError('UNSUPPORTED_MEDIA_TYPE', `A file of a site ends in ${Object.keys(TYPES).join(', ')}.`)
  if (content.length > MAX_FILE_BYTES)
    throw new AppError('PAYLOAD_TOO_LARGE', `A file has at most ${MAX_FILE_BYTES} bytes.`)
  if (!found.is(content)) throw invalid('/file', 'The file is not what its extension says.')
  return { path, type: found.type, hash: new Bun.CryptoHasher('sha256').update(content).digest('hex'), content }
}

/** The outcome: the file is new at its path, replaced another one, or was there already. */
export type FileChange = 'created' | 'updated' | 'unchanged'

/** Stores a file, in place of the one at its path. INVALID_STATE when the project holds as many files as it may. */
export async function putSiteFile(
  tx: Tx,
  project_id: ProjectId,
  { path, type, hash, content }: NewSiteFile,
  now: number,
): Promise<{ file: SiteFile; outcome: FileChange }> {
  const known = first(
    await tx
      .select(LISTED)
      .from(site_files)
      .where(at(project_id, [path])),
  )
  if (known?.hash === hash) return { file: known, outcome: 'unchanged' }
  const fields = { type, hash, content, bytes: content.length, updated_at: now }
  const file = one(
    known
      ? await tx.update(site_files).set(fields).where(eq(site_files.id, known.id)).returning(LISTED)
      : await tx
          .insert(site_files)
          .values({ project_id, path, created_at: now, ...fields })
          .returning(LISTED),
  )
  await requireUsage(tx, project_id, USAGE_LIMITS.site_files)
  return { file, outcome: known ? 'updated' : 'created' }
}

/** All files of a site (at most 5,000), ordered by path. */
export function listSiteFiles(db: Reader, project_id: ProjectId): Promise<SiteFile[]> {
  return db.select(LISTED).from(site_files).where(eq(site_files.project_id, project_id)).orderBy(asc(site_files.path))
}

export async function deleteSiteFile(tx: Tx, project_id: ProjectId, file_id: number): Promise<void> {
  const own = and(eq(site_files.project_id, project_id), eq(site_files.id, file_id))
  oneOrNotFound(await tx.delete(site_files).where(own).returning({ id: site_files.id }), 'file', '/file_id')
}

/** The hash of the file at a path, or null. */
export async function hashAt(db: Reader, project_id: ProjectId, path: string): Promise<string | null> {
  return (
    first(
      await db
        .select(LISTED)
        .from(site_files)
        .where(at(project_id, [path])),
    )?.hash ?? null
  )
}

/** A file as it is served to visitors. */
export interface ServedFile {
  kind: 'file'
  type: string
  /** A hash of the content. */
  version: string
  bytes: Uint8Array<ArrayBuffer>
  /** The headers of a page without scripts; those of a file that somebody uploaded when left out. */
  headers?: Record<string, string>
}

/** Contents by their hash, shared by all requests. */
const contents = createCache<string, Uint8Array<ArrayBuffer>>({
  max_size: 32 * 1024 * 1024,
  largest: MAX_VALUE_BYTES,
  sizeOf: ({ length }) => length,
})

const reading = createSharedWork<Uint8Array<ArrayBuffer> | null>()

/** Runs a read of so many bytes when memory has room for them; throws TOO_MANY_UNREAD when it has none. */
export type Admit = <T>(bytes: number, read: () => Promise<T>) => Promise<T>

export const admitAll: Admit = (_, read) => read()

/** The file at a requested path, or null. */
export async function siteFileAt(
  db: Reader,
  project_id: ProjectId,
  pathname: string,
  admit: Admit = admitAll,
): Promise<ServedFile | null> {
  const paths = requestedPaths(pathname).filter((path) => typeOf(path) !== null)
  if (paths.length === 0) return null
  const { id, type, hash, bytes: size } = site_files
  const found = first(await db.select({ id, type, hash, size }).from(site_files).where(at(project_id, paths)))
  if (!found) return null
  const read = async () => contents.get(found.hash) ?? (await reading(found.hash, () => contentOf(db, found.id)))
  const bytes = contents.get(found.hash) ?? (await admit(found.size, read))
  if (!bytes) return null
  contents.set(found.hash, bytes)
  return { kind: 'file', type: found.type, version: found.hash.slice(0, 32), bytes }
}

async function contentOf(db: Reader, file_id: number): Promise<Uint8Array<ArrayBuffer> | null> {
  const row = first(await db.select({ content: site_files.content }).from(site_files).where(eq(site_files.id, file_id)))
  return row ? new Uint8Array(row.content) : null
}

function at(project_id: ProjectId, paths: readonly string[]) {
  return and(eq(site_files.project_id, project_id), inArray(site_files.path, [...paths]))
}

const LISTED = {
  id: site_files.id,
  path: site_files.path,
  type: site_files.type,
  bytes: site_files.bytes,
  hash: site_files.hash,
  created_at: site_files.created_at,
  updated_at: site_files.updated_at,
}
