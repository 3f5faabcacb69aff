import { eq, sql } from 'drizzle-orm'
import type { Tx } from '../../store/open.ts'
import { errorFields } from '../../log.ts'
import type { LoopContext } from '../../runtime.ts'
import { campaigns, type Sweep } from '../../store/tables/delivery.ts'

/**
 * Changes of all of a campaign's recipients, in bounded steps: a campaign has a million of them, and nobody waits for
 * a transaction of that size. The first step is made with the change itself, so that small campaigns change at once;
 * `campaigns.sweep` says what the delivery loop has to go on with.
 */
const AT_ONCE = 5000

export async function beginSweep(tx: Tx, campaign_id: number, sweep: Sweep, now: number): Promise<void> {
  await goOn(tx, campaign_id, { sweep, sweep_after: 0 }, now)
}

/** Makes one step for some of the campaigns that have one to make; answers whether there was any. */
export async function sweepCampaigns(context: LoopContext): Promise<boolean> {
  // In no order: one that cannot be swept must not stand before the others for ever.
  const waiting = await context.store.db.all<{ id: number }>(
    sql`SELECT id FROM campaigns WHERE sweep IS NOT NULL ORDER BY random() LIMIT 20`,
  )
  let progressed = false
  for (const { id } of waiting) {
    await context.store
      .write(async (tx) => {
        const [at] = await tx
          .select({ sweep: campaigns.sweep, sweep_after: campaigns.sweep_after })
          .from(campaigns)
          .where(eq(campaigns.id, id))
        if (at?.sweep) await goOn(tx, id, { sweep: at.sweep, sweep_after: at.sweep_after }, context.clock.now())
      })
      .then(
        () => {
          progressed = true
        },
        (error: unknown) =>
          context.log.error('the recipients of a campaign were not changed yet', {
            campaign_id: id,
            ...errorFields(error),
          }),
      )
  }
  return progressed
}

/** How many recipients a requeue would bring back. */
export async function recipientsToRequeue(tx: Tx, campaign_id: number, include_uncertain: boolean): Promise<number> {
  const [row] = await tx.all<{ n: number }>(sql`
    SELECT (SELECT count(*) FROM deliveries WHERE campaign_id = ${campaign_id} AND kind = 'campaign' AND status = 'failed')
      + ${include_uncertain ? sql`(SELECT count(*) FROM deliveries WHERE campaign_id = ${campaign_id} AND kind = 'campaign' AND status = 'uncertain')` : sql`0`} AS n`)
  return row?.n ?? 0
}

interface Place {
  sweep: Sweep
  /** The last recipient of this status that was looked at: who fails again meanwhile is not brought back again. */
  sweep_after: number
}

async function goOn(tx: Tx, campaign_id: number, { sweep, sweep_after }: Place, now: number): Promise<void> {
  const ids = await sweepStep(tx, campaign_id, { sweep, sweep_after }, now)
  const done = ids.length < AT_ONCE
  const then = done ? AFTER[sweep] : sweep
  await tx
    .update(campaigns)
    .set({ sweep: then, sweep_after: done || sweep === 'cancel' ? 0 : Math.max(...ids) })
    .where(eq(campaigns.id, campaign_id))
  if (done && then !== null) await goOn(tx, campaign_id, { sweep: then, sweep_after: 0 }, now)
}

async function sweepStep(tx: Tx, campaign_id: number, { sweep, sweep_after }: Place, now: number): Promise<number[]> {
  const found = (status: string) => sql`
    SELECT id FROM (SELECT id FROM deliveries WHERE campaign_id = ${campaign_id} AND kind = 'campaign' AND status = ${status} AND id > ${sweep_after} ORDER BY id LIMIT ${AT_ONCE})`
  const changed =
    sweep === 'cancel'
      ? await tx.all<{ id: number }>(
          sql`UPDATE deliveries SET status = 'cancelled', worker_id = NULL, lease_id = NULL WHERE id IN (SELECT id FROM (${found('queued')} UNION ALL ${found('leased')}) LIMIT ${AT_ONCE}) RETURNING id`,
        )
      : await tx.all<{ id: number }>(
          sql`UPDATE deliveries SET status = 'queued', attempts = 0, next_attempt_at = ${now}, last_error = NULL WHERE id IN (${found(sweep === 'requeue' ? 'failed' : 'uncertain')}) RETURNING id`,
        )
  return changed.map(({ id }) => id)
}

/** Those in doubt come first, then those that failed. */
const AFTER: Record<Sweep, Sweep | null> = { cancel: null, requeue: null, requeue_with_uncertain: 'requeue' }
