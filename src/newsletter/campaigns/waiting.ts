import { domainKey } from '../../address.ts'
import { type Static, Type } from '@sinclair/typebox'
import { eq, sql } from 'drizzle-orm'
import { HOUR_MS, iso } from '../../clock.ts'
import { enumOf, nullable, obj, Timestamp } from '../../schema.ts'
import type { Reader, Store } from '../../store/open.ts'
import { first, one } from '../../store/rows.ts'
import { projects } from '../../store/tables/accounts.ts'
import { type campaigns, sending_hours } from '../../store/tables/delivery.ts'
import type { Connection } from '../connections/connection.ts'
import { connectionOf } from '../connections/sender.ts'
import { getSettings } from '../connections/settings.operations.ts'
import { limitOfDomain } from '../outbox/mailbox-providers.ts'
import { dailyLimit, sentInLastDay, usedOfMonth } from '../outbox/quota.ts'

const REASONS = ['plan_limit', 'daily_limit', 'warm_up', 'relay', 'mailbox_limit', 'retry', 'disk'] as const

/** Why a campaign that is being sent makes no progress (docs/api/campaigns.md#waiting). */
export const Waiting = obj(
  {
    reason: enumOf(REASONS),
    until: nullable(Timestamp),
    error: nullable(Type.String({ description: 'What the relay said, for relay and retry.' })),
    held_back: Type.Record(Type.String(), Type.Integer({ minimum: 1 }), {
      description: 'Messages that wait for the limit of a mailbox provider, by its name. Counts the first 10,000.',
    }),
  },
  { description: 'Null while messages leave, and in every other status than sending.' },
)
type Waiting = Static<typeof Waiting>

type Campaign = Pick<typeof campaigns.$inferSelect, 'id' | 'project_id' | 'status' | 'connection_id'>

/** Reads a bounded number of rows. Null when nothing is queued, or when the next message is due and the disk has room. */
export async function waitingOf(
  { db, faults }: Pick<Store, 'db' | 'faults'>,
  campaign: Campaign,
  now: number,
): Promise<Waiting | null> {
  if (campaign.status !== 'sending') return null
  const next = first(
    await db.all<{ due_at: number; last_error: string | null }>(sql`
      SELECT next_attempt_at AS due_at, last_error FROM deliveries
      WHERE campaign_id = ${campaign.id} AND kind = 'campaign' AND status = 'queued'
      ORDER BY next_attempt_at LIMIT 1`),
  )
  if (next === null) return null
  if (faults.current() === 'full') return { reason: 'disk', until: null, error: null, held_back: {} }
  const connection = await connectionOf(
    db,
    campaign.project_id,
    await getSettings(db, campaign.project_id),
    campaign.connection_id,
  )
  const held_back = await heldBack(db, campaign.id, connection, now)
  const cause =
    (await planLimit(db, campaign, connection, now)) ??
    (connection && (await connectionLimit(db, campaign, connection, now)))
  if (cause) return { ...cause, held_back }
  if (next.due_at <= now) return null
  const until = iso(next.due_at)
  return Object.keys(held_back).length > 0
    ? { reason: 'mailbox_limit', until, error: null, held_back }
    : { reason: 'retry', until, error: next.last_error, held_back }
}

type Cause = Omit<Waiting, 'held_back'>

async function planLimit(
  db: Reader,
  { project_id }: Campaign,
  connection: Connection | null,
  now: number,
): Promise<Cause | null> {
  const project = first(
    await db.select({ limit: projects.monthly_limit }).from(projects).where(eq(projects.id, project_id)),
  )
  const limit = project?.limit ?? null
  const in_sandbox = connection?.provider === 'sandbox'
  if (limit === null || (await usedOfMonth(db, { project_id, in_sandbox }, now)) < limit) return null
  const date = new Date(now)
  const until = iso(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1))
  return { reason: 'plan_limit', until, error: null }
}

async function connectionLimit(
  db: Reader,
  { project_id }: Campaign,
  connection: Connection,
  now: number,
): Promise<Cause | null> {
  if (connection.last_error !== null) return { reason: 'relay', until: null, error: connection.last_error }
  const limit = dailyLimit(connection, now)
  if (limit === null || (await sentInLastDay(db, project_id, connection.id, now)) < limit) return null
  const { hour } = one(
    await db.all<{ hour: number | null }>(sql`
      SELECT min(hour) AS hour FROM ${sending_hours}
      WHERE project_id = ${project_id} AND connection_id = ${connection.id}
        AND hour >= ${Math.floor(now / HOUR_MS) - 24} AND sent > 0`),
  )
  return {
    reason: limit === connection.max_per_day ? 'daily_limit' : 'warm_up',
    // The oldest hour that counts leaves the window 25 hours after its beginning.
    until: hour === null ? null : iso((hour + 25) * HOUR_MS),
    error: null,
  }
}

const MAX_COUNTED = 10_000

async function heldBack(
  db: Reader,
  campaign_id: number,
  connection: Connection | null,
  now: number,
): Promise<Record<string, number>> {
  const limits = Object.keys(connection?.mailbox_limits ?? {})
  if (limits.length === 0) return {}
  const rows = await db.all<{ domain: string; messages: number }>(sql`
    SELECT lower(substr(email, instr(email, '@') + 1)) AS domain, count(*) AS messages FROM (
      SELECT email FROM deliveries
      WHERE campaign_id = ${campaign_id} AND kind = 'campaign' AND status = 'queued' AND next_attempt_at > ${now}
        AND attempts = 0
      LIMIT ${MAX_COUNTED})
    GROUP BY 1`)
  const counts: Record<string, number> = {}
  for (const { domain, messages } of rows) {
    const limit = limitOfDomain(domainKey(domain), limits)
    if (limit !== null) counts[limit] = (counts[limit] ?? 0) + messages
  }
  return counts
}
