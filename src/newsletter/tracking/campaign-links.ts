import { and, eq, sql } from 'drizzle-orm'
import type { Reader, Store } from '../../store/open.ts'
import { first } from '../../store/rows.ts'
import { campaign_links } from '../../store/tables/tracking.ts'

/**
 * The stored targets of a campaign's links. The list only grows: a campaign that is rendered again (after a restart, by
 * another process or a later release) finds the positions of its links, and links in old messages keep their targets.
 */

/** The positions of these addresses, in their order. New addresses are added. */
export async function storeLinks(store: Store, campaign_id: number, urls: readonly string[]): Promise<number[]> {
  const known = await positionsOf(store.db, campaign_id)
  const positions = urls.every((url) => known.has(url))
    ? known
    : await store.write(async (tx) => {
        const present = await positionsOf(tx, campaign_id)
        const added = [...new Set(urls)]
          .filter((url) => !present.has(url))
          .map((url, index) => ({ campaign_id, position: present.size + index, url }))
        if (added.length > 0) await tx.insert(campaign_links).values(added)
        return new Map([...present, ...added.map(({ url, position }): [string, number] => [url, position])])
      })
  return urls.map((url) => positions.get(url)!)
}

/** The target of a link with its merge tags; null when the campaign has no such link. */
export async function findLink(db: Reader, campaign_id: number, position: number): Promise<string | null> {
  return (
    first(
      await db
        .select({ url: campaign_links.url })
        .from(campaign_links)
        .where(and(eq(campaign_links.campaign_id, campaign_id), eq(campaign_links.position, position))),
    )?.url ?? null
  )
}

async function positionsOf(db: Reader, campaign_id: number): Promise<Map<string, number>> {
  const rows = await db.all<{ url: string; position: number }>(
    sql`SELECT url, position FROM campaign_links WHERE campaign_id = ${campaign_id}`,
  )
  return new Map(rows.map(({ url, position }) => [url, position]))
}
