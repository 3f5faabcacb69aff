import type { ProjectId } from '../ids.ts'
import { sql, type SQL } from 'drizzle-orm'
import { AppError } from '../errors.ts'
import { type Keys, sha256 } from '../secrets.ts'

/** The last row of a page: lists are ordered by creation time plus id. */
export interface Place {
  created_at: number
  id: number
}

export interface PageRequest {
  keys: Keys
  /** What the cursor is bound to: it is refused with another operation, project or other filters. */
  operation: string
  project_id: ProjectId
  filters: unknown
  cursor?: string | undefined
  limit?: number | undefined
}

export interface Page<T> {
  items: T[]
  next_cursor: string | null
}

export const DEFAULT_LIMIT = 50

/**
 * One page of a list. `fetch` is asked for one row more than the page holds, so that the last full page is
 * not followed by an empty one.
 */
export async function page<Row extends Place>(
  request: PageRequest,
  fetch: (after: Place | null, limit: number) => Promise<Row[]>,
): Promise<Page<Row>> {
  const limit = request.limit ?? DEFAULT_LIMIT
  const bound = boundTo(request)
  const rows = await fetch(
    request.cursor === undefined ? null : openCursor(request.keys, request.cursor, bound),
    limit + 1,
  )
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  return { items, next_cursor: rows.length > limit && last ? sealCursor(request.keys, last, bound) : null }
}

/**
 * The next rows of a table in the order of creation, as a query of `created_at` and `id`. A row value
 * `(created_at, id) > (?, ?)` would read all rows of the same instant again, since SQLite compares only the first of
 * them in the index; an import makes a hundred thousand rows of one instant.
 * @param where what else holds for a row, so that an index over it and `created_at, id` is used
 */
export function placesAfter(
  table: 'contacts' | 'imports' | 'jobs',
  where: SQL,
  after: Place | null,
  most: number,
): SQL {
  const rows = sql`SELECT created_at, id FROM ${sql.raw(table)} WHERE ${where}`
  if (!after) return sql`${rows} ORDER BY created_at, id LIMIT ${most}`
  return sql`
    SELECT created_at, id FROM (
      ${rows} AND created_at = ${after.created_at} AND id > ${after.id}
      UNION ALL ${rows} AND created_at > ${after.created_at})
    ORDER BY created_at, id LIMIT ${most}`
}

function boundTo({ operation, project_id, filters }: PageRequest): string {
  return sha256(canonicalJson([operation, project_id, filters])).slice(0, 16)
}

function sealCursor(keys: Keys, place: Place, bound: string): string {
  return keys.sign('cursor', JSON.stringify([bound, place.created_at, place.id]))
}

/** Longer than any that was ever given out. */
const MAX_CURSOR = 1024

function openCursor(keys: Keys, cursor: string, bound: string): Place {
  const payload = cursor.length <= MAX_CURSOR ? keys.verify('cursor', cursor) : null
  const [owner, created_at, id] = payload ? (JSON.parse(payload.toString()) as [string, number, number]) : []
  if (owner !== bound || created_at === undefined || id === undefined) {
    throw new AppError('INVALID_CURSOR', 'The cursor does not belong to this list and these filters.')
  }
  return { created_at, id }
}

/** JSON with the keys of every object in order, and without undefined values: equal values, equal text. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`
  if (value !== null && typeof value === 'object') {
    const entries = Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
    return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`).join(',')}}`
  }
  return JSON.stringify(value)
}
