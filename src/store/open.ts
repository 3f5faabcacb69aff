import { AsyncLocalStorage } from 'node:async_hooks'
import { createClient, type Client } from '@libsql/client'
import type { SQL } from 'drizzle-orm'
import { UnreachableDatabase } from '../errors.ts'
import { quickDrizzle } from './compile.ts'
import { useSynchronous, type Synchronous } from './driver.ts'
import { isBusy } from './constraint.ts'
import { readAtOnce } from './file-reader.ts'
import { createGroupCommit } from './group-commit.ts'
import { createReadCache, type ReadCache } from './read-cache.ts'
import { type Revision, watchRevision } from './revision.ts'
import type { Reader, Tx } from './tx.ts'
import { WriteQueue } from './write-queue.ts'

export type { Reader, Tx } from './tx.ts'

export interface Store {
  /** Reads outside a transaction. */
  readonly db: Reader
  /** `file` when the database lies in this machine's files, `server` for a libSQL server. */
  readonly kind: 'file' | 'server'
  /** Shared with the Workers of this process; null for a server, which keeps its own order. */
  readonly queue: WriteQueue | null
  /**
   * Runs `work` in one write transaction, after all writes that came before it. Everything or nothing is kept.
   * No network, no password hashing, no waiting inside. On a server `work` may run again after a lost race,
   * so it must have no effect but its writes.
   */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** A read that may take long; it runs where it holds up no request. Rows come as plain objects. */
  heavy<T>(query: SQL): Promise<T[]>
  /** As `heavy`, for reading that is more than a query. */
  heavyTask<Input, Result>(task: HeavyTask<Input, Result>, input: Input): Promise<Result>
  /** Small reads of what seldom changes; see read-cache.ts. */
  readonly readCache: ReadCache
  readonly revision: Revision
  readonly client: Client
  close(): Promise<void>
}

/** A piece of reading, and of computing with what is read, that may take long. What goes in and what comes out is copied. */
export interface HeavyTask<Input, Result> {
  /** By which the reading thread finds it; see newsletter/workers.ts. */
  name: string
  run(db: Reader, input: Input): Promise<Result>
}

/** Somewhere else to do what may take long. */
export interface HeavyReading {
  read<T>(query: SQL): Promise<T[]>
  run<Input, Result>(task: HeavyTask<Input, Result>, input: Input): Promise<Result>
}

export interface StoreOptions {
  url: string
  auth_token?: string
  /** The queue of the thread that opened the database first. */
  queue_memory?: SharedArrayBuffer
  synchronous?: Synchronous
  /** Whether writes that wait at the same time are committed together; see group-commit.ts. */
  grouped?: boolean
  /** Without it all is done here. */
  heavy?: HeavyReading | null
}

const CONNECTIONS = 8
const BUSY_TIMEOUT_MS = 5000
/** A server that hangs must not hold up its callers for ever. */
const SERVER_TIMEOUT_MS = 30_000
const WRITE_ATTEMPTS = 6

const writing = new AsyncLocalStorage<true>()

/** Opens the database; the schema is brought up to date by `migrate`, not here. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const kind = options.url.startsWith('file:') ? 'file' : 'server'
  if (kind === 'file') useSynchronous(options.synchronous ?? 'NORMAL')
  const opened = await connect(kind, options)
  const client = kind === 'file' ? readAtOnce(opened, options.url, BUSY_TIMEOUT_MS) : opened
  const db = quickDrizzle(client)
  const revision = watchRevision(options.url)
  const queue = kind === 'file' ? new WriteQueue(options.queue_memory) : null

  const transaction = <T>(work: (tx: Tx) => Promise<T>) =>
    db.transaction((tx) => work(tx as unknown as Tx)) as Promise<T>

  const group = queue && options.grouped ? createGroupCommit(client, queue) : null

  const write = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
    if (writing.getStore()) throw new Error('A write inside a write would wait for itself: hand on the transaction.')
    const alone = (tx: Tx) => writing.run(true, () => work(tx))
    if (group) return group.write(alone)
    return queue ? queue.run(() => transaction(alone)) : withRetries(() => transaction(alone))
  }

  return {
    db,
    kind,
    queue,
    write,
    heavy: options.heavy?.read ?? ((query) => db.all(query)),
    heavyTask: options.heavy?.run ?? ((task, input) => task.run(db, input)),
    readCache: createReadCache(revision),
    revision,
    client,
    close: async () => {
      revision.close()
      client.close()
    },
  }
}

async function connect(kind: Store['kind'], { url, auth_token }: StoreOptions): Promise<Client> {
  try {
    const client = createClient({
      url,
      authToken: auth_token || undefined,
      concurrency: CONNECTIONS,
      ...(kind === 'file'
        ? { timeout: BUSY_TIMEOUT_MS }
        : { fetch: (request: Request) => fetch(request, { signal: AbortSignal.timeout(SERVER_TIMEOUT_MS) }) }),
    })
    await client.execute(kind === 'file' ? 'PRAGMA journal_mode=WAL' : 'SELECT 1')
    return client
  } catch (error) {
    const shown = url.replace(/\/\/[^@/]*@/, '//')
    throw new UnreachableDatabase(
      `The database ${shown} cannot be ${kind === 'file' ? 'opened' : 'reached'}: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    )
  }
}

/** A server refuses a writer that lost a race; the same work is tried again after a short, uneven pause. */
async function withRetries<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt >= WRITE_ATTEMPTS || !isBusy(error)) throw error
      const [spread = 0] = crypto.getRandomValues(new Uint8Array(1))
      await Bun.sleep(5 * 2 ** attempt + spread / 8)
    }
  }
}
