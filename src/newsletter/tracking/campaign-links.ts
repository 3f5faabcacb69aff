import { and, eq, sql } from 'drizzle-orm'
import type { Reader, Store } from '../../store/open.ts'
import { campaign_links } from '../../store/tables/tracking.ts'

/**
 * The list of what a campaign's links lead to. It only grows: a campaign that is drawn again (after a restart, by
 * another process, by a later release) finds the places of its links there, and links in old mail keep leading where
 * they led.
 */

/** The places of these addresses, in their order; those that are new are added. */
export async function keepLinks(store: Store, campaign_id: number, urls: readonly string[]): Promise<number[]> {
  const known = await placesOf(store.db, campaign_id)
  const places = urls.every((url) => known.has(url))
    ? known
    : await store.write(async (tx) => {
        const kept = await placesOf(tx, campaign_id)
        const added = [...new Set(urls)]
          .filter((url) => !kept.has(url))
          .map((url, index) => ({ campaign_id, position: kept.size + index, url }))
        if (added.length > 0) await tx.insert(campaign_links).values(added)
        return new Map([...kept, ...added.map(({ url, position }): [string, number] => [url, position])])
      })
  return urls.map((url) => places.get(url)!)
}

/** What a link leads to, its merge tags unfilled; null when the campaign has no such link. */
export async function findLink(db: Reader, campaign_id: number, position: number): Promise<string | null> {
  const [link] = await db
    .select({ url: campaign_links.url })
    .from(campaign_links)
    .where(and(eq(campaign_links.campaign_id, campaign_id), eq(campaign_links.position, position)))
  return link?.url ?? null
}

async function placesOf(db: Reader, campaign_id: number): Promise<Map<string, number>> {
  const rows = await db.all<{ url: string; position: number }>(
    sql`SELECT url, position FROM campaign_links WHERE campaign_id = ${campaign_id}`,
  )
  return new Map(rows.map(({ url, position }) => [url, position]))
}
