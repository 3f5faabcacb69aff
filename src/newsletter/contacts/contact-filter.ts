import type { ProjectId } from '../../ids.ts'
import { type Static, Type } from '@sinclair/typebox'
import { sql, type SQL } from 'drizzle-orm'
import { Id, obj, enumOf } from '../../schema.ts'
import type { Reader } from '../../store/open.ts'
import { GLOBAL_STATUSES, MEMBERSHIP_STATUSES } from '../../store/tables/audience.ts'
import { getListKind } from '../consent/memberships.operations.ts'
import { getTag } from '../lists/tags.operations.ts'
import { searchedText } from './contact.ts'
import type { IndexedRule } from '../segments/indexed-rule.ts'
import { RuleGroup } from '../segments/rules.ts'
import { requireRules } from '../segments/segment-rules.ts'

/** The filters of contacts. A contact must match all of them (docs/api/contacts.md#filters). */
export const contactFilters = {
  search: Type.Optional(Type.String({ maxLength: 320, description: 'Part of the address or the name' })),
  status: Type.Optional(enumOf(GLOBAL_STATUSES)),
  list_id: Type.Optional(Id),
  list_status: Type.Optional(
    enumOf(MEMBERSHIP_STATUSES, { description: 'Of the membership in list_id; without it, of any membership' }),
  ),
  tag_id: Type.Optional(Id),
  filter: Type.Optional(RuleGroup),
}
const ContactFilters = obj(contactFilters)
export type ContactFilters = Static<typeof ContactFilters>

/** The filters in normal form: cursors and conditions are made from it. */
export function settledFilters({
  search,
  status,
  list_id,
  list_status,
  tag_id,
  filter,
}: ContactFilters): ContactFilters {
  return { search: searchedText(search ?? '') || undefined, status, list_id, list_status, tag_id, filter }
}

/**
 * The filters as a condition over the row `contact` of `contacts`, and the rule that an index can serve. NOT_FOUND for
 * a list or tag that the project does not have, VALIDATION_FAILED for rules that do not fit its fields.
 */
export async function requireFilters(
  db: Reader,
  project_id: ProjectId,
  filters: ContactFilters,
  now: number,
): Promise<{ condition: SQL; indexed: IndexedRule | null }> {
  if (filters.list_id !== undefined) await getListKind(db, project_id, filters.list_id)
  if (filters.tag_id !== undefined) await getTag(db, project_id, filters.tag_id)
  const plain = filterCondition(project_id, filters)
  if (!filters.filter) return { condition: plain, indexed: null }
  const { condition, indexed } = await requireRules(db, { project_id, rules: filters.filter, path: '/filter', now })
  const bare = indexed?.by === 'creation' ? sql` AND ${indexed.condition}` : sql``
  return { condition: sql`${plain}${bare} AND ${condition}`, indexed }
}

/** The filters except the rules, as a condition on the row `contact` of `contacts`. */
export function filterCondition(
  project_id: ProjectId,
  { search, status, list_id, list_status, tag_id }: ContactFilters,
): SQL {
  const parts = [sql`contact.project_id = ${project_id}`]
  if (status !== undefined) parts.push(sql`contact.global_status = ${status}`)
  if (search !== undefined) parts.push(sql`instr(contact.search_key, ${search}) > 0`)
  if (list_id !== undefined || list_status !== undefined) {
    const ofList = list_id === undefined ? sql`` : sql` AND membership.list_id = ${list_id}`
    const ofStatus = list_status === undefined ? sql`` : sql` AND membership.status = ${list_status}`
    parts.push(sql`EXISTS (
      SELECT 1 FROM memberships membership WHERE membership.contact_id = contact.id${ofList}${ofStatus})`)
  }
  if (tag_id !== undefined)
    parts.push(sql`EXISTS (
      SELECT 1 FROM contact_tags tagged WHERE tagged.contact_id = contact.id AND tagged.tag_id = ${tag_id})`)
  return sql.join(parts, sql` AND `)
}

/** Whether a page of the filters may read every contact. */
export function mayScan(
  { search, list_id, list_status, tag_id, filter }: ContactFilters,
  indexed: IndexedRule | null,
): boolean {
  if (indexed?.by === 'address') return false
  return (
    search !== undefined ||
    list_id !== undefined ||
    list_status !== undefined ||
    tag_id !== undefined ||
    filter !== undefined
  )
}
