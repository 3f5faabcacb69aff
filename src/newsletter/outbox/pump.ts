import type { LoopContext } from '../../runtime.ts'
import { newId } from '../../ids.ts'
import { type Batch, PACED_BATCHES } from './paced-batch.ts'
import { leaseOrRecover, type Sending, sendBatch, type Stream } from './send-batch.ts'
import type { Transport } from './transports.ts'

/** How soon messages that a mailbox provider's limit deferred are looked at again. */
const THROTTLED_MS = 200
/** How soon a stream is opened again whose connection or settings changed. */
const CHANGED_MS = 100
/** A stream is opened again after this time, because its connection or limits may have changed. */
const REOPEN_MS = 1_000
/** A paced stream checks for changes with each batch. */
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
  /** Opens the stream anew, because what it was made from may have changed; null when it may not send any more. */
  reopen?(): Promise<Pick<PumpParts, 'stream' | 'transport'> | null>
}

/**
 * Sends what is due of a stream until nothing is, a limit or the pace of the connection is reached, the stream has to
 * be opened again, or the process stops.
 */
export function pump(parts: PumpParts): Promise<PumpResult> {
  return parts.stream.connection.max_per_second === null ? sendBatches(parts) : sendPaced(parts)
}

/** Whether another batch may be leased. On a full disk the room left is for outcomes (docs/operations.md#full-disk). */
function mayGoOn({ stopping, store }: LoopContext): boolean {
  return !stopping() && store.faults.current() !== 'full'
}

/** Leases and sends one batch after the other; each has a lease of its own. */
async function sendBatches(parts: PumpParts): Promise<PumpResult> {
  const { context, stream } = parts
  const reopen_at = performance.now() + REOPEN_MS
  const opened_at = context.clock.now()
  let handed_over = 0
  let throttled = false
  while (mayGoOn(context) && performance.now() < reopen_at) {
    const sending: Sending = { ...parts, lease: { worker_id: context.worker_id, lease_id: newId('prc') } }
    const batch = await leaseOrRecover(sending, opened_at)
    if (!batch) return { paced_ms: CHANGED_MS, relay_down: null, handed_over, braked: false }
    if (batch.rows.length === 0) {
      return { paced_ms: throttled ? THROTTLED_MS : null, relay_down: null, handed_over, braked: false }
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

/**
 * Leases one batch after the other as their messages leave, and waits for no answer before the next: a relay may take
 * longer for one than a batch lasts. Each batch has a lease of its own.
 */
async function sendPaced(parts: PumpParts): Promise<PumpResult> {
  const { context, transport } = parts
  let { stream } = parts
  let opened_at = context.clock.now()
  let reopen_at = performance.now() + REOPEN_PACED_MS
  const total: PumpResult = { paced_ms: null, relay_down: null, handed_over: 0, braked: false }
  let throttled = false
  let ended = false
  let failure: { error: unknown } | null = null
  const running = new Set<Promise<void>>()
  /** Batches of which some messages have not left, and what resolves when one of them has. */
  let leaving = 0
  let left = Promise.withResolvers<void>()

  const send = async (sending: Sending, batch: Batch): Promise<void> => {
    const result = await sendBatch(sending, batch)
    throttled ||= result.throttled
    total.handed_over += result.handed_over
    total.relay_down ??= result.relay_down
    total.braked ||= Boolean(sending.stream.brake?.tripped)
    await sending.stream.afterBatch?.()
    ended ||= result.stopped || total.braked || result.relay_down !== null
  }
  const start = (sending: Sending, batch: Batch): void => {
    leaving += 1
    let isLeaving = true
    const allLeft = (): void => {
      if (!isLeaving) return
      isLeaving = false
      leaving -= 1
      left.resolve()
      left = Promise.withResolvers()
    }
    const work = send({ ...sending, allLeft }, batch)
      .catch((error: unknown) => {
        failure ??= { error }
        ended = true
      })
      .finally(() => {
        running.delete(work)
        allLeft()
      })
    running.add(work)
  }
  /** Opens the stream anew when it is time; answers whether it may go on. */
  const refresh = async (): Promise<boolean> => {
    if (performance.now() < reopen_at) return true
    // The end of the pump clears the error of a connection that works again.
    const next = stream.connection.last_error === null ? await parts.reopen?.() : null
    if (next?.transport !== transport) return false
    stream = next.stream
    opened_at = context.clock.now()
    reopen_at = performance.now() + REOPEN_PACED_MS
    return true
  }

  try {
    /** Whether tokens were waited for once while nothing was leaving. */
    let waited = false
    while (mayGoOn(context) && !ended && (await refresh())) {
      const lease = { worker_id: context.worker_id, lease_id: newId('prc') }
      const sending: Sending = { ...parts, stream, lease }
      const batch = await leaseOrRecover(sending, opened_at)
      if (!batch) {
        total.paced_ms = CHANGED_MS
        break
      }
      if (batch.rows.length > 0) {
        waited = false
        start(sending, batch)
        const most = Math.max(PACED_BATCHES, Math.ceil(transport.parallel / batch.rows.length))
        while (leaving >= most && !ended) await left.promise
      } else if (leaving > 0) {
        await left.promise
      } else if (batch.wait_ms !== null && running.size > 0 && !waited) {
        waited = true
        await Bun.sleep(batch.wait_ms)
      } else {
        total.paced_ms = batch.wait_ms ?? (throttled ? THROTTLED_MS : null)
        break
      }
    }
  } finally {
    // When one batch fails, the others still end before the error is thrown.
    await Promise.all(running)
  }
  if (failure) throw (failure as { error: unknown }).error
  return total
}
