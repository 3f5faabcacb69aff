import { useRef } from 'preact/hooks'

interface Seen {
  at: number
  sent: number
}

const MINUTE_MS = 60_000

/**
 * How many messages a second left over the last minute, as the counts of a page that asks again and again tell; 0 when
 * none has left for a minute, null before there are two counts to compare.
 */
export function useRate(sent: number): number | null {
  const seen = useRef<Seen[]>([])
  const now = Date.now()
  seen.current = [...seen.current.filter(({ at }) => now - at < MINUTE_MS), { at: now, sent }]
  const first = seen.current[0]!
  const seconds = (now - first.at) / 1000
  return seconds > 0 ? (sent - first.sent) / seconds : null
}
