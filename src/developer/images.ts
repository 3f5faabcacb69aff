import { type Static, Type } from '@sinclair/typebox'
import { and, desc, eq, sql } from 'drizzle-orm'
import { iso } from '../clock.ts'
import { AppError } from '../errors.ts'
import { addressOf, urlOf } from '../files/address.ts'
import { PICTURE_FIELDS } from '../files/files.ts'
import type { Picture } from '../files/picture.ts'
import { Id, obj } from '../schema.ts'
import type { Reader, Tx } from '../store/open.ts'
import { first, hasRows, one, oneOrNotFound } from '../store/rows.ts'
import { app_drafts, app_versions } from '../store/tables/developer.ts'
import { app_images } from '../store/tables/files.ts'

/** Pictures for the listing of an app: its icon and screenshots (docs/api/files.md#pictures-of-apps). */

const MAX_IMAGES = 20
const MAX_BYTES = 20 * 1024 ** 2

export const ImageRecord = obj({ id: Id, name: Type.String(), ...PICTURE_FIELDS })
type Image = Omit<typeof app_images.$inferSelect, 'content' | 'app_id'>

/**
 * Adds a picture to an app. One that the app has already stays as it is. INVALID_STATE when it has as many as it may.
 */
export async function addImage(
  tx: Tx,
  app_id: string,
  { picture: { bytes: content, ...picture }, name }: { picture: Picture; name: string },
  now: number,
): Promise<Image> {
  const address = addressOf(app_id, { bytes: content })
  const known = first(await tx.select(LISTED).from(app_images).where(eq(app_images.address, address)))
  if (known) return known
  const present = await listImages(tx, app_id)
  const bytes = present.reduce((sum, image) => sum + image.bytes, content.length)
  if (present.length >= MAX_IMAGES || bytes > MAX_BYTES)
    throw new AppError('INVALID_STATE', `An app has at most ${MAX_IMAGES} pictures of together ${MAX_BYTES} bytes.`)
  const values = { app_id, address, name, ...picture, bytes: content.length, created_at: now, content }
  return one(await tx.insert(app_images).values(values).returning(LISTED))
}

/** The pictures of an app, newest first. */
export function listImages(db: Reader, app_id: string): Promise<Image[]> {
  return db.select(LISTED).from(app_images).where(eq(app_images.app_id, app_id)).orderBy(desc(app_images.id))
}

/** Deletes a picture. CONFLICT while the draft or a version of the listing shows it. */
export async function deleteImage(tx: Tx, app_id: string, image_id: number): Promise<void> {
  const own = and(eq(app_images.app_id, app_id), eq(app_images.id, image_id))
  const { address } = oneOrNotFound(await tx.delete(app_images).where(own).returning(LISTED), 'picture')
  const uses = await tx.all(sql`
    SELECT 1 FROM ${app_drafts} WHERE app_id = ${app_id} AND instr(listing, ${address}) > 0
    UNION ALL SELECT 1 FROM ${app_versions} WHERE app_id = ${app_id} AND instr(contents, ${address}) > 0 LIMIT 1`)
  if (hasRows(uses)) throw new AppError('CONFLICT', 'The listing shows the picture, in its draft or in a version.')
}

export function imageRecord(base_url: string, image: Image): Static<typeof ImageRecord> {
  const { id, name, type, width, height, bytes, created_at } = image
  return { id, name, url: urlOf(base_url, image), type, width, height, bytes, created_on: iso(created_at) }
}

const LISTED = {
  id: app_images.id,
  address: app_images.address,
  name: app_images.name,
  type: app_images.type,
  width: app_images.width,
  height: app_images.height,
  bytes: app_images.bytes,
  created_at: app_images.created_at,
}
