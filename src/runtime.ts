import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { Log } from './log.ts'
import type { PauseCause } from './metrics.ts'
import type { Keys } from './secrets.ts'
import type { Journal } from './store/journal.ts'
import type { Claims } from './shared-claims.ts'
import type { SharedCounts } from './shared-counts.ts'
import type { Store } from './store/open.ts'

/** The scheduled loops that can be asked to run at once. */
export type LoopName =
  | 'delivery'
  | 'jobs'
  | 'schedule'
  | 'mail'
  | 'domains'
  | 'delivery_days'
  | 'forms'
  | 'posts'
  | 'facts'
  | 'maintenance'

/** How long requests and messages in flight may take once the process is asked to end (docs/operations.md#shutdown). */
export const IN_FLIGHT_MS = 7_000

/** A measurement of the file system with the data folder (`disk.ts`). */
export interface DiskMeasurement {
  at: number
  space: Promise<{ free_bytes: number; total_bytes: number }>
  /** Whether the log was warned of it. */
  is_warned: boolean
}

/** The dependencies that every part of a running service shares. */
export interface Runtime {
  config: Config
  /** Public address of the service, without a slash at its end. All links begin with it. */
  base_url: string
  clock: Clock
  log: Log
  keys: Keys
  store: Store
  /** The last measurement of the disk; null before the first. */
  disk: { last: DiskMeasurement | null }
  /** Keys of idempotency whose requests run. */
  claims: Claims
  /** What all threads that answer requests count together. */
  counts: SharedCounts
  /** Writes what the threads that answer requests still keep of the request logs of apps. */
  writeLogs(): Promise<void>
  /** Asks a loop to run now instead of at its next time. Cheap, never fails, may be called often. */
  wake(loop: LoopName): void
}

/** The runtime of one run of a loop, with the worker that runs it. */
export interface LoopContext extends Runtime {
  /** The worker that owns the leases of this tick. */
  worker_id: string
  /** The journal of what that worker hands over. */
  journal: Journal
  /** Counts a campaign that paused by itself. */
  countPause(cause: PauseCause): void
  /** True once the process is asked to stop: finish what is in flight and return. */
  stopping(): boolean
  /** Aborted when what is still in flight must end at once, some seconds after `stopping`. */
  ending: AbortSignal
}

/** Scheduled work of the service. */
export interface Loop {
  name: LoopName
  /** The schedule on which the loop runs without being woken, in croner's syntax with seconds. */
  pattern: string
  /** Does what is due; answers true when there is more to do at once. */
  tick(context: LoopContext): Promise<boolean>
  /** Closes what the loop has open, after its last tick. */
  close?(context: LoopContext): Promise<void>
}
