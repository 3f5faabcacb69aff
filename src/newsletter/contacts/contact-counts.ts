import type { ProjectId } from '../../ids.ts'
import { type Static, Type } from '@sinclair/typebox'
import { type SQL, sql } from 'drizzle-orm'
import { Id, obj } from '../../schema.ts'
import { jsonText } from '../../store/json-text.ts'
import type { Store } from '../../store/open.ts'
import { one } from '../../store/rows.ts'
import {
  GLOBAL_STATUSES,
  type GlobalStatus,
  MEMBERSHIP_STATUSES,
  type MembershipStatus,
} from '../../store/tables/audience.ts'
import { contactsIn, type IdRange, idRanges } from './contact-scan.ts'

const Count = Type.Integer({ minimum: 0 })
const counts = <const W extends readonly string[]>(names: W) =>
  Object.fromEntries(names.map((name) => [name, Count])) as Record<W[number], typeof Count>

export const Stats = obj({
  total: Count,
  by_status: obj(counts(GLOBAL_STATUSES)),
  by_list: Type.Array(obj({ list_id: Id, ...counts(MEMBERSHIP_STATUSES) }), {
    description: 'Memberships of these contacts in every list that is not archived.',
  }),
})

/** Counts the contacts that `condition` matches, all of them when it is null, with their memberships in `list_ids`. */
export async function countContacts(
  store: Store,
  project_id: ProjectId,
  condition: SQL | null,
  list_ids: readonly number[],
): Promise<Static<typeof Stats>> {
  if (!condition) return added([await readCounts(store, countAll(project_id))], list_ids)
  const ranges = await idRanges(store.db, project_id)
  const counts = ranges.map((range) => readCounts(store, countMatching(project_id, range, condition)))
  return added(await Promise.all(counts), list_ids)
}

/** How many contacts have each status, and how many memberships of each list have each. */
type Counts = [[GlobalStatus, number][], [number, MembershipStatus, number][]]

async function readCounts(store: Store, query: SQL): Promise<Counts> {
  const row = one(await store.heavy<{ statuses: string; memberships: string }>(query))
  return [JSON.parse(row.statuses), JSON.parse(row.memberships)] as Counts
}

/** Counts all contacts from two indexes, without reading a contact. */
function countAll(project_id: ProjectId): SQL {
  return sql`
    SELECT
      (SELECT json_group_array(json_array(global_status, n)) FROM (
        SELECT global_status, count(*) AS n FROM contacts INDEXED BY contacts_by_status
        WHERE project_id = ${project_id} GROUP BY global_status)) AS statuses,
      (SELECT json_group_array(json_array(list.id, status.value, (SELECT count(*) FROM memberships membership
              WHERE membership.list_id = list.id AND membership.status = status.value)))
        FROM lists list, json_each(${jsonText(MEMBERSHIP_STATUSES)}) status
        WHERE list.project_id = ${project_id}) AS memberships`
}

function countMatching(project_id: ProjectId, range: IdRange, condition: SQL): SQL {
  return sql`
    WITH matching AS MATERIALIZED (
      SELECT contact.id, contact.global_status FROM ${contactsIn(project_id, range, condition)})
    SELECT
      (SELECT json_group_array(json_array(global_status, n))
        FROM (SELECT global_status, count(*) AS n FROM matching GROUP BY global_status)) AS statuses,
      (SELECT json_group_array(json_array(list_id, status, n)) FROM (
        SELECT membership.list_id, membership.status, count(*) AS n FROM matching
        CROSS JOIN memberships membership ON membership.contact_id = matching.id
        GROUP BY membership.list_id, membership.status)) AS memberships`
}

function added(parts: readonly Counts[], list_ids: readonly number[]): Static<typeof Stats> {
  const by_status = Object.fromEntries(GLOBAL_STATUSES.map((status) => [status, 0])) as Record<GlobalStatus, number>
  const by_list = new Map(list_ids.map((list_id) => [list_id, { list_id, pending: 0, subscribed: 0, unsubscribed: 0 }]))
  for (const [statuses, memberships] of parts) {
    for (const [status, count] of statuses) by_status[status] += count
    for (const [list_id, status, count] of memberships) {
      const list = by_list.get(list_id)
      if (list) list[status] += count
    }
  }
  return {
    total: Object.values(by_status).reduce((sum, count) => sum + count, 0),
    by_status,
    by_list: [...by_list.values()],
  }
}
