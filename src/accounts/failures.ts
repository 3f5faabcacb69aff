import { DAY_MS, HOUR_MS, MINUTE_MS } from '../clock.ts'
import { eq, inArray, sql } from 'drizzle-orm'
import { addressBlock } from '../access/address.ts'
import { note } from '../audit/record.ts'
import { AppError } from '../errors.ts'
import type { RateLimiter } from '../operation/rate-limit.ts'
import type { Runtime } from '../runtime.ts'
import { emailKey } from '../address.ts'
import { sha256 } from '../secrets.ts'
import type { Reader, Store, Tx } from '../store/open.ts'
import { deleteWhere, type RetentionRule } from '../store/retention.ts'
import { first } from '../store/rows.ts'
import { sign_in_failures } from '../store/tables/sign-in.ts'
import { throttle, throttleBucket } from './throttle.ts'

/**
 * Failed sign-ins are counted, and too many lead to a growing pause (docs/api/limits.md#failed-sign-ins). A device that
 * signed in to the account before has a count of its own, so that the guesses of others do not lock its owner out.
 */
export interface Bucket {
  name: string
  /** Failures that pass without a pause. */
  free: number
  longest_pause_ms: number
}

/** An attempt to prove an identity by a password or a code. */
interface Guess {
  /** The client's address. */
  address: string
  email: string
  /** The device that signed in to this account before, or null. */
  device_id: string | null
}

/** The dependencies of counting attempts. */
export interface Counting extends Pick<Runtime, 'config'> {
  db: Reader
  limiter: RateLimiter
}

/** A count ends this long after its last failure. */
const FORGOTTEN_AFTER_MS = DAY_MS

/**
 * Lets a password be compared, and returns the buckets of its failure. RATE_LIMITED after too many attempts in a minute
 * or during a pause.
 */
export async function allowPassword(
  { db, config, limiter }: Counting,
  { address, email, device_id }: Guess,
  now: number,
): Promise<Bucket[]> {
  const most = config.logins_per_minute
  const half = Math.max(1, Math.floor(most / 2))
  if (device_id !== null) await throttleBucket(limiter, `login:device:${device_id}`, half)
  else await throttle(limiter, 'login', { address, email }, most)
  const block = addressBlock(address)
  const buckets =
    device_id === null
      ? [
          { name: `pair:${block}:${sha256(emailKey(email))}`, free: half, longest_pause_ms: HOUR_MS },
          addressBucket(address, most),
        ]
      : [{ name: `device:${device_id}`, free: half, longest_pause_ms: HOUR_MS }]
  await requireNoPause(db, buckets, now)
  return buckets
}

/** As `allowPassword`, for the second factor of a user. The count is the account's, because the password was right. */
export async function allowCode(
  { db, config, limiter }: Counting,
  { user_id, device_id }: { user_id: string; device_id: string | null },
  now: number,
): Promise<Bucket[]> {
  const half = Math.max(1, Math.floor(config.logins_per_minute / 2))
  const name = device_id === null ? `code:user:${user_id}` : `code:device:${device_id}`
  await throttleBucket(limiter, name, half)
  const buckets = [{ name, free: half, longest_pause_ms: HOUR_MS }]
  await requireNoPause(db, buckets, now)
  return buckets
}

/** The failures of an address, whatever the accounts. */
export function addressBucket(address: string, per_minute: number): Bucket {
  return { name: `address:${addressBlock(address)}`, free: per_minute, longest_pause_ms: 15 * MINUTE_MS }
}

/** Throws RATE_LIMITED while one of the buckets pauses. */
export async function requireNoPause(db: Reader, buckets: readonly Bucket[], now: number): Promise<void> {
  const rows = await db
    .select({ paused_until: sign_in_failures.paused_until })
    .from(sign_in_failures)
    .where(namedLike(buckets))
  const seconds = Math.ceil((Math.max(0, ...rows.map(({ paused_until }) => paused_until)) - now) / 1000)
  if (seconds > 0)
    throw new AppError('RATE_LIMITED', `Too many failed attempts. Try again in ${inWords(seconds)}.`, {
      headers: { 'Retry-After': String(seconds) },
    })
}

/** An attempt that failed, for the audit log: what was tried, and the account, if there is one. */
interface Failed {
  action: 'sign-in' | 'second-factor' | 'passkey' | 'password-confirm'
  user_id: string | null
}

/** Counts a failure. From the last free one on each begins a pause, twice as long as the one before. */
export async function recordFailure(
  store: Pick<Store, 'write'>,
  buckets: readonly Bucket[],
  { action, user_id }: Failed,
  now: number,
): Promise<void> {
  await store.write(async (tx) => {
    // Leaves out the typed text, which may be a password.
    note(tx, { action, outcome: 'refused', target: user_id === null ? null : `user:${user_id}` })
    for (const { name, free, longest_pause_ms } of buckets) {
      const known = first(await tx.select().from(sign_in_failures).where(eq(sign_in_failures.bucket, name)))
      const failures = known && now - known.last_at < FORGOTTEN_AFTER_MS ? known.failures + 1 : 1
      const pause_ms = failures < free ? 0 : Math.min(longest_pause_ms, MINUTE_MS * 2 ** Math.min(20, failures - free))
      const row = { failures, last_at: now, paused_until: now + pause_ms }
      await tx
        .insert(sign_in_failures)
        .values({ bucket: name, ...row })
        .onConflictDoUpdate({ target: sign_in_failures.bucket, set: row })
    }
  })
}

/** Ends the counts after a success. An address keeps its count: it could sign in to an own account between guesses. */
export async function forgetFailures(tx: Tx, buckets: readonly Bucket[]): Promise<void> {
  const own = buckets.filter(({ name }) => !name.startsWith('address:'))
  if (own.length > 0) await tx.delete(sign_in_failures).where(namedLike(own))
}

function namedLike(buckets: readonly Bucket[]) {
  return inArray(
    sign_in_failures.bucket,
    buckets.map(({ name }) => name),
  )
}

function inWords(seconds: number): string {
  return seconds <= 60 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`
}

export const failureRetention: RetentionRule = {
  rows: 'counts of failed sign-ins',
  kept: '24 hours after the last failure',
  statement: (now, limit) =>
    deleteWhere('sign_in_failures', 'bucket', sql`last_at <= ${now - FORGOTTEN_AFTER_MS}`, limit),
}
