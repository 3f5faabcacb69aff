import { useRef } from 'preact/hooks'

interface Seen {
  at: number
  sent: number
}

export interface Rate {
  /** Messages a second over the last minute; null before there are two numbers to compare. */
  per_second: number | null
  /** Messages that left in each minute since the page was opened, as far as it has been seen. */
  minutes: readonly Seen[]
}

const MINUTE_MS = 60_000

/** How fast messages leave, as the counts of a page that asks again and again tell. */
export function useRate(sent: number | undefined): Rate {
  const seen = useRef<Seen[]>([])
  const minutes = useRef(new Map<number, number>())
  const last = seen.current.at(-1)
  const now = Date.now()
  if (sent !== undefined && sent !== last?.sent) {
    const minute = Math.floor(now / MINUTE_MS)
    if (last) minutes.current.set(minute, (minutes.current.get(minute) ?? 0) + sent - last.sent)
    seen.current = [...seen.current.filter(({ at }) => now - at < MINUTE_MS), { at: now, sent }]
  }
  const [first] = seen.current
  const newest = seen.current.at(-1)
  const seconds = first && newest ? (newest.at - first.at) / 1000 : 0
  return {
    per_second: seconds > 0 ? (newest!.sent - first!.sent) / seconds : null,
    minutes: [...minutes.current].map(([minute, count]) => ({ at: minute * MINUTE_MS, sent: count })),
  }
}
