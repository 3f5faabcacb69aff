import { readFileSync } from 'node:fs'
import { and, eq, gt, inArray, lte, ne, sql } from 'drizzle-orm'
import type { Reader, Tx } from './open.ts'
import { hasRows } from './rows.ts'
import { type LoopRuns, workers } from './tables/operation.ts'

/**
 * Leases of workers (docs/api/delivery.md#leases). A leased row carries its worker's id, and the lease is valid while
 * the worker's own row is fresh, so no leased row needs a time of its own. The row of a worker that died expires; on
 * the same machine a new process removes it at once.
 */
export const ALIVE_MS = 20_000
export const HEARTBEAT_MS = 5_000

export interface WorkerIdentity {
  id: string
  host: string
  pid: number
}

/**
 * Inserts the row of a worker, again where others declared it dead. On a database file it also removes the rows of dead
 * processes of this machine, so that their work is recovered now; a row with this process's own number is from before a
 * restart. On a server, host name and process number may be those of another container, so rows have to expire.
 */
export async function registerWorker(
  tx: Tx,
  worker: WorkerIdentity,
  database: 'file' | 'server',
  now: number,
): Promise<void> {
  if (database === 'file') await removeDeadProcesses(tx, worker)
  const alive_until = now + ALIVE_MS
  await tx
    .insert(workers)
    .values({ ...worker, started_at: now, alive_until })
    .onConflictDoUpdate({ target: workers.id, set: { alive_until } })
}

async function removeDeadProcesses(tx: Tx, worker: WorkerIdentity): Promise<void> {
  const sameHost = await tx
    .select({ id: workers.id, pid: workers.pid })
    .from(workers)
    .where(and(eq(workers.host, worker.host), ne(workers.id, worker.id)))
  const dead = sameHost.filter(({ pid }) => pid === worker.pid || !processIsAlive(pid)).map(({ id }) => id)
  if (dead.length > 0) await tx.delete(workers).where(inArray(workers.id, dead))
}

/**
 * By how much this machine's clock is certainly off that of a database server, in milliseconds. The server reads its
 * clock between question and answer, so a slow answer is no difference. Processes on several machines judge by the time
 * whether others are alive, so their clocks must agree far better than `ALIVE_MS`.
 */
async function clockSkew(db: Reader, now: () => number): Promise<number> {
  const before = now()
  const [server] = await db.all<{ at: number }>(
    sql`SELECT CAST(round((julianday('now') - 2440587.5) * 86400000) AS INTEGER) AS at`,
  )
  return Math.max(0, before - server!.at) || Math.min(0, now() - server!.at)
}

const MAX_SKEW_MS = 5_000

/** Throws when the clocks differ by more than `MAX_SKEW_MS`. */
export async function requireSameTime(db: Reader, now: () => number): Promise<void> {
  const skew_ms = await clockSkew(db, now)
  if (Math.abs(skew_ms) > MAX_SKEW_MS) {
    throw new Error(
      `The clock of this machine is ${Math.round(Math.abs(skew_ms) / 1000)} seconds ` +
        `${skew_ms > 0 ? 'ahead of' : 'behind'} that of the database server. Set both by NTP: processes judge by the ` +
        `time whether others are alive.`,
    )
  }
}

/**
 * Extends a worker's row, with what its loops did last. False when the row is gone: the worker has lost its leases.
 */
export async function keepAlive(tx: Tx, id: string, now: number, loops: LoopRuns = {}): Promise<boolean> {
  return hasRows(
    await tx
      .update(workers)
      .set({ alive_until: now + ALIVE_MS, loops })
      .where(eq(workers.id, id))
      .returning({ id: workers.id }),
  )
}

/** Removes expired rows. */
export async function removeDeadWorkers(tx: Tx, now: number): Promise<void> {
  await tx.delete(workers).where(lte(workers.alive_until, now))
}

export async function removeWorker(tx: Tx, id: string): Promise<void> {
  await tx.delete(workers).where(eq(workers.id, id))
}

export async function livingWorkers(db: Reader, now: number): Promise<string[]> {
  const rows = await db.select({ id: workers.id }).from(workers).where(gt(workers.alive_until, now))
  return rows.map(({ id }) => id)
}

/** Whether a process of this machine is running. */
export function processIsAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  return !isThreadOrZombie(pid)
}

/** Signals also reach threads by their numbers, and processes that ended and were not waited for. */
function isThreadOrZombie(pid: number): boolean {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return !status.includes(`\nTgid:\t${pid}\n`) || status.includes('\nState:\tZ')
  } catch {
    return false
  }
}
