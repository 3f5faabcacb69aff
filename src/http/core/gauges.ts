import { readdirSync, statSync } from 'node:fs'
import { type SQL, sql } from 'drizzle-orm'
import { diskSpace } from '../../disk.ts'
import { databaseUrl } from '../../instance.ts'
import type { Gauge, Sample } from '../../metrics.ts'
import type { Runtime } from '../../runtime.ts'
import { filePath } from '../../store/file-path.ts'
import { one } from '../../store/rows.ts'
import type { LoopRuns } from '../../store/tables/operation.ts'

/** What is read when the metrics are fetched: the queues, the loops, the relays, the files and the process. */

/**
 * Since when the oldest message and job are due, and the campaigns under way. Each part reads the beginning of an
 * index. What is due at once has no time of its own, so its creation counts.
 */
export const DUE: SQL = sql`
  (SELECT count(*) FROM campaigns WHERE status = 'sending') AS sending,
  (SELECT count(*) FROM campaigns WHERE status = 'paused' AND deleted_at IS NULL) AS paused,
  (SELECT min(next_attempt_at) FROM jobs WHERE status = 'queued') AS job_due,
  (SELECT max(next_attempt_at, created_at) FROM deliveries
    WHERE status = 'queued' AND kind <> 'campaign' ORDER BY next_attempt_at, id LIMIT 1) AS single_due,
  (SELECT min((SELECT max(next_attempt_at, created_at) FROM deliveries
    WHERE campaign_id = c.id AND status = 'queued' AND kind = 'campaign' ORDER BY next_attempt_at, id LIMIT 1))
    FROM campaigns c WHERE c.status = 'sending') AS campaign_due`

/** The time since which the oldest message is due; null when none is queued. */
export function oldestDue({ single_due, campaign_due }: Record<string, number | null>): number | null {
  const due = [single_due, campaign_due].filter((at) => at !== null && at !== undefined)
  return due.length === 0 ? null : Math.min(...due)
}

/** A bound for the series of relays. */
const MAX_RELAYS = 100

export async function serviceGauges(runtime: Runtime): Promise<Gauge[]> {
  const { store, clock } = runtime
  const now = clock.now()
  const [found, workers, relays, disk] = await Promise.all([
    store.heavy<Record<string, number | null>>(sql`SELECT ${DUE}`).then(one),
    store.db.all<{ loops: string }>(sql`SELECT loops FROM workers WHERE alive_until > ${now}`),
    store.heavy<{ id: number }>(
      sql`SELECT id FROM connections WHERE last_error IS NOT NULL ORDER BY id LIMIT ${MAX_RELAYS}`,
    ),
    diskSpace(runtime).catch(() => null),
  ])
  const waiting = (due: number | null | undefined): Sample[] => [{ value: due ? Math.max(0, now - due) / 1000 : 0 }]
  const loops = workers.flatMap(({ loops }) => Object.entries(JSON.parse(loops) as LoopRuns))
  return [
    gauge('masthead_outbox_oldest_due_seconds', 'How long the oldest message is due.', waiting(oldestDue(found))),
    gauge('masthead_jobs_oldest_due_seconds', 'How long the oldest job is due.', waiting(found.job_due)),
    gauge(
      'masthead_campaigns',
      'Campaigns under way, by state.',
      ['sending', 'paused'].map((state) => ({ labels: { state }, value: found[state] ?? 0 })),
    ),
    gauge('masthead_workers', 'Processes that run the loops and hold leases.', [{ value: workers.length }]),
    gauge(
      'masthead_loop_last_run_timestamp_seconds',
      'When a loop began last, in any process.',
      newest(loops.map(([loop, { started_at }]) => [loop, started_at / 1000])),
    ),
    gauge(
      'masthead_loop_behind_seconds',
      'How far the next run of a loop is behind its time.',
      newest(loops.map(([loop, { lag_ms }]) => [loop, (lag_ms ?? 0) / 1000])),
    ),
    gauge(
      'masthead_relay_failing',
      `Connections whose relay failed when it was last used, at most ${MAX_RELAYS}.`,
      relays.map(({ id }) => ({ labels: { connection_id: id }, value: 1 })),
    ),
    ...(disk === null ? [] : diskGauges(disk)),
    ...fileGauges(runtime),
    ...processGauges(),
  ]
}

/** The greatest value of each loop: several processes may run it. */
function newest(values: readonly (readonly [string, number])[]): Sample[] {
  const most = new Map<string, number>()
  for (const [loop, value] of values) most.set(loop, Math.max(value, most.get(loop) ?? 0))
  return [...most].map(([loop, value]) => ({ labels: { loop }, value }))
}

const diskGauges = ({ free_bytes, total_bytes }: { free_bytes: number; total_bytes: number }): Gauge[] => [
  gauge('masthead_disk_free_bytes', 'Free space of the disk with the data folder.', [{ value: free_bytes }]),
  gauge('masthead_disk_size_bytes', 'Size of the disk with the data folder.', [{ value: total_bytes }]),
]

/** None on a libSQL server. */
function fileGauges({ config }: Runtime): Gauge[] {
  const url = databaseUrl(config)
  if (!url.startsWith('file:')) return []
  const sizeOf = (suffix: string) => [{ value: statSync(filePath(url) + suffix, { throwIfNoEntry: false })?.size ?? 0 }]
  return [
    gauge('masthead_database_bytes', 'Size of the database file.', sizeOf('')),
    gauge('masthead_database_wal_bytes', 'Size of the write-ahead log beside it.', sizeOf('-wal')),
  ]
}

/** The names are those that Prometheus gives to any process. Only Linux tells the descriptors. */
function processGauges(): Gauge[] {
  const { user, system } = process.cpuUsage()
  return [
    gauge('process_resident_memory_bytes', 'Memory of the process.', [{ value: process.memoryUsage.rss() }]),
    gauge('process_uptime_seconds', 'Seconds since the process began.', [{ value: Math.round(process.uptime()) }]),
    gauge('process_open_fds', 'Open file descriptors.', openDescriptors()),
    {
      ...gauge('process_cpu_seconds_total', 'CPU time of all threads.', [{ value: (user + system) / 1e6 }]),
      type: 'counter',
    },
  ]
}

function openDescriptors(): Sample[] {
  try {
    return [{ value: readdirSync('/proc/self/fd').length }]
  } catch {
    return []
  }
}

export function gauge(name: string, help: string, samples: readonly Sample[]): Gauge {
  return { name, help, samples }
}
