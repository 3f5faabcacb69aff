import { sql } from 'drizzle-orm'
import { AppError } from '../errors.ts'
import type { Store, Tx } from '../store/open.ts'
import { deleteWhere, type RetentionRule } from '../store/retention.ts'

/**
 * Limits of N requests in 60 seconds. A window begins with the first request after the last one ended, not with the
 * minute of the clock; refused requests do not count (contract section 3, details 53).
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

/** Takes a place in a bucket, if there is one. */
export async function takeQuota(tx: Tx, bucket: string, limit: number, now: number): Promise<Allowance> {
  const row = await takeQuotaUnits(tx, bucket, limit, 1, now)
  return place(row, limit, row.count, row.granted > 0, now)
}

/** Takes `wanted` places in a bucket, as many as there are. */
async function takeQuotaUnits(tx: Tx, bucket: string, limit: number, wanted: number, now: number): Promise<WindowRow> {
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
  return row
}

function place(
  { started_at }: { started_at: number },
  limit: number,
  taken: number,
  allowed: boolean,
  now: number,
): Allowance {
  const reset_seconds = Math.min(60, Math.max(1, Math.ceil((started_at + WINDOW_MS - now) / 1000)))
  return { limit, reset_seconds, allowed, remaining: Math.max(0, limit - taken) }
}

export interface RateLimiter {
  take(bucket: string, limit: number): Promise<Allowance>
  /** Gives back what was taken ahead and not used. */
  close(): Promise<void>
}

interface Waiting {
  resolve(allowance: Allowance): void
  reject(error: unknown): void
}

/** A window as this process knows it. */
interface Known {
  started_at: number
  /** Places that callers have, of all that the database counts. */
  taken: number
  /** Places taken ahead. */
  ahead: number
  /** Until then the window is known to be full. */
  full_until: number
  /** Somebody came since the last look. */
  asked: boolean
}

/** A bucket with fewer requests in its window is not worth taking ahead for. */
const BUSY = 8
const MOST_AHEAD = 256
/** What nobody asks for goes back so soon. */
const GIVE_BACK_MS = 100
const FULL_MS = 1000

/**
 * Takes places one by one for callers, and for all who came while a write was on its way at once. In a database file
 * it takes some ahead for a busy bucket, the fewer the nearer the limit: a read costs far less than a commit, after
 * which every connection begins with an empty cache. What is not asked for goes back, so another process on the file
 * finds it. On a server, where many processes meet, nothing is taken ahead. When the database fails, everybody is
 * refused (spec, Errors: 503, fails closed).
 */
export function createRateLimiter(store: Store, now: () => number): RateLimiter {
  const lines = new Map<string, { limit: number; waiting: Waiting[] }>()
  const windows = new Map<string, Known>()
  let looking: NodeJS.Timeout | null = null

  const current = (bucket: string, at: number): Known | undefined => {
    const known = windows.get(bucket)
    return known && at < known.started_at + WINDOW_MS && at >= known.started_at - CLOCK_SKEW_MS ? known : undefined
  }

  const fromMemory = (bucket: string, limit: number): Allowance | null => {
    const at = now()
    const known = current(bucket, at)
    if (!known) return null
    known.asked = true
    if (known.ahead > 0) {
      known.ahead--
      return place(known, limit, ++known.taken, true, at)
    }
    return at < known.full_until ? place(known, limit, limit, false, at) : null
  }

  const serve = async (bucket: string): Promise<void> => {
    const line = lines.get(bucket)!
    let taken: Waiting[] = []
    try {
      let at = now()
      const row = await store.write((tx) => {
        if (taken.length === 0) {
          taken = line.waiting
          line.waiting = []
        }
        at = now()
        return takeQuotaUnits(
          tx,
          bucket,
          line.limit,
          taken.length + (store.kind === 'file' ? worthTaking(current(bucket, at), line.limit) : 0),
          at,
        )
      })
      const before = row.count - row.granted
      remember(bucket, row, taken.length, at)
      taken.forEach((caller, index) =>
        caller.resolve(place(row, line.limit, before + Math.min(index + 1, row.granted), index < row.granted, at)),
      )
    } catch (error) {
      const refused = taken.length > 0 ? taken : line.waiting.splice(0)
      for (const caller of refused) caller.reject(unavailable(error))
    }
    if (line.waiting.length > 0) void serve(bucket)
    else lines.delete(bucket)
  }

  const remember = (bucket: string, row: WindowRow, asked: number, at: number): void => {
    const full = row.granted < asked
    if (store.kind !== 'file' || (row.count < BUSY && !full)) return
    const used = Math.min(asked, row.granted)
    windows.set(bucket, {
      started_at: row.started_at,
      taken: row.count - row.granted + used,
      ahead: row.granted - used,
      full_until: full ? at + FULL_MS : 0,
      asked: true,
    })
    looking ??= setTimeout(look, GIVE_BACK_MS).unref()
  }

  /** Forgets what nobody asked for since the last look, and gives back what was taken ahead of it. */
  const look = (): void => {
    looking = null
    for (const [bucket, known] of windows) {
      if (known.asked) known.asked = false
      else letGo(bucket, known).catch(() => undefined) // the places stay taken: fewer pass than might, not more
    }
    if (windows.size > 0) looking = setTimeout(look, GIVE_BACK_MS).unref()
  }

  const letGo = async (bucket: string, { started_at, ahead }: Known): Promise<void> => {
    windows.delete(bucket)
    if (ahead > 0)
      await store.write((tx) =>
        tx.run(
          sql`UPDATE rate_windows SET count = count - ${ahead} WHERE bucket = ${bucket} AND started_at = ${started_at}`,
        ),
      )
  }

  return {
    take(bucket, limit) {
      const line = lines.get(bucket)
      const known = line ? null : fromMemory(bucket, limit)
      if (known) return Promise.resolve(known)
      return new Promise((resolve, reject) => {
        if (line) {
          line.waiting.push({ resolve, reject })
          return
        }
        lines.set(bucket, { limit, waiting: [{ resolve, reject }] })
        void serve(bucket)
      })
    },
    async close() {
      if (looking) clearTimeout(looking)
      await Promise.allSettled([...windows].map(([bucket, known]) => letGo(bucket, known)))
    },
  }
}

/** How many places more than asked for: fewer than came so far, and far fewer than are left. */
function worthTaking(known: Known | undefined, limit: number): number {
  if (!known) return 0
  return Math.max(0, Math.min(MOST_AHEAD, Math.floor(known.taken / 4), Math.floor((limit - known.taken) / 8)))
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
    RateLimit: `"${policy}";r=${allowance.remaining};t=${allowance.reset_seconds}`,
  }
}

export function rateLimited(allowance: Allowance): AppError {
  return new AppError('RATE_LIMITED', `Too many requests. Try again in ${allowance.reset_seconds} seconds.`, {
    headers: { 'Retry-After': String(allowance.reset_seconds) },
  })
}

export const rateWindowRetention: RetentionRule = {
  rows: 'counters of rate limits',
  kept: '60 seconds',
  statement: (now, limit) => deleteWhere('rate_windows', 'bucket', sql`started_at <= ${now - WINDOW_MS}`, limit),
}
