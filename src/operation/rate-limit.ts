import { sql } from 'drizzle-orm'
import { AppError } from '../errors.ts'
import type { Store, Tx } from '../store/open.ts'

/**
 * Limits of N requests in 60 seconds. A window begins with the first request after the last one ended, so there
 * is no edge across which twice as many pass; refused requests do not count (contract section 3, details 53).
 * The count lies in the database: all processes share it.
 */
export const WINDOW_MS = 60_000
/** A window that seems to begin later than this in the future was written before the clock was set back. */
const CLOCK_SKEW_MS = 5_000

export interface Allowance {
  limit: number
  remaining: number
  /** Whole seconds until the window ends, 1 to 60. */
  reset_seconds: number
  allowed: boolean
}

interface WindowRow {
  started_at: number
  count: number
  granted: number
}

/** Takes `wanted` places in a bucket, as many as there are; answers what each of them got, in order. */
export async function takePlaces(tx: Tx, bucket: string, limit: number, wanted: number, now: number): Promise<Allowance[]> {
  const ended = sql`(started_at + ${WINDOW_MS} <= ${now} OR started_at > ${now + CLOCK_SKEW_MS})`
  const all = Math.min(wanted, limit)
  const [row] = await tx.all<WindowRow>(sql`
    INSERT INTO rate_windows (bucket, started_at, count, granted) VALUES (${bucket}, ${now}, ${all}, ${all})
    ON CONFLICT (bucket) DO UPDATE SET
      granted = CASE WHEN ${ended} THEN ${all} ELSE max(0, min(${wanted}, ${limit} - count)) END,
      count = CASE WHEN ${ended} THEN ${all} ELSE count + max(0, min(${wanted}, ${limit} - count)) END,
      started_at = CASE WHEN ${ended} THEN ${now} ELSE started_at END
    RETURNING started_at, count, granted`)
  if (!row) throw new Error('The rate window was not written.')
  const reset_seconds = Math.min(60, Math.max(1, Math.ceil((row.started_at + WINDOW_MS - now) / 1000)))
  const before = row.count - row.granted
  return Array.from({ length: wanted }, (_, index) => ({
    limit,
    reset_seconds,
    allowed: index < row.granted,
    remaining: Math.max(0, limit - before - Math.min(index + 1, row.granted)),
  }))
}

export interface RateLimiter {
  take(bucket: string, limit: number): Promise<Allowance>
}

interface Waiting {
  resolve(allowance: Allowance): void
  reject(error: unknown): void
}

/**
 * Takes places one by one for callers, and for all who came while a write was on its way at once: a read costs a
 * fraction of a write. When the database fails, everybody is refused (spec, Errors: 503, fails closed).
 */
export function createRateLimiter(store: Store, now: () => number): RateLimiter {
  const lines = new Map<string, { limit: number; waiting: Waiting[] }>()

  const serve = async (bucket: string): Promise<void> => {
    const line = lines.get(bucket)!
    let taken: Waiting[] = []
    try {
      const allowances = await store.write((tx) => {
        if (taken.length === 0) {
          taken = line.waiting
          line.waiting = []
        }
        return takePlaces(tx, bucket, line.limit, taken.length, now())
      })
      taken.forEach((caller, index) => caller.resolve(allowances[index]!))
    } catch (error) {
      const refused = taken.length > 0 ? taken : line.waiting.splice(0)
      for (const caller of refused) caller.reject(unavailable(error))
    }
    if (line.waiting.length > 0) void serve(bucket)
    else lines.delete(bucket)
  }

  return {
    take(bucket, limit) {
      return new Promise((resolve, reject) => {
        const line = lines.get(bucket)
        if (line) {
          line.waiting.push({ resolve, reject })
          return
        }
        lines.set(bucket, { limit, waiting: [{ resolve, reject }] })
        void serve(bucket)
      })
    },
  }
}

export function unavailable(cause: unknown): AppError {
  return new AppError('RATE_LIMIT_UNAVAILABLE', 'The rate limit could not be checked. Try again.', { cause })
}

/** The specification's three headers and the pair of the current IETF draft (draft-ietf-httpapi-ratelimit-headers). */
export function rateHeaders(allowance: Allowance, policy: string): Record<string, string> {
  return {
    'RateLimit-Limit': String(allowance.limit),
    'RateLimit-Remaining': String(allowance.remaining),
    'RateLimit-Reset': String(allowance.reset_seconds),
    'RateLimit-Policy': `"${policy}";q=${allowance.limit};w=${WINDOW_MS / 1000}`,
    'RateLimit': `"${policy}";r=${allowance.remaining};t=${allowance.reset_seconds}`,
  }
}

export function rateLimited(allowance: Allowance): AppError {
  return new AppError('RATE_LIMITED', `Too many requests. Try again in ${allowance.reset_seconds} seconds.`, {
    headers: { 'Retry-After': String(allowance.reset_seconds) },
  })
}
