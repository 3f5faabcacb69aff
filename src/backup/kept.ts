import { DAY_MS, iso } from '../clock.ts'
import type { Config } from '../config.ts'

type Keep = Pick<Config, 'backup_keep_daily' | 'backup_keep_weekly' | 'backup_keep_monthly'>

/**
 * The times of the backups that are kept: all of the last 24 hours, and the last one of each of the newest days, weeks
 * and months that have any. Weeks begin on Monday; all are of UTC.
 */
export function keptTimes(times: readonly number[], keep: Keep, now: number): Set<number> {
  const newestFirst = times.toSorted((one, other) => other - one)
  const kept = new Set(newestFirst.filter((at) => at > now - DAY_MS))
  const spans: [number, (at: number) => string][] = [
    [keep.backup_keep_daily, (at) => iso(at).slice(0, 10)],
    [keep.backup_keep_weekly, (at) => String(Math.floor((at / DAY_MS + 3) / 7))], // 1970 began on a Thursday.
    [keep.backup_keep_monthly, (at) => iso(at).slice(0, 7)],
  ]
  for (const [most, spanOf] of spans) {
    const seen = new Set<string>()
    for (const at of newestFirst) {
      const span = spanOf(at)
      if (seen.has(span)) continue
      if (seen.size === most) break
      seen.add(span)
      kept.add(at)
    }
  }
  return kept
}
