import { DAY_MS } from '../clock.ts'
import { unaudited } from '../audit/record.ts'
import { and, desc, eq, gt, gte, lt, sql } from 'drizzle-orm'
import { notFound } from '../errors.ts'
import { errorFields } from '../log.ts'
import { jsonText } from '../store/json-text.ts'
import type { Reader, Store } from '../store/open.ts'
import { deleteWhere, type RetentionRule } from '../store/retention.ts'
import { first, valuesOf, withRows } from '../store/rows.ts'
import type { Runtime } from '../runtime.ts'
import { app_requests } from '../store/tables/developer.ts'
import { countCalls } from './app-calls.ts'
import { type Body, createHeld, type Held, KEPT, keptOf, pruneBodies } from './request-bodies.ts'

/** An API request of an app, so that its developer can find mistakes. */
interface AppRequest {
  app_id: string
  at: number
  method: string
  /** The declared path, with parameter names instead of ids. */
  route: string
  status: number
  request_id: string
  duration_ms: number
  /** The code of a refusal. */
  error: string | null
  /** The public id of the project that the request named. */
  project: string | null
}

interface RequestFilter {
  limit: number
  before_id?: number | undefined
  request_id?: string | undefined
  status?: number | undefined
  /** 4 for the statuses from 400 to 499. */
  status_class?: number | undefined
  error?: string | undefined
  project?: string | undefined
  method?: string | undefined
  route?: string | undefined
}

/** Retention of the log (docs/api/limits.md#retention). */
export const REQUEST_LOG_RETENTION_MS = 7 * DAY_MS
/** Rows that the log of one app holds. */
export const MAX_ROWS = 10_000
const FLUSH_MS = 1000
/** Further requests are not logged until the waiting ones are written. */
const MAX_WAITING = 10_000
/** Entries of one transaction, which takes some milliseconds of the thread that answers. */
const AT_ONCE = 1000

interface Waiting {
  entries: AppRequest[]
  held: Held<AppRequest>
  timer: ReturnType<typeof setTimeout> | null
  /** Ends when the entries before these are written. */
  writing: Promise<void>
}

const waiting = new WeakMap<Store, Waiting>()

/** Logs a request. Entries are written in batches once a second, so a crash can lose the last second. */
export function logAppRequest(runtime: Runtime, request: AppRequest, body?: Body): void {
  const store = unaudited(runtime.store)
  let batch = waiting.get(store)
  if (!batch) waiting.set(store, (batch = { entries: [], held: createHeld(), timer: null, writing: Promise.resolve() }))
  if (batch.entries.length < MAX_WAITING) {
    batch.entries.push(request)
    if (body) batch.held.hold(request, body)
  }
  batch.timer ??= setTimeout(() => {
    flushRequests(store).catch((error: unknown) =>
      runtime.log.warn('requests of apps were not logged', errorFields(error)),
    )
  }, FLUSH_MS).unref()
}

/** Writes the waiting entries, and deletes the oldest of an app that has more than it may. */
export async function flushRequests(store: Store): Promise<void> {
  const batch = waiting.get(store)
  if (!batch) return
  if (batch.timer !== null) clearTimeout(batch.timer)
  batch.timer = null
  const entries = batch.entries.splice(0)
  const bodies = batch.held.take()
  const written = batch.writing.then(async () => {
    for (let at = 0; at < entries.length; at += AT_ONCE)
      await writeEntries(store, entries.slice(at, at + AT_ONCE), bodies)
  })
  batch.writing = written.catch(() => undefined)
  await written
}

async function writeEntries(
  store: Store,
  entries: readonly AppRequest[],
  bodies: ReadonlyMap<AppRequest, Body>,
): Promise<void> {
  const rows = withRows(entries.map((entry) => valuesOfEntry(entry, keptOf(bodies.get(entry)))))
  const apps = jsonText([...new Set(entries.map(({ app_id }) => app_id))])
  const hasBodies = entries.some((entry) => bodies.has(entry))
  // Entries of an app that was deleted meanwhile are dropped.
  await store.write(
    async (tx) => {
      await tx.run(sql`
    ${rows} INSERT INTO app_requests (app_id, at, method, route, status, request_id, duration_ms, error, project,
      address, request, answer, authorization_id)
    SELECT ${valuesOf(0, 13)} FROM r WHERE v->>0 IN (SELECT id FROM apps)`)
      await tx.run(sql`
    DELETE FROM app_requests WHERE id IN (
      SELECT surplus.id FROM json_each(${apps}) app, app_requests surplus
      WHERE surplus.app_id = app.value AND surplus.id <= (
        SELECT kept.id FROM app_requests kept WHERE kept.app_id = app.value
        ORDER BY kept.id DESC LIMIT 1 OFFSET ${MAX_ROWS}))`)
      if (hasBodies) await pruneBodies(tx, apps, entries.length)
      await countCalls(tx, entries)
    },
    { durable: false },
  )
}

/** In the order of the columns of the INSERT. */
function valuesOfEntry(entry: AppRequest, kept: ReturnType<typeof keptOf>): unknown[] {
  const { app_id, at, method, route, status, request_id, duration_ms, error, project } = entry
  const { address, request, answer, authorization_id } = kept
  return [
    ...[app_id, at, method, route, status, request_id, duration_ms, error, project],
    ...[address, request, answer, authorization_id],
  ]
}

/** Requests of the last seven days, the newest first. */
export async function listRequests(
  db: Reader,
  app_id: string,
  { limit, before_id, ...filter }: RequestFilter,
  now: number,
) {
  const { request_id, status, status_class, error, project, method, route } = filter
  return db
    .select(LISTED)
    .from(app_requests)
    .where(
      and(
        eq(app_requests.app_id, app_id),
        gt(app_requests.at, now - REQUEST_LOG_RETENTION_MS),
        before_id === undefined ? undefined : lt(app_requests.id, before_id),
        request_id === undefined ? undefined : eq(app_requests.request_id, request_id),
        status === undefined ? undefined : eq(app_requests.status, status),
        status_class === undefined ? undefined : gte(app_requests.status, status_class * 100),
        status_class === undefined ? undefined : lt(app_requests.status, status_class * 100 + 100),
        error === undefined ? undefined : eq(app_requests.error, error),
        project === undefined ? undefined : eq(app_requests.project, project),
        method === undefined ? undefined : eq(app_requests.method, method),
        route === undefined ? undefined : eq(app_requests.route, route),
      ),
    )
    .orderBy(desc(app_requests.id))
    .limit(limit)
}

/** One request with what is kept of its bodies. NOT_FOUND. */
export async function getRequest(db: Reader, app_id: string, id: number, now: number) {
  const row = first(
    await db
      .select()
      .from(app_requests)
      .where(
        and(
          eq(app_requests.id, id),
          eq(app_requests.app_id, app_id),
          gt(app_requests.at, now - REQUEST_LOG_RETENTION_MS),
        ),
      ),
  )
  if (!row) throw notFound('request with this id')
  return row
}

const { id, app_id, at, method, route, status, request_id, duration_ms, error, project } = app_requests
const LISTED = { id, app_id, at, method, route, status, request_id, duration_ms, error, project }

/** A row of the log without what is kept of its bodies. */
export type ListedRequest = Omit<
  typeof app_requests.$inferSelect,
  'address' | 'request' | 'answer' | 'authorization_id'
>

export const requestLogRetention: RetentionRule = {
  rows: 'request log of an app',
  kept:
    '7 days, at most 10,000 of one app; what it sent and got, ' +
    `of the last ${KEPT.done} calls and of the last ${KEPT.failed} failed ones`,
  statement: (now, limit) => deleteWhere('app_requests', 'id', sql`at <= ${now - REQUEST_LOG_RETENTION_MS}`, limit),
}
