import { Cron } from 'croner'
import { HOUR_MS } from '../clock.ts'
import type { Config } from '../config.ts'
import type { Runtime } from '../runtime.ts'
import { databaseUrl } from '../instance.ts'
import { reachedMilestones, reachMilestone } from '../store/milestones.ts'
import type { Reader, Tx } from '../store/open.ts'
import { destinationOf, keepsBackups } from './configured.ts'
import type { Made } from './make.ts'

/** How it is with the backups of a service. Times are milliseconds. */
export interface BackupState {
  /** Whether the service makes them by itself. */
  is_scheduled: boolean
  /** When the last proven one was begun. */
  made_at: number | null
  proven_at: number | null
  size_bytes: number | null
  /** When facts were copied last, to within a minute. */
  facts_shipped_at: number | null
  /** The last one failed, or could not be proven. */
  failed: { at: number; message: string } | null
  /** Whether the schedule asks for one now. */
  is_due: boolean
  /** What an operator should do something about, as a sentence; null when all is well. */
  warning: string | null
}

/** After a scheduled time a backup may take so long, with another attempt, before it counts as missed. */
const GRACE_MS = 3 * HOUR_MS

type Milestones = Awaited<ReturnType<typeof reachedMilestones>>

/** The state of the backups by what the database knows; null for a libSQL server, which has its own tools. */
export async function backupState(db: Reader, config: Config, now: number): Promise<BackupState | null> {
  return databaseUrl(config).startsWith('file:') ? stateOf(await reachedMilestones(db), config, now) : null
}

/** When the last backup was proven; null for none, and on a libSQL server. */
export async function lastProven({ store, config, clock }: Pick<Runtime, 'store' | 'config' | 'clock'>) {
  return (await backupState(store.db, config, clock.now()))?.proven_at ?? null
}

/** As `backupState`, for milestones that were read otherwise. */
export function stateOf(
  { proven_backup: proven, failed_backup: failed, shipped_facts }: Milestones,
  config: Config,
  now: number,
) {
  const is_scheduled = keepsBackups(config)
  // A backup in a place that is no longer configured says nothing about the present one.
  const made = proven?.details.place === destinationOf(config).shown('') ? proven : undefined
  const due_at = made ? nextAfter(config.backup_schedule, made.at) : 0
  const state = {
    is_scheduled,
    made_at: made?.at ?? null,
    proven_at: made ? Number(made.details.proven_at) : null,
    size_bytes: made ? Number(made.details.size_bytes) : null,
    facts_shipped_at: shipped_facts?.at ?? null,
    failed: failed && failed.at > (made?.at ?? 0) ? { at: failed.at, message: String(failed.details.message) } : null,
    is_due: is_scheduled && due_at !== null && due_at <= now,
  }
  return { ...state, warning: warningOf(state, due_at, now) } satisfies BackupState
}

function warningOf(state: Omit<BackupState, 'warning'>, due_at: number | null, now: number): string | null {
  if (state.failed) return `The last backup failed: ${state.failed.message}`
  if (!state.is_scheduled)
    return 'No backups are made by themselves. Set MASTHEAD_BACKUP_DIR or MASTHEAD_BACKUP_S3_BUCKET.'
  if (state.made_at === null) return 'There is no proven backup yet.'
  return due_at !== null && due_at + GRACE_MS < now ? 'The last scheduled backup was not made.' : null
}

function nextAfter(pattern: string, at: number): number | null {
  return new Cron(pattern, { paused: true }).nextRun(new Date(at))?.getTime() ?? null
}

/** Records a backup of `now` as the last one of the service. */
export async function noteBackup(tx: Tx, config: Config, made: Made, now: number): Promise<void> {
  const { file, size_bytes, proven_on, problem } = made
  await reachMilestone(tx, 'backup', { at: now, details: { file, size_bytes } })
  if (proven_on === null) return noteFailure(tx, problem ?? '', now)
  const proven_at = Date.parse(proven_on)
  const place = destinationOf(config).shown('')
  await reachMilestone(tx, 'restore_rehearsal', { at: proven_at, details: { file, size_bytes } })
  await reachMilestone(tx, 'proven_backup', { at: now, details: { file, size_bytes, proven_at, place } })
}

export async function noteFailure(tx: Tx, message: string, now: number): Promise<void> {
  await reachMilestone(tx, 'failed_backup', { at: now, details: { message: message.slice(0, 1000) } })
}
