import { type Static, Type } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import { read } from '../../operation/declare.ts'
import { Id, obj } from '../../schema.ts'
import { GLOBAL_STATUSES, type GlobalStatus, MEMBERSHIP_STATUSES, type MembershipStatus } from '../../store/tables/audience.ts'
import { contactFilters, requireFilters, settledFilters } from './contact-filter.ts'
import { contactsIn, idRanges, type IdRange } from './contact-scan.ts'

const Count = Type.Integer({ minimum: 0 })
const counts = <const W extends readonly string[]>(names: W) => Object.fromEntries(names.map((name) => [name, Count])) as Record<W[number], typeof Count>

const Stats = obj({
  total: Count,
  by_status: obj(counts(GLOBAL_STATUSES)),
  by_list: Type.Array(obj({ list_id: Id, ...counts(MEMBERSHIP_STATUSES) }), { description: 'Memberships of the contacts that fit, in every list that is not archived.' }),
})

export const contactStats = read({
  path: '/contacts/stats',
  scope: 'read',
  summary: 'Counts the contacts that the filters fit, in all, by status and by list.',
  request: obj(contactFilters),
  response: Stats,
  async run(given, { db, store, project_id, now }) {
    const condition = await requireFilters(db, project_id, settledFilters(given), now)
    const lists = await db.all<{ id: number }>(sql`SELECT id FROM lists WHERE project_id = ${project_id} AND archived_at IS NULL ORDER BY created_at, id`)
    const ids = lists.map(({ id }) => id)
    const ranges = await idRanges(db, project_id)
    const parts = await Promise.all(ranges.map(async (range) => {
      const [row] = await store.heavy<{ counts: string }>(countsIn(range))
      return JSON.parse(row!.counts) as PackedCounts
    }))
    return added(parts, ids)

    function countsIn(range: IdRange) {
      return sql`
        WITH fitting AS MATERIALIZED (SELECT c.id, c.global_status FROM ${contactsIn(project_id, range, condition)})
        SELECT json_array(
          (SELECT json_group_array(json_array(global_status, n)) FROM (SELECT global_status, count(*) AS n FROM fitting GROUP BY global_status)),
          (SELECT json_group_array(json_array(l.value, s.value, (
            SELECT count(*) FROM memberships m
            WHERE m.list_id = l.value AND m.status = s.value AND m.contact_id > ${range.after} AND m.contact_id <= ${range.upto} AND m.contact_id IN (SELECT id FROM fitting))))
          FROM json_each(${JSON.stringify(ids)}) l, json_each(${JSON.stringify(MEMBERSHIP_STATUSES)}) s)) AS counts`
    }
  },
})

type PackedCounts = [[GlobalStatus, number][], [number, MembershipStatus, number][]]

function added(parts: readonly PackedCounts[], list_ids: readonly number[]): Static<typeof Stats> {
  const by_status = Object.fromEntries(GLOBAL_STATUSES.map((status) => [status, 0])) as Record<GlobalStatus, number>
  const by_list = new Map(list_ids.map((list_id) => [list_id, { list_id, pending: 0, subscribed: 0, unsubscribed: 0 }]))
  for (const [statuses, memberships] of parts) {
    for (const [status, count] of statuses) by_status[status] += count
    for (const [list_id, status, count] of memberships) by_list.get(list_id)![status] += count
  }
  return { total: Object.values(by_status).reduce((sum, count) => sum + count, 0), by_status, by_list: [...by_list.values()] }
}
