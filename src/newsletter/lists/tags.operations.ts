import type { ProjectId } from '../../ids.ts'
import { Type } from '@sinclair/typebox'
import { and, eq, sql } from 'drizzle-orm'
import { iso } from '../../clock.ts'
import { mutation, read } from '../../operation/declare.ts'
import { Cursor, Id, Limit, name, nullable, obj, Timestamp } from '../../schema.ts'
import { orConflict } from '../../store/constraint.ts'
import { jsonText } from '../../store/json-text.ts'
import type { Reader, Tx } from '../../store/open.ts'
import { isAfter, page } from '../../store/page.ts'
import { tags } from '../../store/tables/audience.ts'
import { nameKey, requireAll } from '../names.ts'
import { oneOrNotFound, one, withRows } from '../../store/rows.ts'
import { requireRoom } from '../../errors.ts'

export const MAX_TAGS = 2000
const NAME_TAKEN = 'Another tag has this name.'

const Tag = obj(
  { id: Id, name: Type.String(), color: Type.String(), created_at: Timestamp, updated_at: Timestamp },
  { $id: 'Tag' },
)
const Color = Type.String({
  pattern: '^(#[0-9a-fA-F]{3}|#[0-9a-fA-F]{6}|[a-zA-Z]{0,20})$',
  description: '#rgb, #rrggbb or a CSS color name; empty for none',
})

export const listTags = read({
  path: '/tags/list',
  scope: 'read',
  summary: 'Lists the tags.',
  request: obj({ limit: Type.Optional(Limit), cursor: Type.Optional(Cursor) }),
  response: obj({ items: Type.Array(Tag), next_cursor: nullable(Type.String()) }),
  async run({ limit, cursor }, { db, keys, project_id }) {
    return page(
      { keys, operation: '/tags/list', project_id, filters: {}, cursor, limit },
      (after, most) =>
        db
          .select()
          .from(tags)
          .where(and(eq(tags.project_id, project_id), isAfter(after, tags)))
          .orderBy(tags.created_at, tags.id)
          .limit(most),
      toTag,
    )
  },
})

export const createTag = mutation({
  path: '/tags/create',
  scope: 'write',
  audit: { target: { answer: 'tag' } },
  errors: ['CONFLICT', 'INVALID_STATE'],
  summary: 'Creates a tag.',
  request: obj({ name: name(100), color: Type.Optional(Color) }),
  response: obj({ tag: Tag }),
  async run({ name, color = '' }, { tx, project_id, now }) {
    return { tag: toTag(await insertTag(tx, project_id, { name, color, now })) }
  },
})

export const updateTag = mutation({
  path: '/tags/update',
  scope: 'write',
  audit: { target: { kind: 'tag', input: 'tag_id' }, changes: true },
  errors: ['CONFLICT'],
  summary: 'Changes the name or color of a tag.',
  request: obj({ tag_id: Id, name: Type.Optional(name(100)), color: Type.Optional(Color) }),
  response: obj({ tag: Tag }),
  async run({ tag_id, name, color }, { tx, project_id, now }) {
    const tag = await getTag(tx, project_id, tag_id)
    const changed = await orConflict(
      tx
        .update(tags)
        .set({
          ...(name === undefined ? {} : { name: name.trim(), name_key: nameKey(name) }),
          color: color ?? tag.color,
          updated_at: now,
        })
        .where(eq(tags.id, tag_id))
        .returning(),
      { name_key: '/name' },
      NAME_TAKEN,
    )
    return { tag: toTag(one(changed)) }
  },
})

export const deleteTag = mutation({
  path: '/tags/delete',
  scope: 'write',
  audit: { target: { kind: 'tag', input: 'tag_id' } },
  summary: 'Deletes a tag and removes it from all contacts.',
  request: obj({ tag_id: Id }),
  response: obj({ tag: Tag }),
  async run({ tag_id }, { tx, project_id, now }) {
    const tag = await getTag(tx, project_id, tag_id)
    await tx.run(sql`
      UPDATE contacts SET updated_at = ${now}
      WHERE id IN (SELECT contact_id FROM contact_tags WHERE tag_id = ${tag_id})`)
    await tx.delete(tags).where(eq(tags.id, tag_id))
    return { tag: toTag(tag) }
  },
})

/** Throws NOT_FOUND, pointing below `path`, for the first tag that the project does not have. */
export async function requireTags(
  db: Reader,
  project_id: ProjectId,
  tag_ids: readonly number[],
  path = '/tag_ids',
): Promise<void> {
  requireAll('tag', path, tag_ids, await findTags(db, project_id, tag_ids))
}

/** Returns the given tags that exist in the project. */
export async function findTags(
  db: Reader,
  project_id: ProjectId,
  tag_ids: readonly number[],
): Promise<{ id: number }[]> {
  if (tag_ids.length === 0) return []
  return db.all(
    sql`
      SELECT id FROM tags WHERE project_id = ${project_id}
        AND id IN (SELECT value FROM json_each(${jsonText(tag_ids)}))`,
  )
}

/** The tag with this name; creates it when there is none. */
export async function tagNamed(tx: Tx, project_id: ProjectId, name: string, now: number): Promise<{ id: number }> {
  const [known] = await tx
    .select({ id: tags.id })
    .from(tags)
    .where(and(eq(tags.project_id, project_id), eq(tags.name_key, nameKey(name))))
  return known ?? insertTag(tx, project_id, { name, color: '', now })
}

/**
 * The ids of the tags with these names, by the key of the name. Missing ones are created with `create`, as far as the
 * project has room for them.
 */
export async function tagsNamed(
  tx: Tx,
  project_id: ProjectId,
  names: readonly string[],
  { create, now }: { create: boolean; now: number },
): Promise<Map<string, number>> {
  const byKey = new Map(names.toReversed().map((name) => [nameKey(name), name.trim()]))
  if (byKey.size === 0) return new Map()
  const find = () =>
    tx.all<{ name_key: string; id: number }>(sql`
      SELECT name_key, id FROM tags
      WHERE project_id = ${project_id} AND name_key IN (SELECT value FROM json_each(${jsonText([...byKey.keys()])}))`)
  let found = await find()
  if (create && found.length < byKey.size) {
    for (const { name_key } of found) byKey.delete(name_key)
    const room = Math.max(0, MAX_TAGS - (await tx.$count(tags, eq(tags.project_id, project_id))))
    await tx.run(sql`
      ${withRows([...byKey].toReversed().slice(0, room))}
      INSERT INTO tags (project_id, name, name_key, created_at, updated_at)
      SELECT ${project_id}, v->>1, v->>0, ${now}, ${now} FROM r`)
    for (const { name_key } of found) byKey.set(name_key, name_key)
    found = await find()
  }
  return new Map(found.map(({ name_key, id }) => [name_key, id]))
}

type Row = typeof tags.$inferSelect

async function insertTag(
  tx: Tx,
  project_id: ProjectId,
  { name, color, now }: { name: string; color: string; now: number },
): Promise<Row> {
  requireRoom(await tx.$count(tags, eq(tags.project_id, project_id)), MAX_TAGS, 'tags')
  const row = { project_id, name: name.trim(), name_key: nameKey(name), color, created_at: now, updated_at: now }
  return one(await orConflict(tx.insert(tags).values(row).returning(), { name_key: '/name' }, NAME_TAKEN))
}

/** Throws NOT_FOUND, pointing at `tag_id`, for a tag that the project does not have. */
export async function getTag(db: Reader, project_id: ProjectId, tag_id: number): Promise<Row> {
  return oneOrNotFound(
    await db
      .select()
      .from(tags)
      .where(and(eq(tags.project_id, project_id), eq(tags.id, tag_id))),
    'tag',
    '/tag_id',
  )
}

function toTag({ id, name, color, created_at, updated_at }: Row) {
  return { id, name, color, created_at: iso(created_at), updated_at: iso(updated_at) }
}
