import { fastDialect } from './compile.ts'
import { isBusy } from './constraint.ts'
import { createFaults } from './faults.ts'
import { createReadCache } from './read-cache.ts'
import { createRememberedReads } from './remembered-reads.ts'
import { noRevision } from './revision.ts'
import { serverAddress } from './server-address.ts'
import { createServerReads } from './server-reads.ts'
import { namedRows, ServerDatabase } from './server-session.ts'
import { createServerStream } from './server-stream.ts'
import { createServerWrites } from './server-writes.ts'
import type { Store, StoreOptions } from './store.ts'
import { refuseNested } from './write-guard.ts'

const WRITE_ATTEMPTS = 6

/** A store on a libSQL server. Throws when the server does not answer. */
export async function openServerStore({
  url,
  auth_token,
  heavy,
  limited = heavy ?? undefined,
  facts = null,
}: StoreOptions): Promise<Store> {
  const address = serverAddress(url, auth_token)
  const remembered = createRememberedReads()
  const reads = createServerReads(address, remembered)
  await reads.ask('SELECT 1', [])
  const dialect = fastDialect()
  const db = new ServerDatabase(dialect, reads.ask)
  const writes = createServerWrites(createServerStream(address), dialect, { facts, remembered })
  return {
    db,
    kind: 'server',
    queue: null,
    write: refuseNested((work) => withRetries(() => writes.write(work))),
    // The server decides when a commit is durable.
    flush: async () => undefined,
    query: async (sql, params = []) => namedRows(await reads.ask(sql, params)),
    heavy: (query) => db.all(query),
    // Queries wait for the server, but a task with a time limit computes.
    heavyTask: (task, input) =>
      limited && task.timeout_ms !== undefined ? limited.run(task, input) : task.run(db, input),
    readCache: createReadCache(noRevision, () => null),
    revision: noRevision,
    facts,
    // The server's disk belongs to another machine, so its faults do not appear here.
    faults: createFaults(),
    close: async () => {
      await facts?.close()
      writes.close()
      reads.close()
    },
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
