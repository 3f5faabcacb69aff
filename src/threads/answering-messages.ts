import type { LogFields } from '../log.ts'
import type { MetricsSnapshot } from '../metrics.ts'
import type { LoopName } from '../runtime.ts'
import type { ThreadShare } from '../share.ts'
import type { SharedTurns } from '../turns.ts'

/** The messages between the main thread and those that answer requests with it. */

/** What a thread needs to answer on the port of the main one. */
export interface AnsweringSetup extends ThreadShare {
  port: number
}

/** What the main thread knows of the whole process. */
export interface ProcessAnswers {
  /** Why the service cannot answer requests, or null. */
  readiness: string | null
  /** The text of `GET /metrics`. */
  metrics: string
  /** Given when all threads have written their request logs. */
  logs: null
}

/** What the main thread asks a thread for. */
export interface ThreadAnswers {
  counted: MetricsSnapshot
  /** Given when the thread has written its request log. */
  logs: null
}

export type ToAnswering =
  | { turn: { id: number; given: boolean } }
  | { process: { id: number; answer: string | null } }
  | { process_failed: { id: number; error: string } }
  | { asks: { id: number; what: keyof ThreadAnswers } }

export type FromAnswering =
  | { beat: { heap_bytes: number } }
  | { wake: LoopName }
  | { warn_once: { message: string; fields: LogFields } }
  | { turn: { id: number; turns: SharedTurns; owner: string } }
  | { turn_over: number }
  | { asks: { id: number; what: keyof ProcessAnswers } }
  | { thread: { id: number; answer: ThreadAnswers[keyof ThreadAnswers] } }
