import type { ProjectId } from '../../ids.ts'
import { type SQL, sql } from 'drizzle-orm'
import type { Reader, Store } from '../../store/open.ts'
import { one } from '../../store/rows.ts'

/**
 * Reads every contact of a project in ranges of ids: one read of a million contacts would delay all reads behind it.
 * Each contact is in exactly one range, so sums over the ranges count no contact twice.
 */
export interface IdRange {
  after: number
  upto: number
}

/**
 * Least ids in a range and most ranges. Projects share one sequence of ids, so a range may hold few contacts of one.
 */
const RANGE = 100_000
const MAX_RANGES = 32

export async function idRanges(db: Reader, project_id: ProjectId): Promise<IdRange[]> {
  const ends = await db.all<{ first: number | null; last: number | null }>(sql`
    SELECT (SELECT min(id) FROM contacts INDEXED BY contacts_for_rules WHERE project_id = ${project_id}) AS first,
           (SELECT max(id) FROM contacts INDEXED BY contacts_for_rules WHERE project_id = ${project_id}) AS last`)
  const { first, last } = one(ends)
  if (first === null || last === null) return []
  const size = Math.max(RANGE, Math.ceil((last - first + 1) / MAX_RANGES))
  return Array.from({ length: Math.ceil((last - first + 1) / size) }, (_, index) => ({
    after: first - 1 + index * size,
    upto: first - 1 + (index + 1) * size,
  }))
}

/** The contacts of a range that match a condition, read from the index that covers the columns of rules. */
export function contactsIn(project_id: ProjectId, { after, upto }: IdRange, condition: SQL): SQL {
  return sql`
    contacts contact INDEXED BY contacts_for_rules
    WHERE contact.project_id = ${project_id} AND contact.id > ${after} AND contact.id <= ${upto} AND ${condition}`
}

/** Counts the contacts that match a condition, and answers the ids of the first `most`. */
export async function countWithSample(
  store: Store,
  project_id: ProjectId,
  condition: SQL,
  most: number,
): Promise<{ count: number; ids: number[] }> {
  const ranges = await idRanges(store.db, project_id)
  const ids: number[] = []
  let count = 0
  let looked = 0
  for (; looked < ranges.length && ids.length < most; looked++) {
    const rows = await store.heavy<{ n: number; ids: string }>(sql`
      WITH matching AS MATERIALIZED (SELECT contact.id FROM ${contactsIn(project_id, ranges[looked]!, condition)}
        ORDER BY contact.id)
      SELECT (SELECT count(*) FROM matching) AS n, (SELECT json_group_array(id)
        FROM (SELECT id FROM matching LIMIT ${most - ids.length})) AS ids`)
    const found = one(rows)
    count += found.n
    ids.push(...(JSON.parse(found.ids) as number[]))
  }
  const others = await Promise.all(
    ranges
      .slice(looked)
      .map((range) =>
        store.heavy<{ n: number }>(sql`SELECT count(*) AS n FROM ${contactsIn(project_id, range, condition)}`),
      ),
  )
  return { count: others.reduce((sum, rows) => sum + one(rows).n, count), ids }
}
