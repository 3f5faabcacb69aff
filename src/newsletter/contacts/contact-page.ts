import { type SQL, sql } from 'drizzle-orm'
import type { Reader } from '../../store/open.ts'
import type { Order } from '../../schema.ts'
import { comparison, type CursorPosition, inOrder } from '../../store/page.ts'
import { one } from '../../store/rows.ts'
import { packed } from './contact.ts'
import type { ContactFilters } from './contact-filter.ts'

/**
 * Which rows a page is read from: the contacts in their order, or those that are on a list or have a tag, when these
 * are few.
 */
export type PageSource = 'in_order' | 'by_list' | 'by_tag'

/** Up to this many members of a list, sorting them is faster than searching all contacts for them. */
const FEW = 2000

export async function fastestSource(db: Reader, { list_id, tag_id }: ContactFilters): Promise<PageSource> {
  if (list_id !== undefined && (await isFew(db, sql`memberships WHERE list_id = ${list_id}`))) return 'by_list'
  if (tag_id !== undefined && (await isFew(db, sql`contact_tags WHERE tag_id = ${tag_id}`))) return 'by_tag'
  return 'in_order'
}

async function isFew(db: Reader, rows: SQL): Promise<boolean> {
  const count = await db.all<{ n: number }>(sql`SELECT count(*) AS n FROM (SELECT 1 FROM ${rows} LIMIT ${FEW + 1})`)
  return one(count).n <= FEW
}

/** Where a page begins, and which way it goes. */
interface Place {
  after: CursorPosition | null
  order?: Order | undefined
}

/** A page in the order of creation. It finds the ids first and reads the rest of those contacts only. */
export function contactsPage(
  condition: SQL,
  filters: ContactFilters,
  source: PageSource,
  { most, ...place }: Place & { most: number },
): SQL {
  const found =
    source === 'in_order' ? foundInOrder(condition, place) : foundAmongFew(condition, place, source, filters)
  const ordered = (table: string) =>
    inOrder({ created_at: sql.raw(`${table}created_at`), id: sql.raw(`${table}id`) }, place.order)
  return sql`
    SELECT ${packed} AS packed FROM (${found} ORDER BY ${ordered('')} LIMIT ${most}) found
    CROSS JOIN contacts contact ON contact.id = found.id
    ORDER BY ${ordered('found.')}`
}

/**
 * Two ranges of the index: an import creates thousands of contacts in one instant, and a comparison of
 * (created_at, id) would read them all.
 */
function foundInOrder(condition: SQL, { after, order }: Place): SQL {
  const found = (range: SQL) =>
    sql`SELECT contact.id, contact.created_at FROM contacts contact WHERE ${condition}${range}`
  if (!after) return found(sql``)
  const beyond = comparison(order)
  const sameInstant = found(sql` AND contact.created_at = ${after.created_at} AND contact.id ${beyond} ${after.id}`)
  return sql`${sameInstant} UNION ALL ${found(sql` AND contact.created_at ${beyond} ${after.created_at}`)}`
}

function foundAmongFew(
  condition: SQL,
  { after, order }: Place,
  source: 'by_list' | 'by_tag',
  { list_id, tag_id }: ContactFilters,
): SQL {
  const members =
    source === 'by_list' ? sql`memberships WHERE list_id = ${list_id}` : sql`contact_tags WHERE tag_id = ${tag_id}`
  const range = after
    ? sql` AND (contact.created_at, contact.id) ${comparison(order)} (${after.created_at}, ${after.id})`
    : sql``
  return sql`
    SELECT contact.id, contact.created_at FROM (SELECT contact_id FROM ${members}) few
    CROSS JOIN contacts contact ON contact.id = few.contact_id WHERE ${condition}${range}`
}
