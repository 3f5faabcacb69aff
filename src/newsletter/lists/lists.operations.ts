import type { ProjectId } from '../../ids.ts'
import { Type } from '@sinclair/typebox'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { iso } from '../../clock.ts'
import { AppError, requireRoom } from '../../errors.ts'
import { mutation, read } from '../../operation/declare.ts'
import { Cursor, Id, Limit, name, nullable, obj, prose, Timestamp } from '../../schema.ts'
import { orConflict } from '../../store/constraint.ts'
import type { Reader } from '../../store/open.ts'
import { isAfter, page } from '../../store/page.ts'
import { lists } from '../../store/tables/audience.ts'
import { audienceNames, campaignsUsing } from '../campaigns-using.ts'
import { nameKey } from '../names.ts'
import { oneOrNotFound, one } from '../../store/rows.ts'

const MAX_LISTS = 1000
const NAME_TAKEN = 'Another list has this name.'

const List = obj(
  {
    id: Id,
    name: Type.String(),
    description: Type.String(),
    double_opt_in: Type.Boolean(),
    public: Type.Boolean(),
    archived: Type.Boolean(),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { $id: 'List' },
)

const settings = {
  description: Type.Optional(prose(1000)),
  double_opt_in: Type.Optional(Type.Boolean({ description: 'New members must confirm their subscription.' })),
  public: Type.Optional(
    Type.Boolean({ description: 'Contacts see it in their preferences, and anybody may sign up for it.' }),
  ),
}

export const listLists = read({
  path: '/lists/list',
  scope: 'read',
  summary: 'Lists the lists, archived ones only with include_archived.',
  request: obj({
    include_archived: Type.Optional(Type.Boolean()),
    limit: Type.Optional(Limit),
    cursor: Type.Optional(Cursor),
  }),
  response: obj({ items: Type.Array(List), next_cursor: nullable(Type.String()) }),
  async run({ include_archived = false, limit, cursor }, { db, keys, project_id }) {
    return page(
      { keys, operation: '/lists/list', project_id, filters: { include_archived }, cursor, limit },
      (after, most) =>
        db
          .select()
          .from(lists)
          .where(
            and(
              eq(lists.project_id, project_id),
              include_archived ? undefined : isNull(lists.archived_at),
              isAfter(after, lists),
            ),
          )

          .orderBy(lists.created_at, lists.id)
          .limit(most),
      toList,
    )
  },
})

export const createList = mutation({
  path: '/lists/create',
  scope: 'write',
  audit: { target: { answer: 'list' } },
  errors: ['CONFLICT', 'INVALID_STATE'],
  summary: 'Creates a list.',
  request: obj({ name: name(100), ...settings }),
  response: obj({ list: List }),
  async run({ name, description = '', double_opt_in = false, public: isPublic = true }, { tx, project_id, now }) {
    requireRoom(await tx.$count(lists, eq(lists.project_id, project_id)), MAX_LISTS, 'lists')
    const row = {
      project_id,
      name: name.trim(),
      name_key: nameKey(name),
      description,
      double_opt_in,
      public: isPublic,
      created_at: now,
      updated_at: now,
    }
    const made = await orConflict(tx.insert(lists).values(row).returning(), { name_key: '/name' }, NAME_TAKEN)
    return { list: toList(one(made)) }
  },
})

export const updateList = mutation({
  path: '/lists/update',
  scope: 'write',
  audit: { target: { kind: 'list', input: 'list_id' }, changes: true },
  errors: ['CONFLICT'],
  summary: 'Changes a list. Switching double opt-in leaves members as they are; archiving only hides the list.',
  request: obj({ list_id: Id, name: Type.Optional(name(100)), ...settings, archived: Type.Optional(Type.Boolean()) }),
  response: obj({ list: List }),
  async run({ list_id, name, archived, ...rest }, { tx, project_id, now }) {
    const list = await getList(tx, project_id, list_id)
    const changed = await orConflict(
      tx
        .update(lists)
        .set({
          ...rest,
          ...(name === undefined ? {} : { name: name.trim(), name_key: nameKey(name) }),
          ...(archived === undefined ? {} : { archived_at: archived ? (list.archived_at ?? now) : null }),
          updated_at: now,
        })
        .where(eq(lists.id, list_id))
        .returning(),
      { name_key: '/name' },
      NAME_TAKEN,
    )
    return { list: toList(one(changed)) }
  },
})

export const deleteList = mutation({
  path: '/lists/delete',
  scope: 'admin',
  audit: { target: { kind: 'list', input: 'list_id' } },
  errors: ['CONFLICT'],
  summary:
    'Deletes a list and its memberships. The contacts stay. Refused while a campaign that has not ended ' +
    'uses the list, a draft included.',
  request: obj({ list_id: Id }),
  response: obj({ list: List }),
  async run({ list_id }, { tx, project_id, now }) {
    const list = await getList(tx, project_id, list_id)
    const campaign_ids = await campaignsUsing(tx, project_id, audienceNames('list', list_id), { drafts: true })
    if (campaign_ids.length > 0)
      throw new AppError('CONFLICT', 'A campaign that has not ended uses this list.', { details: { campaign_ids } })
    await tx.run(sql`
      UPDATE contacts SET updated_at = ${now}
      WHERE id IN (SELECT contact_id FROM memberships WHERE list_id = ${list_id})`)
    await tx.delete(lists).where(eq(lists.id, list_id))
    return { list: toList(list) }
  },
})

type Row = typeof lists.$inferSelect

async function getList(db: Reader, project_id: ProjectId, list_id: number): Promise<Row> {
  return oneOrNotFound(
    await db
      .select()
      .from(lists)
      .where(and(eq(lists.project_id, project_id), eq(lists.id, list_id))),
    'list',
    '/list_id',
  )
}

function toList({ id, name, description, double_opt_in, public: isPublic, archived_at, created_at, updated_at }: Row) {
  return {
    id,
    name,
    description,
    double_opt_in,
    public: isPublic,
    archived: archived_at !== null,
    created_at: iso(created_at),
    updated_at: iso(updated_at),
  }
}
