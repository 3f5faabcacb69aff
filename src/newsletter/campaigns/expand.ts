import { eq, sql } from 'drizzle-orm'
import type { Tx } from '../../store/open.ts'
import { type CursorPosition, rowsAfter } from '../../store/page.ts'
import type { Runtime } from '../../runtime.ts'
import { campaigns } from '../../store/tables/delivery.ts'
import type { Job, JobKindHandler, Progress } from '../jobs/queue.ts'
import { eligible, resolveAudience } from './audience-spec.ts'
import { newestPosts } from '../templates/posts.ts'
import { sendingProject } from './content.ts'
import { moveCampaign } from './states.ts'
import { enqueueCampaign } from '../outbox/enqueue.ts'
import { updateRecipients } from './recipient-updates.ts'

/** Contacts per step. More would keep other writers waiting; fewer would cost more commits. */
const CHUNK = 2000

/** Copies a campaign's audience into the outbox, a bounded number of contacts a step, and starts the campaign. */
export const prepareCampaign: JobKindHandler<'campaign_prepare'> = {
  kind: 'campaign_prepare',
  step: freezeChunk,
  async onFailure(tx, job, reason, now) {
    const { campaign_id } = job.payload
    await moveCampaign(tx, {
      project_id: job.project_id,
      campaign_id,
      to: 'failed',
      from: ['preparing'],
      set: { failure: { reason }, finished_at: now },
      now,
    })
    await updateRecipients(tx, campaign_id, 'cancel')
  },
  afterStep({ state, processed = 0 }, { log, wake }, { payload, processed: before }) {
    if (state !== 'completed') return
    log.info('a campaign begins', { campaign_id: payload.campaign_id, recipients: before + processed })
    wake('delivery')
  },
}

async function freezeChunk(
  tx: Tx,
  job: Job<'campaign_prepare'>,
  { base_url }: Runtime,
  now: number,
): Promise<Progress> {
  const { campaign_id, after_created_at = 0 } = job.payload
  const [campaign] = await tx.select().from(campaigns).where(eq(campaigns.id, campaign_id))
  if (campaign?.status !== 'preparing') return { state: 'cancelled' }
  const from: CursorPosition | null = job.position === 0 ? null : { created_at: after_created_at, id: job.position }
  const chunk = rowsAfter('contacts', sql`project_id = ${job.project_id}`, { after: from, most: CHUNK })
  const [end] = await tx.all<CursorPosition>(
    sql`SELECT created_at, id FROM (${chunk}) ORDER BY created_at DESC, id DESC LIMIT 1`,
  )
  const audience = await resolveAudience(tx, job.project_id, campaign.audience_spec, job.created_at)
  const contacts = sql`
    FROM (${chunk}) AS position JOIN contacts contact ON contact.id = position.id
    WHERE ${eligible(job.project_id, audience)}
    ORDER BY contact.created_at, contact.id`
  const added = await enqueueCampaign(tx, { campaign_id, contacts, now })
  if (end)
    return {
      state: 'more',
      position: end.id,
      payload: { campaign_id, after_created_at: end.created_at },
      processed: added,
    }
  const posts = await newestPosts(tx, campaign.editor_json, {
    ...(await sendingProject(tx, job.project_id)),
    base_url,
  })
  await moveCampaign(tx, {
    project_id: job.project_id,
    campaign_id,
    to: 'sending',
    from: ['preparing'],
    set: { started_at: now, posts },
    now,
  })
  return { state: 'completed', processed: added }
}
