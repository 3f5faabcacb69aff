/**
 * Sums that the threads of the process count together, each its own part, in shared memory. Each part has one writer,
 * so a thread that ends leaves nothing locked, and what it counted can be taken out.
 */
export interface SharedCounts {
  /** Sets the part of this thread. */
  set(name: string, own: number): void
  /** The parts of the other threads. */
  elsewhere(name: string): number
}

/** For the only thread that counts. */
export const countedAlone: SharedCounts = { set: () => undefined, elsewhere: () => 0 }

/** What the threads of a process share, how many they are, and the number of this thread, which begins at 0. */
interface Share {
  counts_memory: SharedArrayBuffer
  thread: number
  threads: number
}

const ROWS = 8192
/** How many rows a name may have its place in. */
const PROBES = 32
/** Shown in no row, so that names cannot be chosen to share one. */
const SEED = 0
const HEADER = 1

export function countsMemory(threads: number): SharedArrayBuffer {
  const memory = new SharedArrayBuffer(4 * (HEADER + ROWS * (1 + threads)))
  new Int32Array(memory)[SEED] = crypto.getRandomValues(new Int32Array(1))[0]!
  return memory
}

/** @param share null for the only thread */
export function createCounts(share: Share | null): SharedCounts {
  if (!share) return countedAlone
  const { thread, threads } = share
  const cells = new Int32Array(share.counts_memory)
  const width = 1 + threads
  const seed = cells[SEED]! >>> 0

  /** Zero stands for no name. */
  const keyOf = (name: string): number => Bun.hash.xxHash32(name, seed) | 0 || 1
  const rowAt = (key: number, probe: number): number => HEADER + (((key >>> 0) + probe) % ROWS) * width

  const find = (key: number): number | null => {
    for (let probe = 0; probe < PROBES; probe++) {
      const row = rowAt(key, probe)
      if (Atomics.load(cells, row) === key) return row
    }
    return null
  }

  const isUnused = (row: number): boolean => {
    for (let part = 1; part <= threads; part++) if (Atomics.load(cells, row + part) !== 0) return false
    return true
  }

  /** Takes a row in which nobody counts anything. Null when there is none: then the thread counts alone. */
  const take = (key: number): number | null => {
    for (let probe = 0; probe < PROBES; probe++) {
      const row = rowAt(key, probe)
      const present = Atomics.load(cells, row)
      if (isUnused(row) && Atomics.compareExchange(cells, row, present, key) === present) return row
    }
    return null
  }

  return {
    set(name, own) {
      const key = keyOf(name)
      for (;;) {
        const row = find(key) ?? (own === 0 ? null : take(key))
        if (row === null) return
        Atomics.store(cells, row + 1 + thread, own)
        if (Atomics.load(cells, row) === key) return
        // Another thread took the row for another name while nobody counted in it.
        Atomics.store(cells, row + 1 + thread, 0)
      }
    },
    elsewhere(name) {
      const row = find(keyOf(name))
      if (row === null) return 0
      let sum = 0
      for (let part = 0; part < threads; part++) if (part !== thread) sum += Atomics.load(cells, row + 1 + part)
      return sum
    },
  }
}

/** Takes out what a thread that ended has counted. */
export function forgetCounts(memory: SharedArrayBuffer, thread: number, threads: number): void {
  const cells = new Int32Array(memory)
  for (let row = 0; row < ROWS; row++) Atomics.store(cells, HEADER + row * (1 + threads) + 1 + thread, 0)
}
