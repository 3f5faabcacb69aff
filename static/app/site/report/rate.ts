import { useRef } from 'preact/hooks'

interface Seen {
  at: number
  sent: number
}

const MINUTE_MS = 60_000

/**
 * Messages sent per second over the last minute, from the counts of repeated answers; 0 when none was sent for a
 * minute, null until there are two counts.
 */
export function useRate(sent: number): number | null {
  const seen = useRef<Seen[]>([])
  const now = Date.now()
  seen.current = [...seen.current.filter(({ at }) => now - at < MINUTE_MS), { at: now, sent }]
  const first = seen.current[0]!
  const seconds = (now - first.at) / 1000
  return seconds > 0 ? (sent - first.sent) / seconds : null
}
