import { eq, sql } from 'drizzle-orm'
import type { Tx } from '../../store/open.ts'
import type { Runtime } from '../../store/runtime.ts'
import { campaigns } from '../../store/tables/delivery.ts'
import type { Job, JobKindHandler, Progress } from '../jobs/queue.ts'
import { eligible } from './audience-spec.ts'
import { moveCampaign } from './states.ts'

/** Contacts looked at in one transaction: long enough to be quick, short enough to hold nobody up. */
const CHUNK = 2000

/** Where the last chunk ended: contacts are walked in the order of their creation. */
interface Place {
  created_at: number
  id: number
}

/** Freezes a campaign's audience into the outbox, a bounded number of contacts a step. */
export const prepareCampaign: JobKindHandler = {
  kind: 'campaign_prepare',
  step: freezeChunk,
  onFailure: (tx, job, reason, now) => failPreparation(tx, job, reason, now),
  afterStep: (progress, runtime) => { if (progress.state === 'completed') runtime.wake('delivery') },
}

async function freezeChunk(tx: Tx, job: Job, _runtime: Runtime, now: number): Promise<Progress> {
  const campaign_id = Number(job.payload.campaign_id)
  const [campaign] = await tx.select().from(campaigns).where(eq(campaigns.id, campaign_id))
  if (campaign?.status !== 'preparing') return { state: 'cancelled' }
  const from: Place = { created_at: Number(job.payload.after_created_at ?? -1), id: job.position }
  const to = await endOfChunk(tx, job.project_id, from)
  const added = await tx.all(sql`
    INSERT INTO deliveries (project_id, kind, campaign_id, contact_id, email, status, next_attempt_at, created_at)
    SELECT c.project_id, 'campaign', ${campaign_id}, c.id, c.email, 'queued', ${now}, ${now}
    FROM contacts c
    WHERE c.project_id = ${job.project_id} AND (c.created_at, c.id) > (${from.created_at}, ${from.id})
      ${to ? sql`AND (c.created_at, c.id) <= (${to.created_at}, ${to.id})` : sql``}
      AND ${eligible(job.project_id, campaign.audience_spec)}
    ORDER BY c.created_at, c.id
    RETURNING 1`)
  if (to) return { state: 'more', position: to.id, payload: { ...job.payload, after_created_at: to.created_at }, processed: added.length }
  await moveCampaign(tx, { project_id: job.project_id, campaign_id, to: 'sending', from: ['preparing'], set: { started_at: now }, now })
  return { state: 'completed', processed: added.length }
}

/** The last contact of the next chunk, or null when what is left fits into one. */
async function endOfChunk(tx: Tx, project_id: string, from: Place): Promise<Place | null> {
  const [end] = await tx.all<Place>(sql`
    SELECT created_at, id FROM contacts
    WHERE project_id = ${project_id} AND (created_at, id) > (${from.created_at}, ${from.id})
    ORDER BY created_at, id LIMIT 1 OFFSET ${CHUNK - 1}`)
  return end ?? null
}

async function failPreparation(tx: Tx, job: Job, reason: string, now: number): Promise<void> {
  await moveCampaign(tx, {
    project_id: job.project_id, campaign_id: Number(job.payload.campaign_id), to: 'failed', from: ['preparing'], set: { failure: { reason }, finished_at: now }, now,
  })
}
