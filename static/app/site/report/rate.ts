import { useRef } from 'preact/hooks'

interface Seen {
  at: number
  sent: number
}

const MINUTE_MS = 60_000
/** Outcomes are written in groups, so counts that lie closer together say little. */
const LEAST_MS = 5_000

/**
 * Messages sent per second over the last minute, from the counts of repeated answers; 0 when none was sent for a
 * minute, null until the counts span five seconds. Never above the limit of the connection, which the service keeps:
 * the counts arrive unevenly.
 */
export function useRate(sent: number, limit: number | null): number | null {
  const seen = useRef<Seen[]>([])
  const now = Date.now()
  seen.current = [...seen.current.filter(({ at }) => now - at < MINUTE_MS), { at: now, sent }]
  return rateOf(seen.current, limit)
}

/** As `useRate`, of counts in the order of their time. */
export function rateOf(seen: readonly Seen[], limit: number | null): number | null {
  const [first, last] = [seen[0]!, seen.at(-1)!]
  if (last.at - first.at < LEAST_MS) return null
  const rate = ((last.sent - first.sent) * 1000) / (last.at - first.at)
  return limit === null ? rate : Math.min(rate, limit)
}
