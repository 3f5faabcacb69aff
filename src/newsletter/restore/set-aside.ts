import { sql } from 'drizzle-orm'
import { note } from '../../audit/record.ts'
import type { ProjectId } from '../../ids.ts'
import { jsonText } from '../../store/json-text.ts'
import type { Reader, Store, Tx } from '../../store/open.ts'
import type { CampaignStatus } from '../../store/tables/delivery.ts'
import { moveCampaign } from '../campaigns/states.ts'

export interface SetAside {
  paused: number
  drafts: number
  /** Projects whose confirmations are held. */
  held: number
}

/**
 * Stops what a restored database must not do by itself while it cannot know what was sent since its backup; people
 * decide (docs/operations.md#facts). `as_of`: the time of the backup, as text.
 */
export function setAside(store: Store, { as_of, now }: { as_of: string; now: number }): Promise<SetAside> {
  const sent =
    `The backup is of ${as_of}, and what was sent since then is not known: some recipients may have the message ` +
    `already. Compare with the log of the relay before you resume.`
  return store.write(async (tx) => {
    await warnPaused(tx, now, `Paused before a restore. ${sent}`)
    const paused = await moveAll(tx, now, {
      from: ['preparing', 'sending'],
      to: 'paused',
      reason: `${PAUSED_BY_RESTORE} ${sent}`,
    })
    const drafts = await moveAll(tx, now, {
      from: ['scheduled'],
      to: 'draft',
      reason:
        `A draft again since a restore. The backup is of ${as_of}, and the campaign may have been sent since then. ` +
        `Schedule it again if it was not.`,
    })
    return { paused, drafts, held: await holdConfirmations(tx, now) }
  })
}

/** How the reason begins of a campaign that a restore paused. */
const PAUSED_BY_RESTORE = 'Paused by a restore.'

/** How many campaigns still wait since a restore paused them. */
export async function countPausedByRestore(db: Reader): Promise<number> {
  const [found] = await db.all<{ paused: number }>(sql`
    SELECT count(*) AS paused FROM campaigns
    WHERE status = 'paused' AND failure ->> 'reason' LIKE ${`${PAUSED_BY_RESTORE}%`}`)
  return found!.paused
}

/** Who resumes a campaign must know that it may have been resumed after the backup. */
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
    const set = { failure: { reason }, ...(to === 'draft' && { scheduled_at: null, timezone: null }) }
    await moveCampaign(tx, { project_id, campaign_id, to, from, set, now })
    const action = to === 'paused' ? 'campaigns/pause' : 'campaigns/unschedule'
    note(tx, { action, target: `campaign:${campaign_id}`, project_id, details: { reason } })
  }
  return rows.length
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
