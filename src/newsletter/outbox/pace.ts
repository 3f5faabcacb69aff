/** Monotonic time in milliseconds, and a way to wait. */
interface Timer {
  now(): number
  sleep(ms: number): Promise<void>
}

const realTimer: Timer = { now: () => performance.now(), sleep: (ms) => Bun.sleep(Math.ceil(ms)) }

export interface Pace {
  /** How long before its send time a message has to be begun, so that the relay asks for its content in time. */
  readonly lead_ms: number
  /** Waits until a message that is due at `send_at` is begun. */
  begin(send_at: number): Promise<void>
  /** Waits until the content of a begun message may leave: at `send_at`, or as soon after it as the pace allows. */
  leave(send_at: number): Promise<void>
  /** To be called when the relay asks for the content of a message that was begun so long ago. */
  noteBegun(took_ms: number): void
}

/** Late messages follow each other at this multiple of the rate, so that they do not leave as a burst. */
const CATCH_UP_RATE = 1.25
/** A second, and by how much less it may be at the relay, because messages do not take the same time to arrive. */
const WINDOW_MS = 1_012
/** Batches are leased half a second ahead, so a longer lead would only begin messages late. */
const LONGEST_LEAD_MS = 200
/** What a lead keeps of a slow beginning with each quicker one after it. */
const LEAD_DECAY = 0.98

/**
 * Spaces messages on one transport: their contents leave at their send times, so the relay gets them evenly, however
 * long it takes to ask for each. No more than `per_second` leave within any second, whatever delayed them; late
 * messages catch up only as far as that limit has room. Answers are not waited for.
 */
export function createPace(per_second: number, { now, sleep }: Timer = realTimer): Pace {
  const max_in_window = Math.ceil(per_second)
  const spacing_ms = 1_000 / CATCH_UP_RATE / Math.max(1, per_second)
  /** Ring buffer of the times at which the last `max_in_window` messages left. */
  const departures: number[] = []
  let messages = 0
  let last_begun = Number.NEGATIVE_INFINITY
  let last_left = Number.NEGATIVE_INFINITY
  let lead_ms = 0

  const waitUntil = async (at: number): Promise<void> => {
    for (let rest_ms = at - now(); rest_ms > 0; rest_ms = at - now()) await sleep(rest_ms)
  }

  return {
    get lead_ms() {
      return lead_ms
    },
    begin(send_at) {
      last_begun = Math.max(now(), send_at - lead_ms, last_begun + spacing_ms)
      return waitUntil(last_begun)
    },
    async leave(send_at) {
      const slot = messages++ % max_in_window
      const free_at = (departures[slot] ?? Number.NEGATIVE_INFINITY) + WINDOW_MS
      const at = Math.max(now(), send_at, last_left + spacing_ms, free_at)
      departures[slot] = last_left = at
      await waitUntil(at)
      departures[slot] = now()
    },
    noteBegun(took_ms) {
      lead_ms = Math.min(LONGEST_LEAD_MS, Math.max(took_ms, lead_ms * LEAD_DECAY))
    },
  }
}
