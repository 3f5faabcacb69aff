import type { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core'
import { isSilent } from './faults.ts'
import type { FactLog } from './facts.ts'
import type { RememberedReads } from './remembered-reads.ts'
import { OutdatedRead } from './server-pipeline.ts'
import { PATIENCE_MS, type ServerStream } from './server-stream.ts'
import { beginServerTransaction, type Part } from './server-transaction.ts'
import type { Tx } from './store.ts'

type Work = (tx: Tx) => Promise<unknown>

interface Waiting {
  work: Work
  /** Whether it may be given remembered reads. */
  trusting: boolean
  /** Whether no other write may share its transaction. */
  alone: boolean
  resolve(result: unknown): void
  reject(error: unknown): void
}

const MAX_WRITES = 64
/** No further write joins after this time: the finished ones wait for the commit, and other processes for the lock. */
const MAX_MS = 20

/**
 * The writes of a thread to a libSQL server, in groups that share a transaction. No write is answered before its
 * commit. When a transaction is lost, each of its writes runs again in one of its own, so that none fails because of
 * another. When the server does not answer, it may have committed, so all of them fail.
 */
export function createServerWrites(
  stream: ServerStream,
  dialect: SQLiteAsyncDialect,
  { facts, remembered }: { facts: FactLog | null; remembered: RememberedReads },
): { write<T>(work: (tx: Tx) => Promise<T>): Promise<T>; close(): void } {
  const waiting: Waiting[] = []
  let serving = false
  let closed = false

  const runGroup = async (): Promise<void> => {
    const taken: Waiting[] = []
    const parts: Part[] = []
    const transaction = beginServerTransaction(stream, dialect, facts)
    const begun = performance.now()
    try {
      while (waiting.length > 0 && mayJoin(waiting[0]!, taken, begun)) {
        const caller = waiting.shift()!
        taken.push(caller)
        parts.push(await transaction.part(caller.work, caller.trusting ? remembered : undefined))
      }
      await transaction.commit()
    } catch (error) {
      transaction.abandon()
      if (!isSilent(error) && taken.length > 1) {
        waiting.unshift(...taken.map((caller) => ({ ...caller, alone: true })))
        return
      }
      const isSlow = isSilent(error) && performance.now() - begun > PATIENCE_MS
      for (const { reject } of isSlow ? [...taken, ...waiting.splice(0)] : taken) reject(error)
      return
    }
    for (const [index, caller] of taken.entries()) {
      const { resolve, reject } = caller
      const outcome = parts[index]!.outcome()
      if ('error' in outcome && outcome.error instanceof OutdatedRead) waiting.unshift({ ...caller, trusting: false })
      else if ('error' in outcome) reject(outcome.error)
      else resolve(outcome.result)
    }
  }

  const serve = async (): Promise<void> => {
    serving = true
    while (waiting.length > 0) await runGroup()
    serving = false
  }

  return {
    write<T>(work: (tx: Tx) => Promise<T>) {
      return new Promise<T>((resolve, reject) => {
        if (closed) throw new Error('The database is closed.')
        waiting.push({ work, trusting: true, alone: false, resolve: resolve as (result: unknown) => void, reject })
        if (!serving) void serve()
      })
    },
    close() {
      closed = true
      stream.end()
    },
  }
}

function mayJoin({ alone }: Waiting, taken: readonly Waiting[], begun: number): boolean {
  if (taken.length === 0) return true
  return !alone && !taken[0]!.alone && taken.length < MAX_WRITES && performance.now() - begun < MAX_MS
}
