import { type Clock, MINUTE_MS } from '../../clock.ts'
import { shareOf } from '../../share.ts'

/** Lines of the process in one minute. Strangers can repeat a request that is logged at will, and the log must not fill with them. */
const MAX_LINES = 60

/**
 * A function that tells whether one more line may be logged in this minute.
 * @param told called in a later minute with the number of lines that were not logged
 */
export function lineLimit(clock: Clock, told: (count: number) => void): () => boolean {
  const max_lines = shareOf(MAX_LINES)
  let began_at = 0
  let lines = 0
  return () => {
    const now = clock.now()
    if (Math.abs(now - began_at) >= MINUTE_MS) {
      if (lines > max_lines) told(lines - max_lines)
      began_at = now
      lines = 0
    }
    lines += 1
    return lines <= max_lines
  }
}
