import { eq, sql } from 'drizzle-orm'
import type { Tx } from '../../store/open.ts'
import type { LoopContext } from '../../store/runtime.ts'
import { campaigns, type Sweep } from '../../store/tables/delivery.ts'

/**
 * Changes of all of a campaign's recipients, in bounded steps: a campaign has a million of them, and nobody waits for
 * a transaction of that size. The first step is made with the change itself, so that small campaigns change at once;
 * `campaigns.sweep` says what the delivery loop has to go on with.
 */
const AT_ONCE = 5000

export async function beginSweep(tx: Tx, campaign_id: number, sweep: Sweep, now: number): Promise<void> {
  const more = await sweepStep(tx, campaign_id, sweep, now)
  await tx.update(campaigns).set({ sweep: more ? sweep : null }).where(eq(campaigns.id, campaign_id))
}

/** Makes one step for each campaign that has one to make; answers whether there is more. */
export async function sweepCampaigns(context: LoopContext): Promise<boolean> {
  const waiting = await context.store.db.all<{ id: number }>(sql`SELECT id FROM campaigns WHERE sweep IS NOT NULL LIMIT 20`)
  for (const { id } of waiting) {
    await context.store.write(async (tx) => {
      const [campaign] = await tx.select({ sweep: campaigns.sweep }).from(campaigns).where(eq(campaigns.id, id))
      if (campaign?.sweep) await beginSweep(tx, id, campaign.sweep, context.clock.now())
    })
  }
  return waiting.length > 0
}

/** How many recipients a requeue would bring back. */
export async function recipientsToRequeue(tx: Tx, campaign_id: number, include_uncertain: boolean): Promise<number> {
  const [row] = await tx.all<{ n: number }>(sql`
    SELECT (SELECT count(*) FROM deliveries WHERE campaign_id = ${campaign_id} AND kind = 'campaign' AND status = 'failed')
      + ${include_uncertain ? sql`(SELECT count(*) FROM deliveries WHERE campaign_id = ${campaign_id} AND kind = 'campaign' AND status = 'uncertain')` : sql`0`} AS n`)
  return row?.n ?? 0
}

async function sweepStep(tx: Tx, campaign_id: number, sweep: Sweep, now: number): Promise<boolean> {
  const from = FROM[sweep]
  const found = sql`
    SELECT id FROM deliveries WHERE campaign_id = ${campaign_id} AND kind = 'campaign' AND status IN (SELECT value FROM json_each(${JSON.stringify(from)})) LIMIT ${AT_ONCE}`
  const changed = sweep === 'cancel'
    ? await tx.all(sql`UPDATE deliveries SET status = 'cancelled', worker_id = NULL, lease_id = NULL WHERE id IN (${found}) RETURNING 1`)
    : await tx.all(sql`UPDATE deliveries SET status = 'queued', attempts = 0, next_attempt_at = ${now}, last_error = NULL WHERE id IN (${found}) RETURNING 1`)
  return changed.length === AT_ONCE
}

const FROM: Record<Sweep, readonly string[]> = {
  cancel: ['queued', 'leased'],
  requeue: ['failed'],
  requeue_with_uncertain: ['failed', 'uncertain'],
}
