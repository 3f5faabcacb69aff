import { type Static, Type } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import { DAY_MS, iso } from '../../clock.ts'
import type { ProjectId } from '../../ids.ts'
import { enumOf, Id, nullable, obj, Timestamp } from '../../schema.ts'
import { jsonText } from '../../store/json-text.ts'
import type { Reader, Store } from '../../store/open.ts'
import { SUPPRESSION_REASONS, type SuppressionReason } from '../../store/tables/audience.ts'
import { REPORTED_PROVIDERS, reportedProvider } from '../outbox/reported-providers.ts'
import { MAX_COMPLAINTS, MAX_HARD_BOUNCES } from './reputation.ts'

/** How well the messages of a project arrive (docs/api/delivery.md#deliverability). */

const THRESHOLDS = {
  bounced: { watch: 0.02, act: MAX_HARD_BOUNCES },
  complained: { watch: 0.001, act: MAX_COMPLAINTS },
}
/** A share of fewer messages says little. */
const MIN_MESSAGES = 50
/** The newest campaigns are looked at. */
const MAX_CAMPAIGNS = 500
/** Waiting messages that are looked at. */
const MAX_WAITING = 10_000

const Count = (description?: string) => Type.Integer({ minimum: 0, description })
const COUNTS = {
  sent: Count('Handed over: taken by the relay, or refused because the address does not exist.'),
  bounced: Count('Addresses that do not exist.'),
  soft_bounced: Count(),
  complained: Count(),
  unsubscribed: Count(),
  opened: Count('Messages that a person opened.'),
}
const Limits = obj({ watch: Type.Number(), act: Type.Number() })

export const Deliverability = obj(
  {
    days: Count(),
    thresholds: obj(
      { bounced: Limits, complained: Limits },
      { description: 'Shares of the messages: worth a look, and the one at which a campaign pauses by itself.' },
    ),
    total: obj(COUNTS),
    providers: Type.Array(
      obj({
        provider: enumOf(REPORTED_PROVIDERS),
        ...COUNTS,
        by_day: Type.Array(obj({ date: Type.String({ format: 'date' }), ...COUNTS })),
      }),
      { description: 'By the domain of the address, most messages first; days without an event are left out.' },
    ),
    held_back: Type.Array(
      obj({
        provider: enumOf(REPORTED_PROVIDERS),
        messages: Count(),
        reason: enumOf(['limit', 'refused_for_now']),
        until: Timestamp,
        error: nullable(Type.String({ description: 'The last words of a server, where it refused for now.' })),
      }),
      {
        description: 'Messages that wait: for a limit of the connection, or because their server refused them for now.',
      },
    ),
    suppressions: Type.Array(obj({ reason: enumOf(SUPPRESSION_REASONS), addresses: Count() })),
    campaigns: Type.Array(
      obj({
        id: Id,
        name: Type.String(),
        started_at: nullable(Timestamp),
        sent: Count(),
        bounced: Count(),
        complained: Count(),
        level: enumOf(['watch', 'act']),
      }),
      { description: `Begun in these days, with at least ${MIN_MESSAGES} messages and a share above a threshold.` },
    ),
  },
  { $id: 'Deliverability' },
)
type Deliverability = Static<typeof Deliverability>
type Counts = Deliverability['total']

export async function deliverabilityOf(
  store: Pick<Store, 'db' | 'heavy'>,
  project_id: ProjectId,
  { days, now }: { days: number; now: number },
): Promise<Deliverability> {
  const since = Math.floor(now / DAY_MS) - days + 1
  const [rows, held_back, suppressions, campaigns] = await Promise.all([
    store.db.all<Counts & { day: number; provider: string }>(sql`
      SELECT day, provider, sent, bounced, soft_bounced, complained, unsubscribed, opened FROM delivery_days
      WHERE project_id = ${project_id} AND day >= ${since} ORDER BY day`),
    heldBack(store.db, project_id, now),
    store.heavy<{ reason: SuppressionReason; addresses: number }>(sql`
      SELECT reason, count(*) AS addresses FROM suppressions WHERE project_id = ${project_id} GROUP BY reason`),
    campaignsAbove(store, project_id, since * DAY_MS),
  ])
  const providers = [...Map.groupBy(rows, ({ provider }) => provider)].map(([provider, ofProvider]) => ({
    provider,
    ...sumOf(ofProvider),
    by_day: ofProvider.map(({ day, provider: _provider, ...counts }) => ({
      date: iso(day * DAY_MS).slice(0, 10),
      ...counts,
    })),
  }))
  return {
    days,
    thresholds: THRESHOLDS,
    total: sumOf(rows),
    providers: providers.toSorted((one, other) => other.sent - one.sent),
    held_back,
    suppressions,
    campaigns,
  }
}

function sumOf(rows: readonly Counts[]): Counts {
  const sum: Counts = { sent: 0, bounced: 0, soft_bounced: 0, complained: 0, unsubscribed: 0, opened: 0 }
  for (const row of rows) for (const name of Object.keys(sum) as (keyof Counts)[]) sum[name] += row[name]
  return sum
}

/** Reads a bounded number of the messages that wait in campaigns that are being sent. */
async function heldBack(db: Reader, project_id: ProjectId, now: number): Promise<Deliverability['held_back']> {
  const rows = await db.all<{
    domain: string
    refused: number
    messages: number
    until: number
    error: string | null
  }>(sql`
    SELECT lower(substr(email, instr(email, '@') + 1)) AS domain, attempts > 0 AS refused, count(*) AS messages,
      min(next_attempt_at) AS until, last_error AS error
    FROM (
      SELECT email, attempts, next_attempt_at, last_error
      FROM campaigns campaign CROSS JOIN deliveries delivery ON delivery.campaign_id = campaign.id
      WHERE campaign.status = 'sending' AND campaign.project_id = ${project_id} AND delivery.kind = 'campaign'
        AND delivery.status = 'queued' AND delivery.next_attempt_at > ${now}
      LIMIT ${MAX_WAITING})
    GROUP BY domain, refused`)
  const waiting = Map.groupBy(rows, ({ domain, refused }) => `${reportedProvider(domain)} ${refused}`)
  return [...waiting.values()]
    .map((ofProvider) => {
      const next = ofProvider.toSorted((one, other) => one.until - other.until)[0]!
      const isRefused = next.refused === 1
      return {
        provider: reportedProvider(next.domain),
        messages: ofProvider.reduce((sum, { messages }) => sum + messages, 0),
        reason: isRefused ? ('refused_for_now' as const) : ('limit' as const),
        until: iso(next.until),
        error: isRefused ? next.error : null,
      }
    })
    .toSorted((one, other) => other.messages - one.messages)
}

/** Counts bounces and complaints alone, which are few. */
async function campaignsAbove(
  { db, heavy }: Pick<Store, 'db' | 'heavy'>,
  project_id: ProjectId,
  since_ms: number,
): Promise<Deliverability['campaigns']> {
  const begun = await db.all<{ id: number; name: string; started_at: number | null; sent: number }>(sql`
    SELECT id, name, started_at, handed_over AS sent FROM (
      SELECT id, name, started_at, handed_over, deleted_at FROM campaigns
      WHERE project_id = ${project_id} ORDER BY created_at DESC, id DESC LIMIT ${MAX_CAMPAIGNS})
    WHERE deleted_at IS NULL AND started_at >= ${since_ms} AND handed_over >= ${MIN_MESSAGES}`)
  if (begun.length === 0) return []
  const counts = await heavy<{ id: number; bounced: number; complained: number }>(sql`
    SELECT value AS id,
      (SELECT count(*) FROM deliveries
        WHERE campaign_id = value AND kind = 'campaign' AND status = 'bounced') AS bounced,
      (SELECT count(DISTINCT coalesce(delivery_id, -id)) FROM events
        WHERE campaign_id = value AND type = 'complaint' AND type <> 'sent') AS complained
    FROM json_each(${jsonText(begun.map(({ id }) => id))})`)
  return begun.flatMap((campaign) => {
    const { bounced, complained } = counts.find(({ id }) => id === campaign.id)!
    const level = levelOf({ ...campaign, bounced, complained })
    if (level === null) return []
    return [
      {
        ...campaign,
        started_at: campaign.started_at === null ? null : iso(campaign.started_at),
        bounced,
        complained,
        level,
      },
    ]
  })
}

function levelOf({ sent, bounced, complained }: Record<'sent' | 'bounced' | 'complained', number>) {
  const reaches = (level: 'watch' | 'act') =>
    bounced / sent >= THRESHOLDS.bounced[level] || complained / sent >= THRESHOLDS.complained[level]
  return reaches('act') ? ('act' as const) : reaches('watch') ? ('watch' as const) : null
}
