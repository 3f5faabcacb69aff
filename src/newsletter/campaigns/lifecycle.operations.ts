import { Type } from '@sinclair/typebox'
import { invalid, invalidState } from '../../errors.ts'
import { mutation } from '../../operation/declare.ts'
import { Id, obj } from '../../schema.ts'
import { one } from '../../store/rows.ts'
import { campaigns } from '../../store/tables/delivery.ts'
import { TimeZone } from '../connections/settings.operations.ts'
import { enqueueJob } from '../jobs/queue.ts'
import {
  Campaign,
  CampaignSummary,
  campaignResource,
  campaignSummary,
  getCampaign,
  requireRoomForCampaign,
  searchKey,
} from './resource.ts'
import { requireComplete, requireSendable } from './readiness.ts'
import { requireAcknowledged } from './restored.ts'
import { ScheduledTime, scheduledMoment } from '../../scheduled-time.ts'
import { moveCampaign, requireMove, requireSettled } from './states.ts'
import { updateRecipients, recipientsToRequeue } from './recipient-updates.ts'

/** Operations that move a campaign between its states; states.ts has the transition table. */

/** A time closer than this may be past before the transaction commits. */
const SOONEST_MS = 1000

const OneCampaign = obj({ campaign_id: Id })
const OneSummary = obj({ campaign: CampaignSummary })

export const scheduleCampaign = mutation({
  path: '/campaigns/schedule',
  scope: 'send',
  audit: { target: { kind: 'campaign', input: 'campaign_id' } },
  errors: ['INVALID_STATE', 'NOT_READY'],
  status: 202,
  summary: 'Schedules a campaign, or changes its time. What waiting cannot mend is checked now, all at that time.',
  request: obj({ campaign_id: Id, scheduled_at: ScheduledTime, timezone: TimeZone }),
  response: OneSummary,
  /** Compiling the message takes too long for the transaction. */
  async prepare({ campaign_id, scheduled_at, timezone }, context) {
    const at = scheduledMoment(scheduled_at, timezone)
    if (at < context.now + SOONEST_MS) throw invalid('/scheduled_at', 'Expected a time in the future.')
    const campaign = await getCampaign(context.db, context.project_id, campaign_id)
    requireMove(campaign.status, 'scheduled')
    await requireComplete(context, campaign)
    return { at, version: campaign.updated_at }
  },
  async run({ campaign_id, timezone }, { tx, project_id, now }, { at, version }) {
    const before = await getCampaign(tx, project_id, campaign_id)
    if (before.updated_at !== version)
      throw invalidState('The campaign was changed meanwhile: review it and schedule it again.', before.status)
    requireSettled(before)
    const set = { scheduled_at: at, timezone, failure: null, finished_at: null }
    return { campaign: campaignSummary(await moveCampaign(tx, { project_id, campaign_id, to: 'scheduled', set, now })) }
  },
})

export const unscheduleCampaign = mutation({
  path: '/campaigns/unschedule',
  scope: 'write',
  audit: { target: { kind: 'campaign', input: 'campaign_id' } },
  errors: ['INVALID_STATE'],
  summary: 'Turns a scheduled campaign back into a draft.',
  request: OneCampaign,
  response: OneSummary,
  async run({ campaign_id }, { tx, project_id, now }) {
    return {
      campaign: campaignSummary(
        await moveCampaign(tx, {
          project_id,
          campaign_id,
          to: 'draft',
          set: { scheduled_at: null, timezone: null },
          now,
        }),
      ),
    }
  },
})

export const pauseCampaign = mutation({
  path: '/campaigns/pause',
  scope: 'write',
  audit: { target: { kind: 'campaign', input: 'campaign_id' } },
  errors: ['INVALID_STATE'],
  summary: 'Pauses a campaign. Messages that are already being handed over are still sent.',
  request: OneCampaign,
  response: OneSummary,
  async run({ campaign_id }, { tx, project_id, now, afterCommit, log, request_id }) {
    const campaign = await moveCampaign(tx, { project_id, campaign_id, to: 'paused', from: ['sending'], now })
    afterCommit(() => log.info('a campaign was paused', { campaign_id, cause: 'person', request_id }))
    return { campaign: campaignSummary(campaign) }
  },
})

export const resumeCampaign = mutation({
  path: '/campaigns/resume',
  scope: 'send',
  errors: ['INVALID_STATE', 'NOT_READY'],
  summary: 'Resumes a paused campaign.',
  request: obj({
    campaign_id: Id,
    acknowledge_doubles: Type.Optional(
      Type.Boolean({
        description: 'Needed once a restore has paused it: some recipients may get it twice, or have left since.',
      }),
    ),
  }),
  response: OneSummary,
  audit: { target: { kind: 'campaign', input: 'campaign_id' }, details: ['acknowledge_doubles'] },
  async run({ campaign_id, acknowledge_doubles = false }, context) {
    const { tx, project_id, config, now, afterCommit, wake, log, request_id } = context
    const { started_at, status, failure } = await getCampaign(tx, project_id, campaign_id)
    if (status === 'paused') requireAcknowledged(failure, acknowledge_doubles)
    const campaign = await moveCampaign(tx, {
      project_id,
      campaign_id,
      // A restore may have paused it before its audience was complete.
      to: started_at === null ? 'preparing' : 'sending',
      from: ['paused'],
      set: { failure: null },
      now,
    })
    await requireSendable(tx, config, campaign)
    if (started_at === null)
      await enqueueJob(tx, { project_id, kind: 'campaign_prepare', payload: { campaign_id }, now })
    afterCommit(() => {
      log.info('a campaign was resumed', { campaign_id, request_id })
      wake(started_at === null ? 'jobs' : 'delivery')
    })
    return { campaign: campaignSummary(campaign) }
  },
})

export const cancelCampaign = mutation({
  path: '/campaigns/cancel',
  scope: 'write',
  audit: { target: { kind: 'campaign', input: 'campaign_id' } },
  errors: ['INVALID_STATE'],
  summary: 'Cancels a campaign. Messages that were not handed over are never sent.',
  request: OneCampaign,
  response: OneSummary,
  async run({ campaign_id }, { tx, project_id, now, afterCommit, wake, log, request_id }) {
    const campaign = await moveCampaign(tx, {
      project_id,
      campaign_id,
      to: 'cancelled',
      set: { finished_at: now },
      now,
    })
    await updateRecipients(tx, campaign_id, 'cancel')
    afterCommit(() => {
      log.info('a campaign was canceled', { campaign_id, handed_over: campaign.handed_over, request_id })
      wake('delivery')
    })
    return { campaign: campaignSummary(campaign) }
  },
})

export const requeueFailed = mutation({
  path: '/campaigns/requeue-failed',
  scope: 'send',
  audit: { target: { kind: 'campaign', input: 'campaign_id' } },
  errors: ['INVALID_STATE', 'NOT_READY'],
  status: 202,
  summary:
    'Queues failed recipients again. With include_uncertain also uncertain ones, who may receive the message twice.',
  request: obj({
    campaign_id: Id,
    include_uncertain: Type.Optional(
      Type.Boolean({ description: 'Also recipients whose relay never answered: they may have the message already.' }),
    ),
  }),
  response: obj({ campaign: CampaignSummary, requeued: Type.Integer({ minimum: 0 }) }),
  async run({ campaign_id, include_uncertain = false }, { tx, project_id, config, now, afterCommit, wake }) {
    const before = await getCampaign(tx, project_id, campaign_id)
    if (before.status !== 'sent' && before.status !== 'paused')
      throw invalidState('Only a sent or paused campaign can be queued again.', before.status)
    const requeued = await recipientsToRequeue(tx, campaign_id, include_uncertain)
    if (requeued === 0) return { campaign: campaignSummary(before), requeued }
    if (before.status !== 'paused') await requireSendable(tx, config, before)
    const campaign =
      before.status === 'paused'
        ? before
        : await moveCampaign(tx, {
            project_id,
            campaign_id,
            to: 'sending',
            from: ['sent'],
            set: { finished_at: null },
            now,
          })
    await updateRecipients(tx, campaign_id, include_uncertain ? 'requeue_with_uncertain' : 'requeue')
    afterCommit(() => wake('delivery'))
    return { campaign: campaignSummary(campaign), requeued }
  },
})

const COPY = 'Copy of '
const NAME_MAX_CHARACTERS = 200

export const duplicateCampaign = mutation({
  path: '/campaigns/duplicate',
  scope: 'write',
  audit: { target: { answer: 'campaign' }, ids: { campaign_id: 'campaign_id' } },
  errors: ['INVALID_STATE'],
  summary: 'Creates a draft with the content, audience and sender of another campaign of any status.',
  request: OneCampaign,
  response: obj({ campaign: Campaign }),
  async run({ campaign_id }, { tx, project_id, now }) {
    const original = await getCampaign(tx, project_id, campaign_id)
    await requireRoomForCampaign(tx, project_id)
    const called = original.name || original.subject
    const whole = called.startsWith(COPY) ? called : COPY + called
    const name = [...whole].slice(0, NAME_MAX_CHARACTERS).join('')
    const rows = await tx
      .insert(campaigns)
      .values({
        project_id,
        name,
        search_key: searchKey(name, original.subject),
        subject: original.subject,
        preheader: original.preheader,
        template_id: original.template_id,
        editor_json: original.editor_json,
        audience_spec: original.audience_spec,
        connection_id: original.connection_id,
        from_name: original.from_name,
        from_email: original.from_email,
        reply_to: original.reply_to,
        track_opens: original.track_opens,
        track_clicks: original.track_clicks,
        utm_source: original.utm_source,
        utm_medium: original.utm_medium,
        utm_campaign: original.utm_campaign,
        status: 'draft',
        created_at: now,
        updated_at: now,
      })
      .returning()
    return { campaign: campaignResource(one(rows)) }
  },
})
