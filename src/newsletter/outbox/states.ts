import { type SQL, sql } from 'drizzle-orm'
import type { DeliveryStatus } from '../../store/tables/delivery.ts'

/**
 * The life of a delivery: one message to one recipient. `docs/api/delivery.md#states` is drawn from these two tables.
 * Only the verbs in `outbox.ts` change a status; they take their conditions from here.
 */
export const STATES: Record<DeliveryStatus, string> = {
  queued: 'Waits until `next_attempt_at`.',
  leased: 'Held by one worker, which has not marked it yet.',
  sending: 'Marked by its worker: from now on the relay may have the message.',
  sent: 'The relay accepted the message.',
  uncertain: 'The relay may or may not have the message. Only people may send it again.',
  failed: 'The relay refused it for good, it was tried too often, or it could not be composed.',
  bounced: 'The address does not exist; it is suppressed.',
  skipped: 'The recipient unsubscribed, was suppressed or changed address before the message was handed over.',
  cancelled: 'The campaign was canceled before the message was handed over.',
}

interface Transition {
  verb: string
  /** Empty for the verb that inserts the row. */
  from: readonly DeliveryStatus[]
  to: DeliveryStatus
  why: string
}

export const TRANSITIONS = [
  { verb: 'enqueue', from: [], to: 'queued', why: 'A message is added to the outbox.' },
  {
    verb: 'revive',
    from: ['cancelled'],
    to: 'queued',
    why: 'A campaign whose audience could not be prepared is sent again.',
  },
  { verb: 'lease', from: ['queued'], to: 'leased', why: 'A worker takes messages that are due.' },
  { verb: 'release', from: ['leased'], to: 'queued', why: 'The worker returns a message that it did not mark.' },
  { verb: 'defer', from: ['leased'], to: 'queued', why: "The message waits for its mailbox provider's rate limit." },
  {
    verb: 'mark',
    from: ['leased'],
    to: 'sending',
    why: 'Consent and limits allow the message; it is handed over next.',
  },
  { verb: 'skip', from: ['leased'], to: 'skipped', why: 'Consent, suppression or the address changed meanwhile.' },
  { verb: 'settle', from: ['sending'], to: 'sent', why: 'The relay accepted the message.' },
  { verb: 'settle', from: ['sending'], to: 'bounced', why: 'The relay says that the address does not exist.' },
  { verb: 'settle', from: ['sending'], to: 'failed', why: 'The relay refused for good, or at the last attempt.' },
  { verb: 'settle', from: ['sending'], to: 'uncertain', why: 'The answer to the handed-over message was lost.' },
  { verb: 'settle', from: ['sending'], to: 'skipped', why: 'As skip, noticed between the mark and the hand-over.' },
  {
    verb: 'retry',
    from: ['sending'],
    to: 'queued',
    why: 'The relay refused for now or was unreachable, or the message was not handed over.',
  },
  { verb: 'drop', from: ['sending'], to: 'cancelled', why: 'As retry, but the campaign was canceled meanwhile.' },
  { verb: 'recover', from: ['leased'], to: 'queued', why: 'The worker died before it marked the message.' },
  { verb: 'recover', from: ['sending'], to: 'uncertain', why: 'The worker died between the final dot and the answer.' },
  { verb: 'cancel', from: ['queued', 'leased'], to: 'cancelled', why: 'People canceled the campaign.' },
  { verb: 'requeue', from: ['failed', 'uncertain'], to: 'queued', why: 'People ask to send the message again.' },
  {
    verb: 'confirm',
    from: ['sending', 'uncertain'],
    to: 'sent',
    why: 'The provider reports a delivery or a hard bounce, or a person opened or clicked.',
  },
  {
    verb: 'replay',
    from: ['queued', 'leased', 'sending', 'uncertain', 'failed', 'skipped', 'cancelled'],
    to: 'sent',
    why: 'The database was restored, and a fact says that the message was handed over.',
  },
  {
    verb: 'replay',
    from: ['queued', 'leased', 'sending', 'uncertain', 'failed', 'skipped', 'cancelled'],
    to: 'uncertain',
    why: 'The database was restored, and a fact says that nobody knows whether the relay took the message.',
  },
  { verb: 'bounce', from: ['sending', 'sent', 'uncertain'], to: 'bounced', why: 'A hard bounce is reported later.' },
] as const satisfies readonly Transition[]

type Verb = (typeof TRANSITIONS)[number]['verb']
/** The statuses that a verb may lead to. */
export type StatusAfter<V extends Verb> = Extract<(typeof TRANSITIONS)[number], { verb: V }>['to']

/** The condition on `status` under which the verbs apply. Throws when they do not start from the same statuses. */
export function statusBefore(verb: Verb, ...others: Verb[]): SQL {
  const from = allowedFrom(verb)
  const differs = others.find((other) => allowedFrom(other).join() !== from.join())
  if (differs) throw new Error(`${verb} and ${differs} start from different statuses.`)
  const literals = from.map(literal)
  // A single value must read `=`: partial indexes are found by their text.
  return sql.raw(literals.length === 1 ? `status = ${literals[0]}` : `status IN (${literals.join(', ')})`)
}

/** The expression for the status that a verb leads to from the present `status`. */
export function statusAfter(verb: Exclude<Verb, 'settle' | 'replay'>): SQL {
  const rows = transitionsOf(verb)
  const [only] = rows
  if (rows.length === 1 && only) return sql.raw(literal(only.to))
  const cases = rows.flatMap(({ from, to }) => from.map((status) => `WHEN ${literal(status)} THEN ${literal(to)}`))
  return sql.raw(`CASE status ${cases.join(' ')} END`)
}

/** Throws when a verb does not lead to a status; answers the status. */
export function allowedAfter<V extends Verb>(verb: V, to: StatusAfter<V>): StatusAfter<V> {
  if (!transitionsOf(verb).some((row) => row.to === to)) throw new Error(`${verb} does not lead to ${to}.`)
  return to
}

/** Every status that a verb starts from. */
export function allowedFrom(verb: Verb): DeliveryStatus[] {
  return [...new Set(transitionsOf(verb).flatMap(({ from }) => [...from]))]
}

function transitionsOf(verb: Verb): readonly Transition[] {
  return TRANSITIONS.filter((row) => row.verb === verb)
}

function literal(status: DeliveryStatus): string {
  return `'${status}'`
}
