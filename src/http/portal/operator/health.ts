import { statSync } from 'node:fs'
import { type Static, Type } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import { build, version } from '../../../build.ts'
import { DAY_MS, iso, isoOrNull } from '../../../clock.ts'
import { diskSpace } from '../../../disk.ts'
import { databaseUrl } from '../../../instance.ts'
import type { Runtime } from '../../../runtime.ts'
import { Id, nullable, obj, Timestamp } from '../../../schema.ts'
import { filePath } from '../../../store/file-path.ts'
import { ALIVE_MS } from '../../../store/lease.ts'
import { reachedMilestones } from '../../../store/milestones.ts'
import { one } from '../../../store/rows.ts'
import type { LoopRuns } from '../../../store/tables/operation.ts'
import { DUE, oldestDue } from '../../core/gauges.ts'
import { JOBS, OUTBOX } from '../../core/metrics.ts'
import { MaybeTime } from '../../core/schemas.ts'

/** The service's health as operators see it (docs/api/operator.md#health). */

const Count = Type.Integer({ minimum: 0 })
const Bytes = Type.Number({ minimum: 0 })

export const Health = obj({
  version: Type.String(),
  build: Type.String({ description: 'The commit, or "checkout".' }),
  build_date: nullable(Type.String()),
  uptime_seconds: Count,
  ready: Type.Boolean(),
  reason: nullable(Type.String({ description: 'Why the service is not ready.' })),
  workers: Type.Array(
    obj({
      host: Type.String(),
      pid: Type.Integer(),
      started_on: Timestamp,
      last_heartbeat_on: Timestamp,
      messages: Type.Integer({ description: 'Messages that the worker holds a lease on.' }),
    }),
  ),
  loops: Type.Array(
    obj({
      name: Type.String(),
      host: Type.String(),
      pid: Type.Integer(),
      running: Type.Boolean(),
      last_run_on: Timestamp,
      took_ms: nullable(Type.Integer()),
      failed_on: MaybeTime,
      lag_ms: nullable(Type.Integer({ description: 'How far the next run is behind its time.' })),
    }),
  ),
  outbox: obj({ queued: Count, leased: Count, sending: Count, oldest_due_on: MaybeTime }),
  jobs: obj({ queued: Count, running: Count, oldest_due_on: MaybeTime }),
  receipts: obj({ stuck: Count, oldest_on: MaybeTime }),
  account_mail: obj({ queued: Count, failed_in_last_day: Count }),
  campaigns: obj({ sending: Count, paused: Count }),
  relays_held_back: Type.Array(
    obj({
      project_id: Type.String(),
      project: Type.String(),
      connection_id: Id,
      name: Type.String(),
      error: Type.String(),
    }),
  ),
  disk: obj({ free_bytes: Bytes, total_bytes: Bytes, database_bytes: nullable(Bytes) }),
  backup: nullable(obj({ made_on: Timestamp, file: Type.String(), size_bytes: Bytes })),
  restore_rehearsal: nullable(obj({ made_on: Timestamp })),
})
type Health = Static<typeof Health>

/** A receipt that is pending for longer belongs to an operation that did not end. */
const STUCK_MS = 60_000
const MAX_RELAYS = 100

type Context = Pick<Runtime, 'config' | 'clock' | 'disk'> & { store: Omit<Runtime['store'], 'write'>; now: number }

/** @param reason why the service is not ready, or null */
export async function healthOf(context: Context, reason: string | null): Promise<Health> {
  const { config, store } = context
  const [workers, counts, relays, milestones, space] = await Promise.all([
    workersOf(context),
    countsOf(context),
    relaysHeldBack(context),
    reachedMilestones(store.db),
    diskSpace(context),
  ])
  const { backup, restore_rehearsal } = milestones
  return {
    version,
    build: build.id,
    build_date: build.date,
    uptime_seconds: Math.round(process.uptime()),
    ready: reason === null,
    reason,
    ...workers,
    ...counts,
    relays_held_back: relays,
    disk: { ...space, database_bytes: databaseBytes(config) },
    backup: backup
      ? {
          made_on: iso(backup.at),
          file: String(backup.details.file ?? ''),
          size_bytes: Number(backup.details.size_bytes ?? 0),
        }
      : null,
    restore_rehearsal: restore_rehearsal ? { made_on: iso(restore_rehearsal.at) } : null,
  }
}

interface WorkerRow {
  host: string
  pid: number
  started_at: number
  alive_until: number
  loops: string
  messages: number
}

async function workersOf({ store, now }: Context): Promise<Pick<Health, 'workers' | 'loops'>> {
  const rows = await store.db.all<WorkerRow>(sql`
    SELECT w.host, w.pid, w.started_at, w.alive_until, w.loops, (
      SELECT count(*) FROM deliveries WHERE worker_id = w.id AND status IN ('leased', 'sending')) AS messages
    FROM workers w WHERE w.alive_until > ${now} ORDER BY w.started_at, w.id`)
  return {
    workers: rows.map(({ host, pid, started_at, alive_until, messages }) => ({
      host,
      pid,
      started_on: iso(started_at),
      last_heartbeat_on: iso(alive_until - ALIVE_MS),
      messages,
    })),
    loops: rows.flatMap(({ host, pid, loops }) =>
      Object.entries(JSON.parse(loops) as LoopRuns).map(([name, { started_at, ended_at, failed_at, lag_ms }]) => ({
        name,
        host,
        pid,
        running: ended_at === null,
        last_run_on: iso(started_at),
        took_ms: ended_at === null ? null : ended_at - started_at,
        failed_on: isoOrNull(failed_at),
        lag_ms,
      })),
    ),
  }
}

type Counts = Pick<Health, 'outbox' | 'jobs' | 'receipts' | 'account_mail' | 'campaigns'>

async function countsOf({ store, now }: Context): Promise<Counts> {
  const byState = async (query: typeof OUTBOX) =>
    Object.fromEntries((await store.heavy<{ state: string; n: number }>(query)).map(({ state, n }) => [state, n]))
  const [outbox, jobs, rows] = await Promise.all([
    byState(OUTBOX),
    byState(JOBS),
    store.heavy<Record<string, number | null>>(sql`
      SELECT
        (SELECT count(*) FROM receipts WHERE state = 'pending' AND created_at <= ${now - STUCK_MS}) AS stuck,
        (SELECT min(created_at) FROM receipts
          WHERE state = 'pending' AND created_at <= ${now - STUCK_MS}) AS stuck_since,
        (SELECT count(*) FROM account_messages WHERE state = 'queued') AS mail_queued,
        (SELECT count(*) FROM account_messages
          WHERE created_at > ${now - DAY_MS} AND state = 'failed') AS mail_failed,
        ${DUE}`),
  ])
  const found = one(rows)
  const count = (name: string) => found[name] ?? 0
  return {
    outbox: {
      queued: outbox.queued ?? 0,
      leased: outbox.leased ?? 0,
      sending: outbox.sending ?? 0,
      oldest_due_on: isoOrNull(oldestDue(found)),
    },
    jobs: { queued: jobs.queued ?? 0, running: jobs.running ?? 0, oldest_due_on: isoOrNull(found.job_due) },
    receipts: { stuck: count('stuck'), oldest_on: isoOrNull(found.stuck_since) },
    account_mail: { queued: count('mail_queued'), failed_in_last_day: count('mail_failed') },
    campaigns: { sending: count('sending'), paused: count('paused') },
  }
}

function relaysHeldBack({ store }: Context): Promise<Health['relays_held_back']> {
  return store.heavy(sql`
    SELECT p.public_id AS project_id, p.name AS project, c.id AS connection_id, c.name, c.last_error AS error
    FROM connections c JOIN projects p ON p.id = c.project_id
    WHERE c.last_error IS NOT NULL ORDER BY c.id LIMIT ${MAX_RELAYS}`)
}

/** The database file with its log; null on a libSQL server. */
function databaseBytes(config: Runtime['config']): number | null {
  const url = databaseUrl(config)
  if (!url.startsWith('file:')) return null
  const sizeOf = (suffix: string) => statSync(filePath(url) + suffix, { throwIfNoEntry: false })?.size ?? 0
  return sizeOf('') + sizeOf('-wal')
}
