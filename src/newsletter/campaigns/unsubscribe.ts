import type { ProjectId } from '../../ids.ts'
import { and, eq, sql } from 'drizzle-orm'
import { jsonText } from '../../store/json-text.ts'
import type { Reader, Tx } from '../../store/open.ts'
import { campaigns } from '../../store/tables/delivery.ts'
import {
  unsubscribeFromAll,
  unsubscribeFromLists,
  recordUnsubscribe,
  type Leaver,
  type LeftThrough,
} from '../consent/unsubscribe.ts'
import { listsOnly } from './audience-spec.ts'

/**
 * The lists that brought somebody a campaign's message, when its audience came from lists alone; else null, and
 * leaving means leaving everything (contract-details 43). A list that is gone cannot be left any more.
 */
export async function listsBehind(
  db: Reader,
  project_id: ProjectId,
  campaign_id: number,
): Promise<{ id: number; name: string }[] | null> {
  if (campaign_id === 0) return null
  const [campaign] = await db
    .select({ audience_spec: campaigns.audience_spec })
    .from(campaigns)
    .where(and(eq(campaigns.project_id, project_id), eq(campaigns.id, campaign_id)))
  const list_ids = campaign ? listsOnly(campaign.audience_spec) : null
  if (list_ids === null) return null
  const found = await db.all<{ id: number; name: string }>(sql`
    SELECT id, name FROM lists WHERE project_id = ${project_id} AND id IN (SELECT value FROM json_each(${jsonText(list_ids)})) ORDER BY name_key`)
  return found.length > 0 ? found : null
}

/** Takes a recipient off the lists behind a message, or out of everything; the campaign's report counts it once. */
export async function leaveThrough(
  tx: Tx,
  recipient: Leaver,
  link: LeftThrough,
  everything: boolean,
  now: number,
): Promise<void> {
  const lists = everything ? null : await listsBehind(tx, recipient.project_id, link.campaign_id)
  const through = link.campaign_id === 0 ? undefined : link
  if (lists === null) {
    await unsubscribeFromAll(tx, recipient, now, through)
    return
  }
  const left = await unsubscribeFromLists(
    tx,
    recipient,
    lists.map(({ id }) => id),
    now,
  )
  if (left.length > 0) await recordUnsubscribe(tx, recipient, now, through, 'lists')
}
