import { keepHeapWithin } from '../../heap.ts'
import { errorFields } from '../../log.ts'
import type { LoopContext } from '../../runtime.ts'
import type { Tx } from '../../store/open.ts'
import { countMessages } from '../../metrics.ts'
import { type Handed, type LedgerOptions, writeLedger } from './ledger.ts'
import type { Leased } from './outbox.ts'

/** How long an outcome may wait to be written: a crash while a relay is slow must not leave many in doubt. */
const UNWRITTEN_MS = 50
/** How long before its send time a message is marked: short, so that late unsubscribes count and few are in doubt. */
const MARKED_AHEAD_MS = 50

/** The engine by itself lets the contents of messages that have left fill 60 MB before it frees them. */
const HEAP_GROWTH = 3 * 1024 * 1024
/** With 3 MiB a message takes a sixth more CPU time. */
const HEAP_KEPT = 8 * 1024 * 1024

/** A message that may be handed over. */
export interface Marked {
  message: Leased
  /** A time before which nothing was known to forbid it, by `performance.now()`. */
  marked_at: number
}

/** A leased batch while it is sent, group by group. */
interface Groups {
  /** The next message to hand over, as soon as one is marked; null when no more will be. */
  next(): Promise<Marked | null>
  /** Records the outcome of a message. */
  record(handed: Handed): void
  /** Writes the remaining outcomes, once every message that was handed over is recorded. */
  finish(): Promise<{
    /** The store failed. What `settle` writes is known, everything else of the batch needs recovery. */
    failed: boolean
    settle(tx: Tx): Promise<unknown>
    /** The ledger refused a mark: the stream was paused or canceled, or a limit is reached. */
    stopped: boolean
    /** Messages marked or skipped. */
    handed_over: number
    /** Messages that are still leased. */
    unmarked: Leased[]
  }>
}

/**
 * Marks a batch in groups of `size`. One transaction marks the next group while the one before it is being handed
 * over, and writes the outcomes of those already answered. So few messages are in doubt after a crash, and few
 * transactions are needed. At most half a group still waits when the next is marked. `sendAt` is the earliest send
 * time of a message, by `performance.now()`.
 */
export function createGroups({
  context,
  ledger,
  rows,
  size,
  sendAt,
}: {
  context: LoopContext
  ledger: LedgerOptions
  rows: readonly Leased[]
  size: number
  sendAt: (row: Leased) => number
}): Groups {
  let unmarked = [...rows]
  let marked: Marked[] = []
  /** Outcomes that are not written yet. */
  let handed: Handed[] = []
  let writing: Promise<void> | null = null
  let written_at = performance.now()
  let failed = false
  let stopped = false
  /** The relay is unreachable, or this worker was declared dead. */
  let is_over = false
  let handed_over = 0

  /** Whether no more messages are to be marked. */
  const isHalted = (): boolean => failed || stopped || is_over || context.stopping()
  /** Whether another group may be marked. Without this bound marks would run ahead of a slow relay or store. */
  const runsLow = (): boolean => marked.length <= size / 2
  /** Milliseconds until the next message may be marked; zero or less for now. */
  const untilNextMark_ms = (): number =>
    unmarked[0] && !isHalted() ? sendAt(unmarked[0]) - MARKED_AHEAD_MS - performance.now() : 0

  const write = async (): Promise<void> => {
    const checked_at = performance.now()
    const due = performance.now() + MARKED_AHEAD_MS
    const next = isHalted() || !runsLow() ? [] : unmarked.slice(0, size).filter((row) => sendAt(row) <= due)
    unmarked = unmarked.slice(next.length)
    const outcomes = handed
    handed = []
    const verdicts = await context.store
      .write((tx) => writeLedger(tx, ledger, { handed: outcomes, next, now: context.clock.now() }))
      .catch((error: unknown) => {
        context.log.error('the outcomes of messages are not written yet', {
          project_id: ledger.limits.project_id,
          ...errorFields(error),
        })
        failed = true
        handed = [...outcomes, ...handed]
        return null
      })
    if (!verdicts) return
    written_at = performance.now()
    for (const { outcome } of outcomes) if (!('due_at' in outcome)) countMessages(outcome.status)
    keepHeapWithin(HEAP_GROWTH, HEAP_KEPT)
    const ready = next.filter(({ id }) => verdicts.get(id) === 'sending')
    marked = [...marked, ...ready.map((message) => ({ message, marked_at: checked_at }))]
    const refused = next.filter(({ id }) => !verdicts.has(id))
    if (refused.length > 0) stopped = true
    unmarked = [...refused, ...unmarked]
    handed_over += next.length - refused.length
  }
  const startWriting = (): Promise<void> => {
    writing ??= write().finally(() => {
      writing = null
    })
    return writing
  }

  return {
    async next() {
      for (;;) {
        const first = marked.shift()
        if (first) return first
        const isOver = (failed || handed.length === 0) && (unmarked.length === 0 || isHalted())
        if (writing === null && isOver) return null
        const rest_ms = writing === null ? untilNextMark_ms() : 0
        // Outcomes are written together with the next mark, unless that is too long from now.
        if (rest_ms > 0 && (handed.length === 0 || rest_ms <= UNWRITTEN_MS)) await Bun.sleep(Math.ceil(rest_ms))
        else await startWriting()
      }
    },
    record(one) {
      if (one.outcome.status === 'unreachable' || one.outcome.status === 'unsent') is_over = true
      handed.push(one)
      const mayMark = runsLow() && unmarked.length > 0 && !isHalted() && untilNextMark_ms() <= 0
      const isOverdue = performance.now() - written_at > UNWRITTEN_MS
      if (writing === null && (mayMark || handed.length >= size || isOverdue)) void startWriting()
    },
    async finish() {
      while (!failed && (writing !== null || handed.length > 0)) await startWriting()
      return {
        failed,
        settle: (tx) => writeLedger(tx, ledger, { handed, next: [], now: context.clock.now() }),
        stopped,
        handed_over,
        unmarked,
      }
    },
  }
}
