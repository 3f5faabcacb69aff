import type { ProjectId } from '../../ids.ts'
import { sql, type SQL } from 'drizzle-orm'
import { jsonText } from '../../store/json-text.ts'
import type { Tx } from '../../store/open.ts'
import { type NewEvent, recordEvents } from '../tracking/events.ts'
import type { Lease, Leased } from './lease.ts'
import { countHandedOver, countSent, type Limits, withinLimits } from './quota.ts'
import { suppress } from '../suppressions/suppression.ts'

/** What a message's settling says. `later`: it was refused for now; `back`: nobody could be asked, which is no try of it. */
export type Outcome =
  | { status: 'sent' }
  | { status: 'failed' | 'uncertain' | 'bounced'; error: string }
  | { status: 'later' | 'back'; error: string; due_at: number }

export interface Settling {
  message: Leased
  outcome: Outcome
}

/** `sending`: hand it over now. `skipped`: the recipient has left. Missing: not now (paused, cancelled, a limit reached, the lease lost). */
export type Verdicts = Map<number, 'sending' | 'skipped'>

export interface LedgerOptions {
  lease: Lease
  limits: Limits
  /** Whether a leased message may still go, over a row of `deliveries` called `d`. */
  mayGo: SQL
  /** Whether its stream still runs at all (a campaign that is sending). */
  running: SQL
  /** What the message of a row is called for good; kept before it leaves, so that one in doubt can be looked up. */
  messageId(row: Leased): string
}

/**
 * Keeps the promise of the outbox, in one transaction for a group: writes what came of messages that were handed
 * over, and marks those that are next. Consent is asked again here, at the last moment.
 */
export async function writeLedger(
  tx: Tx,
  options: LedgerOptions,
  settlings: readonly Settling[],
  next: readonly Leased[],
  now: number,
): Promise<Verdicts> {
  if (settlings.length > 0) await settleAll(tx, options, settlings, now)
  return next.length > 0 ? markAll(tx, options, next, now) : new Map()
}

interface Marked {
  id: number
  status: 'sending' | 'skipped'
  project_id: ProjectId
  campaign_id: number | null
  contact_id: number | null
  email: string
}

async function markAll(tx: Tx, options: LedgerOptions, next: readonly Leased[], now: number): Promise<Verdicts> {
  const allowed = next.slice(0, await withinLimits(tx, options.limits, next.length, now))
  if (allowed.length === 0) return new Map()
  const marked = await tx.all<Marked>(sql`
    UPDATE deliveries AS d SET
      (status, attempts, worker_id, lease_id, last_error, message_id) = (
        SELECT iif(may, 'sending', 'skipped'), d.attempts + may, iif(may, d.worker_id, NULL), iif(may, d.lease_id, NULL), iif(may, d.last_error, ${SKIPPED}), iif(may, next.value ->> 1, NULL)
        FROM (SELECT ${options.mayGo} AS may))
    FROM json_each(${jsonText(allowed.map((row) => [row.id, options.messageId(row)]))}) AS next
    WHERE d.id = next.value ->> 0 AND d.status = 'leased' AND d.lease_id = ${options.lease.lease_id} AND ${options.running}
    RETURNING id, status, project_id, campaign_id, contact_id, email`)
  const skipped = marked.filter(({ status }) => status === 'skipped')
  await recordEvents(
    tx,
    skipped.map(({ id, status: _, ...who }) => ({
      ...who,
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

const SKIPPED = 'The recipient had left, was suppressed or had another address before the message was handed over.'

/** The sweep that ends a campaign's messages has passed those that were on their way. */
const CANCELLED = sql`deliveries.kind = 'campaign' AND EXISTS (SELECT 1 FROM campaigns g WHERE g.id = deliveries.campaign_id AND g.status = 'cancelled')`

/** Writes outcomes; a row that this lease does not hold any more is left as it is. */
async function settleAll(tx: Tx, options: LedgerOptions, settlings: readonly Settling[], now: number): Promise<void> {
  const kept = await tx.all<{ id: number }>(sql`
    UPDATE deliveries SET
      status = iif(v.value ->> 'status' = 'queued' AND ${CANCELLED}, 'cancelled', v.value ->> 'status'),
      last_error = v.value ->> 'error',
      next_attempt_at = coalesce(v.value ->> 'due_at', next_attempt_at),
      attempts = attempts - (v.value ->> 'tries'),
      sent_at = iif(v.value ->> 'status' = 'sent', ${now}, sent_at),
      worker_id = NULL, lease_id = NULL
    FROM json_each(${jsonText(settlings.map(settledRow))}) AS v
    WHERE deliveries.id = v.value ->> 'id' AND deliveries.status = 'sending' AND deliveries.lease_id = ${options.lease.lease_id}
    RETURNING deliveries.id AS id`)
  const ids = new Set(kept.map(({ id }) => id))
  const ours = settlings.filter(({ message }) => ids.has(message.id))
  await recordEvents(
    tx,
    ours.flatMap(({ message, outcome }) => eventOf(message, outcome, now) ?? []),
  )
  const notSent = ours.filter(({ outcome }) => outcome.status !== 'sent' && outcome.status !== 'uncertain')
  await countSent(tx, options.limits, -notSent.length, now)
  // An address that does not exist says as much about the list when the relay refuses it as when the news comes later.
  await countHandedOver(tx, options.limits, -notSent.filter(({ outcome }) => outcome.status !== 'bounced').length)
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

function settledRow({ message, outcome }: Settling): Record<string, unknown> {
  const waits = outcome.status === 'later' || outcome.status === 'back'
  return {
    id: message.id,
    status: waits ? 'queued' : outcome.status,
    error: outcome.status === 'sent' ? null : outcome.error,
    due_at: waits ? outcome.due_at : null,
    tries: outcome.status === 'back' ? 1 : 0,
  }
}

function eventOf(
  { id, project_id, kind, campaign_id, contact_id, email }: Leased,
  outcome: Outcome,
  now: number,
): NewEvent | null {
  const who = {
    project_id,
    campaign_id: kind === 'campaign' ? campaign_id : null,
    contact_id,
    delivery_id: id,
    email,
    at: now,
  }
  switch (outcome.status) {
    case 'sent':
      return { ...who, type: 'sent' }
    case 'failed':
      return { ...who, type: 'failed', detail: outcome.error }
    case 'uncertain':
      return { ...who, type: 'uncertain', detail: outcome.error }
    case 'bounced':
      return { ...who, type: 'bounce', detail: jsonText({ kind: 'hard', response: outcome.error }) }
    default:
      return null
  }
}
