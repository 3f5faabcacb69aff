import { expandConfig } from '@libsql/core/config'
import { encodeBaseUrl } from '@libsql/core/uri'
import { type HttpClient, openHttp } from '@libsql/hrana-client'
import { SilentDatabase } from '../errors.ts'
import { fastDialect } from './compile.ts'
import { isBusy } from './constraint.ts'
import { createFaults, unreachableText } from './faults.ts'
import { readAnew } from './read-cache.ts'
import { createRememberedReads } from './remembered-reads.ts'
import { noRevision } from './revision.ts'
import { createServerReads } from './server-reads.ts'
import { namedRows, serverStatements } from './server-statements.ts'
import { createServerStream } from './server-stream.ts'
import { createServerWrites } from './server-writes.ts'
import { StatementDatabase } from './session.ts'
import type { Store, StoreOptions } from './store.ts'
import { refuseNested } from './write-guard.ts'

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
  const client = await connect(url, auth_token)
  const open = () => createServerStream(client)
  const remembered = createRememberedReads()
  const reads = createServerReads(open, remembered)
  await reads.ask('SELECT 1', [])
  const dialect = fastDialect()
  const db = new StatementDatabase(dialect, serverStatements(reads.ask))
  const writes = createServerWrites(open(), dialect, { facts, remembered })
  return {
    db,
    kind: 'server',
    queue: null,
    write: refuseNested((work) => withRetries(() => writes.write(work))),
    sets: new Map(),
    // The server decides when a commit is durable.
    flush: async () => undefined,
    query: async (sql, params = []) => namedRows(await reads.ask(sql, params)),
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
      writes.close()
      reads.close()
      client.close()
    },
  }
}

/** The connection of `@libsql/client` to a server, without its client, which opens a stream for each statement. */
async function connect(url: string, auth_token: string | undefined): Promise<HttpClient> {
  const { scheme, authority, path, authToken } = expandConfig({ url, authToken: auth_token || undefined }, true)
  const address = encodeBaseUrl(scheme.replace('ws', 'http'), authority, path)
  const client = openHttp(
    address,
    authToken,
    ((request: Request) => answerOf(request, url)) as typeof fetch,
    undefined,
    3,
  )
  if ((await client.getVersion()) < 3) throw new Error('The server does not speak Hrana 3.')
  return client
}

/**
 * Throws SilentDatabase for a server that cannot be reached, does not answer in time, or answers 5xx. One that starts
 * or ends answers statements with 404. The client also asks which versions of the protocol there are, by GET.
 */
async function answerOf(request: Request, url: string): Promise<Response> {
  let reason: unknown
  try {
    // To compress small answers costs the server more than to send them.
    request.headers.set('Accept-Encoding', 'identity')
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
