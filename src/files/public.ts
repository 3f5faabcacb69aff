import { and, eq, isNull } from 'drizzle-orm'
import { notFound } from '../errors.ts'
import type { Reader } from '../store/open.ts'
import { first } from '../store/rows.ts'
import { projects } from '../store/tables/accounts.ts'
import { app_images, files, type PictureType } from '../store/tables/files.ts'
import { publicName } from './address.ts'

/** A picture of a project or an app, as anyone may ask for it. */
interface PublicPicture {
  type: PictureType
  read(): Promise<Uint8Array<ArrayBuffer>>
}

/** Throws NOT_FOUND for a name that no picture has, and for pictures of deleted projects. */
export async function getPublicPicture(db: Reader, name: string): Promise<PublicPicture> {
  const [, address = ''] = /^([0-9a-f]{32})\.\w+$/.exec(name) ?? []
  const found = (await fileAt(db, address)) ?? (await imageAt(db, address))
  if (!found || publicName({ address, type: found.type }) !== name) throw notFound('file')
  const { id, type, table } = found
  return {
    type,
    async read() {
      const row = first(await db.select({ content: table.content }).from(table).where(eq(table.id, id)))
      if (!row) throw notFound('file')
      return new Uint8Array(row.content)
    },
  }
}

async function fileAt(db: Reader, address: string) {
  const rows = await db
    .select({ id: files.id, type: files.type })
    .from(files)
    .innerJoin(projects, and(eq(projects.id, files.project_id), isNull(projects.deleted_at)))
    .where(eq(files.address, address))
  const file = first(rows)
  return file && { ...file, table: files }
}

async function imageAt(db: Reader, address: string) {
  const { id, type } = app_images
  const image = first(await db.select({ id, type }).from(app_images).where(eq(app_images.address, address)))
  return image && { ...image, table: app_images }
}
