import { note } from '../../audit/record.ts'
import type { ProjectId } from '../../ids.ts'
import { and, eq, getTableColumns, inArray, isNull } from 'drizzle-orm'
import { type AppError, invalidState } from '../../errors.ts'
import type { Tx } from '../../store/open.ts'
import { campaigns, type CampaignStatus } from '../../store/tables/delivery.ts'
import { oneOrNotFound } from '../../store/rows.ts'

/**
 * The states of a campaign (docs/api/campaigns.md#states).
 *
 *   draft ──► scheduled ──► preparing ──► sending ──► sent
 *     │ ▲         │             ▲           │ ▲
 *     │ └─────────┘             │           ▼ │
 *     └─────────────────────────┘          paused
 *
 *   sent ──► sending       `requeue-failed`
 *   preparing ──► paused ──► preparing       after a restore that cannot know what was sent
 *   scheduled, preparing, sending, paused ──► cancelled
 *   scheduled, preparing ──► failed ──► scheduled, preparing
 *
 *   draft       not sent yet, can be changed
 *   scheduled   starts at `scheduled_at`; `unschedule` turns it back into a draft
 *   preparing   a job copies its audience into the outbox
 *   sending     its messages are handed to the relay
 *   paused      no message is handed over until it is resumed
 *   sent        no message is left to hand over, and the relay accepted one or may have
 *   cancelled   ended by a caller
 *   failed      not ready at its scheduled time, or its audience could not be prepared; can be changed and sent again
 *
 * FROM lists for each state the states from which a campaign can reach it.
 */
const FROM: Record<CampaignStatus, readonly CampaignStatus[]> = {
  draft: ['scheduled'],
  scheduled: ['draft', 'scheduled', 'failed'],
  preparing: ['draft', 'scheduled', 'failed', 'paused'],
  sending: ['preparing', 'paused', 'sent'],
  sent: ['sending'],
  paused: ['sending', 'preparing'],
  cancelled: ['scheduled', 'preparing', 'sending', 'paused'],
  failed: ['scheduled', 'preparing'],
}

/** A campaign without its document and posts, which may be large. */
export type CampaignRow = Omit<typeof campaigns.$inferSelect, 'editor_json' | 'posts'>

export interface CampaignMove {
  project_id: ProjectId
  campaign_id: number
  to: CampaignStatus
  /** The allowed previous states; by default all of the transition table. */
  from?: readonly CampaignStatus[]
  /** The columns that change together with the state. */
  set?: Partial<
    Pick<
      typeof campaigns.$inferSelect,
      'scheduled_at' | 'timezone' | 'started_at' | 'finished_at' | 'failure' | 'posts'
    >
  >
  now: number
}

/**
 * Moves a campaign to another state. Throws NOT_FOUND for a campaign that was deleted or belongs to another project,
 * and INVALID_STATE with `details.state` when the present state does not allow the move.
 */
export async function moveCampaign(
  tx: Tx,
  { project_id, campaign_id, to, from = FROM[to], set = {}, now }: CampaignMove,
): Promise<CampaignRow> {
  const impossible = from.find((state) => !FROM[to].includes(state))
  if (impossible) throw new Error(`No campaign moves from ${impossible} to ${to}.`)
  const own = and(eq(campaigns.id, campaign_id), eq(campaigns.project_id, project_id), isNull(campaigns.deleted_at))
  const [moved] = await tx
    .update(campaigns)
    .set({ ...set, status: to, updated_at: now })
    .where(and(own, inArray(campaigns.status, [...from])))
    .returning(campaignColumns)
  if (moved) return moved
  const present = oneOrNotFound(
    await tx.select({ status: campaigns.status }).from(campaigns).where(own),
    'campaign',
    '/campaign_id',
  )
  throw notMovable(present.status, to)
}

/** Throws INVALID_STATE when a campaign in one state cannot move to another. */
export function requireMove(from: CampaignStatus, to: CampaignStatus): void {
  if (!FROM[to].includes(from)) throw notMovable(from, to)
}

/** Throws INVALID_STATE while the recipients of a campaign that failed are still being canceled. */
export function requireSettled({ status, recipient_update }: Pick<CampaignRow, 'status' | 'recipient_update'>): void {
  if (recipient_update !== null)
    throw invalidState('The recipients of its last attempt are still being canceled: try again in a moment.', status)
}

function notMovable(from: CampaignStatus, to: CampaignStatus): AppError {
  return invalidState(`The campaign is ${STATE[from]} and cannot ${ACTION[to]}.`, from)
}

/** Pauses a campaign and stores the reason as its failure. Returns false when it is not sending any more. */
export async function pauseAutomatically(
  tx: Tx,
  { project_id, campaign_id, reason, now }: { project_id: ProjectId; campaign_id: number; reason: string; now: number },
): Promise<boolean> {
  // Another batch or a caller may have stopped it since.
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
  note(tx, { action: 'campaigns/pause', target: `campaign:${campaign_id}`, project_id, details: { reason } })
  return true
}

/** The columns of a `CampaignRow`. */
export const campaignColumns = Object.fromEntries(
  Object.entries(getTableColumns(campaigns)).filter(([column]) => column !== 'editor_json' && column !== 'posts'),
) as Omit<ReturnType<typeof getTableColumns<typeof campaigns>>, 'editor_json' | 'posts'>

const STATE: Record<CampaignStatus, string> = {
  draft: 'a draft',
  scheduled: 'scheduled',
  preparing: 'being prepared',
  sending: 'being sent',
  sent: 'sent',
  paused: 'paused',
  cancelled: 'cancelled',
  failed: 'failed',
}

const ACTION: Record<CampaignStatus, string> = {
  draft: 'be unscheduled',
  scheduled: 'be scheduled',
  preparing: 'be sent',
  sending: 'be resumed',
  sent: 'be finished',
  paused: 'be paused',
  cancelled: 'be cancelled',
  failed: 'fail',
}
