import { useRef } from 'preact/hooks'

interface Seen {
  at: number
  sent: number
}

const MINUTE_MS = 60_000

/**
 * How many messages a second left over the last minute, as the counts of a page that asks again and again tell; null
 * before there are two numbers to compare.
 */
export function useRate(sent: number): number | null {
  const seen = useRef<Seen[]>([])
  const now = Date.now()
  if (sent !== seen.current.at(-1)?.sent)
    seen.current = [...seen.current.filter(({ at }) => now - at < MINUTE_MS), { at: now, sent }]
  const [first] = seen.current
  const newest = seen.current.at(-1)!
  const seconds = first ? (newest.at - first.at) / 1000 : 0
  return seconds > 0 ? (newest.sent - first!.sent) / seconds : null
}
