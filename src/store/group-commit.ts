import type { Client, InStatement, Transaction } from '@libsql/client'
import { quickDrizzle } from './compile.ts'
import type { Tx } from './tx.ts'
import type { WriteQueue } from './write-queue.ts'

/**
 * Writes that wait for the database file at the same time share one transaction, each in a savepoint of its own: a
 * commit costs more than most of them. Each is kept or undone by itself, and none is answered before all are committed.
 */
export interface GroupCommit {
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>
}

interface Waiting {
  work(tx: Tx): Promise<unknown>
  resolve(result: unknown): void
  reject(error: unknown): void
}

type Outcome = { result: unknown } | { error: unknown }

const MOST_AT_ONCE = 64
/** After so long no further one joins: those who are done wait for the commit. */
const LONG_MS = 5

export function createGroupCommit(client: Client, queue: WriteQueue): GroupCommit {
  let waiting: Waiting[] = []
  let serving = false
  let next: Transaction | null = null
  // Drizzle begins, commits and rolls back as always; what it begins is the savepoint that comes next.
  const db = quickDrizzle({ transaction: async () => next } as unknown as Client)

  const runOne = async (shared: Transaction, { work }: Waiting): Promise<Outcome> => {
    const savepoint = savepointIn(shared)
    next = savepoint.transaction
    try {
      return { result: await db.transaction((tx) => work(tx as unknown as Tx)) }
    } catch (error) {
      if (savepoint.isBroken()) throw error
      return { error }
    } finally {
      savepoint.end()
    }
  }

  const runGroup = async (): Promise<void> => {
    const group = waiting.splice(0, MOST_AT_ONCE)
    const done: { caller: Waiting; outcome: Outcome }[] = []
    try {
      const shared = await client.transaction('write')
      try {
        const begun = performance.now()
        while (group.length > 0 && (done.length === 0 || performance.now() - begun < LONG_MS)) {
          const caller = group[0]!
          done.push({ caller, outcome: await runOne(shared, caller) })
          group.shift()
        }
        await shared.commit()
      } finally {
        shared.close()
      }
    } catch (error) {
      // The database undid the whole: nobody who took part was served.
      for (const { caller } of done.splice(0)) caller.reject(error)
      group.shift()?.reject(error)
    }
    waiting = [...group, ...waiting]
    for (const { caller, outcome } of done) {
      if ('error' in outcome) caller.reject(outcome.error)
      else caller.resolve(outcome.result)
    }
  }

  const serve = async (): Promise<void> => {
    serving = true
    while (waiting.length > 0) {
      // All requests that one turn of the event loop brings come before the next.
      await new Promise<void>((resume) => {
        setImmediate(resume)
      })
      await queue.run(runGroup)
    }
    serving = false
  }

  return {
    write<T>(work: (tx: Tx) => Promise<T>) {
      return new Promise<T>((resolve, reject) => {
        waiting.push({ work, resolve: resolve as (result: unknown) => void, reject })
        if (!serving) void serve()
      })
    },
  }
}

/** A part of a transaction that looks like one of its own. What its owner still says after its end is refused. */
function savepointIn(shared: Transaction): { transaction: Transaction; isBroken(): boolean; end(): void } {
  let ended = false
  let broken = false
  const say = async (statement: string): Promise<void> => {
    try {
      await shared.execute(statement)
    } catch (error) {
      broken = true
      throw error
    }
  }
  let begun: Promise<void> | null = null
  const transaction = {
    async execute(statement: InStatement) {
      if (ended) throw new Error('The transaction has ended.')
      await (begun ??= say('SAVEPOINT work'))
      if (ended) throw new Error('The transaction has ended.') // while the savepoint began, for another statement of it
      return shared.execute(statement)
    },
    async commit() {
      ended = true
      if (begun) await say('RELEASE work')
    },
    async rollback() {
      ended = true
      if (!begun) return
      await say('ROLLBACK TO work')
      await say('RELEASE work')
    },
  }
  return {
    transaction: transaction as unknown as Transaction,
    isBroken: () => broken,
    end: () => {
      ended = true
    },
  }
}
