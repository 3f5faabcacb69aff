import { HOUR_MS, type MINUTE_MS } from '../../clock.ts'
import { type SQL, sql } from 'drizzle-orm'
import { jsonText } from '../../store/json-text.ts'
import type { DeliveryStatus } from '../../store/tables/delivery.ts'
import { BOUNCE_KIND } from '../tracking/event-detail.ts'

/**
 * The numbers of a campaign's report (docs/api/campaigns.md#reports). Each query reads its campaigns through one index.
 * `type <> 'sent'` repeats the condition of the partial index over the events of a report.
 */

/** The condition for rows of some campaigns. */
function ofCampaigns(ids: readonly number[]): SQL {
  return sql`campaign_id IN (SELECT value FROM json_each(${jsonText(ids)}))`
}

/** Distinct links of one campaign in a report, and hours or minutes of its timeline. */
export const MAX_ENTRIES = 1000

export interface StatusCount {
  campaign_id: number
  status: DeliveryStatus
  messages: number
}

export function statusQuery(campaign_ids: readonly number[]): SQL {
  return sql`
    SELECT campaign_id, status, count(*) AS messages FROM deliveries
    WHERE ${ofCampaigns(campaign_ids)} AND kind = 'campaign' GROUP BY campaign_id, status`
}

/** The recipient counts of a report. A bounced message was accepted by the relay before, so it counts as sent. */
export function recipientCounts(statuses: readonly Pick<StatusCount, 'status' | 'messages'>[]) {
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

/** Messages of campaigns that the sandbox kept; campaigns without any are absent. */
export function sandboxQuery(campaign_ids: readonly number[]): SQL {
  return sql`
    SELECT campaign_id, count(*) AS messages FROM deliveries
    WHERE ${ofCampaigns(campaign_ids)} AND kind = 'campaign' AND in_sandbox = 1 GROUP BY campaign_id`
}

/** How many people got a message: taken by a relay and not returned. A soft bounce did not arrive either. */
export function reachedOf(sent: number, { hard, soft }: ReturnType<typeof bounceCounts>, in_sandbox: number): number {
  return Math.max(0, sent - hard - soft - in_sandbox)
}

export interface EngagementCount {
  campaign_id: number
  type: 'open' | 'click' | 'unsubscribe' | 'complaint'
  events: number
  recipients: number
  machine_events: number
}

/**
 * Counts events and distinct recipients by type, machines separately. An event without a delivery, whose row was
 * deleted, counts as a recipient of its own. The inner grouping follows the order of the index.
 */
export function engagementQuery(campaign_ids: readonly number[]): SQL {
  return sql`
    SELECT campaign_id, type, sum(by_people) AS events, sum(by_machines) AS machine_events,
      sum(CASE WHEN delivery_id IS NULL THEN by_people ELSE by_people > 0 END) AS recipients
    FROM (
      SELECT campaign_id, type, delivery_id, sum(machine = 0) AS by_people, sum(machine = 1) AS by_machines
      FROM events
      WHERE ${ofCampaigns(campaign_ids)} AND type IN ('open', 'click', 'unsubscribe', 'complaint') AND type <> 'sent'
      GROUP BY campaign_id, type, delivery_id)
    GROUP BY campaign_id, type`
}

export function engagementCounts(counts: readonly EngagementCount[]) {
  const of = (type: EngagementCount['type']) =>
    counts.find((count) => count.type === type) ?? { events: 0, recipients: 0, machine_events: 0 }
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

export interface BounceCount {
  campaign_id: number
  kind: 'hard' | 'soft'
  messages: number
}

/** Messages that bounced. One that bounced several times counts once, as hard if any of the reports says so. */
export function bounceQuery(campaign_ids: readonly number[]): SQL {
  return sql`
    SELECT campaign_id, kind, count(*) AS messages FROM (
      SELECT campaign_id, min(${BOUNCE_KIND}) AS kind FROM events
      WHERE ${ofCampaigns(campaign_ids)} AND type = 'bounce' AND type <> 'sent'
      GROUP BY campaign_id, coalesce(delivery_id, -id))
    GROUP BY campaign_id, kind`
}

export function bounceCounts(counts: readonly BounceCount[]) {
  return { hard: 0, soft: 0, ...Object.fromEntries(counts.map(({ kind, messages }) => [kind, messages])) }
}

export function linkQuery(campaign_id: number): SQL {
  return sql`
    SELECT url, count(*) AS clicks, count(DISTINCT coalesce(delivery_id, -id)) AS unique_clicks
    FROM events
    WHERE campaign_id = ${campaign_id} AND type = 'click' AND type <> 'sent' AND machine = 0 AND url IS NOT NULL
    GROUP BY url ORDER BY clicks DESC, url LIMIT ${MAX_ENTRIES}`
}

/** Counts of events from `at` until the next hour or minute. */
export interface Moment {
  at: number
  sent: number
  opens: number
  clicks: number
}

/** For so long after its start a campaign has a timeline by minute. It has fewer than MAX_ENTRIES. */
export const YOUNG_MS = 6 * HOUR_MS

export function timelineQuery(campaign_id: number, step_ms: typeof HOUR_MS | typeof MINUTE_MS): SQL {
  // The driver binds numbers as REAL, which would turn the integer division into a fraction.
  const at = sql.raw(`at / ${step_ms} * ${step_ms}`)
  return sql`
    SELECT ${at} AS at, sum(type = 'sent') AS sent, sum(type = 'open') AS opens, sum(type = 'click') AS clicks
    FROM events WHERE campaign_id = ${campaign_id} AND type IN ('sent', 'open', 'click') AND machine = 0
    GROUP BY 1 ORDER BY 1 LIMIT ${MAX_ENTRIES}`
}

/** The hours of these minutes. */
export function hoursOf(minutes: readonly Moment[]): Moment[] {
  const hours = new Map<number, Moment>()
  for (const { at, sent, opens, clicks } of minutes) {
    const hour = Math.floor(at / HOUR_MS) * HOUR_MS
    const known = hours.get(hour) ?? { at: hour, sent: 0, opens: 0, clicks: 0 }
    hours.set(hour, { at: hour, sent: known.sent + sent, opens: known.opens + opens, clicks: known.clicks + clicks })
  }
  return [...hours.values()]
}
