import { isAboutSender, type SmtpOutcome } from '../../mail/smtp-outcome.ts'
import type { Outcome } from './outcome.ts'

/**
 * Stops a campaign whose relay fails, before many recipients are lost to it (docs/api/delivery.md#brake). It counts
 * what this process hands over, never what a kill left in doubt.
 */
export interface Brake {
  /** Notes how an attempt ended. `answer`: what the relay said; null when it was not asked. */
  record(outcome: Outcome, answer: SmtpOutcome | null): void
  /** Why the campaign has to stop; null while it may continue. */
  readonly tripped: Trip | null
  /** The relay's words when 20 messages in a row were refused for now; once for each such series, else null. */
  newlyDeferring(): string | null
  /** The start values of the campaign's next brake, once people have resumed it. */
  readonly next: BrakeStart
}

interface Trip {
  /** The relay's answer. */
  words: string
  /** True when the relay has accepted no message at all; false when it fails too large a share. */
  accepts_none: boolean
}

interface BrakeStart {
  /** The share of the last messages above which the brake trips. */
  max_share?: number
  /** The relay has accepted a message of the campaign before. */
  accepted?: boolean
}

const IN_A_ROW = 20
/** Failures of any kind that stop a campaign of which the relay has accepted no message. */
const NONE_ACCEPTED = 300
const WINDOW = 200
const MAX_SHARE = 0.05
/** After people resumed a campaign, the share that stops it again, as a multiple of the share that stopped it. */
const NEXT_STOP_AT = 1.5

export function createBrake({ max_share = MAX_SHARE, accepted: before = false }: BrakeStart = {}): Brake {
  /** For each of the last messages, whether the relay failed it. */
  const last: boolean[] = []
  let accepted = before
  let in_a_row = 0
  let failed = 0
  /** Failures of any kind, and the equal refusals at the end of them. */
  let unaccepted = 0
  let equal = 0
  let refusal = ''
  let tripped: Trip | null = null
  let deferred = 0
  let deferring: string | null = null

  const recordLoss = (answer: SmtpOutcome): void => {
    unaccepted += 1
    const same = refusalKey(answer)
    equal = same === refusal ? equal + 1 : 1
    refusal = same
  }
  const shouldStop = (): boolean => in_a_row >= IN_A_ROW || failed >= WINDOW * max_share
  const acceptsNone = (): boolean => !accepted && ((refusal !== '' && equal >= IN_A_ROW) || unaccepted >= NONE_ACCEPTED)

  return {
    record(outcome, answer) {
      deferred = outcome.status === 'retry' ? deferred + 1 : 0
      if (outcome.status === 'retry' && deferred === IN_A_ROW) deferring = outcome.error
      accepted ||= outcome.status === 'sent'
      const isFailure = isRelayFailure(outcome, answer)
      if (isFailure === null || tripped !== null) return
      last.push(isFailure)
      in_a_row = isFailure ? in_a_row + 1 : 0
      failed += Number(isFailure) - Number(last.length > WINDOW && last.shift())
      if (answer && outcome.status !== 'sent') recordLoss(answer)
      const accepts_none = acceptsNone()
      if (accepts_none || shouldStop()) tripped = { words: 'error' in outcome ? outcome.error : '', accepts_none }
    },
    get tripped() {
      return tripped
    },
    newlyDeferring() {
      const words = deferring
      deferring = null
      return words
    },
    get next() {
      return { max_share: Math.max(max_share, (failed / WINDOW) * NEXT_STOP_AT), accepted }
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
  if (!('stage' in answer) || isAboutSender(answer)) return false
  const { enhanced = '', stage, code } = answer
  return /^\d\.[12]\./.test(enhanced) || (stage === 'rcpt' && (code === 501 || code === 553))
}

/**
 * A key that is equal for refusals of one kind. It leaves out the relay's text, which names the recipient or the
 * message. Empty for an answer that is no refusal.
 */
function refusalKey(answer: SmtpOutcome): string {
  return 'stage' in answer && answer.code !== undefined ? `${answer.stage} ${answer.code} ${answer.enhanced ?? ''}` : ''
}
