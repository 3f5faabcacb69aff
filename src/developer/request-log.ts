import { and, desc, eq, gt, lt, sql } from 'drizzle-orm'
import { errorFields } from '../log.ts'
import { jsonText } from '../store/json-text.ts'
import type { Reader, Store } from '../store/open.ts'
import type { Runtime } from '../runtime.ts'
import { app_requests } from '../store/tables/developer.ts'

/** What an app asked the API for, to find its own mistakes by: without bodies and without who it asked about. */
export interface AppRequest {
  app_id: string
  at: number
  method: string
  /** The path as it is declared, with names in place of ids. */
  route: string
  status: number
  request_id: string
}

export const REQUESTS_KEPT_MS = 7 * 24 * 3_600_000
const FLUSH_MS = 1000
/** What comes faster than it can be written is not logged. */
const MAX_WAITING = 10_000

interface Waiting {
  entries: AppRequest[]
  timer: ReturnType<typeof setTimeout> | null
}

const waiting = new WeakMap<Store, Waiting>()

/** Notes a request. Costs nothing now: entries are written together once a second, and a crash may lose the last. */
export function logAppRequest(runtime: Runtime, request: AppRequest): void {
  const { store } = runtime
  let line = waiting.get(store)
  if (!line) waiting.set(store, (line = { entries: [], timer: null }))
  if (line.entries.length < MAX_WAITING) line.entries.push(request)
  line.timer ??= setTimeout(() => {
    flushRequests(store).catch((error: unknown) =>
      runtime.log.warn('requests of apps were not logged', errorFields(error)),
    )
  }, FLUSH_MS).unref()
}

/** Writes what is waiting. */
export async function flushRequests(store: Store): Promise<void> {
  const line = waiting.get(store)
  if (!line || line.entries.length === 0) return
  if (line.timer !== null) clearTimeout(line.timer)
  line.timer = null
  const entries = jsonText(line.entries.splice(0))
  // An app that was deleted in the meantime has no log any more.
  await store.write((tx) =>
    tx.run(sql`
    INSERT INTO app_requests (app_id, at, method, route, status, request_id)
    SELECT value->>'app_id', value->>'at', value->>'method', value->>'route', value->>'status', value->>'request_id'
    FROM json_each(${entries}) WHERE value->>'app_id' IN (SELECT id FROM apps)`),
  )
}

/** The newest first, of the last seven days. */
export async function listRequests(
  db: Reader,
  app_id: string,
  { limit, before_id, status }: { limit: number; before_id?: number | undefined; status?: number | undefined },
  now: number,
) {
  return db
    .select()
    .from(app_requests)
    .where(
      and(
        eq(app_requests.app_id, app_id),
        gt(app_requests.at, now - REQUESTS_KEPT_MS),
        before_id === undefined ? undefined : lt(app_requests.id, before_id),
        status === undefined ? undefined : eq(app_requests.status, status),
      ),
    )
    .orderBy(desc(app_requests.id))
    .limit(limit)
}
