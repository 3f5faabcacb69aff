import type { MetricsSnapshot, PauseCause } from '../metrics.ts'
import type { LoopName } from '../runtime.ts'
import type { NumberedTask, TaskAnswer } from './delegated-tasks.ts'
import type { AnsweringSetup, FromAnswering, ToAnswering } from './answering-messages.ts'
import type { HeavyAnswer, HeavyRequest } from './heavy.ts'
import type { ThreadSetup } from './thread-store.ts'

/** The messages between the main thread and its other threads. */

/** The first message to a thread: what it runs, the settings, the shared write queue and the shared clock. */
export interface WorkerSetup extends ThreadSetup {
  base_url: string
  clock_memory: SharedArrayBuffer | null
  scheduled: boolean
  /** Only for a thread that answers requests. */
  answering?: AnsweringSetup
}

/** Messages to a thread. */
export type ToWorker =
  /** Loads the code of the loops before the setup comes. */
  | { load: 'loops' }
  | { setup: WorkerSetup }
  | { wake: LoopName }
  | { drain: LoopName; id: number }
  | { stop: true }
  | { read: HeavyRequest }
  | { answer: TaskAnswer }
  | ToAnswering

/** Messages from a thread. */
export type FromWorker =
  | { ready: true }
  | { alive: number }
  | { drained: number }
  | { stopped: true }
  | { paused: PauseCause }
  /** All that the loops have counted, with each heartbeat. */
  | { counted: MetricsSnapshot }
  | { delegated: NumberedTask }
  | { answer: HeavyAnswer }
  | { failed: string }
  | FromAnswering

/** The main thread, as another thread sees it. */
export interface MainThread {
  tell(message: FromWorker): void
  /** To be called when a thread has stopped its work; the next message sets it up again. */
  onStop(): void
}
