import { type Static, Type } from '@sinclair/typebox'
import { HOUR_MS, iso, MINUTE_MS } from '../../clock.ts'
import { read } from '../../operation/declare.ts'
import { Id, nullable, obj, Timestamp } from '../../schema.ts'
import type { Store } from '../../store/open.ts'
import { getCampaign } from './resource.ts'
import { Waiting, waitingOf } from './waiting.ts'
import {
  type BounceCount,
  bounceCounts,
  bounceQuery,
  type EngagementCount,
  engagementCounts,
  engagementQuery,
  hoursOf,
  linkQuery,
  MAX_ENTRIES,
  type Moment,
  reachedOf,
  recipientCounts,
  sandboxQuery,
  type StatusCount,
  statusQuery,
  timelineQuery,
  YOUNG_MS,
} from './stats.ts'

const Count = (description?: string) => Type.Integer({ minimum: 0, description })

/** The numbers of a campaign in a list. */
export const CampaignCounts = obj(
  {
    recipients: Count('sent + failed + skipped + queued + uncertain + cancelled.'),
    sent: Count('Accepted by the relay, including those that bounced later.'),
    in_sandbox: Count('Of sent: kept in the sandbox mailbox, so nobody got them.'),
    reached: Count('People who got it: sent without bounces and without in_sandbox.'),
    failed: Count('Refused, or given up after all retries.'),
    skipped: Count('Unsubscribed, suppressed or changed their address before their message was handed over.'),
    queued: Count('Waiting or being handed over.'),
    uncertain: Count('Handed over without an answer: the message may or may not have arrived.'),
    cancelled: Count(),
    opens: Count('Opens by people. Known prefetchers count as machine_opens.'),
    unique_opens: Count('Recipients who opened.'),
    clicks: Count(),
    unique_clicks: Count('Recipients who clicked.'),
    machine_opens: Count('Opens by known prefetchers.'),
    machine_clicks: Count('Clicks by known prefetchers.'),
    unsubscribes: Count('Recipients who unsubscribed.'),
    bounces: obj({ hard: Count(), soft: Count() }),
    complaints: Count('Recipients who complained.'),
  },
  { $id: 'CampaignCounts' },
)

const timeline = (description: string) =>
  Type.Array(obj({ at: Timestamp, sent: Count(), opens: Count(), clicks: Count() }), {
    maxItems: MAX_ENTRIES,
    description,
  })

const Stats = obj({
  ...CampaignCounts.properties,
  links: Type.Array(obj({ url: Type.String(), clicks: Count(), unique_clicks: Count() }), {
    maxItems: MAX_ENTRIES,
    description: 'Most clicks first.',
  }),
  timeline: timeline('Hours with at least one event, oldest first.'),
  minutes: timeline('The same by minute, for the first six hours of a campaign; empty later.'),
  waiting: nullable(Waiting),
})
type Stats = Static<typeof Stats>

export const campaignStats = read({
  path: '/campaigns/stats',
  scope: 'read',
  summary: 'Counts the recipients, opens, clicks and bounces of a campaign.',
  request: obj({ campaign_id: Id }),
  response: Stats,
  async run({ campaign_id }, { db, store, project_id, now }) {
    const campaign = await getCampaign(db, project_id, campaign_id)
    const isYoung = campaign.started_at !== null && now - campaign.started_at < YOUNG_MS
    const [counts, links, moments] = await Promise.all([
      countsOf(store, [campaign_id]),
      store.heavy<Stats['links'][number]>(linkQuery(campaign_id)),
      store.heavy<Moment>(timelineQuery(campaign_id, isYoung ? MINUTE_MS : HOUR_MS)),
    ])
    return {
      ...counts(campaign_id),
      links,
      timeline: (isYoung ? hoursOf(moments) : moments).map(shown),
      minutes: isYoung ? moments.map(shown) : [],
      waiting: await waitingOf(store, campaign, now),
    }
  },
})

const shown = (moment: Moment) => ({ ...moment, at: iso(moment.at) })

/** The numbers of several campaigns, by id; campaigns without messages have none. */
export async function countsOf(
  store: Pick<Store, 'heavy'>,
  campaign_ids: readonly number[],
): Promise<(campaign_id: number) => Static<typeof CampaignCounts>> {
  const [statuses, engagement, bounced, kept] = await Promise.all([
    store.heavy<StatusCount>(statusQuery(campaign_ids)),
    store.heavy<EngagementCount>(engagementQuery(campaign_ids)),
    store.heavy<BounceCount>(bounceQuery(campaign_ids)),
    store.heavy<{ campaign_id: number; messages: number }>(sandboxQuery(campaign_ids)),
  ])
  return (id) => {
    const ofCampaign = <T extends { campaign_id: number }>(rows: T[]) => rows.filter((row) => row.campaign_id === id)
    const recipients = recipientCounts(ofCampaign(statuses))
    const bounces = bounceCounts(ofCampaign(bounced))
    const in_sandbox = ofCampaign(kept)[0]?.messages ?? 0
    return {
      ...recipients,
      in_sandbox,
      reached: reachedOf(recipients.sent, bounces, in_sandbox),
      ...engagementCounts(ofCampaign(engagement)),
      bounces,
    }
  }
}
