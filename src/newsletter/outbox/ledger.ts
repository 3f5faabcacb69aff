import type { SQL } from 'drizzle-orm'
import type { Tx } from '../../store/open.ts'
import { suppress } from '../suppressions/suppression.ts'
import { bounceDetail } from '../tracking/event-detail.ts'
import { type NewEvent, recordEvents } from '../tracking/events.ts'
import { type Lease, type Leased, mark, settle, type Settlement } from './outbox.ts'
import type { Outcome } from './outcome.ts'
import { countHandedOver, countSent, type Limits, withinLimits } from './quota.ts'

/** A message that was handed over, and its outcome. */
export interface Handed {
  message: Leased
  outcome: Outcome
}

/** By id. A missing message was not marked: the stream is paused or canceled, a limit reached, or the lease lost. */
type Verdicts = ReadonlyMap<number, 'sending' | 'skipped'>

export interface LedgerOptions {
  lease: Lease
  limits: Limits
  /** Whether a leased message may still go to its recipient: a condition over the row `delivery` of `deliveries`. */
  may_send: SQL
  /** Whether the stream may still send at all. */
  running: SQL
  /** The Message-ID that a message will carry at every attempt. */
  messageId(row: Leased): string
}

/**
 * Writes one group in one transaction: the outcomes of messages that were handed over, and the marks of those that are
 * next. Marking checks consent again, at the last moment before a message is handed over.
 */
export async function writeLedger(
  tx: Tx,
  options: LedgerOptions,
  { handed, next, now }: { handed: readonly Handed[]; next: readonly Leased[]; now: number },
): Promise<Verdicts> {
  if (handed.length > 0) await settleAll(tx, options, handed, now)
  return next.length > 0 ? markAll(tx, options, next, now) : new Map()
}

async function markAll(tx: Tx, options: LedgerOptions, next: readonly Leased[], now: number): Promise<Verdicts> {
  const allowed = next.slice(0, await withinLimits(tx, options.limits, next.length, now))
  if (allowed.length === 0) return new Map()
  const marked = await mark(tx, options.lease, {
    messages: allowed.map((row) => ({ id: row.id, message_id: options.messageId(row) })),
    may_send: options.may_send,
    running: options.running,
    skipped_because: SKIPPED,
  })
  const skipped = marked.filter(({ status }) => status === 'skipped')
  await recordEvents(
    tx,
    skipped.map(({ id, status: _, ...recipient }) => ({
      ...recipient,
      delivery_id: id,
      type: 'skipped' as const,
      at: now,
      detail: SKIPPED,
    })),
  )
  await countSent(tx, options.limits, marked.length - skipped.length, now)
  await countHandedOver(tx, options.limits, marked.length - skipped.length)
  return new Map(marked.map(({ id, status }) => [id, status]))
}

/** The outcomes of messages that count as sent, in limits as in reports. */
const COUNTED: ReadonlySet<Outcome['status']> = new Set(['sent', 'uncertain', 'bounced'])

/** The `last_error` of a skipped message. */
export const SKIPPED =
  'The recipient unsubscribed, was suppressed or changed address before the message was handed over.'

/** Writes outcomes. Only rows that the lease still holds change quotas, events and suppressions. */
export async function settleAll(
  tx: Tx,
  options: Pick<LedgerOptions, 'lease' | 'limits'>,
  handed: readonly Handed[],
  now: number,
): Promise<void> {
  const settled = await settle(tx, options.lease, handed.map(settlementOf), {
    in_sandbox: options.limits.in_sandbox,
    now,
  })
  const ours = handed.filter(({ message }) => settled.has(message.id))
  await recordEvents(
    tx,
    ours.flatMap(({ message, outcome }) => eventOf(message, outcome, now) ?? []),
  )
  // A message in doubt may have arrived, so it stays counted. One to an address that does not exist counts as sent
  // everywhere, whether the relay or a later report says so.
  const refused = ours.filter(({ outcome }) => !COUNTED.has(outcome.status))
  await countSent(tx, options.limits, -refused.length, now)
  await countHandedOver(tx, options.limits, -refused.length)
  for (const { message, outcome } of ours) {
    if (outcome.status === 'bounced') {
      await suppress(tx, {
        project_id: message.project_id,
        email: message.email,
        reason: 'hard_bounce',
        note: outcome.error.slice(0, 500),
        now,
      })
    }
  }
}

function settlementOf({ message: { id }, outcome }: Handed): Settlement {
  if (outcome.status === 'sent') return { id, to: 'sent', error: null }
  const { status, error } = outcome
  return 'due_at' in outcome
    ? { id, to: 'queued', error, due_at: outcome.due_at, counts: status === 'retry' }
    : { id, to: outcome.status, error }
}

const EVENTS = {
  sent: 'sent',
  failed: 'failed',
  uncertain: 'uncertain',
  bounced: 'bounce',
  skipped: 'skipped',
} as const

/** The event of an outcome; null for a message that waits for its next attempt. */
function eventOf(
  { id, project_id, kind, campaign_id, contact_id, email }: Leased,
  outcome: Outcome,
  now: number,
): NewEvent | null {
  if ('due_at' in outcome) return null
  return {
    project_id,
    campaign_id: kind === 'campaign' ? campaign_id : null,
    contact_id,
    delivery_id: id,
    email,
    at: now,
    type: EVENTS[outcome.status],
    ...(outcome.status !== 'sent' && {
      detail: outcome.status === 'bounced' ? bounceDetail('hard', outcome.error) : outcome.error,
    }),
  }
}
