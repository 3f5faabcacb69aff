import { type Fault, FAULT_TEXT } from '../../store/faults.ts'

/** Failures of one step, without a success between them, that fail the job. */
const TRIES = 3

/**
 * What the failure of a step does to its job: it waits for room on a full disk, fails at once on a damaged one, which
 * does not mend itself, and else after three failures. The reason is general; the log has the error itself.
 */
export function failureOf(before: number, fault: Fault | null): { attempts: number; failed: boolean; reason: string } {
  if (fault === 'full') return { attempts: before, failed: false, reason: FAULT_TEXT.full }
  const attempts = before + 1
  const reason =
    fault === null ? 'The work stopped on an unexpected error; see the log of the service.' : FAULT_TEXT[fault]
  return { attempts, failed: attempts >= TRIES || fault !== null, reason }
}
