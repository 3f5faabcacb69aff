/** Names that something runs under now, each at most once among the threads of the process. */
export interface Claims {
  /**
   * Claims a name until `release`. When it is claimed, answers the note of who claimed it, which is null for another
   * thread.
   */
  take(name: string, note: string): { release(): void } | { claimed: string | null }
}

/** What the threads of a process share, and the number of this thread. */
interface Share {
  claims_memory: SharedArrayBuffer
  thread: number
}

const ROWS = 8192
/** How many cells a name may have its place in. A name that finds all of them taken is claimed on this thread only. */
const PROBES = 8
/** The last two cells hold the seeds of the hashes, so that names cannot be chosen to share a cell. */
const SEEDS = [ROWS, ROWS + 1] as const
/** A cell holds the number of its thread plus one here, and 24 bits of a name's hash above. Zero is free. */
const THREAD = 0xff

export function claimsMemory(): SharedArrayBuffer {
  const memory = new SharedArrayBuffer(4 * (ROWS + SEEDS.length))
  new Int32Array(memory).set(crypto.getRandomValues(new Int32Array(SEEDS.length)), ROWS)
  return memory
}

/** @param share null for the only thread */
export function createClaims(share: Share | null): Claims {
  const own = new Map<string, string>()
  const takeShared = share ? sharedClaims(share) : () => () => undefined
  return {
    take(name, note) {
      const noted = own.get(name)
      if (noted !== undefined) return { claimed: noted }
      const giveBack = takeShared(name)
      if (!giveBack) return { claimed: null }
      own.set(name, note)
      return {
        release() {
          own.delete(name)
          giveBack()
        },
      }
    },
  }
}

/** Answers null for a name that another thread has claimed. Two that claim it at the same moment may both be refused. */
function sharedClaims({ claims_memory, thread }: Share): (name: string) => (() => void) | null {
  const cells = new Int32Array(claims_memory)
  const [place_seed, seed] = [cells[SEEDS[0]]! >>> 0, cells[SEEDS[1]]! >>> 0]
  return (name) => {
    const first = Bun.hash.xxHash32(name, place_seed)
    const mine = (Bun.hash.xxHash32(name, seed) & ~THREAD) | (thread + 1)
    const cellAt = (probe: number): number => (first + probe) % ROWS
    const isElsewhere = (own: number | null): boolean => {
      for (let probe = 0; probe < PROBES; probe++) {
        const held = Atomics.load(cells, cellAt(probe))
        if (held !== 0 && ((held ^ mine) & ~THREAD) === 0 && cellAt(probe) !== own) return true
      }
      return false
    }
    if (isElsewhere(null)) return null
    for (let probe = 0; probe < PROBES; probe++) {
      const cell = cellAt(probe)
      if (Atomics.compareExchange(cells, cell, 0, mine) !== 0) continue
      const giveBack = () => void Atomics.compareExchange(cells, cell, mine, 0)
      // Another thread may have claimed it in a cell that was released in between.
      if (!isElsewhere(cell)) return giveBack
      giveBack()
      return null
    }
    return () => undefined
  }
}

/** Ends the claims of a thread that ended. */
export function forgetClaims(memory: SharedArrayBuffer, thread: number): void {
  const cells = new Int32Array(memory)
  for (let cell = 0; cell < ROWS; cell++) {
    const held = Atomics.load(cells, cell)
    if ((held & THREAD) === thread + 1) Atomics.compareExchange(cells, cell, held, 0)
  }
}
