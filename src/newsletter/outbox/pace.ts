import type { Transport } from './transports.ts'

/** Monotonic time in milliseconds, and a way to wait. */
interface Timer {
  now(): number
  sleep(ms: number): Promise<void>
}

const realTimer: Timer = { now: () => performance.now(), sleep: (ms) => Bun.sleep(Math.ceil(ms)) }

interface Pace {
  /** Calls `handOver` at `send_at` or as soon after it as the pace allows. */
  sendAt<T>(send_at: number, handOver: () => Promise<T>): Promise<T>
}

/** Late messages follow each other at this multiple of the rate, so that they do not leave as a burst. */
const CATCH_UP_RATE = 1.25
const WINDOW_MS = 1000
/** After so long without a message the connections to the relay may have been closed. */
const IDLE_MS = 3_000

/**
 * Spaces messages on one transport. No more than `per_second` leave within any second, whatever delayed them; late
 * messages catch up only as far as that limit has room.
 */
export function createPace(per_second: number, { now, sleep }: Timer = realTimer): Pace {
  const max_in_window = Math.ceil(per_second)
  const spacing_ms = WINDOW_MS / CATCH_UP_RATE / Math.max(1, per_second)
  /** Ring buffer of the times at which the last `max_in_window` messages left. */
  const departures: number[] = []
  let messages = 0
  let last = Number.NEGATIVE_INFINITY
  let in_flight = 0
  let answered_at = Number.NEGATIVE_INFINITY
  /**
   * After an idle time one message goes alone and opens a connection: otherwise all waiting messages would leave
   * together.
   */
  let opening: Promise<unknown> | null = null
  let opened_at = Number.NEGATIVE_INFINITY
  let fastest_ms = Number.POSITIVE_INFINITY

  /** Waits for the next send time slot; answers its index in `departures`. */
  const waitForSlot = async (send_at: number): Promise<number> => {
    const slot = messages++ % max_in_window
    const at = Math.max(now(), send_at, last + spacing_ms, (departures[slot] ?? Number.NEGATIVE_INFINITY) + WINDOW_MS)
    departures[slot] = last = at
    for (let rest_ms = at - now(); rest_ms > 0; rest_ms = at - now()) await sleep(rest_ms)
    departures[slot] = now()
    return slot
  }

  const noteAnswer = (slot: number, left_at: number): void => {
    answered_at = now()
    fastest_ms = Math.min(fastest_ms, answered_at - left_at)
    // Right after the first message many others open connections of their own: those count from when they arrived.
    if (left_at < opened_at + WINDOW_MS && departures[slot] === left_at) departures[slot] = answered_at - fastest_ms
  }

  return {
    async sendAt(send_at, handOver) {
      while (opening) await opening
      const opens = in_flight === 0 && now() - answered_at > IDLE_MS
      in_flight += 1
      const answer = waitForSlot(send_at).then(async (slot) => {
        const left_at = departures[slot]!
        try {
          return await handOver()
        } finally {
          in_flight -= 1
          noteAnswer(slot, left_at)
        }
      })
      if (opens) {
        fastest_ms = Number.POSITIVE_INFINITY
        opening = answer
          .catch(() => undefined)
          .finally(() => {
            opening = null
            opened_at = now()
          })
      }
      return answer
    },
  }
}

const paces = new WeakMap<Transport, Pace>()

/** The pace shared by all streams of a transport. A changed limit brings a new transport and a new pace. */
export function paceOf(transport: Transport, per_second: number): Pace {
  const known = paces.get(transport) ?? createPace(per_second)
  paces.set(transport, known)
  return known
}
