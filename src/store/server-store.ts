import { type Client, createClient, type InValue } from '@libsql/client'
import { drizzle } from 'drizzle-orm/libsql'
import { LibSQLSession } from 'drizzle-orm/libsql/session'
import { BaseSQLiteDatabase, SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core'
import { SilentDatabase } from '../errors.ts'
import { type Pending, writePending } from './commit-work.ts'
import { isBusy } from './constraint.ts'
import type { FactLog } from './facts.ts'
import { createFaults, unreachableText } from './faults.ts'
import { readAnew } from './read-cache.ts'
import { noRevision } from './revision.ts'
import type { CommitWork, Store, StoreOptions, Tx } from './store.ts'
import { refuseNested } from './write-guard.ts'

const CONNECTIONS = 8
/** Time limit for a server that does not answer. */
const REQUEST_TIMEOUT_MS = 30_000
const WRITE_ATTEMPTS = 6

/** A store on a libSQL server. Throws when the server does not answer. */
export async function openServerStore({
  url,
  auth_token,
  heavy,
  limited = heavy ?? undefined,
  facts = null,
}: StoreOptions): Promise<Store> {
  const client = createClient({
    url,
    authToken: auth_token || undefined,
    concurrency: CONNECTIONS,
    fetch: (request: Request) => answerOf(request, url),
  })
  await client.execute('SELECT 1')
  const db = drizzle({ client })
  return {
    db,
    kind: 'server',
    queue: null,
    write: refuseNested((work) => withRetries(() => inTransaction(client, work, facts))),
    // The server decides when a commit is durable.
    flush: async () => undefined,
    query: async (sql, params = []) => {
      const { columns, rows } = await client.execute({ sql, args: params as InValue[] })
      return rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index]])))
    },
    heavy: (query) => db.all(query),
    // Queries wait for the server, but a task with a time limit computes.
    heavyTask: (task, input) =>
      limited && task.timeout_ms !== undefined ? limited.run(task, input) : task.run(db, input),
    readCache: readAnew,
    revision: noRevision,
    facts,
    // The server's disk belongs to another machine, so its faults do not appear here.
    faults: createFaults(),
    close: async () => {
      await facts?.close()
      client.close()
    },
  }
}

/**
 * Throws SilentDatabase for a server that cannot be reached, does not answer in time, or answers 5xx. One that starts
 * or ends answers statements with 404. The client also asks which versions of the protocol there are, by GET.
 */
async function answerOf(request: Request, url: string): Promise<Response> {
  let reason: unknown
  try {
    const answer = await fetch(request, { signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) })
    const { status, headers } = answer
    const body = await answer.arrayBuffer()
    if (status < 500 && !(status === 404 && request.method === 'POST')) return new Response(body, { status, headers })
    reason = new Error(`The server answered ${status}.`)
  } catch (error) {
    reason = error
  }
  throw new SilentDatabase(unreachableText(url, 'reached', reason), { cause: reason })
}

const dialect = new SQLiteAsyncDialect()
type NoSchema = Record<string, never>

async function inTransaction<T>(client: Client, work: (tx: Tx) => Promise<T>, facts: FactLog | null): Promise<T> {
  const transaction = await client.transaction('write')
  try {
    const session = new LibSQLSession<NoSchema, NoSchema>(client, dialect, undefined, {}, transaction)
    const db = new BaseSQLiteDatabase('async', dialect, session, undefined)
    const pending: Pending[] = []
    const tx: Tx = Object.assign(db, {
      told: { actor: null, notes: [] },
      facts,
      readCache: readAnew,
      script: (text: string) => transaction.executeMultiple(text),
      beforeCommit: <Entry>(write: CommitWork<Entry>, entry: Entry) => void pending.push({ write, entry }),
    })
    const result = await work(tx)
    await writePending(tx, pending)
    await transaction.commit()
    return result
  } catch (error) {
    if (!transaction.closed) await transaction.rollback()
    throw error
  } finally {
    transaction.close()
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
