import { eq, sql } from 'drizzle-orm'
import { errorFields } from '../../log.ts'
import type { LoopContext } from '../../runtime.ts'
import type { Tx } from '../../store/open.ts'
import { one } from '../../store/rows.ts'
import { campaigns, type RecipientUpdate } from '../../store/tables/delivery.ts'
import { cancel, requeue } from '../outbox/outbox.ts'

/**
 * Changes to all recipients of a campaign, in bounded steps: a campaign may have a million recipients, and no request
 * may wait for a transaction of that size. The first step belongs to the change itself, so that small campaigns change
 * at once. `campaigns.recipient_update` says what the delivery loop has to continue.
 */
const RECIPIENTS_PER_STEP = 5000
const CAMPAIGNS_PER_TICK = 20

/** The update that follows a complete one; null for none. Recipients in doubt come before failed ones. */
const NEXT: Record<RecipientUpdate, RecipientUpdate | null> = {
  cancel: null,
  requeue: null,
  requeue_with_uncertain: 'requeue',
}

/** An update, and the id up to which recipients are done: one that fails again is not queued a second time. */
type Step = Pick<typeof campaigns.$inferSelect, 'recipient_update_after'> & { recipient_update: RecipientUpdate }

/** Starts an update of all recipients and makes its first step. */
export async function updateRecipients(tx: Tx, campaign_id: number, recipient_update: RecipientUpdate): Promise<void> {
  await makeStep(tx, campaign_id, { recipient_update, recipient_update_after: 0 })
}

/** Makes one step for some of the campaigns whose update is not complete; answers whether there was any. */
export async function continueRecipientUpdates(context: LoopContext): Promise<boolean> {
  // In random order: a campaign whose step fails must not block the others.
  const unfinished = await context.store.db.all<{ id: number }>(
    sql`SELECT id FROM campaigns WHERE recipient_update IS NOT NULL ORDER BY random() LIMIT ${CAMPAIGNS_PER_TICK}`,
  )
  let progressed = false
  for (const { id } of unfinished) {
    try {
      await context.store.write(async (tx) => {
        const [present] = await tx
          .select({
            recipient_update: campaigns.recipient_update,
            recipient_update_after: campaigns.recipient_update_after,
          })
          .from(campaigns)
          .where(eq(campaigns.id, id))
        if (!present?.recipient_update) return
        await makeStep(tx, id, { ...present, recipient_update: present.recipient_update })
      })
      progressed = true
    } catch (error) {
      context.log.error('the recipients of a campaign are not updated yet', { campaign_id: id, ...errorFields(error) })
    }
  }
  return progressed
}

/** How many recipients a requeue would queue again. */
export async function recipientsToRequeue(tx: Tx, campaign_id: number, include_uncertain: boolean): Promise<number> {
  const count = (status: 'failed' | 'uncertain') => sql`(
    SELECT count(*) FROM deliveries WHERE campaign_id = ${campaign_id} AND kind = 'campaign' AND status = ${status})`
  const rows = await tx.all<{ n: number }>(
    sql`SELECT ${count('failed')} + ${include_uncertain ? count('uncertain') : sql`0`} AS n`,
  )
  return one(rows).n
}

async function makeStep(tx: Tx, campaign_id: number, step: Step): Promise<void> {
  const { changed, last_id } = await changeRecipients(tx, campaign_id, step)
  const done = changed < RECIPIENTS_PER_STEP
  const next = done ? NEXT[step.recipient_update] : step.recipient_update
  await tx
    .update(campaigns)
    .set({ recipient_update: next, recipient_update_after: done ? 0 : last_id })
    .where(eq(campaigns.id, campaign_id))
  if (done && next !== null) await makeStep(tx, campaign_id, { recipient_update: next, recipient_update_after: 0 })
}

async function changeRecipients(
  tx: Tx,
  campaign_id: number,
  { recipient_update, recipient_update_after }: Step,
): Promise<{ changed: number; last_id: number }> {
  const limit = RECIPIENTS_PER_STEP
  if (recipient_update === 'cancel') return { changed: await cancel(tx, { campaign_id, limit }), last_id: 0 }
  const status = recipient_update === 'requeue' ? 'failed' : 'uncertain'
  const ids = await requeue(tx, { campaign_id, status, after_id: recipient_update_after, limit })
  return { changed: ids.length, last_id: ids.reduce((last, id) => Math.max(last, id), 0) }
}
