import type { ProjectId } from '../../ids.ts'
import { type Static, Type } from '@sinclair/typebox'
import { and, eq, sql } from 'drizzle-orm'
import { iso } from '../../clock.ts'
import { AppError, requireRoom } from '../../errors.ts'
import { mutation, read } from '../../operation/declare.ts'
import { Cursor, Id, Limit, name, nullable, obj, Timestamp } from '../../schema.ts'
import { orConflict } from '../../store/constraint.ts'
import { jsonText } from '../../store/json-text.ts'
import type { Reader } from '../../store/open.ts'
import { isAfter, page } from '../../store/page.ts'
import { one, oneOrNotFound } from '../../store/rows.ts'
import { segments } from '../../store/tables/segments.ts'
import { Contact, type Packed, packed, toContact, unpack } from '../contacts/contact.ts'
import { countWithSample } from '../contacts/contact-scan.ts'
import { audienceNames, campaignsUsing } from '../campaigns-using.ts'
import { nameKey } from '../names.ts'
import { RuleGroup } from './rules.ts'
import { requireRules, requireSavable, segmentsNaming } from './segment-rules.ts'

const MAX_SEGMENTS = 500
const SAMPLE = 10

const Segment = obj(
  { id: Id, name: Type.String(), rules: RuleGroup, created_at: Timestamp, updated_at: Timestamp },
  { $id: 'Segment' },
)

export const listSegments = read({
  path: '/segments/list',
  scope: 'read',
  summary: 'Lists the segments.',
  request: obj({ limit: Type.Optional(Limit), cursor: Type.Optional(Cursor) }),
  response: obj({ items: Type.Array(Segment), next_cursor: nullable(Type.String()) }),
  async run({ limit, cursor }, { db, keys, project_id }) {
    return page(
      { keys, operation: '/segments/list', project_id, filters: {}, cursor, limit },
      (after, most) =>
        db
          .select()
          .from(segments)
          .where(and(eq(segments.project_id, project_id), isAfter(after, segments)))
          .orderBy(segments.created_at, segments.id)
          .limit(most),
      toSegment,
    )
  },
})

export const readSegment = read({
  path: '/segments/get',
  scope: 'read',
  summary: 'Shows a segment with its rules.',
  request: obj({ segment_id: Id }),
  response: obj({ segment: Segment }),
  async run({ segment_id }, { db, project_id }) {
    return { segment: toSegment(await getSegment(db, project_id, segment_id)) }
  },
})

export const previewSegment = read({
  path: '/segments/preview',
  scope: 'read',
  cost: 5,
  summary: 'Counts the contacts that match rules, and shows the first ten.',
  request: obj({ rules: RuleGroup }),
  response: obj({ count: Type.Integer({ minimum: 0 }), sample: Type.Array(Contact, { maxItems: SAMPLE }) }),
  async run({ rules }, { db, store, project_id, now }) {
    const { condition } = await requireRules(db, { project_id, rules, path: '/rules', now })
    const { count, ids } = await countWithSample(store, project_id, condition, SAMPLE)
    return { count, sample: await contactsById(db, project_id, ids) }
  },
})

export const createSegment = mutation({
  path: '/segments/create',
  scope: 'write',
  audit: { target: { answer: 'segment' } },
  errors: ['CONFLICT', 'INVALID_STATE'],
  summary: 'Saves rules as a segment. They are evaluated each time the segment is used.',
  request: obj({ name: name(100), rules: RuleGroup }),
  response: obj({ segment: Segment }),
  async run({ name, rules }, { tx, project_id, now }) {
    await requireSavable(tx, project_id, null, rules)
    requireRoom(await tx.$count(segments, eq(segments.project_id, project_id)), MAX_SEGMENTS, 'segments')
    const row = { project_id, name: name.trim(), name_key: nameKey(name), rules, created_at: now, updated_at: now }
    const created = await orConflict(tx.insert(segments).values(row).returning(), { name_key: '/name' }, NAME_IN_USE)
    return { segment: toSegment(one(created)) }
  },
})

export const updateSegment = mutation({
  path: '/segments/update',
  scope: 'write',
  audit: { target: { kind: 'segment', input: 'segment_id' }, changes: true },
  errors: ['CONFLICT'],
  summary: 'Renames a segment or changes its rules.',
  request: obj({ segment_id: Id, name: Type.Optional(name(100)), rules: Type.Optional(RuleGroup) }),
  response: obj({ segment: Segment }),
  async run({ segment_id, name, rules }, { tx, project_id, now }) {
    const segment = await getSegment(tx, project_id, segment_id)
    if (rules) await requireSavable(tx, project_id, segment_id, rules)
    const changed = await orConflict(
      tx
        .update(segments)
        .set({
          ...(name === undefined ? {} : { name: name.trim(), name_key: nameKey(name) }),
          rules: rules ?? segment.rules,
          updated_at: now,
        })
        .where(eq(segments.id, segment_id))
        .returning(),
      { name_key: '/name' },
      NAME_IN_USE,
    )
    return { segment: toSegment(one(changed)) }
  },
})

export const deleteSegment = mutation({
  path: '/segments/delete',
  scope: 'write',
  audit: { target: { kind: 'segment', input: 'segment_id' } },
  errors: ['CONFLICT'],
  summary: 'Deletes a segment, unless another segment or a campaign that has not ended uses it.',
  request: obj({ segment_id: Id }),
  response: obj({ segment: Segment }),
  async run({ segment_id }, { tx, project_id }) {
    const segment = await getSegment(tx, project_id, segment_id)
    const segment_ids = await segmentsNaming(tx, project_id, segment_id)
    const campaign_ids = await campaignsUsing(tx, project_id, audienceNames('segment', segment_id), { drafts: true })
    if (segment_ids.length + campaign_ids.length > 0) {
      throw new AppError('CONFLICT', 'Another segment or a campaign that has not ended uses this segment.', {
        details: { segment_ids, campaign_ids },
      })
    }
    await tx.delete(segments).where(eq(segments.id, segment_id))
    return { segment: toSegment(segment) }
  },
})

const NAME_IN_USE = 'Another segment has this name.'

type Row = typeof segments.$inferSelect

/** Throws NOT_FOUND, pointing at `/segment_id`, for a segment that the project does not have. */
export async function getSegment(db: Reader, project_id: ProjectId, segment_id: number): Promise<Row> {
  return oneOrNotFound(
    await db
      .select()
      .from(segments)
      .where(and(eq(segments.project_id, project_id), eq(segments.id, segment_id))),
    'segment',
    '/segment_id',
  )
}

async function contactsById(db: Reader, project_id: ProjectId, ids: readonly number[]): Promise<Contact[]> {
  const rows = await db.all<{ packed: string }>(sql`
    SELECT ${packed} AS packed FROM contacts contact
    WHERE contact.project_id = ${project_id} AND contact.id IN (SELECT value FROM json_each(${jsonText(ids)}))
    ORDER BY contact.id`)
  return rows.map((row) => toContact(unpack(JSON.parse(row.packed) as Packed)))
}

function toSegment({ id, name, rules, created_at, updated_at }: Row): Static<typeof Segment> {
  return { id, name, rules, created_at: iso(created_at), updated_at: iso(updated_at) }
}
