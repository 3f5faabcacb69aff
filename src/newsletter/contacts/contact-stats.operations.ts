import type { ProjectId } from '../../ids.ts'
import { type Static, Type } from '@sinclair/typebox'
import { type SQL, sql } from 'drizzle-orm'
import { read } from '../../operation/declare.ts'
import { Id, obj } from '../../schema.ts'
import { jsonText } from '../../store/json-text.ts'
import type { Store } from '../../store/open.ts'
import {
  GLOBAL_STATUSES,
  type GlobalStatus,
  MEMBERSHIP_STATUSES,
  type MembershipStatus,
} from '../../store/tables/audience.ts'
import { contactFilters, requireFilters, settledFilters } from './contact-filter.ts'
import { contactsIn, type IdRange, idRanges } from './contact-scan.ts'

const Count = Type.Integer({ minimum: 0 })
const counts = <const W extends readonly string[]>(names: W) =>
  Object.fromEntries(names.map((name) => [name, Count])) as Record<W[number], typeof Count>

const Stats = obj({
  total: Count,
  by_status: obj(counts(GLOBAL_STATUSES)),
  by_list: Type.Array(obj({ list_id: Id, ...counts(MEMBERSHIP_STATUSES) }), {
    description: 'Memberships of these contacts in every list that is not archived.',
  }),
})

export const contactStats = read({
  path: '/contacts/stats',
  scope: 'read',
  summary: 'Counts the contacts that the filters fit: in all, by status and by list.',
  request: obj(contactFilters),
  response: Stats,
  async run(given, { db, store, project_id, now }) {
    const filters = settledFilters(given)
    const condition = await requireFilters(db, project_id, filters, now)
    const isFiltered = Object.values(filters).some((filter) => filter !== undefined)
    const ranges = await idRanges(db, project_id)
    const parts = isFiltered
      ? await Promise.all(ranges.map((range) => readCounts(store, countFitting(project_id, range, condition))))
      : [await readCounts(store, countAll(project_id))]
    const lists = await db.all<{ id: number }>(
      sql`SELECT id FROM lists WHERE project_id = ${project_id} AND archived_at IS NULL ORDER BY created_at, id`,
    )
    return added(
      parts,
      lists.map(({ id }) => id),
    )
  },
})

/** How many contacts have each status, and how many memberships of each list have each. */
type Counts = [[GlobalStatus, number][], [number, MembershipStatus, number][]]

async function readCounts(store: Store, query: SQL): Promise<Counts> {
  const [row] = await store.heavy<{ statuses: string; memberships: string }>(query)
  return [JSON.parse(row!.statuses), JSON.parse(row!.memberships)] as Counts
}

/** Of everybody: both are counted in the order of an index, without looking at a contact. */
function countAll(project_id: ProjectId): SQL {
  return sql`
    SELECT
      (SELECT json_group_array(json_array(global_status, n)) FROM (
        SELECT global_status, count(*) AS n FROM contacts INDEXED BY contacts_by_status WHERE project_id = ${project_id} GROUP BY global_status)) AS statuses,
      (SELECT json_group_array(json_array(l.id, s.value, (SELECT count(*) FROM memberships m WHERE m.list_id = l.id AND m.status = s.value)))
        FROM lists l, json_each(${jsonText(MEMBERSHIP_STATUSES)}) s WHERE l.project_id = ${project_id}) AS memberships`
}

function countFitting(project_id: ProjectId, range: IdRange, condition: SQL): SQL {
  return sql`
    WITH fitting AS MATERIALIZED (SELECT c.id, c.global_status FROM ${contactsIn(project_id, range, condition)})
    SELECT
      (SELECT json_group_array(json_array(global_status, n)) FROM (SELECT global_status, count(*) AS n FROM fitting GROUP BY global_status)) AS statuses,
      (SELECT json_group_array(json_array(list_id, status, n)) FROM (
        SELECT m.list_id, m.status, count(*) AS n FROM fitting CROSS JOIN memberships m ON m.contact_id = fitting.id GROUP BY m.list_id, m.status)) AS memberships`
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
