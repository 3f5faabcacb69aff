import { type SQL, sql } from 'drizzle-orm'
import type { Reader } from '../../store/open.ts'
import type { Order } from '../../schema.ts'
import { comparison, type CursorPosition, inOrder } from '../../store/page.ts'
import { one } from '../../store/rows.ts'
import { type ContactRow, type Packed, packed, unpack } from './contact.ts'
import type { ProjectId } from '../../ids.ts'
import type { IndexedRule } from '../segments/indexed-rule.ts'
import { jsonText } from '../../store/json-text.ts'
import type { ContactFilters } from './contact-filter.ts'

/**
 * Which rows a page is read from: the contacts in their order, those with some addresses, or those that are on a list
 * or have a tag, when these are few.
 */
export type PageSource = 'in_order' | 'by_address' | 'by_list' | 'by_tag'

/** Properties that all requested contacts share, by a filter or a rule. They decide which index to read. */
export interface Common {
  list_id?: number | undefined
  tag_id?: number | undefined
  addresses?: { project_id: ProjectId; keys: readonly string[] } | undefined
}

export function commonOf(
  project_id: ProjectId,
  { list_id, tag_id }: ContactFilters,
  indexed: IndexedRule | null,
): Common {
  return {
    list_id: list_id ?? (indexed?.by === 'list' ? indexed.id : undefined),
    tag_id: tag_id ?? (indexed?.by === 'tag' ? indexed.id : undefined),
    addresses: indexed?.by === 'address' ? { project_id, keys: indexed.keys } : undefined,
  }
}

/** Up to this many members of a list, sorting them is faster than searching all contacts for them. */
const FEW = 2000

export async function fastestSource(db: Reader, { list_id, tag_id, addresses }: Common): Promise<PageSource> {
  if (addresses !== undefined) return 'by_address'
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

/**
 * A page in the order of creation, as the one row that `contactsOf` reads: the driver's cost grows with the rows.
 * It finds the ids first and reads the rest of those contacts only.
 */
export function contactsPage(
  condition: SQL,
  common: Common,
  source: PageSource,
  { most, ...place }: Place & { most: number },
): SQL {
  const found = source === 'in_order' ? foundInOrder(condition, place) : foundAmongFew(condition, place, source, common)
  const ordered = (table: string) =>
    inOrder({ created_at: sql.raw(`${table}created_at`), id: sql.raw(`${table}id`) }, place.order)
  // A libSQL server does not parse an order inside group_concat, and SQLite keeps that of the rows it is given.
  return sql`
    SELECT group_concat(packed, ',') AS packed FROM (
      SELECT ${packed} AS packed
      FROM (${found} ORDER BY ${ordered('')} LIMIT ${most}) found
      CROSS JOIN contacts contact ON contact.id = found.id
      ORDER BY ${ordered('found.')})`
}

/** The contacts of a page. */
export function contactsOf(rows: readonly PageRow[]): ContactRow[] {
  return (JSON.parse(`[${one(rows).packed ?? ''}]`) as Packed[]).map(unpack)
}

/** The row of `contactsPage`; null for an empty page. */
export interface PageRow {
  packed: string | null
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
  source: Exclude<PageSource, 'in_order'>,
  { list_id, tag_id, addresses }: Common,
): SQL {
  const members = {
    by_list: sql`SELECT contact_id FROM memberships WHERE list_id = ${list_id}`,
    by_tag: sql`SELECT contact_id FROM contact_tags WHERE tag_id = ${tag_id}`,
    by_address: sql`
      SELECT id AS contact_id FROM contacts WHERE project_id = ${addresses?.project_id}
        AND email_key IN (SELECT value FROM json_each(${jsonText(addresses?.keys ?? [])}))`,
  }
  const range = after
    ? sql` AND (contact.created_at, contact.id) ${comparison(order)} (${after.created_at}, ${after.id})`
    : sql``
  return sql`
    SELECT contact.id, contact.created_at FROM (${members[source]}) few
    CROSS JOIN contacts contact ON contact.id = few.contact_id WHERE ${condition}${range}`
}
