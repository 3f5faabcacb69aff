import type { ProjectId } from '../../ids.ts'
import { Type } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import { AppError, invalid, invalidState } from '../../errors.ts'
import { mutation } from '../../operation/declare.ts'
import { Email, Id, obj, enumOf } from '../../schema.ts'
import { jsonText } from '../../store/json-text.ts'
import type { Tx } from '../../store/open.ts'
import { SUPPRESSION_REASONS, type SuppressionReason } from '../../store/tables/audience.ts'
import { enqueueTests } from '../outbox/outbox.ts'
import { emailKey } from '../suppressions/suppression.ts'
import { enqueueJob } from '../jobs/queue.ts'
import type { EmailDocument } from '../email/document.ts'
import { compileCampaign } from './content.ts'
import { newestPosts } from '../templates/posts.ts'
import { isReady, notReady, readinessOf, requireSendable } from './readiness.operations.ts'
import { fillSample, ownerOf } from './render.operations.ts'
import { CampaignSummary, campaignSummary, getCampaign } from './resource.ts'
import { moveCampaign } from './states.ts'

export const sendCampaign = mutation({
  path: '/campaigns/send',
  scope: 'send',
  status: 202,
  summary: 'Sends a draft to its audience, beginning now.',
  request: obj({ campaign_id: Id }),
  response: obj({ campaign: CampaignSummary }),
  /** Counting the audience is too long for the transaction. */
  async prepare({ campaign_id }, context) {
    const campaign = await getCampaign(context.db, context.project_id, campaign_id)
    if (campaign.status !== 'draft') return null
    const checks = await readinessOf(context, campaign, context.now, { dns: false })
    if (!isReady(checks)) throw notReady(checks)
    return { version: campaign.updated_at }
  },
  async run({ campaign_id }, { tx, project_id, now, afterCommit, wake }, checked) {
    const { updated_at: version } = await getCampaign(tx, project_id, campaign_id)
    const campaign = await moveCampaign(tx, { project_id, campaign_id, to: 'preparing', from: ['draft'], now })
    if (version !== checked?.version)
      throw invalidState('The campaign was changed while it was being checked: look at it, and send it again.', 'draft')
    await enqueueJob(tx, { project_id, kind: 'campaign_prepare', payload: { campaign_id }, now })
    afterCommit(() => wake('jobs'))
    return { campaign: campaignSummary(campaign) }
  },
})

export const testSend = mutation({
  path: '/campaigns/test-send',
  scope: 'send',
  status: 202,
  summary: 'Sends a campaign as it is now to up to five addresses, as a test.',
  request: obj({
    campaign_id: Id,
    emails: Type.Array(Email, { minItems: 1, maxItems: 5, uniqueItems: true }),
    contact_id: Type.Optional(Id),
  }),
  response: obj({
    queued: Type.Integer({ minimum: 1, maximum: 5 }),
    skipped: Type.Array(obj({ email: Type.String(), reason: enumOf(SUPPRESSION_REASONS) }), {
      description: 'Addresses that are suppressed.',
    }),
  }),
  async prepare({ campaign_id, emails, contact_id }, context) {
    refuseTwins(emails)
    const { db, project_id, config, base_url, now } = context
    const campaign = await getCampaign(db, project_id, campaign_id)
    const owner = await ownerOf(db, project_id)
    const posts = await newestPosts(db, campaign.editor_json as EmailDocument, { ...owner, base_url })
    const { subject, html, text } = await fillSample(
      db,
      compileCampaign({ campaign, ...owner }, posts),
      owner,
      contact_id,
      now,
    )
    await requireSendable(db, config, campaign)
    return { subject: `[Test] ${subject}`, html, text }
  },
  async run({ campaign_id, emails, contact_id = null }, { tx, project_id, now, afterCommit, wake }, content) {
    await getCampaign(tx, project_id, campaign_id)
    const addresses = emails.map((email) => email.trim())
    const skipped = await suppressedAmong(tx, project_id, addresses)
    const allowed = addresses.filter((email) => !skipped.some((suppressed) => suppressed.email === email))
    if (allowed.length === 0)
      throw new AppError('NOT_READY', 'All these addresses are suppressed.', { details: { checks: [], skipped } })
    await enqueueTests(tx, { project_id, campaign_id, contact_id, emails: allowed, content, now })
    afterCommit(() => wake('delivery'))
    return { queued: allowed.length, skipped }
  },
})

function refuseTwins(emails: readonly string[]): void {
  const keys = emails.map(emailKey)
  const at = keys.findIndex((key, index) => keys.indexOf(key) !== index)
  if (at >= 0) throw invalid(`/emails/${at}`, 'Named twice.')
}

/** Those of the addresses to which nothing is sent, not even a test. */
async function suppressedAmong(
  tx: Tx,
  project_id: ProjectId,
  emails: readonly string[],
): Promise<{ email: string; reason: SuppressionReason }[]> {
  const given = emails.map((email) => ({ email, key: emailKey(email) }))
  return tx.all(sql`
    SELECT given.value ->> 'email' AS email, s.reason FROM json_each(${jsonText(given)}) given
    JOIN suppressions s ON s.project_id = ${project_id} AND s.email_key = given.value ->> 'key'
    ORDER BY given.key`)
}
