import { note } from '../../audit/record.ts'
import { and, asc, eq, isNull, lte } from 'drizzle-orm'
import { errorFields } from '../../log.ts'
import type { LoopContext } from '../../runtime.ts'
import { campaigns } from '../../store/tables/delivery.ts'
import { enqueueJob } from '../jobs/queue.ts'
import { slowAsNull, SlowDocument } from './compile-task.ts'
import { isReady, readinessOf } from './readiness.ts'
import { moveCampaign } from './states.ts'

const BATCH = 20

/**
 * Starts the scheduled campaigns that are due, a bounded number a call. Each passes the checks of `campaigns/send`. A
 * campaign that is not ready fails and shows the failed checks (docs/api/campaigns.md#scheduling).
 * @returns whether more campaigns may be due
 */
export async function startScheduled(context: LoopContext): Promise<boolean> {
  const now = context.clock.now()
  const due = await context.store.db
    .select()
    .from(campaigns)
    .where(and(eq(campaigns.status, 'scheduled'), lte(campaigns.scheduled_at, now), isNull(campaigns.deleted_at)))
    .orderBy(asc(campaigns.scheduled_at))
    .limit(BATCH)
  let moved = 0
  for (const campaign of due) {
    // An error in one campaign must not stop the others.
    await startOne(context, campaign, now).then(
      () => {
        moved += 1
      },
      (error: unknown) =>
        context.log.error('a scheduled campaign was not started', { campaign_id: campaign.id, ...errorFields(error) }),
    )
  }
  return due.length === BATCH && moved > 0
}

async function startOne(context: LoopContext, campaign: typeof campaigns.$inferSelect, now: number): Promise<void> {
  const { id: campaign_id, project_id, updated_at } = campaign
  const checks = await readinessOf(context, campaign, now, { dns: false }).catch(slowAsNull)
  await context.store.write(async (tx) => {
    const [present] = await tx
      .select({ status: campaigns.status, updated_at: campaigns.updated_at })
      .from(campaigns)
      .where(eq(campaigns.id, campaign_id))
    // Changed, unscheduled or started by another process during the checks: the next call decides again.
    if (present?.status !== 'scheduled' || present.updated_at !== updated_at) return
    const target = `campaign:${campaign_id}`
    if (!checks || !isReady(checks)) {
      note(tx, { action: 'campaigns/fail', target, project_id })
      await moveCampaign(tx, {
        project_id,
        campaign_id,
        to: 'failed',
        from: ['scheduled'],
        set: {
          failure: {
            reason: checks ? 'The campaign was not ready at its scheduled time.' : SlowDocument.reason,
            ...(checks && { checks: checks.filter(({ ok }) => !ok) }),
          },
          finished_at: now,
        },
        now,
      })
      return
    }
    note(tx, { action: 'campaigns/send', target, project_id })
    await moveCampaign(tx, { project_id, campaign_id, to: 'preparing', from: ['scheduled'], now })
    await enqueueJob(tx, { project_id, kind: 'campaign_prepare', payload: { campaign_id }, now })
  })
  context.wake('jobs')
}
