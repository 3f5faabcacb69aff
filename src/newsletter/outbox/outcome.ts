import { HOUR_MS } from '../../clock.ts'
import type { SmtpOutcome } from '../../mail/smtp-outcome.ts'
import { AT_ONCE } from './outbox.ts'

/** The outcome of one attempt to hand a message over; see docs/api/delivery.md#retries. */
export type Outcome =
  | { status: 'sent' }
  | { status: 'failed' | 'uncertain' | 'bounced' | 'skipped'; error: string }
  /**
   * `retry`: the relay refused for now. `unreachable`: the relay could not be reached, and `unsent`: the message was
   * not handed over, which are not attempts.
   */
  | { status: 'retry' | 'unreachable' | 'unsent'; error: string; due_at: number }

/** Pauses between the attempts of one message: five attempts within an hour. */
const RETRY_MS = [60_000, 300_000, 900_000, 1_800_000]
/** Pauses when the relay speaks of a quota or a rate: seven attempts within 72 hours, since a day's quota returns. */
const QUOTA_RETRY_MS = [1.5, 4, 8, 16, 24, 18].map((hours) => hours * HOUR_MS)
/** Words by which relays say that too much was sent, not that the message is unwelcome. */
const SPEAKS_OF_QUOTA = new RegExp(
  '\\b(?:quotas?|rates?|rate-?limit(?:ed|ing)?|throttl\\w+|limit\\w*|exceed\\w*|volume|allowance|daily|hourly|' +
    'too (?:many|much|fast|quickly|often)|per (?:second|minute|hour|day))\\b',
  'i',
)
/** When a message is due again whose relay was unreachable. */
const RELAY_DOWN_MS = 30_000
/** Messages fail when their relay has been unreachable for longer. */
const GIVE_UP_MS = 72 * HOUR_MS

/**
 * What an answer of the relay means for a message; null is a message that could not be composed. `down_since`: since
 * when the relay has been unreachable, or null.
 */
export function outcomeOf(
  answer: SmtpOutcome | null,
  { attempts, created_at }: { attempts: number; created_at: number },
  { down_since, now }: { down_since: number | null; now: number },
): Outcome {
  if (!answer) return { status: 'failed', error: 'The message could not be composed.' }
  if (answer.kind === 'sent') return { status: 'sent' }
  if (answer.kind === 'uncertain') return { status: 'uncertain', error: answer.message }
  const { code = '', enhanced = '', message } = answer
  const codes = code !== '' && message.startsWith(String(code)) ? '' : `${code} ${enhanced} `
  const error = `${codes}${message}`.replace(/\s+/g, ' ').trim().slice(0, 500)
  if (wasUnreachable(answer)) {
    // A message that is younger than the outage has its own 72 hours.
    return down_since !== null && now - Math.max(down_since, created_at) > GIVE_UP_MS
      ? { status: 'failed', error }
      : { status: 'unreachable', error, due_at: now + RELAY_DOWN_MS }
  }
  if (answer.kind === 'permanent' && answer.scope === 'recipient') {
    return answer.bad_address ? { status: 'bounced', error } : { status: 'failed', error }
  }
  const pauses = answer.kind === 'temporary' && SPEAKS_OF_QUOTA.test(answer.message) ? QUOTA_RETRY_MS : RETRY_MS
  const pause_ms = pauses[attempts]
  return pause_ms === undefined ? { status: 'failed', error } : { status: 'retry', error, due_at: now + pause_ms }
}

/** The outcome of a message that was marked and not handed over. */
export function unsent(): Outcome {
  return { status: 'unsent', error: 'The message was not handed over yet.', due_at: AT_ONCE }
}

/** Whether the connection failed before the relay was told of any recipient. */
export function wasUnreachable(answer: SmtpOutcome): boolean {
  return 'scope' in answer && answer.scope === 'connection' && BEFORE_THE_ENVELOPE.has(answer.stage)
}

const BEFORE_THE_ENVELOPE: ReadonlySet<string> = new Set(['connect', 'greeting', 'tls', 'auth'])
