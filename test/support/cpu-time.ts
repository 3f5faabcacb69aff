/** CPU time of this process in milliseconds. Other processes do not add to it, unlike time on the clock. */
export function cpuOf(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

const TRIES = 4
/** Shorter work is measured too coarsely. */
const LEAST_MS = 0.5

/**
 * Whether one large piece of work costs less than `most` times what `parts` small ones with as much text cost: about
 * once for linear work, `parts` times for quadratic work. The best try counts: garbage may be collected in another.
 */
export function isLinear(work: { small: () => unknown; large: () => unknown }, parts: number, most: number): boolean {
  const ratio = (): number => {
    const smalls = cpuOf(() => Array.from({ length: parts }, work.small))
    return cpuOf(work.large) / Math.max(LEAST_MS, smalls)
  }
  return Array.from({ length: TRIES }).some(() => ratio() < most)
}
