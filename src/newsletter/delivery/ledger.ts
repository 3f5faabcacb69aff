import { sql, type SQL } from 'drizzle-orm'
import type { Store, Tx } from '../../store/open.ts'
import { type NewEvent, recordEvents } from './events.ts'
import type { Lease, Leased } from './lease.ts'
import { countSent, type Limits, withinLimits } from './quota.ts'
import { suppress } from './suppression.ts'

/** What a message's settling says. `later`: it was refused for now; `back`: nobody could be asked, which is no try of it. */
export type Outcome =
  | { status: 'sent'; message_id: string }
  | { status: 'failed' | 'uncertain'; error: string }
  | { status: 'bounced'; error: string }
  | { status: 'later' | 'back'; error: string; due_at: number }

/** `sending`: hand it over now. `skipped`: the recipient has left. `stopped`: not now (paused, cancelled, a limit reached, lease lost). */
export type Verdict = 'sending' | 'skipped' | 'stopped'

export interface LedgerOptions {
  store: Store
  now(): number
  lease: Lease
  limits: Limits
  /** Whether a leased message may still go, over a row of `deliveries` called `d`. */
  mayGo: SQL
  /** Whether its stream still runs at all (a campaign that is sending). */
  running: SQL
}

/** Keeps the promise of the outbox: marks before, outcomes after, many of both in one transaction. */
export interface Ledger {
  mark(message: Leased): Promise<Verdict>
  settle(message: Leased, outcome: Outcome): Promise<void>
}

interface Mark {
  message: Leased
  resolve(verdict: Verdict): void
  reject(error: unknown): void
}

interface Settling {
  message: Leased
  outcome: Outcome
  resolve(): void
  reject(error: unknown): void
}

/**
 * A ledger for the messages of one lease. Whatever is asked for while a transaction is on its way goes into the next
 * one, so the busier it is, the fewer transactions a message costs, and an idle one waits for nothing.
 */
export function createLedger(options: LedgerOptions): Ledger {
  let marks: Mark[] = []
  let settlings: Settling[] = []
  let writing = false

  const flush = async (): Promise<void> => {
    if (writing) return
    writing = true
    while (marks.length > 0 || settlings.length > 0) {
      const [marked, settled] = [marks, settlings]
      marks = []
      settlings = []
      try {
        const now = options.now()
        const verdicts = await options.store.write(async (tx) => {
          await settleAll(tx, options, settled, now)
          return markAll(tx, options, marked, now)
        })
        for (const { resolve } of settled) resolve()
        for (const { message, resolve } of marked) resolve(verdicts.get(message.id) ?? 'stopped')
      } catch (error) {
        for (const { reject } of [...marked, ...settled]) reject(error)
      }
    }
    writing = false
  }

  return {
    mark: (message) => new Promise((resolve, reject) => { marks.push({ message, resolve, reject }); void flush() }),
    settle: (message, outcome) => new Promise((resolve, reject) => { settlings.push({ message, outcome, resolve, reject }); void flush() }),
  }
}

const idsOf = (rows: readonly { message: Leased }[]): string => JSON.stringify(rows.map(({ message }) => message.id))

/** Marks as `sending` who may still get it; skips who may not, and says so in the log of events. */
async function markAll(tx: Tx, options: LedgerOptions, marks: readonly Mark[], now: number): Promise<Map<number, Verdict>> {
  const verdicts = new Map<number, Verdict>()
  if (marks.length === 0) return verdicts
  const held = sql`d.status = 'leased' AND d.lease_id = ${options.lease.lease_id} AND ${options.running}`
  const all = sql`d.id IN (SELECT value FROM json_each(${idsOf(marks)}))`
  const skipped = await tx.all<{ id: number; project_id: string; campaign_id: number | null; contact_id: number | null; email: string }>(sql`
    UPDATE deliveries AS d SET status = 'skipped', worker_id = NULL, lease_id = NULL, last_error = ${SKIPPED}
    WHERE ${all} AND ${held} AND NOT ${options.mayGo}
    RETURNING id, project_id, campaign_id, contact_id, email`)
  await recordEvents(tx, skipped.map(({ id, ...who }) => ({ ...who, delivery_id: id, type: 'skipped' as const, at: now, detail: SKIPPED })))
  for (const { id } of skipped) verdicts.set(id, 'skipped')

  const waiting = marks.map(({ message }) => message.id).filter((id) => !verdicts.has(id))
  const allowed = waiting.slice(0, await withinLimits(tx, options.limits, waiting.length, now))
  if (allowed.length === 0) return verdicts
  const sending = await tx.all<{ id: number }>(sql`
    UPDATE deliveries AS d SET status = 'sending', attempts = attempts + 1
    WHERE d.id IN (SELECT value FROM json_each(${JSON.stringify(allowed)})) AND ${held}
    RETURNING id`)
  for (const { id } of sending) verdicts.set(id, 'sending')
  await countSent(tx, options.limits, sending.length, now)
  return verdicts
}

const SKIPPED = 'The recipient had left or was suppressed before the message was handed over.'

interface Settled {
  id: number
}

/** Writes outcomes; a row that this lease does not hold any more is left as it is. */
async function settleAll(tx: Tx, options: LedgerOptions, settlings: readonly Settling[], now: number): Promise<void> {
  if (settlings.length === 0) return
  const values = JSON.stringify(settlings.map(({ message, outcome }) => ({
    id: message.id,
    status: outcome.status === 'later' || outcome.status === 'back' ? 'queued' : outcome.status,
    message_id: outcome.status === 'sent' ? outcome.message_id : null,
    error: outcome.status === 'sent' ? null : outcome.error,
    due_at: outcome.status === 'later' || outcome.status === 'back' ? outcome.due_at : null,
    tries: outcome.status === 'back' ? 1 : 0,
  })))
  const kept = await tx.all<Settled>(sql`
    UPDATE deliveries SET
      status = v.value ->> 'status',
      message_id = coalesce(v.value ->> 'message_id', message_id),
      last_error = v.value ->> 'error',
      next_attempt_at = coalesce(v.value ->> 'due_at', next_attempt_at),
      attempts = attempts - (v.value ->> 'tries'),
      sent_at = CASE WHEN v.value ->> 'status' = 'sent' THEN ${now} ELSE sent_at END,
      worker_id = NULL, lease_id = NULL
    FROM json_each(${values}) AS v
    WHERE deliveries.id = v.value ->> 'id' AND deliveries.status = 'sending' AND deliveries.lease_id = ${options.lease.lease_id}
    RETURNING deliveries.id AS id`)
  const ids = new Set(kept.map(({ id }) => id))
  const ours = settlings.filter(({ message }) => ids.has(message.id))
  await recordEvents(tx, ours.flatMap(({ message, outcome }) => eventOf(message, outcome, now) ?? []))
  const notSent = ours.filter(({ outcome }) => outcome.status !== 'sent' && outcome.status !== 'uncertain').length
  await countSent(tx, options.limits, -notSent, now)
  for (const { message, outcome } of ours) {
    if (outcome.status === 'bounced') {
      await suppress(tx, { project_id: message.project_id, email: message.email, reason: 'hard_bounce', note: outcome.error.slice(0, 500), now })
    }
  }
}

function eventOf({ id, project_id, campaign_id, contact_id, email }: Leased, outcome: Outcome, now: number): NewEvent | null {
  const who = { project_id, campaign_id, contact_id, delivery_id: id, email, at: now }
  switch (outcome.status) {
    case 'sent': return { ...who, type: 'sent' }
    case 'failed': return { ...who, type: 'failed', detail: outcome.error }
    case 'uncertain': return { ...who, type: 'uncertain', detail: outcome.error }
    case 'bounced': return { ...who, type: 'bounce', detail: JSON.stringify({ kind: 'hard', response: outcome.error }) }
    default: return null
  }
}
