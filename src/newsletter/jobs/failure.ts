import { type Fault, FAULT_TEXT } from '../../store/faults.ts'

/** Failures of one step, without a success between them, that fail the job. */
const TRIES = 3

/**
 * Decides what a failed step does to its job. On a full disk the job waits for room. For a damaged or unreadable
 * database it fails at once, because that does not pass. Otherwise it fails after three failures in a row. The stored
 * reason is general; the log has the error itself.
 */
export function failureOf(before: number, fault: Fault | null): { attempts: number; failed: boolean; reason: string } {
  if (fault === 'full') return { attempts: before, failed: false, reason: FAULT_TEXT.full }
  const attempts = before + 1
  const reason =
    fault === null ? 'The work stopped on an unexpected error; see the log of the service.' : FAULT_TEXT[fault]
  return { attempts, failed: attempts >= TRIES || fault !== null, reason }
}
