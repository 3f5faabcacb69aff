import type { Transport } from './transports.ts'

/** Real time, for what leaves at its turn; a test has its own. */
export interface Watch {
  now(): number
  sleep(ms: number): Promise<void>
}

const watch: Watch = { now: () => performance.now(), sleep: (ms) => Bun.sleep(Math.ceil(ms)) }

export interface Pace {
  /** Hands over a message when its turn has come. */
  atItsTurn<T>(due: number, handOver: () => Promise<T>): Promise<T>
}

/** What is late follows so much closer than the pace: it must not arrive in a heap. */
const CATCHING_UP = 1.25
const WINDOW_MS = 1000
/** After so long without a message, connections to the relay have to be opened first. */
const QUIET_MS = 3_000

/**
 * Lets messages leave when they are due, those that are late soon after each other, and never more within any second than
 * the limit: whatever holds them up, what was missed is made up for only where there is room.
 */
export function createPace(per_second: number, { now, sleep }: Watch = watch): Pace {
  const most = Math.ceil(per_second)
  const spacing_ms = WINDOW_MS / CATCHING_UP / Math.max(1, per_second)
  /** When the last `most` messages left, in a ring. */
  const left: number[] = []
  let messages = 0
  let last = Number.NEGATIVE_INFINITY
  let under_way = 0
  let answered_at = Number.NEGATIVE_INFINITY
  /** The way to the relay is opened by one message alone: all that waited for it would arrive at once. */
  let opening: Promise<unknown> | null = null
  let opened_at = Number.NEGATIVE_INFINITY
  let quickest_ms = Number.POSITIVE_INFINITY

  /** Answers the message's place in the ring. */
  const turn = async (due: number): Promise<number> => {
    const place = messages++ % most
    const at = Math.max(now(), due, last + spacing_ms, (left[place] ?? Number.NEGATIVE_INFINITY) + WINDOW_MS)
    left[place] = last = at
    for (let rest_ms = at - now(); rest_ms > 0; rest_ms = at - now()) await sleep(rest_ms)
    left[place] = now()
    return place
  }

  const arrived = (place: number, left_at: number): void => {
    answered_at = now()
    quickest_ms = Math.min(quickest_ms, answered_at - left_at)
    // Soon after the first, many wait for a connection of their own: such a one counts from when it arrived.
    if (left_at < opened_at + WINDOW_MS && left[place] === left_at) left[place] = answered_at - quickest_ms
  }

  return {
    async atItsTurn(due, handOver) {
      while (opening) await opening
      const isFirst = under_way === 0 && now() - answered_at > QUIET_MS
      under_way += 1
      const answer = turn(due).then(async (place) => {
        const left_at = left[place]!
        try {
          return await handOver()
        } finally {
          under_way -= 1
          arrived(place, left_at)
        }
      })
      if (isFirst) {
        quickest_ms = Number.POSITIVE_INFINITY
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

/** The pace that all streams keep together which go out through a transport; it ends with the transport, as the limit does. */
export function paceOf(transport: Transport, per_second: number): Pace {
  const known = paces.get(transport) ?? createPace(per_second)
  paces.set(transport, known)
  return known
}
