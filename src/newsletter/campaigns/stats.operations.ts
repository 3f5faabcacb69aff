import { type Static, Type } from '@sinclair/typebox'
import { type SQL, sql } from 'drizzle-orm'
import { iso } from '../../clock.ts'
import { read } from '../../operation/declare.ts'
import { Id, obj, Timestamp } from '../../schema.ts'
import type { DeliveryStatus } from '../../store/tables/delivery.ts'
import { HOUR_MS } from '../outbox/quota.ts'
import { getCampaign } from './resource.ts'

/** Links of one campaign, and hours of its timeline, that are told apart. */
const MOST_ENTRIES = 1000

const Count = (description?: string) => Type.Integer({ minimum: 0, description })

const Stats = obj({
  recipients: Count('sent + failed + skipped + queued + uncertain + cancelled.'),
  sent: Count('Taken by the relay, those that bounced included.'),
  failed: Count('Refused, or tried too often.'),
  skipped: Count('Had left, were suppressed or had another address before their message was handed over.'),
  queued: Count('Waiting or on their way.'),
  uncertain: Count('Handed over and never answered: they may or may not have got it.'),
  cancelled: Count(),
  opens: Count('By people; machines are counted apart, here and below.'),
  unique_opens: Count('Recipients who opened.'),
  clicks: Count(),
  unique_clicks: Count('Recipients who clicked.'),
  machine_opens: Count('By known prefetchers.'),
  machine_clicks: Count('By known prefetchers.'),
  unsubscribes: Count('Recipients who left.'),
  bounces: obj({ hard: Count(), soft: Count() }),
  complaints: Count('Recipients who complained.'),
  links: Type.Array(obj({ url: Type.String(), clicks: Count(), unique_clicks: Count() }), {
    maxItems: MOST_ENTRIES,
    description: 'The most clicked first.',
  }),
  timeline: Type.Array(obj({ at: Timestamp, sent: Count(), opens: Count(), clicks: Count() }), {
    maxItems: MOST_ENTRIES,
    description: 'Hours in which something happened, from the first on.',
  }),
})
type Stats = Static<typeof Stats>

export const campaignStats = read({
  path: '/campaigns/stats',
  scope: 'read',
  summary: 'Counts what became of a campaign.',
  request: obj({ campaign_id: Id }),
  response: Stats,
  async run({ campaign_id }, { db, store, project_id }) {
    await getCampaign(db, project_id, campaign_id)
    const [statuses, reactions, bounces, links, hours] = await Promise.all([
      store.heavy<StatusCount>(statusQuery(campaign_id)),
      store.heavy<ReactionCount>(reactionQuery(campaign_id)),
      store.heavy<BounceCount>(bounceQuery(campaign_id)),
      store.heavy<Stats['links'][number]>(linkQuery(campaign_id)),
      store.heavy<Hour>(timelineQuery(campaign_id)),
    ])
    return {
      ...recipientCounts(statuses),
      ...reactionCounts(reactions),
      bounces: { hard: 0, soft: 0, ...Object.fromEntries(bounces.map(({ kind, events }) => [kind, events])) },
      links,
      timeline: hours.map(({ hour, ...counts }) => ({ at: iso(hour * HOUR_MS), ...counts })),
    }
  },
})

interface StatusCount {
  status: DeliveryStatus
  messages: number
}

export function statusQuery(campaign_id: number): SQL {
  return sql`SELECT status, count(*) AS messages FROM deliveries WHERE campaign_id = ${campaign_id} AND kind = 'campaign' GROUP BY status`
}

function recipientCounts(statuses: readonly StatusCount[]) {
  const of = (...wanted: DeliveryStatus[]) =>
    statuses.reduce((sum, { status, messages }) => (wanted.includes(status) ? sum + messages : sum), 0)
  return {
    recipients: statuses.reduce((sum, { messages }) => sum + messages, 0),
    sent: of('sent', 'bounced'),
    failed: of('failed'),
    skipped: of('skipped'),
    queued: of('queued', 'leased', 'sending'),
    uncertain: of('uncertain'),
    cancelled: of('cancelled'),
  }
}

type EngagementEvent = 'open' | 'click' | 'unsubscribe' | 'complaint'

interface ReactionCount {
  type: EngagementEvent
  events: number
  recipients: number
  machine_events: number
}

/** Counts events, and the recipients behind them, in the order of their index; machines apart. */
export function reactionQuery(campaign_id: number): SQL {
  return sql`
    SELECT type, sum(by_people) AS events, sum(CASE WHEN delivery_id IS NULL THEN by_people ELSE by_people > 0 END) AS recipients, sum(by_machines) AS machine_events
    FROM (
      SELECT type, delivery_id, sum(machine = 0) AS by_people, sum(machine = 1) AS by_machines
      FROM events WHERE campaign_id = ${campaign_id} AND type IN ('open', 'click', 'unsubscribe', 'complaint') AND type <> 'sent'
      GROUP BY type, delivery_id)
    GROUP BY type`
}

function reactionCounts(reactions: readonly ReactionCount[]) {
  const of = (type: EngagementEvent) =>
    reactions.find((reaction) => reaction.type === type) ?? { events: 0, recipients: 0, machine_events: 0 }
  const [open, click] = [of('open'), of('click')]
  return {
    opens: open.events,
    unique_opens: open.recipients,
    clicks: click.events,
    unique_clicks: click.recipients,
    machine_opens: open.machine_events,
    machine_clicks: click.machine_events,
    unsubscribes: of('unsubscribe').recipients,
    complaints: of('complaint').recipients,
  }
}

interface BounceCount {
  kind: 'hard' | 'soft'
  events: number
}

export function bounceQuery(campaign_id: number): SQL {
  return sql`
    SELECT CASE WHEN json_valid(detail) AND detail ->> 'kind' = 'soft' THEN 'soft' ELSE 'hard' END AS kind, count(*) AS events
    FROM events WHERE campaign_id = ${campaign_id} AND type = 'bounce' AND type <> 'sent' GROUP BY 1`
}

export function linkQuery(campaign_id: number): SQL {
  return sql`
    SELECT url, count(*) AS clicks, count(DISTINCT coalesce(delivery_id, -id)) AS unique_clicks
    FROM events WHERE campaign_id = ${campaign_id} AND type = 'click' AND type <> 'sent' AND machine = 0 AND url IS NOT NULL
    GROUP BY url ORDER BY clicks DESC, url LIMIT ${MOST_ENTRIES}`
}

interface Hour {
  hour: number
  sent: number
  opens: number
  clicks: number
}

export function timelineQuery(campaign_id: number): SQL {
  // A bound number would be a real one, and so would be the hours.
  const hour = sql.raw(`at / ${HOUR_MS}`)
  return sql`
    SELECT ${hour} AS hour, sum(type = 'sent') AS sent, sum(type = 'open') AS opens, sum(type = 'click') AS clicks
    FROM events WHERE campaign_id = ${campaign_id} AND type IN ('sent', 'open', 'click') AND machine = 0
    GROUP BY 1 ORDER BY 1 LIMIT ${MOST_ENTRIES}`
}
