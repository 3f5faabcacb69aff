import { invalid } from '../../../errors.ts'
import { readMailReports, type Report } from '../../../mail/reports.ts'
import { sharedCopy, TaskTimeout } from '../../../threads/heavy.ts'
import type { HeavyTask, Store } from '../../../store/open.ts'

/** Bytes of a message that is read on the thread that answers; bounces that quote only headers are shorter. */
const SMALL = 32 * 1024
/** A message of this service has one recipient. */
const MAX_REPORTS = 1000
/** The slowest known message of the largest size takes four seconds of CPU. */
const TIMEOUT_MS = 15_000

/**
 * Reads the reports in a message, which anyone may have sent: a large one on another thread. Throws VALIDATION_FAILED
 * for a message that cannot be read, or not in time.
 */
export async function readMailAside(store: Pick<Store, 'heavyTask'>, message: Buffer): Promise<Report[]> {
  try {
    const reports =
      message.length <= SMALL ? await readOrNull(message) : await store.heavyTask(mailTask, await sharedCopy(message))
    if (reports === null) throw invalid('', 'This message cannot be read.')
    return reports
  } catch (error) {
    if (error instanceof TaskTimeout) throw invalid('', 'This message takes too long to read.')
    throw error
  }
}

export const mailTask: HeavyTask<Uint8Array, Report[] | null> = {
  name: 'read_mail',
  timeout_ms: TIMEOUT_MS,
  run: (_, message) => readOrNull(Buffer.from(message)),
}

async function readOrNull(message: Buffer): Promise<Report[] | null> {
  try {
    return (await readMailReports(message)).slice(0, MAX_REPORTS)
  } catch {
    // The parser refuses headers that are too long.
    return null
  }
}
