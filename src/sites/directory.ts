import type { ProjectId } from '../ids.ts'
import { type Static, Type } from '@sinclair/typebox'
import { and, asc, eq, sql } from 'drizzle-orm'
import { invalid } from '../errors.ts'
import { requireUsage, USAGE_LIMITS } from '../projects/usage.ts'
import { Limit, name, obj } from '../schema.ts'
import { orConflict } from '../store/constraint.ts'
import { one, oneOrNotFound } from '../store/rows.ts'
import type { Reader, Store, Tx } from '../store/open.ts'
import { DEFAULT_LIMIT } from '../store/page.ts'
import { directory_items, type ItemFields, type JsonValue } from '../store/tables/sites.ts'
import { slugOf } from '../projects/slugs.ts'
import { MAX_SLUG, Slug } from './slugs.ts'

/** The most directories that a list of directories holds. */
const MAX_DIRECTORIES = 1000
const MAX_FIELDS_BYTES = 64 * 1024

/**
 * A directory is a list that a site shows, such as shops, people or events. `directory` names the list, and the owner
 * chooses the `fields` of its items (docs/api/sites.md#directory).
 */
export const NewItem = obj({
  directory: name(100),
  title: name(300),
  slug: Type.Optional(Slug),
  fields: Type.Optional(
    Type.Record(Type.String(), Type.Unsafe<JsonValue>(Type.Unknown()), {
      maxProperties: 100,
    }),
  ),
})
type NewItem = Static<typeof NewItem>

export const ItemQuery = obj({
  directory: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  limit: Type.Optional(Limit),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
})

export type Item = Omit<typeof directory_items.$inferSelect, 'project_id'>

/** Creates an item. The slug defaults to one made from the title. Throws CONFLICT when the directory already has it. */
export async function createItem(
  tx: Tx,
  project_id: ProjectId,
  { directory, title, slug, fields = {} }: NewItem,
  now: number,
): Promise<Item> {
  const row = {
    project_id,
    directory: directory.trim(),
    title: title.trim(),
    slug: slug ?? slugOf(title, MAX_SLUG),
    fields: checkSize(fields),
    created_at: now,
    updated_at: now,
  }
  const item = one(await orConflict(tx.insert(directory_items).values(row).returning(ITEM), ...SLUG_IN_USE))
  await requireUsage(tx, project_id, USAGE_LIMITS.directory_items)
  return item
}

/** Changes the given properties; `fields` replaces all. Throws NOT_FOUND, or CONFLICT when the slug is in use. */
export async function updateItem(
  tx: Tx,
  { project_id, item_id }: { project_id: ProjectId; item_id: number },
  { directory, title, slug, fields }: Partial<NewItem>,
  now: number,
): Promise<Item> {
  const item = oneOrNotFound(
    await orConflict(
      tx
        .update(directory_items)
        .set({
          ...(directory === undefined ? {} : { directory: directory.trim() }),
          ...(title === undefined ? {} : { title: title.trim() }),
          ...(slug === undefined ? {} : { slug }),
          ...(fields === undefined ? {} : { fields: checkSize(fields) }),
          updated_at: now,
        })
        .where(own(project_id, item_id))
        .returning(ITEM),
      ...SLUG_IN_USE,
    ),
    'directory item',
    '/item_id',
  )
  await requireUsage(tx, project_id, USAGE_LIMITS.directory_items)
  return item
}

export async function deleteItem(tx: Tx, project_id: ProjectId, item_id: number): Promise<void> {
  oneOrNotFound(
    await tx.delete(directory_items).where(own(project_id, item_id)).returning({ id: directory_items.id }),
    'directory item',
    '/item_id',
  )
}

export async function getItem(db: Reader, project_id: ProjectId, item_id: number): Promise<Item> {
  return oneOrNotFound(
    await db.select(ITEM).from(directory_items).where(own(project_id, item_id)),
    'directory item',
    '/item_id',
  )
}

/** One page of the items of a project, or of one of its directories, oldest first. */
export async function listItems(
  db: Reader,
  project_id: ProjectId,
  { directory, limit = DEFAULT_LIMIT, offset = 0 }: Static<typeof ItemQuery>,
): Promise<Item[]> {
  return db
    .select(ITEM)
    .from(directory_items)
    .where(
      and(
        eq(directory_items.project_id, project_id),
        directory === undefined ? undefined : eq(directory_items.directory, directory),
      ),
    )
    .orderBy(asc(directory_items.created_at), asc(directory_items.id))
    .limit(limit)
    .offset(offset)
}

/** The directories of a project with the numbers of their items, by name. */
export function listDirectories(
  { heavy }: Pick<Store, 'heavy'>,
  project_id: ProjectId,
): Promise<{ directory: string; items: number; updated_at: number }[]> {
  return heavy(sql`
    SELECT directory, count(*) AS items, max(updated_at) AS updated_at FROM directory_items
    WHERE project_id = ${project_id} GROUP BY directory ORDER BY directory LIMIT ${MAX_DIRECTORIES}`)
}

const ITEM = {
  id: directory_items.id,
  directory: directory_items.directory,
  title: directory_items.title,
  slug: directory_items.slug,
  fields: directory_items.fields,
  created_at: directory_items.created_at,
  updated_at: directory_items.updated_at,
}

function own(project_id: ProjectId, item_id: number) {
  return and(eq(directory_items.project_id, project_id), eq(directory_items.id, item_id))
}

function checkSize(fields: ItemFields): ItemFields {
  if (Buffer.byteLength(JSON.stringify(fields)) > MAX_FIELDS_BYTES)
    throw invalid('/fields', `The fields can have at most ${MAX_FIELDS_BYTES} bytes in total.`)
  return fields
}

const SLUG_IN_USE = [{ slug: '/slug' }, 'The directory has another item with this slug.'] as const
