import type { ProjectId } from '../../ids.ts'
import { Type } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import { AppError, invalid, invalidState } from '../../errors.ts'
import { mutation } from '../../operation/declare.ts'
import { emailKey, tidyAddress } from '../../address.ts'
import { Email, Id, obj, enumOf } from '../../schema.ts'
import { jsonText } from '../../store/json-text.ts'
import type { Tx } from '../../store/open.ts'
import { SUPPRESSION_REASONS, type SuppressionReason } from '../../store/tables/audience.ts'
import type { CampaignStatus } from '../../store/tables/delivery.ts'
import { countTests, requireFewTests } from '../consent/message-requests.ts'
import { enqueueTests } from '../outbox/enqueue.ts'
import { enqueueJob } from '../jobs/queue.ts'
import { addressMarks } from '../suppressions/address-marks.ts'
import { newestPosts } from '../templates/posts.ts'
import { sendingProject } from './content.ts'
import { getAddressee } from './preview.ts'
import { readinessOf, requireReady, requireSendable } from './readiness.ts'
import { CampaignSummary, campaignSummary, getCampaign } from './resource.ts'
import { moveCampaign, requireSettled } from './states.ts'

const STARTABLE: readonly CampaignStatus[] = ['draft', 'failed']

export const sendCampaign = mutation({
  path: '/campaigns/send',
  scope: 'send',
  audit: { target: { kind: 'campaign', input: 'campaign_id' } },
  errors: ['INVALID_STATE', 'NOT_READY'],
  status: 202,
  summary: 'Starts sending a draft, or a campaign that failed, to its audience.',
  request: obj({ campaign_id: Id }),
  response: obj({ campaign: CampaignSummary }),
  /** Counting the audience takes too long for the transaction. */
  async prepare({ campaign_id }, context) {
    const campaign = await getCampaign(context.db, context.project_id, campaign_id)
    if (!STARTABLE.includes(campaign.status)) return null
    requireReady(await readinessOf(context, campaign, context.now, { dns: false }))
    return { version: campaign.updated_at }
  },
  async run({ campaign_id }, { tx, project_id, now, afterCommit, wake }, checked) {
    const before = await getCampaign(tx, project_id, campaign_id)
    requireSettled(before)
    const set = { failure: null, finished_at: null }
    const campaign = await moveCampaign(tx, { project_id, campaign_id, to: 'preparing', from: STARTABLE, set, now })
    if (before.updated_at !== checked?.version)
      throw invalidState(
        'The campaign was changed while it was being checked: review it and send it again.',
        before.status,
      )
    await enqueueJob(tx, { project_id, kind: 'campaign_prepare', payload: { campaign_id }, now })
    afterCommit(() => wake('jobs'))
    return { campaign: campaignSummary(campaign) }
  },
})

export const MAX_TEST_ADDRESSES = 5

export const testSend = mutation({
  path: '/campaigns/test-send',
  scope: 'send',
  audit: { target: { kind: 'campaign', input: 'campaign_id' }, ids: { contact_id: 'contact_id' } },
  errors: ['NOT_READY'],
  status: 202,
  summary: 'Sends the campaign as it is now to up to five addresses, as a test.',
  request: obj({
    campaign_id: Id,
    emails: Type.Array(Email, { minItems: 1, maxItems: MAX_TEST_ADDRESSES, uniqueItems: true }),
    contact_id: Type.Optional(Id),
  }),
  response: obj({
    queued: Type.Integer({ minimum: 1, maximum: MAX_TEST_ADDRESSES }),
    skipped: Type.Array(obj({ email: Type.String(), reason: enumOf(SUPPRESSION_REASONS) }), {
      description: 'Suppressed addresses, which receive nothing.',
    }),
  }),
  async prepare({ campaign_id, emails, contact_id }, context) {
    refuseDuplicates(emails)
    const { db, project_id, base_url, config } = context
    const campaign = await getCampaign(db, project_id, campaign_id)
    if (contact_id !== undefined) await getAddressee(db, project_id, contact_id)
    await requireSendable(db, config, campaign)
    const { subject, preheader, editor_json } = campaign
    const posts = await newestPosts(db, editor_json, { ...(await sendingProject(db, project_id)), base_url })
    return { subject: `[Test] ${subject}`, preheader, editor_json, posts }
  },
  async run({ campaign_id, emails, contact_id = null }, { tx, keys, project_id, now, afterCommit, wake }, content) {
    await getCampaign(tx, project_id, campaign_id)
    const addresses = emails.map(tidyAddress)
    const skipped = await suppressedAmong(tx, project_id, addresses)
    const allowed = addresses.filter((email) => !skipped.some((suppressed) => suppressed.email === email))
    if (allowed.length === 0)
      throw new AppError('NOT_READY', 'All these addresses are suppressed.', { details: { checks: [], skipped } })
    await requireFewTests(tx, { keys, project_id, now }, allowed)
    await countTests(tx, { keys, project_id, now }, allowed)
    await enqueueTests(tx, { project_id, campaign_id, contact_id, emails: allowed, content, now })
    afterCommit(() => wake('delivery'))
    return { queued: allowed.length, skipped }
  },
})

/** Two spellings of one address would receive two messages. */
function refuseDuplicates(emails: readonly string[]): void {
  const keys = emails.map(emailKey)
  const second = keys.findIndex((key, index) => keys.indexOf(key) !== index)
  if (second >= 0) throw invalid(`/emails/${second}`, 'The address is listed twice.')
}

/** The addresses that the project has suppressed, with the reason. A test message is not sent to them either. */
async function suppressedAmong(
  tx: Tx,
  project_id: ProjectId,
  emails: readonly string[],
): Promise<{ email: string; reason: SuppressionReason }[]> {
  const given = emails.map((email) => ({ email, key: emailKey(email) }))
  const keys = given.map(({ key }) => key)
  for (const [mark, key] of await addressMarks(tx, project_id, keys))
    given.push({ email: given.find((one) => one.key === key)!.email, key: mark })
  return tx.all(sql`
    SELECT given.value ->> 'email' AS email, suppression.reason FROM json_each(${jsonText(given)}) given
    JOIN suppressions suppression
      ON suppression.project_id = ${project_id} AND suppression.email_key = given.value ->> 'key'
    ORDER BY given.key`)
}
