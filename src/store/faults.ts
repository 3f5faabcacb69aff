import { AppError, SilentDatabase } from '../errors.ts'
import { errorFields, type Log } from '../log.ts'
import { chain } from './constraint.ts'

/** Seconds after which a caller may try again. */
const RETRY_AFTER_S = '5'

/**
 * The error to answer when the database is full or does not respond (docs/api/errors.md#codes); null for any other
 * error.
 */
export function databaseRefusal(error: unknown): AppError | null {
  if (error instanceof AppError) return null
  if (faultOf(error) === 'full') return noRoom(error)
  if (!isSilent(error)) return null
  return new AppError('DATABASE_UNAVAILABLE', 'The database does not answer. Try again in a moment.', {
    cause: error,
    headers: { 'Retry-After': RETRY_AFTER_S },
  })
}

/** INSUFFICIENT_STORAGE, for writes that are refused while the disk is full. */
export function noRoom(cause?: unknown): AppError {
  return new AppError(
    'INSUFFICIENT_STORAGE',
    'The disk of the service is full, so nothing was changed. Try again later.',
    {
      cause,
    },
  )
}

/** Throws INSUFFICIENT_STORAGE while the disk is full. For writes that can wait (docs/operations.md#full-disk). */
export function requireRoomOnDisk(store: { faults?: Pick<Faults, 'current'> }): void {
  if (store.faults?.current() === 'full') throw noRoom()
}

/** Whether the server of the database could not be reached, or did not answer in time. */
export function isSilent(error: unknown): boolean {
  return chain(error).some((link) => link instanceof SilentDatabase)
}

/** An error message about an unusable database. Credentials in the URL are left out. */
export function unreachableText(url: string, what: 'opened' | 'reached', reason: unknown): string {
  const shown = url.replace(/\/\/[^@/]*@/, '//')
  return `The database ${shown} cannot be ${what}: ${reason instanceof Error ? reason.message : String(reason)}`
}

/** Faults of the disk, or of the database file on it. */
export type Fault = 'full' | 'unreadable' | 'damaged'

/** Faults by the error codes of SQLite and the system, the least severe first. */
const KINDS: readonly [Fault, RegExp][] = [
  ['full', /^(SQLITE_FULL|ENOSPC|EDQUOT)/],
  ['unreadable', /^(SQLITE_IOERR|EIO$)/],
  ['damaged', /^SQLITE_(CORRUPT|NOTADB)/],
]

export const FAULTS: readonly Fault[] = KINDS.map(([fault]) => fault)

/** The disk fault that an error or one of its causes reports; null for any other error. */
export function faultOf(error: unknown): Fault | null {
  const codes = chain(error).map(({ code }) => String(code ?? ''))
  return KINDS.findLast(([, pattern]) => codes.some((code) => pattern.test(code)))?.[0] ?? null
}

/**
 * Messages for operators: what a fault means and what to do (docs/operations.md#damage). Also the stored reason of
 * failed jobs and paused campaigns.
 */
export const FAULT_TEXT: Readonly<Record<Fault, string>> = {
  full: 'The disk is full. Only opt-outs, reports of bounces and outcomes of messages are stored until it has room.',
  unreadable: 'The disk fails: the database cannot be read or written. Check the disk, then restart the service.',
  damaged: 'The database is damaged. Stop the service, check the disk and restore a backup.',
}

/** The most severe fault that any thread of the process has seen, in shared memory. */
export interface Faults {
  readonly memory: SharedArrayBuffer
  current(): Fault | null
  /**
   * Records the fault of an error that a statement or a file operation threw; returns it, or null for any other error.
   */
  see(error: unknown): Fault | null
  /** Clears the fault `full`, because the disk has room again. Other faults stay until the process ends. */
  hasRoom(): void
}

/** @param told called once for each new worst fault, on the thread that saw it */
export function createFaults(
  memory: SharedArrayBuffer = new SharedArrayBuffer(4),
  told: (fault: Fault, error: unknown) => void = () => undefined,
): Faults {
  const worst = new Int32Array(memory)
  return {
    memory,
    current: () => KINDS[Atomics.load(worst, 0) - 1]?.[0] ?? null,
    see(error) {
      const fault = faultOf(error)
      if (fault === null) return null
      const rank = KINDS.findIndex(([kind]) => kind === fault) + 1
      for (let known = Atomics.load(worst, 0); known < rank; known = Atomics.load(worst, 0))
        if (Atomics.compareExchange(worst, 0, known, rank) === known) {
          told(fault, error)
          break
        }
      return fault
    },
    hasRoom: () => void Atomics.compareExchange(worst, 0, 1, 0),
  }
}

/** A callback for `createFaults` that logs the fault and its error. */
export function faultLog(log: Log): (fault: Fault, error: unknown) => void {
  return (fault, error) => log.error(FAULT_TEXT[fault], errorFields(error))
}
