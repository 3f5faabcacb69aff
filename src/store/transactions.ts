import type { SQL } from 'drizzle-orm'
import type { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core'
import { type Pending, writePending } from './commit-work.ts'
import type { DatabaseConnection } from './database-connection.ts'
import type { FactLog } from './facts.ts'
import { type ReadCache, readAnew } from './read-cache.ts'
import { StatementDatabase } from './session.ts'
import type { CommitWork, Tx } from './store.ts'

type Work<T> = (tx: Tx) => Promise<T>

export type Settled = { result: unknown } | { error: unknown }

/** Runs transactions on the only connection that writes. */
export interface Transactions {
  /** Runs `work` in a transaction of its own. */
  whole<T>(work: Work<T>): Promise<T>
  begin(): void
  commit(): Promise<void>
  /** Does nothing when no transaction is open. */
  rollback(): void
  /**
   * Runs `work` in a savepoint of the open transaction. When `work` throws, its changes are rolled back and the error
   * is returned. Throws when the whole transaction is lost.
   */
  part(work: Work<unknown>): Promise<Settled>
}

export function createTransactions(
  connection: DatabaseConnection,
  dialect: SQLiteAsyncDialect,
  { facts = null, readCache = readAnew }: { facts?: FactLog | null; readCache?: ReadCache } = {},
): Transactions {
  const say = (statement: string): void => {
    connection.values(statement)
  }

  /** Statements after commit or rollback throw, so that they cannot end up in another transaction. */
  const runScoped = async <T>(work: Work<T>, added: Pending[]): Promise<T> => {
    let ended = false
    const open = (): DatabaseConnection => {
      if (ended) throw new Error('The transaction has ended.')
      return connection
    }
    try {
      return await work(
        new FileTx(
          dialect,
          {
            rows: (sql, params) => open().rows(sql, params),
            values: (sql, params) => open().values(sql, params),
            script: (statements) => open().script(statements),
          },
          { added, facts, readCache },
        ),
      )
    } finally {
      ended = true
    }
  }

  /** The calls of `beforeCommit` in the open transaction. */
  let pending: Pending[] = []

  const transactions: Transactions = {
    begin() {
      say('BEGIN IMMEDIATE')
      pending = []
    },
    async commit() {
      if (pending.length > 0) await runScoped((tx) => writePending(tx, pending), [])
      say('COMMIT')
    },
    rollback() {
      if (connection.in_transaction) say('ROLLBACK')
    },
    async whole(work) {
      transactions.begin()
      try {
        const result = await runScoped(work, pending)
        await transactions.commit()
        return result
      } catch (error) {
        transactions.rollback()
        throw error
      }
    },
    async part(work) {
      say('SAVEPOINT part')
      const added: Pending[] = []
      try {
        const result = await runScoped(work, added)
        say('RELEASE part')
        pending.push(...added)
        return { result }
      } catch (error) {
        // Some errors make SQLite roll back the whole transaction.
        if (!connection.in_transaction) throw error
        say('ROLLBACK TO part')
        say('RELEASE part')
        return { error }
      }
    },
  }
  return transactions
}

class FileTx extends StatementDatabase {
  readonly told: Tx['told'] = { actor: null, notes: [] }

  constructor(
    dialect: SQLiteAsyncDialect,
    private readonly statements: Pick<DatabaseConnection, 'rows' | 'values' | 'script'>,
    private readonly shared: { added: Pending[]; facts: FactLog | null; readCache: ReadCache },
  ) {
    super(dialect, statements)
  }

  get facts(): FactLog | null {
    return this.shared.facts
  }

  get readCache(): ReadCache {
    return this.shared.readCache
  }

  beforeCommit<Entry>(write: CommitWork<Entry>, entry: Entry): void {
    this.shared.added.push({ write, entry })
  }

  async later(statement: SQL): Promise<void> {
    await this.run(statement)
  }

  expectNone<T>(query: SQL): Promise<T[]> {
    return this.all<T>(query)
  }

  async script(statements: string): Promise<void> {
    this.statements.script(statements)
  }
}
