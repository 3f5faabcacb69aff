import type { ProjectId } from '../ids.ts'
import { type Column, sql, type SQL } from 'drizzle-orm'
import { canonicalJson } from '../canonical-json.ts'
import { AppError } from '../errors.ts'
import type { Order } from '../schema.ts'
import { type Keys, sha256 } from '../secrets.ts'

/**
 * The position where a page ends: lists are ordered by creation time and id
 * (docs/api/conventions.md#lists-and-cursors).
 */
export interface CursorPosition {
  created_at: number
  id: number
}

export interface PageRequest {
  keys: Keys
  /** A cursor is valid only with the operation, project and filters that it was given out for. */
  operation: string
  project_id: ProjectId
  filters: unknown
  /** Also bound to the cursor; the oldest first unless said otherwise. */
  order?: Order | undefined
  cursor?: string | undefined
  limit?: number | undefined
}

export interface Page<T> {
  items: T[]
  next_cursor: string | null
}

export const DEFAULT_LIMIT = 50

/**
 * One page of a list. `fetch` gets a limit of one row more than the page, so that the last full page is not followed
 * by an empty one; `toItem` makes the answer's items from the rows. Throws INVALID_CURSOR.
 */
export async function page<Row extends CursorPosition, Item>(
  request: PageRequest,
  fetch: (after: CursorPosition | null, limit: number) => Promise<Row[]>,
  toItem: (row: Row) => Item,
): Promise<Page<Item>> {
  const { keys, operation, project_id, filters, order, cursor, limit = DEFAULT_LIMIT } = request
  const list = [operation, project_id, filters, ...(order === 'newest' ? [order] : [])]
  const bound = sha256(canonicalJson(list)).slice(0, 16)
  const rows = await fetch(cursor === undefined ? null : readCursor(keys, cursor, bound), limit + 1)
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    items: shown.map(toItem),
    next_cursor:
      rows.length > limit && last ? keys.sign('cursor', JSON.stringify([bound, last.created_at, last.id])) : null,
  }
}

/** The condition for rows after a position; undefined for the first page. */
export function isAfter(
  after: CursorPosition | null,
  { created_at, id }: { created_at: Column; id: Column },
): SQL | undefined {
  return after ? sql`(${created_at}, ${id}) > (${after.created_at}, ${after.id})` : undefined
}

/**
 * The next rows of a large table in the order of creation, as a query of `created_at` and `id`. For the row value
 * `(created_at, id) > (?, ?)` SQLite uses only the first column of the index, so it would read all rows of the same
 * instant again; an import creates a hundred thousand rows in one instant.
 * @param where the other conditions for a row, which an index over them and `created_at, id` serves
 */
export function rowsAfter(
  table: 'contacts' | 'imports' | 'jobs',
  where: SQL,
  { after, most, order }: { after: CursorPosition | null; most: number; order?: Order | undefined },
): SQL {
  const rows = sql`SELECT created_at, id FROM ${sql.raw(table)} WHERE ${where}`
  const place = { created_at: sql`created_at`, id: sql`id` }
  if (!after) return sql`${rows} ORDER BY ${inOrder(place, order)} LIMIT ${most}`
  const beyond = comparison(order)
  return sql`
    SELECT created_at, id FROM (
      ${rows} AND created_at = ${after.created_at} AND id ${beyond} ${after.id}
      UNION ALL ${rows} AND created_at ${beyond} ${after.created_at})
    ORDER BY ${inOrder(place, order)} LIMIT ${most}`
}

/** ORDER BY terms over creation time and id, in the order of the list. */
export function inOrder({ created_at, id }: Record<'created_at' | 'id', Column | SQL>, order: Order | undefined): SQL {
  return order === 'newest' ? sql`${created_at} DESC, ${id} DESC` : sql`${created_at}, ${id}`
}

/** The operator between the position of a row and the end of the previous page. */
export function comparison(order: Order | undefined): SQL {
  return order === 'newest' ? sql`<` : sql`>`
}

/** The most characters of a cursor; a longer one is invalid. */
const MAX_CURSOR = 1024

function readCursor(keys: Keys, cursor: string, bound: string): CursorPosition {
  const payload = cursor.length <= MAX_CURSOR ? keys.verify('cursor', cursor) : null
  const [owner, created_at, id] = payload ? (JSON.parse(payload.toString()) as [string, number, number]) : []
  if (owner !== bound || created_at === undefined || id === undefined) {
    throw new AppError('INVALID_CURSOR', 'The cursor does not belong to this list and these filters.')
  }
  return { created_at, id }
}
