import type { SQL } from 'drizzle-orm'
import type { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core'
import { type Pending, writePending } from './commit-work.ts'
import type { FactLog } from './facts.ts'
import type { RememberedReads } from './remembered-reads.ts'
import { createPipeline, OutdatedRead, type Series } from './server-pipeline.ts'
import type { ServerStream } from './server-stream.ts'
import { ServerTx } from './server-tx.ts'
import type { Tx } from './store.ts'
import type { Settled } from './transactions.ts'

/**
 * One transaction on a libSQL server that several writes share, each in a savepoint of its own: a round trip to the
 * server costs more than most statements. A write that fails is rolled back alone. The end of one write travels with
 * the first statement of the next.
 */
export interface ServerTransaction {
  /**
   * Runs `work` in a savepoint. What came of it is known after `commit`, because its last statements may still have to
   * travel. Throws when the whole transaction is lost.
   */
  part(work: (tx: Tx) => Promise<unknown>, remembered?: RememberedReads): Promise<Part>
  /** Throws when the transaction is lost, or the server does not say what came of it. */
  commit(): Promise<void>
  /** Rolls back what is not committed. */
  abandon(): void
}

export interface Part {
  outcome(): Settled
}

export function beginServerTransaction(
  stream: ServerStream,
  dialect: SQLiteAsyncDialect,
  facts: FactLog | null,
): ServerTransaction {
  const pipeline = createPipeline(stream)
  const parts: { part: Part; added: Pending[] }[] = []
  /** Runs `work`; afterwards no statement of it is on its way, and further ones throw. */
  const run = async <T>(
    work: (tx: Tx) => Promise<T>,
    added: Pending[],
    remembered?: RememberedReads,
  ): Promise<Ran<T>> => {
    const statements = pipeline.series(remembered)
    const tx = new ServerTx(dialect, { statements, added, facts })
    try {
      return { answer: { result: await work(tx) }, statements }
    } catch (error) {
      return { answer: { error }, statements }
    } finally {
      statements.end()
      await pipeline.quiet()
      if (statements.isUnconfirmed()) await pipeline.flush()
    }
  }
  pipeline.control('BEGIN IMMEDIATE')

  return {
    async part(work, remembered) {
      pipeline.control('SAVEPOINT part')
      const added: Pending[] = []
      const { answer, statements } = await run(work, added, remembered)
      pipeline.requireAlive()
      if ('error' in answer || statements.failure() !== null) pipeline.control('ROLLBACK TO part')
      else if (statements.last() !== null) pipeline.control('ROLLBACK TO part', { unless: statements.last() })
      pipeline.control('RELEASE part')
      const part: Part = {
        outcome: () => {
          const failure = statements.failure()
          if (failure instanceof OutdatedRead) return { error: failure }
          return 'error' in answer || failure === null ? answer : { error: failure }
        },
      }
      parts.push({ part, added })
      return part
    },
    async commit() {
      const hasAdded = parts.some(({ added }) => added.length > 0)
      const { answer, statements } = await run(async (tx) => {
        for (const read of readsAhead(parts.flatMap(({ added }) => added))) tx.all(read).then(ignore, ignore)
        // What a failed write added must not be written, so the outcomes have to be known.
        if (hasAdded) await pipeline.flush()
        const pending = parts.flatMap(({ part, added }) => ('error' in part.outcome() ? [] : added))
        await writePending(tx, pending)
      }, [])
      if ('error' in answer) throw answer.error
      const commit = pipeline.control('COMMIT', { after: statements.last() })
      await pipeline.flush()
      if (!commit.is_done) throw statements.failure() ?? new Error('The server has ended the transaction.')
    },
    abandon: () => stream.end(),
  }
}

function readsAhead(added: readonly Pending[]): Set<SQL> {
  return new Set(added.flatMap(({ write }) => write.ahead ?? []))
}

/** The work before the commit meets the error of its read. */
function ignore(): void {}

interface Ran<T> {
  answer: { result: T } | { error: unknown }
  statements: Series
}
