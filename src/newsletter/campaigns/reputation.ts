import type { ProjectId } from '../../ids.ts'
import { sql } from 'drizzle-orm'
import type { LoopContext } from '../../runtime.ts'
import { pauseItself } from './states.ts'

/**
 * A campaign that many do not want, or that goes to addresses which do not exist, harms its sender's name with every
 * further message. After the first messages it is paused by itself, and says why; people may resume it, and it is
 * paused again only when it gets worse.
 */
const LOOKED_AT_AFTER = 500
const HARD_BOUNCES = 0.05
const COMPLAINTS = 0.003
/** Once resumed, so many times the share at which it was paused before it is paused again. */
const WORSE = 1.5

interface Standing {
  project_id: ProjectId
  /** Messages whose fate is told: the relay took them, or knew no such address. */
  told: number
  tolerated: number
  bounced: number
  complained: number
}

/** Pauses a sending campaign whose share of hard bounces or complaints is too high. */
export async function pauseUnwelcome(context: LoopContext, campaign_id: number): Promise<void> {
  const [standing] = await context.store.db.all<Standing>(sql`
    SELECT c.project_id, c.tolerated,
      c.handed_over - (SELECT count(*) FROM deliveries d WHERE d.campaign_id = c.id AND d.kind = 'campaign' AND d.status = 'sending') AS told,
      (SELECT count(*) FROM deliveries d WHERE d.campaign_id = c.id AND d.kind = 'campaign' AND d.status = 'bounced') AS bounced,
      (SELECT count(DISTINCT e.delivery_id) FROM events e WHERE e.campaign_id = c.id AND e.type = 'complaint' AND e.type <> 'sent') AS complained
    FROM campaigns c WHERE c.id = ${campaign_id} AND c.status = 'sending' AND c.handed_over >= ${LOOKED_AT_AFTER}`)
  if (!standing || standing.told < LOOKED_AT_AFTER) return
  const { severity, reason } = verdict(standing)
  if (severity <= standing.tolerated) return
  const now = context.clock.now()
  const paused = await context.store.write(async (tx) => {
    if (!(await pauseItself(tx, { project_id: standing.project_id, campaign_id, reason, now }))) return false
    await tx.run(sql`UPDATE campaigns SET tolerated = ${severity * WORSE} WHERE id = ${campaign_id}`)
    return true
  })
  if (paused) context.log.warn('a campaign was paused', { campaign_id, reason })
}

/** How far above its limit the worse of both shares is (1: at the limit), and the sentence that says so. */
function verdict({ told, bounced, complained }: Standing): { severity: number; reason: string } {
  const bounces = bounced / told / HARD_BOUNCES
  const complaints = complained / told / COMPLAINTS
  return bounces >= complaints
    ? {
        severity: bounces,
        reason: `Paused by itself: ${percent(bounced, told)} of the addresses do not exist (limit ${percent(HARD_BOUNCES, 1)}). Check where the list comes from.`,
      }
    : {
        severity: complaints,
        reason: `Paused by itself: ${percent(complained, told)} of the recipients complained (limit ${percent(COMPLAINTS, 1)}). Check whether they asked for it.`,
      }
}

function percent(part: number, whole: number): string {
  return `${Math.round((part / whole) * 1000) / 10} %`
}
