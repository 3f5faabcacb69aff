import { sql } from 'drizzle-orm'
import { AppError } from '../errors.ts'
import type { Store, Tx } from '../store/open.ts'
import { deleteWhere, type RetentionRule } from '../store/retention.ts'
import { CLOCK_SKEW_MS, quotaMemory, quotaWindows, type Taken } from './quota-windows.ts'

/**
 * Limits of N requests in 60 seconds. A window begins with the first request after the last one ended, not with the
 * minute of the clock; refused requests do not count (docs/api/limits.md#rate-limits).
 * The count is in the database, so all processes share it.
 */
const WINDOW_MS = 60_000

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

/**
 * Takes `wanted` units of a bucket's quota, or as many as are left. Nearly always the window runs and has room: that
 * statement costs half as much as the one for all cases.
 */
async function takeQuotaUnits(
  tx: Tx,
  { bucket, limit, wanted }: { bucket: string; limit: number; wanted: number },
  now: number,
): Promise<WindowRow> {
  const [within] = await tx.all<WindowRow>(sql`
    UPDATE rate_windows SET count = count + ${wanted}, granted = ${wanted}
    WHERE bucket = ${bucket} AND started_at > ${now - WINDOW_MS} AND started_at <= ${now + CLOCK_SKEW_MS}
      AND count <= ${limit - wanted}
    RETURNING started_at, count, granted`)
  if (within) return within
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

function allowanceOf(
  { started_at }: { started_at: number },
  { limit, remaining, allowed }: Omit<Allowance, 'reset_seconds'>,
  now: number,
): Allowance {
  const reset_seconds = Math.min(60, Math.max(1, Math.ceil((started_at + WINDOW_MS - now) / 1000)))
  return { limit, reset_seconds, allowed, remaining: Math.max(0, remaining) }
}

export interface RateLimiter {
  /** Takes `cost` units of a bucket's quota, all or none; default 1. */
  take(bucket: string, limit: number, cost?: number): Promise<Allowance>
  /** Returns reserved quota that was not used. */
  close(): Promise<void>
}

export interface SharedQuota {
  memory: SharedArrayBuffer
  /** The number of this thread. */
  thread: number
}

interface Waiting {
  cost: number
  resolve(allowance: Allowance): void
  reject(error: unknown): void
}

/** A bucket with fewer requests in its window reserves nothing. */
const BUSY = 8
const MAX_RESERVED = 4096
/** Reserved quota is returned after this time without a request. That is one commit, and the next request needs another. */
const IDLE_MS = 1000
const FULL_MS = 1000

/**
 * Counts requests in the database; callers that arrive during a write are counted together by the next one. Busy
 * buckets reserve quota in batches that shrink near the limit, because a read costs far less than a commit, after which
 * every connection to a file starts with an empty page cache, and each commit on a server has round trips. All threads
 * draw on what is reserved. Unused quota is returned, so that other processes find it. When the database fails, all
 * callers are refused with RATE_LIMIT_UNAVAILABLE (docs/api/limits.md#rate-limits). Reserving is worth 24 % of the CPU
 * time of contacts/get and 44 % of contacts/list on a file, and a third of that of contacts/upsert on a server.
 *
 * @param shared what the threads of the process share; without it the limiter is the only one
 */
export function createRateLimiter(
  store: Store,
  now: () => number,
  { memory, thread }: SharedQuota = { memory: quotaMemory(), thread: 0 },
): RateLimiter {
  const queues = new Map<string, { limit: number; waiting: Waiting[] }>()
  const windows = quotaWindows(memory, WINDOW_MS, thread)
  /** The buckets whose quota this thread has reserved. */
  const reserved = new Set<string>()
  let timer: NodeJS.Timeout | null = null

  const fromMemory = (bucket: string, limit: number, cost: number): Allowance | null => {
    const at = now()
    const taken = windows.take(bucket, cost, at)
    return taken && allowanceOf(taken, { limit, remaining: limit - taken.used, allowed: taken.allowed }, at)
  }

  const serve = async (bucket: string): Promise<void> => {
    const queue = queues.get(bucket)!
    let taken: Waiting[] = []
    let callers: Taken[] | null = null
    try {
      let at = now()
      let returned = 0
      await store.write(
        async (tx) => {
          if (taken.length === 0) {
            taken = queue.waiting
            queue.waiting = []
          }
          // The transaction is run again.
          if (callers) windows.drain(bucket)
          at = now()
          const spare = unitsToReserve(windows.used(bucket, at), queue.limit)
          const row = await takeQuotaUnits(tx, { bucket, limit: queue.limit, wanted: costOf(taken) + spare }, at)
          const keeping = { now: at, least_count: BUSY, full_until: at + FULL_MS }
          const costs = taken.map(({ cost }) => cost)
          ;({ callers, returned } = windows.settle(bucket, row, costs, keeping))
        },
        // Alone, a large answer is ready when its request is read. A later one leaves in many small pieces.
        { durable: false, alone: true },
      )
      const served = callers! // the transaction has set it
      taken.forEach((caller, index) => {
        const { used, allowed, started_at } = served[index]!
        caller.resolve(allowanceOf({ started_at }, { limit: queue.limit, remaining: queue.limit - used, allowed }, at))
      })
      if (returned > 0) giveBack(bucket, () => ({ started_at: served[0]!.started_at, units: returned })).catch(() => {})
      else keep(bucket)
    } catch (error) {
      if (callers) windows.drain(bucket)
      const refused = taken.length > 0 ? taken : queue.waiting.splice(0)
      for (const caller of refused) caller.reject(unavailable(error))
    }
    if (queue.waiting.length > 0) void serve(bucket)
    else queues.delete(bucket)
  }

  const keep = (bucket: string): void => {
    if (windows.used(bucket, now()) === null) return
    reserved.add(bucket)
    timer ??= setTimeout(releaseIdle, IDLE_MS).unref()
  }

  /** Drops windows without a request since the last check, and returns their reserved quota. */
  const releaseIdle = (): void => {
    timer = null
    // Where this fails, the quota stays reserved: fewer requests pass than could, never more.
    for (const bucket of reserved) if (windows.isIdle(bucket)) release(bucket).catch(() => undefined)
    if (reserved.size > 0) timer = setTimeout(releaseIdle, IDLE_MS).unref()
  }

  const release = (bucket: string): Promise<void> => {
    reserved.delete(bucket)
    return giveBack(bucket, () => windows.drain(bucket))
  }

  /** Returns quota. It is taken inside the transaction, so that no thread misses it in between. */
  const giveBack = (bucket: string, take: () => { started_at: number; units: number } | null): Promise<void> =>
    store.write(
      async (tx) => {
        const { started_at, units } = take() ?? { started_at: 0, units: 0 }
        if (units > 0)
          await tx.run(
            sql`
              UPDATE rate_windows SET count = count - ${units}
              WHERE bucket = ${bucket} AND started_at = ${started_at}`,
          )
      },
      { durable: false },
    )

  return {
    take(bucket, limit, wanted = 1) {
      const cost = Math.min(wanted, limit)
      const queue = queues.get(bucket)
      const known = queue ? null : fromMemory(bucket, limit, cost)
      if (known) return Promise.resolve(known)
      return new Promise((resolve, reject) => {
        if (queue) {
          queue.waiting.push({ cost, resolve, reject })
          return
        }
        queues.set(bucket, { limit, waiting: [{ cost, resolve, reject }] })
        void serve(bucket)
      })
    },
    async close() {
      if (timer) clearTimeout(timer)
      await Promise.allSettled([...reserved].map(release))
    },
  }
}

const costOf = (callers: readonly Waiting[]): number => callers.reduce((sum, { cost }) => sum + cost, 0)

/** Quota to reserve beyond the present callers: a quarter of what was used, at most an eighth of what is left. */
function unitsToReserve(used: number | null, limit: number): number {
  if (used === null) return 0
  return Math.max(0, Math.min(MAX_RESERVED, Math.floor(used / 4), Math.floor((limit - used) / 8)))
}

function unavailable(cause: unknown): AppError {
  return new AppError('RATE_LIMIT_UNAVAILABLE', 'The rate limit could not be checked. Try again.', {
    cause,
    headers: { 'Retry-After': '5' },
  })
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

/** Sets the rate limit headers, also for a refusal. Throws RATE_LIMITED when too few units are left. */
export function requireAllowance(headers: Record<string, string>, allowance: Allowance, policy: string): void {
  Object.assign(headers, rateHeaders(allowance, policy))
  if (!allowance.allowed) throw rateLimited(allowance)
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
