import { noteRecipient } from '../consent/recipient.ts'
import type { ProjectId } from '../../ids.ts'
import { and, eq, sql } from 'drizzle-orm'
import { jsonText } from '../../store/json-text.ts'
import type { Reader, Tx } from '../../store/open.ts'
import { campaigns } from '../../store/tables/delivery.ts'
import {
  isOnAnyList,
  optOut,
  unsubscribeFromLists,
  recordUnsubscribe,
  type UnsubscribingContact,
  type UnsubscribeLink,
} from '../consent/unsubscribe.ts'
import type { Withdrawal } from '../consent/withdrawals.ts'
import { listsOnly } from './audience-spec.ts'

/**
 * The existing lists that the unsubscribe link of a campaign's message takes the recipient off. Null when the link
 * unsubscribes from everything: the audience has more than lists, all its lists are deleted, or the message belongs
 * to no campaign (docs/api/delivery.md#one-click-unsubscribe).
 */
export async function listsOfCampaign(
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
    SELECT id, name FROM lists
    WHERE project_id = ${project_id} AND id IN (SELECT value FROM json_each(${jsonText(list_ids)}))
    ORDER BY name_key`)
  return found.length > 0 ? found : null
}

/**
 * Unsubscribes a recipient through a message: from its campaign's lists, or from everything, also when no list is left.
 * The campaign's report counts each recipient once. Answers the lists that the recipient left; null for everything.
 * @param everything unsubscribe from everything even when the campaign has lists
 */
export async function unsubscribeThrough(
  tx: Tx,
  recipient: UnsubscribingContact,
  { message, everything, act }: { message: UnsubscribeLink; everything: boolean; act: Omit<Withdrawal, 'campaign_id'> },
): Promise<{ name: string }[] | null> {
  const lists = everything ? null : await listsOfCampaign(tx, recipient.project_id, message.campaign_id)
  const through = message.campaign_id === 0 ? undefined : message
  const withdrawal: Withdrawal = { ...act, ...(through && { campaign_id: through.campaign_id }) }
  const ended =
    lists &&
    (await unsubscribeFromLists(
      tx,
      [recipient],
      lists.map(({ id }) => id),
      withdrawal,
    ))
  if (ended === null || !(await isOnAnyList(tx, recipient.id))) {
    if ((await optOut(tx, recipient, withdrawal, through)) || ended?.length) noteRecipient(tx, recipient)
    return null
  }
  if (ended.length > 0) {
    noteRecipient(tx, recipient)
    await recordUnsubscribe(tx, recipient, act.now, { through, detail: 'lists' })
  }
  return lists
}
