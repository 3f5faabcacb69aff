import { hostname } from 'node:os'
import { resolve } from 'node:path'
import { systemClock } from '../clock.ts'
import type { Config } from '../config.ts'
import { databaseUrl, dataFolder } from '../instance.ts'
import { withDatabaseFile } from '../store/backup.ts'
import { claim } from '../store/claim.ts'
import { filePath } from '../store/file-path.ts'
import { processIsAlive } from '../store/lease.ts'
import type { Store } from '../store/open.ts'
import { Failure } from './command.ts'

/** A service that was told to end takes less (docs/operations.md#shutdown). */
const ENDING_MS = 10_000
const LOOK_EACH_MS = 100

export interface Waiting {
  /** Called once, with the process id of the service where it is known. */
  begins(process_id: number | null): void
  /** Whether to stop waiting. */
  givenUp(): boolean
}

/** Runs what needs the database file for itself. Throws a Failure while another process has claimed it. */
export async function alone<T>(config: Config, work: () => Promise<T>): Promise<T> {
  const release = await claimDatabase(config)
  try {
    return await work()
  } finally {
    release()
  }
}

/**
 * Claims the database file for a service, or for a command that no service may run beside. A libSQL server is shared.
 * Throws a Failure that names the process which has the file.
 * @param waiting how to wait for a service that may be ending; without it, there is no wait
 */
export async function claimDatabase(config: Config, waiting?: Waiting): Promise<() => void> {
  const url = databaseUrl(config)
  if (!url.startsWith('file:')) return () => undefined
  dataFolder(config) // The native module of the database lies below it.
  const database = resolve(filePath(url))
  const release = claim(database) ?? (waiting ? await claimLater(database, waiting) : null)
  if (release) return release
  const server = await serviceOn(database)
  throw server === null ? new Failure('Another process has the database open. Stop it first.') : serviceRuns(server)
}

async function claimLater(database: string, { begins, givenUp }: Waiting): Promise<(() => void) | null> {
  begins(await serviceOn(database))
  for (let waited_ms = 0; waited_ms < ENDING_MS && !givenUp(); waited_ms += LOOK_EACH_MS) {
    await Bun.sleep(LOOK_EACH_MS)
    const release = claim(database)
    if (release) return release
  }
  return null
}

function serviceOn(database: string): Promise<number | null> {
  return withDatabaseFile(database, runningServer).catch(() => null)
}

export function serviceRuns(process_id: number): Failure {
  return new Failure(`A service is running on this database (process ${process_id}). Stop it first.`)
}

/** The process id of a service on this machine that uses the database, or null. */
export async function runningServer(query: Store['query']): Promise<number | null> {
  const live = 'SELECT pid FROM workers WHERE host = ? AND alive_until > ?'
  const rows = await query(live, [hostname(), systemClock.now()]).catch(() => [])
  return rows.map((row) => Number(row.pid)).find(processIsAlive) ?? null
}
