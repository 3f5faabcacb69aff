import { Type } from '@sinclair/typebox'
import { sql, type SQL } from 'drizzle-orm'
import { read } from '../../operation/declare.ts'
import { Cursor, Limit, nullable, obj } from '../../schema.ts'
import type { Reader } from '../../store/open.ts'
import { page, type CursorPosition } from '../../store/page.ts'
import { Contact, type Packed, packed, toContact, unpack } from './contact.ts'
import { type ContactFilters, contactFilters, mayScan, requireFilters, settledFilters } from './contact-filter.ts'

export const listContacts = read({
  path: '/contacts/list',
  scope: 'read',
  summary: 'Lists contacts, oldest first.',
  request: obj({ ...contactFilters, limit: Type.Optional(Limit), cursor: Type.Optional(Cursor) }),
  response: obj({ items: Type.Array(Contact), next_cursor: nullable(Type.String()) }),
  async run({ limit, cursor, ...given }, { db, store, keys, project_id, now }) {
    const filters = settledFilters(given)
    const condition = await requireFilters(db, project_id, filters, now)
    const way = await quickestWay(db, filters)
    const found = await page(
      { keys, operation: '/contacts/list', project_id, filters, cursor, limit },
      async (after, most) => {
        const query = contactsPage(condition, filters, way, after, most)
        const rows = mayScan(filters)
          ? await store.heavy<{ packed: string }>(query)
          : await db.all<{ packed: string }>(query)
        return rows.map((row) => unpack(JSON.parse(row.packed) as Packed))
      },
    )
    return { ...found, items: found.items.map(toContact) }
  },
})

/** Where the search for a page begins: with the contacts in their order, or with the few who are on a list or have a tag. */
export type Way = 'in_order' | 'by_list' | 'by_tag'

/** Up to so many, sorting the members of a list is quicker than looking for them among all contacts. */
const FEW = 2000

async function quickestWay(db: Reader, { list_id, tag_id }: ContactFilters): Promise<Way> {
  if (list_id !== undefined && (await isFew(db, sql`memberships WHERE list_id = ${list_id}`))) return 'by_list'
  if (tag_id !== undefined && (await isFew(db, sql`contact_tags WHERE tag_id = ${tag_id}`))) return 'by_tag'
  return 'in_order'
}

async function isFew(db: Reader, rows: SQL): Promise<boolean> {
  const [count] = await db.all<{ n: number }>(sql`SELECT count(*) AS n FROM (SELECT 1 FROM ${rows} LIMIT ${FEW + 1})`)
  return count!.n <= FEW
}

/** One page in the order of creation: its contacts are found first, and only they are unfolded. */
export function contactsPage(
  condition: SQL,
  filters: ContactFilters,
  way: Way,
  after: CursorPosition | null,
  most: number,
): SQL {
  const found = way === 'in_order' ? foundInOrder(condition, after) : foundAmongFew(condition, after, way, filters)
  return sql`
    SELECT ${packed} AS packed FROM (${found} ORDER BY created_at, id LIMIT ${most}) found CROSS JOIN contacts c ON c.id = found.id
    ORDER BY found.created_at, found.id`
}

/** In two parts, each a range of the index: an import makes thousands in one instant, and a comparison of (created_at, id) would read them all. */
function foundInOrder(condition: SQL, after: CursorPosition | null): SQL {
  const found = (range: SQL) => sql`SELECT c.id, c.created_at FROM contacts c WHERE ${condition}${range}`
  if (!after) return found(sql``)
  return sql`${found(sql` AND c.created_at = ${after.created_at} AND c.id > ${after.id}`)} UNION ALL ${found(sql` AND c.created_at > ${after.created_at}`)}`
}

function foundAmongFew(
  condition: SQL,
  after: CursorPosition | null,
  way: 'by_list' | 'by_tag',
  { list_id, tag_id }: ContactFilters,
): SQL {
  const members =
    way === 'by_list' ? sql`memberships WHERE list_id = ${list_id}` : sql`contact_tags WHERE tag_id = ${tag_id}`
  const range = after ? sql` AND (c.created_at, c.id) > (${after.created_at}, ${after.id})` : sql``
  return sql`SELECT c.id, c.created_at FROM (SELECT contact_id FROM ${members}) few CROSS JOIN contacts c ON c.id = few.contact_id WHERE ${condition}${range}`
}
