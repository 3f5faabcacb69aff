import { DAY_MS, HOUR_MS } from '../../clock.ts'
import type { ProjectId } from '../../ids.ts'
import { and, eq, type SQL, sql } from 'drizzle-orm'
import { firstHourOfMonth } from '../../projects/usage.ts'
import type { Reader, Tx } from '../../store/open.ts'
import { one } from '../../store/rows.ts'
import { type connections, send_buckets } from '../../store/tables/delivery.ts'

/**
 * How much may be sent: a rate per second for each connection (a token bucket in the store, shared by all processes),
 * a number per day for each connection, and a number per month for each project. Days and months are sums of counts
 * by the hour. See docs/api/delivery.md#pace-and-limits.
 */

/** Seconds' worth of tokens that a mailbox provider's bucket holds: enough to keep the rate between two batches. */
const PROVIDER_BURST_SECONDS = 0.25
/** A connection that is idle for longer starts with one token, so that it does not send a burst. */
const IDLE_SECONDS = 0.5
/** A connection sends 1.5 % below its limit: messages that leave at even intervals do not arrive at even intervals. */
const BELOW_THE_LIMIT = 0.985
/** Clocks of several processes differ by less. A bucket refilled further in the future means a clock was set back. */
const MAX_SKEW_MS = 10_000

interface Tokens {
  /** For each token, when its message is due, in milliseconds from now; negative when it is late. */
  send_in_ms: number[]
  /** Milliseconds until there is another token. */
  wait_ms: number
}

/** A bucket of a connection: for all its messages (`lane` is empty), or for those under one of its mailbox limits. */
export interface Bucket {
  connection_id: number
  lane: string
  per_second: number
}

/**
 * Takes at most `wanted` tokens of a bucket, including those of the next `ahead_ms`. Such messages are due one after
 * the other, and the bucket has a negative balance until then.
 */
export async function takeTokens(
  tx: Tx,
  { connection_id, lane, per_second }: Bucket,
  { wanted, now, ahead_ms = 0 }: { wanted: number; now: number; ahead_ms?: number },
): Promise<Tokens> {
  const per_ms = (per_second * (lane === '' ? BELOW_THE_LIMIT : 1)) / 1000
  const [bucket] = await tx
    .select()
    .from(send_buckets)
    .where(and(eq(send_buckets.connection_id, connection_id), eq(send_buckets.lane, lane)))
  const before = bucket && bucket.refilled_at - now < MAX_SKEW_MS ? bucket : { tokens: 1, refilled_at: now }
  const tokens = withinBounds(lane, per_second, before.tokens + Math.max(0, now - before.refilled_at) * per_ms)
  const count = Math.max(0, Math.min(wanted, Math.floor(tokens + ahead_ms * per_ms)))
  const left = { tokens: tokens - count, refilled_at: Math.max(now, before.refilled_at) }
  await tx
    .insert(send_buckets)
    .values({ connection_id, lane, ...left })
    .onConflictDoUpdate({ target: [send_buckets.connection_id, send_buckets.lane], set: left })
  return {
    send_in_ms: Array.from({ length: count }, (_, index) => (index + 1 - tokens) / per_ms),
    wait_ms: Math.max(1, Math.ceil((1 - left.tokens) / per_ms - ahead_ms)),
  }
}

/** Bounds a balance: no burst above, and below no debt of more than a second, because the limit may have changed. */
function withinBounds(lane: Bucket['lane'], per_second: number, tokens: number): number {
  const max = Math.max(1, per_second * (lane === '' ? IDLE_SECONDS : PROVIDER_BURST_SECONDS))
  if (tokens > max) return lane === '' ? 1 : max
  return Math.max(tokens, -per_second - 1)
}

/** Returns tokens of messages that do not exist or are deferred. */
export async function returnTokens(tx: Tx, { connection_id, lane }: Bucket, tokens: number): Promise<void> {
  await tx.run(
    sql`UPDATE send_buckets SET tokens = tokens + ${tokens} WHERE connection_id = ${connection_id} AND lane = ${lane}`,
  )
}

/** A new sender builds reputation slowly: 200 messages on the first day, 200,000 on the 42nd, then its own limit. */
const WARM_UP = { days: 42, first: 200, last: 200_000 }

/** Messages that a connection may hand over in 24 hours, its warm-up included; null for no limit. */
export function dailyLimit(
  { max_per_day, warm_up_started_at }: Pick<typeof connections.$inferSelect, 'max_per_day' | 'warm_up_started_at'>,
  now: number,
): number | null {
  const day = warm_up_started_at === null ? WARM_UP.days : Math.floor((now - warm_up_started_at) / DAY_MS)
  if (day >= WARM_UP.days) return max_per_day
  const step = (WARM_UP.last / WARM_UP.first) ** (Math.max(0, day) / (WARM_UP.days - 1))
  return Math.min(max_per_day ?? Number.POSITIVE_INFINITY, Math.floor(WARM_UP.first * step))
}

/** Confirmations and personal links count as other messages do, and may take up to 10 % beyond a day's limit. */
export function beyondLimit(max_per_day: number | null): number | null {
  return max_per_day === null ? null : max_per_day + Math.ceil(max_per_day / 10)
}

/** Messages handed over through a connection in the last 24 hours, counted from the beginning of the first hour. */
export function sentInLastDay(db: Reader, project_id: ProjectId, connection_id: number, now: number): Promise<number> {
  const first = Math.floor(now / HOUR_MS) - 24
  return sentWhere(db, sql`project_id = ${project_id} AND connection_id = ${connection_id} AND hour >= ${first}`)
}

/** As `sentInLastDay`, of all connections of a project by their ids; those without a message are absent. */
export async function sentByConnection(db: Reader, project_id: ProjectId, now: number): Promise<Map<number, number>> {
  const rows = await db.all<{ connection_id: number; sent: number }>(sql`
    SELECT connection_id, sum(sent) AS sent FROM sending_hours
    WHERE project_id = ${project_id} AND hour >= ${Math.floor(now / HOUR_MS) - 24} GROUP BY connection_id`)
  return new Map(rows.map(({ connection_id, sent }) => [connection_id, sent]))
}

/** Messages of a project handed over in the calendar month (UTC) of `now`, without those that the sandbox kept. */
export function sentThisMonth(db: Reader, project_id: ProjectId, now: number): Promise<number> {
  return sentWhere(db, sql`project_id = ${project_id} AND hour >= ${firstHourOfMonth(now)}`, LEFT)
}

/**
 * How much of the monthly limit counts as used. For a message to the sandbox that includes the messages the sandbox
 * kept, so that trials are limited too and reduce no allowance for real messages.
 */
export function usedOfMonth(
  db: Reader,
  { project_id, in_sandbox }: Pick<Limits, 'project_id' | 'in_sandbox'>,
  now: number,
): Promise<number> {
  if (!in_sandbox) return sentThisMonth(db, project_id, now)
  return sentWhere(db, sql`project_id = ${project_id} AND hour >= ${firstHourOfMonth(now)}`)
}

/** SQL: messages that left the service, without those that the sandbox kept. */
export const LEFT = sql`sent - in_sandbox`

async function sentWhere(db: Reader, hours: SQL, counted = sql`sent`): Promise<number> {
  return one(
    await db.all<{ sent: number }>(sql`SELECT coalesce(sum(${counted}), 0) AS sent FROM sending_hours WHERE ${hours}`),
  ).sent
}

/** The limits of a project's messages through a connection; null is no limit. */
export interface Limits {
  project_id: ProjectId
  connection_id: number
  /** The campaign that the messages belong to, or null. */
  campaign_id: number | null
  max_per_day: number | null
  monthly_limit: number | null
  /** Whether the connection is a sandbox, whose messages nobody gets. */
  in_sandbox: boolean
}

/** Counts messages against the limits; a negative number takes back those that were refused. */
export async function countSent(
  tx: Tx,
  { project_id, connection_id, in_sandbox }: Limits,
  messages: number,
  now: number,
): Promise<void> {
  if (messages === 0) return
  await tx.run(sql`
    INSERT INTO sending_hours (project_id, connection_id, hour, sent, in_sandbox)
    VALUES (${project_id}, ${connection_id}, ${Math.floor(now / HOUR_MS)}, ${messages}, ${in_sandbox ? messages : 0})
    ON CONFLICT DO UPDATE SET sent = sent + excluded.sent, in_sandbox = in_sandbox + excluded.in_sandbox`)
}

/** Counts messages of a campaign as handed over; a negative number takes back those that the relay refused for now. */
export async function countHandedOver(tx: Tx, { campaign_id }: Limits, messages: number): Promise<void> {
  if (messages === 0 || campaign_id === null) return
  await tx.run(sql`UPDATE campaigns SET handed_over = handed_over + ${messages} WHERE id = ${campaign_id}`)
}

/** How many of `wanted` messages the limits per day and per month allow now. */
export async function withinLimits(tx: Reader, limits: Limits, wanted: number, now: number): Promise<number> {
  const { project_id, connection_id, max_per_day, monthly_limit, in_sandbox } = limits
  let allowed = wanted
  if (max_per_day !== null)
    allowed = Math.min(allowed, max_per_day - (await sentInLastDay(tx, project_id, connection_id, now)))
  if (monthly_limit !== null)
    allowed = Math.min(allowed, monthly_limit - (await usedOfMonth(tx, { project_id, in_sandbox }, now)))
  return Math.max(0, allowed)
}
