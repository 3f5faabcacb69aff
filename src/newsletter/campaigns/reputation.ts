import type { ProjectId } from '../../ids.ts'
import { sql } from 'drizzle-orm'
import type { LoopContext } from '../../runtime.ts'
import { pauseCampaign } from './pause.ts'

/**
 * Pauses a campaign with too many hard bounces or complaints, because every further message harms the sender's
 * reputation (docs/api/delivery.md#bounces). People may resume it; it is paused again only when its share has grown by
 * half.
 */
const MIN_MESSAGES = 500
export const MAX_HARD_BOUNCES = 0.05
export const MAX_COMPLAINTS = 0.003
/** After a pause, the share that pauses the campaign again, as a multiple of the share that paused it. */
const NEXT_PAUSE_AT = 1.5

interface SettledCounts {
  project_id: ProjectId
  /** Messages whose outcome is known: accepted by the relay, or bounced. */
  settled: number
  bounced: number
  complained: number
  /** The severity above which the campaign is paused; 1 until its first pause. */
  tolerated: number
}

/** Pauses the campaign if it is sending and its share of hard bounces or complaints is too high. */
export async function pauseUnwelcome(context: LoopContext, campaign_id: number): Promise<void> {
  const [outcome] = await context.store.db.all<SettledCounts>(sql`
    SELECT campaign.project_id, campaign.tolerated,
      campaign.handed_over - (
        SELECT count(*) FROM deliveries delivery
        WHERE delivery.campaign_id = campaign.id AND delivery.kind = 'campaign' AND delivery.status = 'sending'
      ) AS settled,
      (SELECT count(*) FROM deliveries delivery
        WHERE delivery.campaign_id = campaign.id AND delivery.kind = 'campaign' AND delivery.status = 'bounced'
      ) AS bounced,
      (SELECT count(DISTINCT event.delivery_id) FROM events event
        WHERE event.campaign_id = campaign.id AND event.type = 'complaint' AND event.type <> 'sent'
      ) AS complained
    FROM campaigns campaign
    WHERE campaign.id = ${campaign_id} AND campaign.status = 'sending' AND campaign.handed_over >= ${MIN_MESSAGES}`)
  if (!outcome || outcome.settled < MIN_MESSAGES) return
  const { severity, because } = assess(outcome)
  if (severity <= outcome.tolerated) return
  await pauseCampaign(context, { project_id: outcome.project_id, campaign_id, cause: 'reputation', because }, (tx) =>
    tx.run(sql`UPDATE campaigns SET tolerated = ${severity * NEXT_PAUSE_AT} WHERE id = ${campaign_id}`),
  )
}

/** The worse of both shares, as a multiple of its limit, and what is wrong. */
function assess({ settled, bounced, complained }: SettledCounts): { severity: number; because: string } {
  const bounces = bounced / settled / MAX_HARD_BOUNCES
  const complaints = complained / settled / MAX_COMPLAINTS
  const because =
    bounces >= complaints
      ? `${percent(bounced, settled)} of the addresses do not exist ` +
        `(limit ${percent(MAX_HARD_BOUNCES, 1)}). Check the source of the list.`
      : `${percent(complained, settled)} of the recipients complained ` +
        `(limit ${percent(MAX_COMPLAINTS, 1)}). Check that they asked for these messages.`
  return { severity: Math.max(bounces, complaints), because }
}

function percent(part: number, whole: number): string {
  return `${Math.round((part / whole) * 1000) / 10} %`
}
