import { sql } from 'drizzle-orm'
import { note } from '../../audit/record.ts'
import { HOUR_MS, iso } from '../../clock.ts'
import type { ProjectId } from '../../ids.ts'
import { jsonText } from '../../store/json-text.ts'
import type { Reader, Store, Tx } from '../../store/open.ts'
import type { CampaignStatus } from '../../store/tables/delivery.ts'
import { PAUSED_BEFORE_RESTORE, PAUSED_BY_RESTORE } from '../campaigns/restored.ts'
import { moveCampaign } from '../campaigns/states.ts'

export interface SetAside {
  paused: number
  drafts: number
  /** Projects whose confirmations are held. */
  held: number
}

interface Past {
  /** The time of the backup, as text. */
  as_of: string
  /** Until when the facts reach, as text; null where there are none. */
  reach: string | null
  now: number
}

/**
 * Stops what a restored database must not do by itself while it cannot know what was sent since its backup; people
 * decide (docs/operations.md#facts).
 */
export function setAside(store: Store, { as_of, reach, now }: Past): Promise<SetAside> {
  const known = `The backup is of ${as_of}${reach === null ? '' : `, the facts reach until ${reach}`}`
  const sent =
    `${known}, and what was sent since then is not known: some recipients may have the message already, and some ` +
    `may have left. Compare with the log of the relay before you resume.`
  return store.write(async (tx) => {
    await warnPaused(tx, now, `${PAUSED_BEFORE_RESTORE} ${sent}`)
    const paused = await moveAll(tx, now, {
      from: ['preparing', 'sending'],
      to: 'paused',
      reason: `${PAUSED_BY_RESTORE} ${sent}`,
    })
    const drafts = await moveAll(tx, now, {
      from: ['scheduled'],
      to: 'draft',
      reason:
        `A draft again since a restore. ${known}, and the campaign may have been sent since then. ` +
        `Schedule it again if it was not.`,
    })
    return { paused, drafts, held: await holdConfirmations(tx, now) }
  })
}

/** How late a scheduled campaign may begin by itself after a start. */
const MAX_OVERDUE_MS = HOUR_MS

/** Makes drafts of scheduled campaigns that are long overdue at a start; people decide. Answers how many. */
export function setOverdueAside(store: Store, now: number): Promise<number> {
  return store.write(async (tx) => {
    const rows = await tx.all<{ id: number; project_id: ProjectId; scheduled_at: number }>(sql`
      SELECT id, project_id, scheduled_at FROM campaigns
      WHERE status = 'scheduled' AND scheduled_at < ${now - MAX_OVERDUE_MS} AND deleted_at IS NULL`)
    for (const { id: campaign_id, project_id, scheduled_at } of rows) {
      const reason =
        `A draft again: it was due at ${iso(scheduled_at)}, more than an hour before the service started. After a ` +
        `restore it may have been sent already. Send it now or schedule it again.`
      await makeDraft(tx, { project_id, campaign_id, reason, now })
    }
    return rows.length
  })
}

/** How many campaigns still wait since a restore paused them. */
export async function countPausedByRestore(db: Reader): Promise<number> {
  const [found] = await db.all<{ paused: number }>(sql`
    SELECT count(*) AS paused FROM campaigns
    WHERE status = 'paused' AND failure ->> 'reason' LIKE ${`${PAUSED_BY_RESTORE}%`}`)
  return found!.paused
}

/** Warns people who resume a campaign that it may have been resumed and sent after the backup. */
async function warnPaused(tx: Tx, now: number, reason: string): Promise<void> {
  const warned = await tx.all<{ id: number; project_id: ProjectId }>(sql`
    UPDATE campaigns SET failure = ${jsonText({ reason })}, updated_at = ${now}
    WHERE status = 'paused' AND deleted_at IS NULL AND coalesce(failure ->> 'reason', '') NOT LIKE
      ${`${PAUSED_BY_RESTORE}%`}
    RETURNING id, project_id`)
  for (const { id, project_id } of warned)
    note(tx, { action: 'campaigns/pause', target: `campaign:${id}`, project_id, details: { reason } })
}

async function moveAll(
  tx: Tx,
  now: number,
  { from, to, reason }: { from: CampaignStatus[]; to: 'paused' | 'draft'; reason: string },
): Promise<number> {
  const rows = await tx.all<{ id: number; project_id: ProjectId }>(sql`
    SELECT id, project_id FROM campaigns WHERE deleted_at IS NULL
    AND status IN ${from}`)
  for (const { id: campaign_id, project_id } of rows) {
    if (to === 'draft') {
      await makeDraft(tx, { project_id, campaign_id, reason, now })
      continue
    }
    await moveCampaign(tx, { project_id, campaign_id, to, from, set: { failure: { reason } }, now })
    note(tx, { action: 'campaigns/pause', target: `campaign:${campaign_id}`, project_id, details: { reason } })
  }
  return rows.length
}

async function makeDraft(
  tx: Tx,
  { project_id, campaign_id, reason, now }: { project_id: ProjectId; campaign_id: number; reason: string; now: number },
): Promise<void> {
  const set = { failure: { reason }, scheduled_at: null, timezone: null }
  await moveCampaign(tx, { project_id, campaign_id, to: 'draft', from: ['scheduled'], set, now })
  note(tx, { action: 'campaigns/unschedule', target: `campaign:${campaign_id}`, project_id, details: { reason } })
}

/** Holds the confirmations of projects where some wait, or where an unfinished job may ask people again. */
async function holdConfirmations(tx: Tx, now: number): Promise<number> {
  const held = await tx.all<{ project_id: ProjectId }>(sql`
    INSERT INTO newsletter_settings (project_id, confirmations_held, updated_at)
    SELECT DISTINCT project_id, 1, ${now} FROM (
      SELECT project_id FROM deliveries
      WHERE status IN ('queued', 'leased', 'sending') AND kind IN ('confirmation', 'link')
      UNION ALL SELECT project_id FROM jobs WHERE status IN ('queued', 'running') AND kind IN ('bulk', 'import'))
    WHERE true
    ON CONFLICT (project_id) DO UPDATE SET confirmations_held = 1, updated_at = excluded.updated_at
    RETURNING project_id`)
  for (const { project_id } of held) note(tx, { action: 'confirmations/hold', project_id })
  return held.length
}
