import type { LoopContext } from '../../runtime.ts'
import { newId } from '../../ids.ts'
import { PACED_BATCHES } from './paced-batch.ts'
import { leaseOrRecover, type Sending, sendBatch, type Stream } from './send-batch.ts'
import type { Transport } from './transports.ts'

/** How soon messages that a mailbox provider's limit deferred are looked at again. */
const THROTTLED_MS = 200
/** How soon a stream is opened again whose connection or settings changed. */
const CHANGED_MS = 100
/** A stream is opened again after this time, because its connection or limits may have changed. */
const REOPEN_MS = 1_000
/** A paced stream checks for changes with each batch, and waiting for its last answers would cost some of its pace. */
const REOPEN_PACED_MS = 15_000

interface PumpResult {
  /** Milliseconds until the connection's pace allows more; null when the pace is not what limits. */
  paced_ms: number | null
  /** Why the relay could not be reached, or null. */
  relay_down: string | null
  /** Messages that were handed over, whatever the relay answered, and those skipped. */
  handed_over: number
  /** The relay fails, so the stream has to be paused. */
  braked: boolean
}

interface PumpParts {
  context: LoopContext
  stream: Stream
  transport: Transport
  /** Since when the relay has been unreachable, or null. */
  down_since: number | null
}

/**
 * Sends what is due of a stream until nothing is, a limit or the pace of the connection is reached, the stream has to
 * be opened again, or the process stops.
 */
export async function pump(parts: PumpParts): Promise<PumpResult> {
  const isPaced = parts.stream.connection.max_per_second !== null
  const reopen_at = performance.now() + (isPaced ? REOPEN_PACED_MS : REOPEN_MS)
  const batches = isPaced ? PACED_BATCHES : 1
  const running = Array.from({ length: batches }, () => sendBatches(parts, reopen_at))
  // When one batch fails, the other still ends before the error is thrown.
  await Promise.allSettled(running)
  return joinResults(await Promise.all(running))
}

/** What batches that ran side by side did together. */
export function joinResults(results: readonly PumpResult[]): PumpResult {
  const pauses = results.map(({ paced_ms }) => paced_ms).filter((paced_ms) => paced_ms !== null)
  return {
    paced_ms: pauses.length > 0 ? Math.min(...pauses) : null,
    relay_down: results.find(({ relay_down }) => relay_down !== null)?.relay_down ?? null,
    handed_over: results.reduce((sum, one) => sum + one.handed_over, 0),
    braked: results.some(({ braked }) => braked),
  }
}

/** Leases and sends one batch after the other; each has a lease of its own. */
async function sendBatches(parts: PumpParts, reopen_at: number): Promise<PumpResult> {
  const { context, stream } = parts
  const opened_at = context.clock.now()
  let handed_over = 0
  let throttled = false
  while (!context.stopping() && performance.now() < reopen_at) {
    const sending: Sending = { ...parts, lease: { worker_id: context.worker_id, lease_id: newId('prc') } }
    const batch = await leaseOrRecover(sending, opened_at)
    if (!batch) return { paced_ms: CHANGED_MS, relay_down: null, handed_over, braked: false }
    if (batch.rows.length === 0) {
      const paced_ms = batch.wait_ms ?? (throttled ? THROTTLED_MS : null)
      return { paced_ms, relay_down: null, handed_over, braked: false }
    }
    const result = await sendBatch(sending, batch)
    throttled ||= result.throttled
    handed_over += result.handed_over
    const braked = Boolean(stream.brake?.tripped)
    await stream.afterBatch?.()
    if (result.stopped || braked || result.relay_down !== null) {
      return { paced_ms: null, relay_down: result.relay_down, handed_over, braked }
    }
  }
  return { paced_ms: null, relay_down: null, handed_over, braked: false }
}
