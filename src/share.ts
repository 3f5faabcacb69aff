/** One of several threads that answer on a port. */
export interface ThreadShare {
  /** The number of this thread; the main one is 0. */
  thread: number
  /** How many threads answer. */
  threads: number
  /** See shared-counts.ts. */
  counts_memory: SharedArrayBuffer
  /** See operation/quota-windows.ts. */
  quota_memory: SharedArrayBuffer
  /** See shared-claims.ts. */
  claims_memory: SharedArrayBuffer
}

/** Among how many threads the limits of the process are divided that each thread keeps by itself. */
let threads = 1

/** To be called before the limits are read. */
export function shareAmong(count: number): void {
  threads = count
}

/** The part of a limit of the process that this thread has, at least one. */
export function shareOf(limit: number): number {
  return Math.max(1, Math.floor(limit / threads))
}
