import { and, eq, sql } from 'drizzle-orm'
import type { Reader, Tx } from '../../store/open.ts'
import { type connections, type MailboxProvider, send_buckets } from '../../store/tables/delivery.ts'

/**
 * How much may be sent: so many a second through a connection (a token bucket in the store, shared by all
 * processes), so many a day through a connection, so many a month for a project. Days and months are read from
 * counts by the hour.
 */
export const HOUR_MS = 3_600_000

/** A bucket holds what a quarter of a second brings: enough to keep the pace between two looks, no burst to speak of. */
const BUCKET_SECONDS = 0.25

export interface Tokens {
  taken: number
  /** Milliseconds until the next token when none was left. */
  wait_ms: number
}

/** Whose bucket: a connection's own, or its for one mailbox provider. */
export interface Bucket {
  connection_id: number
  lane: '' | MailboxProvider
  per_second: number
}

/** Takes at most `wanted` tokens of a bucket. */
export async function takeTokens(tx: Tx, { connection_id, lane, per_second }: Bucket, wanted: number, now: number): Promise<Tokens> {
  const capacity = Math.max(1, per_second * BUCKET_SECONDS)
  const [bucket] = await tx.select().from(send_buckets).where(and(eq(send_buckets.connection_id, connection_id), eq(send_buckets.lane, lane)))
  const elapsed_ms = bucket ? Math.max(0, now - bucket.refilled_at) : Number.POSITIVE_INFINITY
  const tokens = bucket ? Math.min(capacity, bucket.tokens + (elapsed_ms / 1000) * per_second) : capacity
  const taken = Math.min(wanted, Math.floor(tokens))
  const left = { tokens: tokens - taken, refilled_at: now }
  await tx.insert(send_buckets).values({ connection_id, lane, ...left }).onConflictDoUpdate({ target: [send_buckets.connection_id, send_buckets.lane], set: left })
  return { taken, wait_ms: Math.ceil(((1 - left.tokens) / per_second) * 1000) }
}

/** Gives tokens back that were taken for messages which were not there. */
export async function returnTokens(tx: Tx, { connection_id, lane }: Bucket, tokens: number): Promise<void> {
  await tx.run(sql`UPDATE send_buckets SET tokens = tokens + ${tokens} WHERE connection_id = ${connection_id} AND lane = ${lane}`)
}

/** A new sender's name is made slowly: 200 messages on the first day, 200,000 on the 42nd, then as many as are allowed. */
const WARM_UP = { days: 42, first: 200, last: 200_000 }

/** Messages that a connection may hand over in 24 hours, its warm-up included; null for no limit. */
export function dailyLimit({ max_per_day, warm_up_started_at }: Pick<typeof connections.$inferSelect, 'max_per_day' | 'warm_up_started_at'>, now: number): number | null {
  const day = warm_up_started_at === null ? WARM_UP.days : Math.floor((now - warm_up_started_at) / (24 * HOUR_MS))
  if (day >= WARM_UP.days) return max_per_day
  const step = (WARM_UP.last / WARM_UP.first) ** (Math.max(0, day) / (WARM_UP.days - 1))
  return Math.min(max_per_day ?? Number.POSITIVE_INFINITY, Math.floor(WARM_UP.first * step))
}

/** Messages handed over through a connection in the last 24 hours. */
export async function sentInLastDay(db: Reader, project_id: string, connection_id: number, now: number): Promise<number> {
  const [row] = await db.all<{ sent: number }>(sql`
    SELECT coalesce(sum(sent), 0) AS sent FROM sending_hours
    WHERE project_id = ${project_id} AND connection_id = ${connection_id} AND hour > ${Math.floor(now / HOUR_MS) - 24}`)
  return row?.sent ?? 0
}

/** Messages of a project handed over in the calendar month (UTC) of `now`. */
export async function sentThisMonth(db: Reader, project_id: string, now: number): Promise<number> {
  const date = new Date(now)
  const first = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1) / HOUR_MS
  const [row] = await db.all<{ sent: number }>(sql`SELECT coalesce(sum(sent), 0) AS sent FROM sending_hours WHERE project_id = ${project_id} AND hour >= ${first}`)
  return row?.sent ?? 0
}

/** What limits the messages of a project through a connection; null is no limit. */
export interface Limits {
  project_id: string
  connection_id: number
  /** The campaign whose messages they are, which counts them, too. */
  campaign_id: number | null
  max_per_day: number | null
  monthly_limit: number | null
}

/** Counts messages as handed over; a negative number takes back those that were refused. */
export async function countSent(tx: Tx, { project_id, connection_id, campaign_id }: Limits, messages: number, now: number): Promise<void> {
  if (messages === 0) return
  if (campaign_id !== null) await tx.run(sql`UPDATE campaigns SET handed_over = handed_over + ${messages} WHERE id = ${campaign_id}`)
  await tx.run(sql`
    INSERT INTO sending_hours (project_id, connection_id, hour, sent) VALUES (${project_id}, ${connection_id}, ${Math.floor(now / HOUR_MS)}, ${messages})
    ON CONFLICT DO UPDATE SET sent = sent + excluded.sent`)
}

/** How many of `wanted` messages the day's and the month's limits let through now. */
export async function withinLimits(tx: Tx, limits: Limits, wanted: number, now: number): Promise<number> {
  let allowed = wanted
  if (limits.max_per_day !== null) allowed = Math.min(allowed, limits.max_per_day - (await sentInLastDay(tx, limits.project_id, limits.connection_id, now)))
  if (limits.monthly_limit !== null) allowed = Math.min(allowed, limits.monthly_limit - (await sentThisMonth(tx, limits.project_id, now)))
  return Math.max(0, allowed)
}
