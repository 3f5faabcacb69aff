import type { SQL } from 'drizzle-orm'
import type { BaseSQLiteDatabase } from 'drizzle-orm/sqlite-core'
import type { Row } from './database-connection.ts'
import type { FactLog } from './facts.ts'
import type { Faults } from './faults.ts'
import type { ReadCache } from './read-cache.ts'
import type { Revision } from './revision.ts'
import type { WriteQueue } from './write-queue.ts'

/** A source of reads: the store itself or a transaction. */
export type Reader = Omit<BaseSQLiteDatabase<'async', unknown>, 'transaction'>

/** A write transaction. Only `Store.write` makes one, so a function that is given a `Tx` may write. */
export type Tx = Reader & {
  /** Runs several statements without parameters, such as a migration. */
  script(statements: string): Promise<void>
  /**
   * Runs a statement whose result nobody needs. On a libSQL server it travels with the next statement, so a write with
   * several of them has fewer round trips; its error may be thrown by a later statement, or by the write at its end.
   */
  later(statement: SQL): Promise<void>
  /**
   * Runs a read that seldom finds anything. On a libSQL server the write goes on as if there were nothing, before the
   * server has answered, and runs again when there was something.
   */
  expectNone<T>(query: SQL): Promise<T[]>
  /**
   * Calls `write` once, at the end of the transaction that is committed, with the entries of all writes that share it.
   * What a write adds is dropped with its changes when it fails.
   */
  beforeCommit<Entry>(write: CommitWork<Entry>, entry: Entry): void
  /** The actor and notes that the write adds to the audit log (src/audit/record.ts). */
  readonly told: { actor: string | null; notes: object[] }
  /** As `Store.readCache`, for what the transaction finds. */
  readonly readCache: ReadCache
  /** As `Store.facts`. Lines are appended right before the commit, so no fact of a commit is missing. */
  readonly facts: FactLog | null
}

/** A write that runs once for the whole transaction, at its end; see `Tx.beforeCommit`. */
export interface CommitWork<Entry> {
  (tx: Tx, entries: readonly Entry[]): Promise<void>
  /** Its first read. On a libSQL server it travels with the last statements before it. */
  readonly ahead?: SQL
}

/** The most bytes of one stored value. A libSQL server refuses 5,000,000; a database file keeps to the same limit. */
export const MAX_VALUE_BYTES = 4_900_000

interface WriteOptions {
  /**
   * Whether the commit is on the disk before `write` resolves. `false` is for what may be lost in a power cut: it is on
   * the disk within a second (docs/operations.md#durability). Default: true.
   */
  durable?: boolean
  /**
   * Whether the write has a transaction of its own, which begins as soon as no other runs. Others wait for the next
   * iteration of the event loop, to share a commit with what arrives until then. Default: false.
   */
  alone?: boolean
}

/** A part of a write that several callers share; see write-sets.ts. */
export interface WaitingMember {
  member: unknown
  resolve(result: unknown): void
  reject(error: unknown): void
}

export interface Store {
  /** The underlying store without audit rows; set on a store whose writes add rows to the audit log. */
  readonly unaudited?: Store
  /** Reads outside a transaction. */
  readonly db: Reader
  /** `file` for a database file on this machine, `server` for a libSQL server. */
  readonly kind: 'file' | 'server'
  /** Shared by the threads of this process; null for a server, which orders its writers itself. */
  readonly queue: WriteQueue | null
  /**
   * Runs `work` in one write transaction, after all writes that came before it: either all of it is committed or
   * nothing. `work` must not use the network, hash passwords or wait for anything else. On a server it may run again
   * after losing a race against another writer, so it must have no effect but its writes.
   */
  write<T>(work: (tx: Tx) => Promise<T>, options?: WriteOptions): Promise<T>
  /** The members of writes that did not begin yet, by what they have in common; see `writeInSet`. */
  readonly sets: Map<string, WaitingMember[]>
  /**
   * Resolves when everything that was committed before is on the disk: for an answer that repeats what another write
   * may have committed a moment ago.
   */
  flush(): Promise<void>
  /** Runs one read that is given as SQL text. */
  query(sql: string, params?: readonly unknown[]): Promise<Row[]>
  /** A read that may take long. It runs on a thread where it does not delay requests. */
  heavy<T>(query: SQL): Promise<T[]>
  /** As `heavy`, for work that is more than one query. */
  heavyTask<Input, Result>(task: HeavyTask<Input, Result>, input: Input): Promise<Result>
  /** For small reads of data that seldom changes; see read-cache.ts. */
  readonly readCache: ReadCache
  readonly revision: Revision
  /** The log of facts that survive a restore; null when no facts are recorded. */
  readonly facts: FactLog | null
  /** The worst disk fault that this process has seen. */
  readonly faults: Faults
  /**
   * Closes all connections and the facts. A database file is complete without its `-wal` file afterwards, unless
   * another process or thread uses it.
   */
  close(): Promise<void>
}

/** Reading, and computing with what was read, that may take long. Input and result are copied between threads. */
export interface HeavyTask<Input, Result> {
  /** The reading thread finds the task by it; see threads/tasks.ts. */
  name: string
  /** After this time its thread is terminated and the caller gets a TaskTimeout. Without it a task has no limit. */
  timeout_ms?: number
  /** The project that an input belongs to. Only one task with a time limit runs at a time for each project. */
  ownerOf?(input: Input): number
  /** Tasks that name the same queue run one at a time. Only for tasks without a time limit. */
  queue?: string
  run(db: Reader, input: Input): Promise<Result>
}

/** Runs long reads on other threads. */
export interface HeavyReading {
  read<T>(query: SQL): Promise<T[]>
  run<Input, Result>(task: HeavyTask<Input, Result>, input: Input): Promise<Result>
}

export interface StoreOptions {
  url: string
  auth_token?: string
  /**
   * The queue of the thread that opened the database first. That thread also moves the `-wal` file into the database
   * file when it closes.
   */
  queue_memory?: SharedArrayBuffer
  /** The number of this thread among those of the process that write; 0 for the one that opened the database first. */
  writer?: number
  /** Whether writes that wait at the same time are committed together; see group-commit.ts. */
  grouped?: boolean
  /** Without it no facts are appended. The store closes it. */
  facts?: FactLog | null
  /** Shared by the threads of the process. Without it the store has its own. */
  faults?: Faults
  /** Without it long reads run on this thread. */
  heavy?: HeavyReading | null
  /** Where tasks with a time limit run; `heavy` by default. */
  limited?: Pick<HeavyReading, 'run'>
}
