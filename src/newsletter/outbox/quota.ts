import type { ProjectId } from '../../ids.ts'
import { and, eq, sql } from 'drizzle-orm'
import type { Reader, Tx } from '../../store/open.ts'
import { type connections, type MailboxProvider, send_buckets } from '../../store/tables/delivery.ts'

/**
 * How much may be sent: so many a second through a connection (a token bucket in the store, shared by all
 * processes), so many a day through a connection, so many a month for a project. Days and months are read from
 * counts by the hour.
 */
export const HOUR_MS = 3_600_000

/** What a mailbox provider's bucket holds at most: enough to keep the pace between two looks. */
const LANE_SECONDS = 0.25
/** A connection that is later than this had nothing to send: it goes on evenly, and makes up for nothing. */
const LATE_SECONDS = 0.5
/** A connection is a hundredth slower than its limit: what leaves evenly does not arrive quite so. */
const BELOW_THE_LIMIT = 0.99
/** Clocks of several processes differ by less; one that is further behind was set back. */
const SAME_TIME_MS = 10_000

export interface Tokens {
  /** When the message of each token taken is due, in milliseconds from now; what is late is below zero. */
  turns_ms: number[]
  /** Milliseconds until there is another token. */
  wait_ms: number
}

/** Whose bucket: a connection's own, or its for one mailbox provider. */
export interface Bucket {
  connection_id: number
  lane: '' | MailboxProvider
  per_second: number
}

/**
 * Takes at most `wanted` tokens of a bucket, those of the next `ahead_ms` included: their messages are due one after the
 * other, and the bucket is in debt until then.
 */
export async function takeTokens(
  tx: Tx,
  { connection_id, lane, per_second }: Bucket,
  wanted: number,
  now: number,
  ahead_ms = 0,
): Promise<Tokens> {
  const per_ms = (per_second * (lane === '' ? BELOW_THE_LIMIT : 1)) / 1000
  const [bucket] = await tx
    .select()
    .from(send_buckets)
    .where(and(eq(send_buckets.connection_id, connection_id), eq(send_buckets.lane, lane)))
  const before = bucket && bucket.refilled_at - now < SAME_TIME_MS ? bucket : { tokens: 1, refilled_at: now }
  const tokens = withoutRest(lane, per_second, before.tokens + Math.max(0, now - before.refilled_at) * per_ms)
  const taken = Math.max(0, Math.min(wanted, Math.floor(tokens + ahead_ms * per_ms)))
  const left = { tokens: tokens - taken, refilled_at: Math.max(now, before.refilled_at) }
  await tx
    .insert(send_buckets)
    .values({ connection_id, lane, ...left })
    .onConflictDoUpdate({ target: [send_buckets.connection_id, send_buckets.lane], set: left })
  return {
    turns_ms: Array.from({ length: taken }, (_, place) => (place + 1 - tokens) / per_ms),
    wait_ms: Math.max(1, Math.ceil((1 - left.tokens) / per_ms - ahead_ms)),
  }
}

/** A bucket never holds what would be a burst, nor owes more than a second: its limit may have been another one. */
function withoutRest(lane: Bucket['lane'], per_second: number, tokens: number): number {
  const most = Math.max(1, per_second * (lane === '' ? LATE_SECONDS : LANE_SECONDS))
  if (tokens > most) return lane === '' ? 1 : most
  return Math.max(tokens, -per_second - 1)
}

/** Gives tokens back that were taken for messages which were not there, or may not go yet. */
export async function returnTokens(tx: Tx, { connection_id, lane }: Bucket, tokens: number): Promise<void> {
  await tx.run(
    sql`UPDATE send_buckets SET tokens = tokens + ${tokens} WHERE connection_id = ${connection_id} AND lane = ${lane}`,
  )
}

/** A new sender's name is made slowly: 200 messages on the first day, 200,000 on the 42nd, then as many as are allowed. */
const WARM_UP = { days: 42, first: 200, last: 200_000 }

/** Messages that a connection may hand over in 24 hours, its warm-up included; null for no limit. */
export function dailyLimit(
  { max_per_day, warm_up_started_at }: Pick<typeof connections.$inferSelect, 'max_per_day' | 'warm_up_started_at'>,
  now: number,
): number | null {
  const day = warm_up_started_at === null ? WARM_UP.days : Math.floor((now - warm_up_started_at) / (24 * HOUR_MS))
  if (day >= WARM_UP.days) return max_per_day
  const step = (WARM_UP.last / WARM_UP.first) ** (Math.max(0, day) / (WARM_UP.days - 1))
  return Math.min(max_per_day ?? Number.POSITIVE_INFINITY, Math.floor(WARM_UP.first * step))
}

/** Messages handed over through a connection in the last 24 hours, and before that since the hour began: never fewer. */
export async function sentInLastDay(
  db: Reader,
  project_id: ProjectId,
  connection_id: number,
  now: number,
): Promise<number> {
  const [row] = await db.all<{ sent: number }>(sql`
    SELECT coalesce(sum(sent), 0) AS sent FROM sending_hours
    WHERE project_id = ${project_id} AND connection_id = ${connection_id} AND hour >= ${Math.floor(now / HOUR_MS) - 24}`)
  return row?.sent ?? 0
}

/** Messages of a project handed over in the calendar month (UTC) of `now`. */
export async function sentThisMonth(db: Reader, project_id: ProjectId, now: number): Promise<number> {
  const date = new Date(now)
  const first = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1) / HOUR_MS
  const [row] = await db.all<{ sent: number }>(
    sql`SELECT coalesce(sum(sent), 0) AS sent FROM sending_hours WHERE project_id = ${project_id} AND hour >= ${first}`,
  )
  return row?.sent ?? 0
}

/** What limits the messages of a project through a connection; null is no limit. */
export interface Limits {
  project_id: ProjectId
  connection_id: number
  /** The campaign whose messages they are. */
  campaign_id: number | null
  max_per_day: number | null
  monthly_limit: number | null
}

/** Counts messages against the limits; a negative number takes back those that were refused. */
export async function countSent(
  tx: Tx,
  { project_id, connection_id }: Limits,
  messages: number,
  now: number,
): Promise<void> {
  if (messages === 0) return
  await tx.run(sql`
    INSERT INTO sending_hours (project_id, connection_id, hour, sent) VALUES (${project_id}, ${connection_id}, ${Math.floor(now / HOUR_MS)}, ${messages})
    ON CONFLICT DO UPDATE SET sent = sent + excluded.sent`)
}

/** Counts messages of a campaign as handed over; a negative number takes back those refused for another reason than their address. */
export async function countHandedOver(tx: Tx, { campaign_id }: Limits, messages: number): Promise<void> {
  if (messages === 0 || campaign_id === null) return
  await tx.run(sql`UPDATE campaigns SET handed_over = handed_over + ${messages} WHERE id = ${campaign_id}`)
}

/** How many of `wanted` messages the day's and the month's limits let through now. */
export async function withinLimits(tx: Tx, limits: Limits, wanted: number, now: number): Promise<number> {
  let allowed = wanted
  if (limits.max_per_day !== null)
    allowed = Math.min(
      allowed,
      limits.max_per_day - (await sentInLastDay(tx, limits.project_id, limits.connection_id, now)),
    )
  if (limits.monthly_limit !== null)
    allowed = Math.min(allowed, limits.monthly_limit - (await sentThisMonth(tx, limits.project_id, now)))
  return Math.max(0, allowed)
}
