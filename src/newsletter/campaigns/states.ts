import type { ProjectId } from '../../ids.ts'
import { and, eq, getTableColumns, inArray, isNull } from 'drizzle-orm'
import { invalidState, notFound } from '../../errors.ts'
import type { Tx } from '../../store/open.ts'
import { campaigns, type CampaignStatus } from '../../store/tables/delivery.ts'

/**
 * The life of a campaign.
 *
 *   draft ──► scheduled ──► preparing ──► sending ──► sent
 *     │ ▲         │             ▲           │ ▲
 *     │ └─────────┘             │           ▼ │
 *     └─────────────────────────┘          paused
 *
 *   sent ──► sending       when failed recipients are tried again
 *   scheduled, preparing, sending, paused ──► cancelled
 *   scheduled, preparing ──► failed
 *
 *   draft       being written
 *   scheduled   goes out by itself at `scheduled_at`; `unschedule` makes it a draft again
 *   preparing   its audience is being frozen into the outbox
 *   sending     its messages are on their way
 *   paused      nothing more is handed over until it is resumed
 *   sent        nothing is left to hand over
 *   cancelled   ended by people
 *   failed      it was not ready at its time, or could not be prepared
 */
const FROM: Record<CampaignStatus, readonly CampaignStatus[]> = {
  draft: ['scheduled'],
  scheduled: ['draft', 'scheduled'],
  preparing: ['draft', 'scheduled'],
  sending: ['preparing', 'paused', 'sent'],
  sent: ['sending'],
  paused: ['sending'],
  cancelled: ['scheduled', 'preparing', 'sending', 'paused'],
  failed: ['scheduled', 'preparing'],
}

/** A campaign without its document and its posts, which may be large. */
export type CampaignRow = Omit<typeof campaigns.$inferSelect, 'editor_json' | 'posts'>

/** What of a campaign changes together with its state. */
export type CampaignChanges = Partial<
  Pick<typeof campaigns.$inferSelect, 'scheduled_at' | 'timezone' | 'started_at' | 'finished_at' | 'failure' | 'posts'>
>

export interface CampaignMove {
  project_id: ProjectId
  campaign_id: number
  to: CampaignStatus
  /** Fewer of the states that the drawing allows. */
  from?: readonly CampaignStatus[]
  set?: CampaignChanges
  now: number
}

/**
 * Moves a campaign to another state. Throws NOT_FOUND for one that is not the project's or was deleted, and
 * INVALID_STATE with `details.state` when its present state does not allow the move.
 */
export async function moveCampaign(
  tx: Tx,
  { project_id, campaign_id, to, from = FROM[to], set = {}, now }: CampaignMove,
): Promise<CampaignRow> {
  const undrawn = from.find((state) => !FROM[to].includes(state))
  if (undrawn) throw new Error(`No campaign goes from ${undrawn} to ${to}.`)
  const own = and(eq(campaigns.id, campaign_id), eq(campaigns.project_id, project_id), isNull(campaigns.deleted_at))
  const [moved] = await tx
    .update(campaigns)
    .set({ ...set, status: to, updated_at: now })
    .where(and(own, inArray(campaigns.status, [...from])))
    .returning(campaignColumns)
  if (moved) return moved
  const [present] = await tx.select({ status: campaigns.status }).from(campaigns).where(own)
  if (!present) throw notFound('campaign', '/campaign_id')
  throw invalidState(`The campaign is ${PRESENT[present.status]} and cannot ${ASKED[to]}.`, present.status)
}

/** Pauses a campaign for a reason that its people are shown; false when it is not being sent any more. */
export async function pauseItself(
  tx: Tx,
  { project_id, campaign_id, reason, now }: { project_id: ProjectId; campaign_id: number; reason: string; now: number },
): Promise<boolean> {
  // Another batch, or somebody, may have stopped it meanwhile.
  const [present] = await tx.select({ status: campaigns.status }).from(campaigns).where(eq(campaigns.id, campaign_id))
  if (present?.status !== 'sending') return false
  await moveCampaign(tx, {
    project_id,
    campaign_id,
    to: 'paused',
    from: ['sending'],
    set: { failure: { reason } },
    now,
  })
  return true
}

type Columns = ReturnType<typeof getTableColumns<typeof campaigns>>

/** The columns of a `CampaignRow`. */
export const campaignColumns = Object.fromEntries(
  Object.entries(getTableColumns(campaigns)).filter(([column]) => column !== 'editor_json' && column !== 'posts'),
) as Omit<Columns, 'editor_json' | 'posts'>

const PRESENT: Record<CampaignStatus, string> = {
  draft: 'a draft',
  scheduled: 'scheduled',
  preparing: 'being prepared',
  sending: 'being sent',
  sent: 'sent',
  paused: 'paused',
  cancelled: 'cancelled',
  failed: 'failed',
}

const ASKED: Record<CampaignStatus, string> = {
  draft: 'be unscheduled',
  scheduled: 'be scheduled',
  preparing: 'be sent',
  sending: 'go on',
  sent: 'be finished',
  paused: 'be paused',
  cancelled: 'be cancelled',
  failed: 'fail',
}
