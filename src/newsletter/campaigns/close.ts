import { eq, type SQL, sql } from 'drizzle-orm'
import { note } from '../../audit/record.ts'
import type { ProjectId } from '../../ids.ts'
import type { LoopContext } from '../../runtime.ts'
import type { Reader } from '../../store/open.ts'
import { hasRows, first } from '../../store/rows.ts'
import { campaigns } from '../../store/tables/delivery.ts'
import { pauseCampaign } from './pause.ts'
import { moveCampaign } from './states.ts'
import { recipientCounts, type StatusCount, statusQuery } from './stats.ts'

/** How a campaign ends once no message of it is left to hand over (docs/api/campaigns.md#states). */

/**
 * Closes a campaign that has no unfinished message; answers whether it did. One of which the relay accepted no message
 * is paused instead, with the reason, so that it is never taken for sent.
 */
export async function closeCampaign(
  context: LoopContext,
  project_id: ProjectId,
  campaign_id: number,
): Promise<boolean> {
  const { db } = context.store
  if (hasRows(await db.all(sql`${unfinished(sql`${campaign_id}`)} LIMIT 1`))) return false
  const because = (await wasAccepted(db, campaign_id)) ? null : await whyNothing(db, campaign_id)
  const now = context.clock.now()
  const isDone = async (tx: Reader): Promise<boolean> => {
    const [open] = await tx.all(sql`${unfinished(sql`${campaign_id}`)} LIMIT 1`)
    const [present] = await tx
      .select({ status: campaigns.status, recipient_update: campaigns.recipient_update })
      .from(campaigns)
      .where(eq(campaigns.id, campaign_id))
    return !open && present?.status === 'sending' && present.recipient_update === null
  }
  if (because) return pauseCampaign(context, { project_id, campaign_id, ...because, provided: isDone })
  const ended = await context.store.write(async (tx) => {
    if (!(await isDone(tx))) return false
    await moveCampaign(tx, { project_id, campaign_id, to: 'sent', from: ['sending'], set: { finished_at: now }, now })
    note(tx, { action: 'campaigns/finish', target: `campaign:${campaign_id}`, project_id })
    return true
  })
  if (!ended) return false
  const counts = await context.store.heavy<StatusCount>(statusQuery([campaign_id]))
  context.log.info('a campaign ended', { campaign_id, ...recipientCounts(counts) })
  return true
}

/** Messages of a campaign that are not in a final status. */
export const unfinished = (campaign_id: SQL): SQL => sql`
  SELECT 1 FROM deliveries delivery
  WHERE delivery.campaign_id = ${campaign_id} AND delivery.kind = 'campaign'
    AND delivery.status IN ('queued', 'leased', 'sending')`

/** Whether the relay accepted a message of a campaign, or may have. One that bounced later has a time of sending. */
export async function wasAccepted(db: Reader, campaign_id: number): Promise<boolean> {
  return hasRows(
    await db.all(sql`
      SELECT 1 FROM deliveries
      WHERE campaign_id = ${campaign_id} AND kind = 'campaign'
        AND (status IN ('sent', 'uncertain') OR status = 'bounced' AND sent_at IS NOT NULL)
      LIMIT 1`),
  )
}

/** Why no message of a campaign was accepted: what pausing it needs. */
async function whyNothing(db: Reader, campaign_id: number): Promise<{ cause: 'relay' | 'audience'; because: string }> {
  const firstWith = async (status: 'failed' | 'bounced'): Promise<string | null> =>
    first(
      await db.all<{ last_error: string | null }>(sql`
        SELECT last_error FROM deliveries
        WHERE campaign_id = ${campaign_id} AND kind = 'campaign' AND status = ${status} ORDER BY id LIMIT 1`),
    )?.last_error ?? null
  const failed = await firstWith('failed')
  if (failed !== null)
    return {
      cause: 'relay',
      because:
        'none of its messages was accepted. Remove the cause, requeue the failed recipients and resume it. ' +
        `The first message ended with: ${failed}`,
    }
  const bounced = await firstWith('bounced')
  if (bounced !== null)
    return {
      cause: 'audience',
      because: `none of its recipients has a mailbox that exists. The relay said: ${bounced}`,
    }
  return {
    cause: 'audience',
    because:
      'nobody is left to write to: every recipient unsubscribed, was suppressed or changed address before their ' +
      'message was sent. Cancel it.',
  }
}
