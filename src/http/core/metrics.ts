import { heapSize } from 'bun:jsc'
import { type SQL, sql } from 'drizzle-orm'
import { backupState } from '../../backup/state.ts'
import { build, version } from '../../build.ts'
import { AppError } from '../../errors.ts'
import { createMetrics, type MetricsSnapshot, processMetrics, type Sample, sumOfSnapshots } from '../../metrics.ts'
import type { Runtime } from '../../runtime.ts'
import { sameSecret } from '../../secrets.ts'
import { FAULTS } from '../../store/faults.ts'
import { reachedMilestones } from '../../store/milestones.ts'
import type { Exchange } from './exchange.ts'
import { gauge, serviceGauges } from './gauges.ts'

/** Metrics for operators: requests and their durations, the outbox, the jobs, the process. */
export interface RequestMetrics {
  /** Counts one request. `route` is the declared path; the requested path would make a series for each id. */
  answered(route: string, status: number, seconds: number): void
  /** All that this thread has counted. */
  snapshot(): MetricsSnapshot
  /** What `GET /metrics` answers. */
  text(): Promise<string>
}

/** The other threads that answer requests, as the main thread sees them. */
export interface OtherThreads {
  /** What they have counted, those that ended included. */
  counted(): Promise<MetricsSnapshot[]>
  /** The state of each. */
  states(): { thread: number; is_silent: boolean; heap_bytes: number }[]
}

const ALONE: OtherThreads = { counted: async () => [], states: () => [] }

const BOUNDS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

export function requestMetrics(runtime: Runtime, others: OtherThreads = ALONE): RequestMetrics {
  const metrics = createMetrics()
  const requests = metrics.counter('masthead_http_requests_total', 'Answered requests.')
  const durations = metrics.histogram('masthead_http_request_seconds', 'Time from request to answer.', BOUNDS_SECONDS)
  return {
    answered(route, status, seconds) {
      requests.add({ route, status })
      durations.observe({ route }, seconds)
    },
    snapshot: () => sumOfSnapshots([processMetrics.snapshot(), metrics.snapshot()]),
    async text() {
      const counted = await others.counted()
      const gauges = [
        gauge('masthead_build_info', 'The running release.', [
          { labels: { version, build: build.id, date: build.date ?? '' }, value: 1 },
        ]),
        gauge('masthead_outbox_messages', 'Messages not yet settled, by state.', await byState(runtime, OUTBOX)),
        gauge('masthead_jobs', 'Jobs not yet ended, by state.', await byState(runtime, JOBS)),
        gauge('masthead_database_fault', 'Whether the disk or the database has this fault.', faults(runtime)),
        gauge(
          'masthead_database_check_timestamp_seconds',
          'The end of the last check of the database.',
          await checked(runtime),
        ),
        ...(await backupGauges(runtime)),
        ...threadGauges(others),
        ...(await serviceGauges(runtime)),
      ]
      return processMetrics.text([], counted) + metrics.text(gauges, counted)
    },
  }
}

/** The threads that answer requests. The main thread is one of them: it makes this text. */
function threadGauges(others: OtherThreads) {
  const states = [{ thread: 0, is_silent: false, heap_bytes: heapSize() }, ...others.states()]
  const silent = states.filter(({ is_silent }) => is_silent).length
  return [
    gauge('masthead_http_threads', 'Threads that answer requests, and those of them that do not respond.', [
      { labels: { state: 'responding' }, value: states.length - silent },
      { labels: { state: 'silent' }, value: silent },
    ]),
    gauge(
      'masthead_http_thread_heap_bytes',
      'Memory of the objects of each thread that answers requests.',
      states.map(({ thread, heap_bytes }) => ({ labels: { thread }, value: heap_bytes })),
    ),
  ]
}

/** Headers by which a proxy can be told from a scraper on this machine. */
const PROXY_HEADERS = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'forwarded', 'via']

/** FORBIDDEN unless the request carries the configured token or comes from this machine (docs/operations.md#health). */
export function requireMetricsReader({ config }: Runtime, { request, url, address }: Exchange): void {
  const bearer = /^bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]
  if (config.metrics_token !== '' && bearer !== undefined && sameSecret(bearer, config.metrics_token)) return
  // A proxy on this machine passes on requests of other machines.
  const isForwarded = PROXY_HEADERS.some((name) => request.headers.has(name))
  // A proxy without such headers passes on the public name. A page elsewhere whose name resolves to this machine (DNS
  // rebinding) sends that name.
  const isLocalName = /^(localhost|127\.[\d.]+|\[::1\])$/.test(url.hostname)
  if (!isForwarded && isLocalName && (address === '::1' || address.startsWith('127.'))) return
  throw new AppError('FORBIDDEN', 'Metrics are for this machine, or with the configured token.')
}

/** The counts come from partial indexes of unsettled messages, so they do not grow with what was sent. */
export const OUTBOX = sql`
  SELECT 'queued' AS state,
    (SELECT count(*) FROM deliveries WHERE status = 'queued' AND kind = 'campaign')
      + (SELECT count(*) FROM deliveries WHERE status = 'queued' AND kind <> 'campaign') AS n
  UNION ALL SELECT status, count(*) FROM deliveries WHERE status IN ('leased', 'sending') GROUP BY status`
export const JOBS = sql`
  SELECT 'queued' AS state, count(*) AS n FROM jobs WHERE status = 'queued'
  UNION ALL SELECT 'running', count(*) FROM jobs WHERE status = 'running'`

function faults({ store }: Runtime): Sample[] {
  const current = store.faults.current()
  return FAULTS.map((fault) => ({ labels: { fault }, value: fault === current ? 1 : 0 }))
}

/** No sample until a database file was checked for the first time. */
async function checked({ store }: Runtime): Promise<Sample[]> {
  const { database_check } = await reachedMilestones(store.db)
  return database_check ? [{ value: Math.round(database_check.at / 1000) }] : []
}

/** No samples on a libSQL server, and before the first backup of the service. */
async function backupGauges({ store, config, clock }: Runtime) {
  const state = await backupState(store.db, config, clock.now())
  const seconds = (at: number | null | undefined): Sample[] =>
    at === null || at === undefined ? [] : [{ value: Math.round(at / 1000) }]
  const size = state?.size_bytes ?? null
  return [
    gauge('masthead_backup_timestamp_seconds', 'When the last proven backup was begun.', seconds(state?.made_at)),
    gauge('masthead_backup_proven_timestamp_seconds', 'When the last backup was proven.', seconds(state?.proven_at)),
    gauge('masthead_backup_bytes', 'The size of the last proven backup.', size === null ? [] : [{ value: size }]),
    gauge(
      'masthead_facts_copied_timestamp_seconds',
      'When facts were copied to the place of backups, to within a minute.',
      seconds(state?.facts_shipped_at),
    ),
    gauge(
      'masthead_backup_missing',
      'Whether a scheduled backup failed or was missed.',
      state?.is_scheduled ? [{ value: state.warning === null ? 0 : 1 }] : [],
    ),
  ]
}

async function byState({ store }: Runtime, counts: SQL): Promise<Sample[]> {
  const rows = await store.heavy<{ state: string; n: number }>(counts)
  return rows.map(({ state, n }) => ({ labels: { state }, value: Number(n) }))
}
