import type { SmtpOutcome } from '../../mail/smtp-outcome.ts'
import type { Outcome } from './outcome.ts'

/**
 * Stops a campaign whose relay fails, before many recipients are lost to it (docs/api/delivery.md#brake). It counts
 * what this process hands over, never what a kill left in doubt.
 */
export interface Brake {
  /** Notes how an attempt ended. `answer`: what the relay said; null when it was not asked. */
  record(outcome: Outcome, answer: SmtpOutcome | null): void
  /** The relay's words, once the campaign has to stop; null before. */
  readonly tripped: string | null
  /** The relay's words when 20 messages in a row were refused for now; once for each such series, else null. */
  newlyDeferring(): string | null
  /** The share of the last messages above which a brake of the same campaign trips after people resumed it. */
  readonly next_share: number
}

const IN_A_ROW = 20
const WINDOW = 200
const MAX_SHARE = 0.05
/** After people resumed a campaign, the share that stops it again, as a multiple of the share that stopped it. */
const NEXT_STOP_AT = 1.5

export function createBrake(max_share = MAX_SHARE): Brake {
  /** For each of the last messages, whether the relay failed it. */
  const last: boolean[] = []
  let in_a_row = 0
  let failed = 0
  let tripped: string | null = null
  let deferred = 0
  let deferring: string | null = null
  return {
    record(outcome, answer) {
      deferred = outcome.status === 'retry' ? deferred + 1 : 0
      if (outcome.status === 'retry' && deferred === IN_A_ROW) deferring = outcome.error
      const isFailure = isRelayFailure(outcome, answer)
      if (isFailure === null || tripped !== null) return
      last.push(isFailure)
      in_a_row = isFailure ? in_a_row + 1 : 0
      failed += Number(isFailure) - Number(last.length > WINDOW && last.shift())
      if (in_a_row >= IN_A_ROW || failed >= WINDOW * max_share) tripped = 'error' in outcome ? outcome.error : ''
    },
    get tripped() {
      return tripped
    },
    newlyDeferring() {
      const words = deferring
      deferring = null
      return words
    },
    get next_share() {
      return Math.max(max_share, (failed / WINDOW) * NEXT_STOP_AT)
    },
  }
}

/** Whether an attempt ended by a fault that is not the recipient's; null when it says nothing about the relay. */
function isRelayFailure(outcome: Outcome, answer: SmtpOutcome | null): boolean | null {
  if (outcome.status === 'sent' || outcome.status === 'bounced') return false
  if (outcome.status === 'uncertain') return true
  // A message that is tried again has not ended; one that could not be composed or may not go never reached the relay.
  if (outcome.status !== 'failed' || !answer) return null
  return !isAboutAddress(answer)
}

/** RFC 3463: X.1.x is about an address, X.2.x about a mailbox; 501 and 553 at RCPT about how an address is written. */
function isAboutAddress(answer: SmtpOutcome): boolean {
  if (!('stage' in answer)) return false
  const { enhanced = '', stage, code } = answer
  return /^\d\.[12]\./.test(enhanced) || (stage === 'rcpt' && (code === 501 || code === 553))
}
