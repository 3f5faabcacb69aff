import { randomBytes } from 'node:crypto'

/**
 * What the process knows of running rate limit windows: quota that is taken from the database for requests to come. It
 * is in shared memory, so that all threads draw on it: a caller is refused only when none of them has any left.
 */
export interface QuotaWindows {
  /** Takes `cost` units of what is reserved. Null when only the database knows whether there are that many. */
  take(bucket: string, cost: number, now: number): Taken | null
  /** How many units of a running window are used; null when it is not known. */
  used(bucket: string, now: number): number | null
  /**
   * Gives the waiting callers their units, of those that the database granted and those that were reserved, and keeps
   * the rest. To be called inside the transaction that granted them, so that each thread finds what others have kept.
   * Without `keeping` nothing is kept.
   */
  settle(bucket: string, row: GrantedRow, costs: readonly number[], keeping: Keeping | null): Settled
  /** Whether a window had no request since this thread asked last. */
  isIdle(bucket: string): boolean
  /** Takes what is reserved in a window, which is then forgotten. */
  drain(bucket: string): { started_at: number; units: number } | null
}

export interface Taken {
  started_at: number
  used: number
  allowed: boolean
}

interface GrantedRow {
  started_at: number
  count: number
  granted: number
}

interface Keeping {
  now: number
  /** How many units a window must have used for the rest to be kept. A window that is full is always kept. */
  least_count: number
  full_until: number
}

interface Settled {
  callers: Taken[]
  /** Units that are not kept. */
  returned: number
}

const ROWS = 4096
const PROBES = 16
const ROW_BYTES = 48
/** The cells of a row: a lock, two hashes of the bucket, a bit for each thread that is cleared by its `isIdle`; then numbers. */
const [LOCK, KEY, OTHER_KEY, RECENT] = [0, 1, 2, 3]
const [STARTED_AT, COUNT, RESERVED, FULL_UNTIL] = [2, 3, 4, 5]
const EVERYBODY = ~0
/** A lock is held for less than a microsecond, unless its thread is waiting for a processor, or was ended. */
const SPINS = 200
const PAUSE_MS = 1
const PAUSES = 100

export function quotaMemory(): SharedArrayBuffer {
  const memory = new SharedArrayBuffer((ROWS + 1) * ROW_BYTES)
  // The last row holds the seeds of the hashes.
  new Uint8Array(memory).set(randomBytes(8), ROWS * ROW_BYTES)
  return memory
}

/** @param thread the number of this thread among those that share the memory */
export function quotaWindows(memory: SharedArrayBuffer, window_ms: number, thread = 0): QuotaWindows {
  const cells = new Int32Array(memory)
  const numbers = new Float64Array(memory)
  const cell = (row: number, index: number): number => (row * ROW_BYTES) / 4 + index
  const number = (row: number, index: number): number => (row * ROW_BYTES) / 8 + index
  const own_bit = 1 << (thread % 32)
  const seeds = [cells[cell(ROWS, 0)]! >>> 0, cells[cell(ROWS, 1)]! >>> 0] as const

  const locked = <T>(row: number, work: () => T): T => {
    const lock = cell(row, LOCK)
    for (let tries = 0; Atomics.compareExchange(cells, lock, 0, 1) !== 0; tries++) {
      if (tries > SPINS) Atomics.wait(cells, lock, 1, PAUSE_MS)
      // Whoever held it for so long was ended in the middle.
      if (tries > SPINS + PAUSES) break
    }
    try {
      return work()
    } finally {
      Atomics.store(cells, lock, 0)
      Atomics.notify(cells, lock, 1)
    }
  }

  const keysOf = (bucket: string): readonly [number, number] => [
    Bun.hash.xxHash32(bucket, seeds[0]) | 0,
    Bun.hash.xxHash32(bucket, seeds[1]) | 0 || 1,
  ]
  const rowAt = (key: number, probe: number): number => ((key >>> 0) + probe) % ROWS
  const holds = (row: number, [key, other]: readonly [number, number]): boolean =>
    Atomics.load(cells, cell(row, KEY)) === key && Atomics.load(cells, cell(row, OTHER_KEY)) === other

  /** Runs `work` on the row of a bucket; null when it has none. */
  const within = <T>(keys: readonly [number, number], work: (row: number) => T): T | null => {
    for (let probe = 0; probe < PROBES; probe++) {
      const row = rowAt(keys[0], probe)
      if (!holds(row, keys)) continue
      const done = locked(row, () => (holds(row, keys) ? { result: work(row) } : null))
      if (done) return done.result
    }
    return null
  }

  const clear = (row: number): void => {
    Atomics.store(cells, cell(row, OTHER_KEY), 0)
    Atomics.store(cells, cell(row, KEY), 0)
  }

  /** Runs `work` on a row that no bucket uses, or whose window has ended. */
  const claimed = <T>(keys: readonly [number, number], now: number, work: (row: number) => T): T | null => {
    const isOver = (row: number): boolean =>
      Atomics.load(cells, cell(row, OTHER_KEY)) === 0 || numbers[number(row, STARTED_AT)]! + window_ms <= now
    for (let probe = 0; probe < PROBES; probe++) {
      const row = rowAt(keys[0], probe)
      if (!isOver(row)) continue
      const done = locked(row, () => {
        if (!isOver(row)) return null
        Atomics.store(cells, cell(row, KEY), keys[0])
        Atomics.store(cells, cell(row, OTHER_KEY), keys[1])
        return { result: work(row) }
      })
      if (done) return done.result
    }
    return null
  }

  const isRunning = (row: number, now: number): boolean => {
    const started_at = numbers[number(row, STARTED_AT)]!
    return now < started_at + window_ms && now >= started_at - CLOCK_SKEW_MS
  }

  return {
    take(bucket, cost, now) {
      return within(keysOf(bucket), (row) => {
        if (!isRunning(row, now)) return null
        Atomics.store(cells, cell(row, RECENT), EVERYBODY)
        const reserved = numbers[number(row, RESERVED)]!
        const allowed = reserved >= cost
        if (!allowed && now >= numbers[number(row, FULL_UNTIL)]!) return null
        const left = allowed ? reserved - cost : reserved
        numbers[number(row, RESERVED)] = left
        return { started_at: numbers[number(row, STARTED_AT)]!, used: numbers[number(row, COUNT)]! - left, allowed }
      })
    },

    used: (bucket, now) =>
      within(keysOf(bucket), (row) =>
        isRunning(row, now) ? numbers[number(row, COUNT)]! - numbers[number(row, RESERVED)]! : null,
      ),

    settle(bucket, { started_at, count, granted }, costs, keeping) {
      const serve = (reserved: number) => {
        let left = reserved + granted
        const callers = costs.map((cost) => {
          const allowed = cost <= left
          if (allowed) left -= cost
          return { started_at, used: count - left, allowed }
        })
        const isFull = callers.some(({ allowed }) => !allowed)
        return { callers, left, isFull, isKept: keeping !== null && (isFull || count >= keeping.least_count) }
      }
      const write = (row: number, { left, isFull }: ReturnType<typeof serve>): void => {
        Atomics.store(cells, cell(row, RECENT), EVERYBODY)
        numbers[number(row, STARTED_AT)] = started_at
        numbers[number(row, COUNT)] = count
        numbers[number(row, RESERVED)] = left
        numbers[number(row, FULL_UNTIL)] = isFull ? keeping!.full_until : 0
      }
      const keys = keysOf(bucket)
      const known = within(keys, (row) => {
        const isSame = numbers[number(row, STARTED_AT)] === started_at
        const served = serve(isSame ? numbers[number(row, RESERVED)]! : 0)
        if (served.isKept) write(row, served)
        else clear(row)
        return { callers: served.callers, returned: served.isKept ? 0 : served.left }
      })
      if (known) return known
      const served = serve(0)
      const isWritten =
        served.isKept &&
        claimed(keys, keeping!.now, (row) => {
          write(row, served)
          return true
        })
      return { callers: served.callers, returned: isWritten ? 0 : served.left }
    },

    isIdle: (bucket) =>
      within(keysOf(bucket), (row) => (Atomics.and(cells, cell(row, RECENT), ~own_bit) & own_bit) === 0) ?? true,

    drain(bucket) {
      return within(keysOf(bucket), (row) => {
        const drained = { started_at: numbers[number(row, STARTED_AT)]!, units: numbers[number(row, RESERVED)]! }
        clear(row)
        return drained
      })
    },
  }
}

/** A window that begins further in the future than this was written before the clock was set back. */
export const CLOCK_SKEW_MS = 5_000
