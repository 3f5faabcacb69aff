import { HOUR_MS, MINUTE_MS } from '../../clock.ts'
import type { ProjectId } from '../../ids.ts'
import { type SQL, sql } from 'drizzle-orm'
import { jsonText } from '../../store/json-text.ts'
import type { Reader, Tx } from '../../store/open.ts'
import type { DeliveryKind } from '../../store/tables/delivery.ts'
import { allowedAfter, statusAfter, statusBefore, type StatusAfter } from './states.ts'

/**
 * The outbox: one row of `deliveries` for each message. No recipient is lost, and no message is silently sent twice.
 * `enqueue.ts` inserts rows; only this file changes them. Each function is a verb of the table in `states.ts`.
 *
 * `sending` is committed before a message is handed over, and the outcome after it. Verbs of a worker are fenced by
 * its lease id: a worker that was declared dead cannot overwrite what happened to its rows since then.
 */

/** A `next_attempt_at` that is due at any clock time. */
export const AT_ONCE = 0

/** How far ahead of the clock messages may be due. One that is due later waits for a clock that was set back. */
export const LONGEST_WAIT_MS = {
  /** A campaign's message that was not tried yet waits for its mailbox provider's limit only. */
  first: 15 * MINUTE_MS,
  /** A confirmation waits until its mailbox may get another one (docs/api/consent.md#double-opt-in). */
  first_transactional: HOUR_MS,
  retry: 72 * HOUR_MS,
}

/** One batch of messages held by one worker. */
export interface Lease {
  worker_id: string
  lease_id: string
}

/** A message that a worker holds. */
export interface Leased {
  id: number
  project_id: ProjectId
  kind: DeliveryKind
  campaign_id: number | null
  contact_id: number | null
  email: string
  attempts: number
  /** JSON text of a `ConfirmationContent` or `TestContent`; null for a message of a campaign. */
  content: string | null
  created_at: number
}

/** Leases messages of one campaign that are due, the longest due first. */
export function leaseCampaign(
  tx: Tx,
  lease: Lease,
  { campaign_id, limit, now }: { campaign_id: number; limit: number; now: number },
): Promise<Leased[]> {
  return tx.all<Leased>(sql`
    UPDATE deliveries SET status = ${statusAfter('lease')}, worker_id = ${lease.worker_id}, lease_id = ${lease.lease_id}
    WHERE id IN (
      SELECT id FROM deliveries
      WHERE campaign_id = ${campaign_id} AND ${statusBefore('lease')} AND kind = 'campaign'
      AND next_attempt_at <= ${now}
      ORDER BY next_attempt_at, id LIMIT ${limit})
    ${LEASED}`)
}

/** Leases the given confirmations and tests that are still queued. */
export function leaseTransactional(tx: Tx, lease: Lease, ids: readonly number[]): Promise<Leased[]> {
  return tx.all<Leased>(sql`
    UPDATE deliveries SET status = ${statusAfter('lease')}, worker_id = ${lease.worker_id}, lease_id = ${lease.lease_id}
    WHERE id IN ${idsIn(ids)} AND ${statusBefore('lease')}
    ${LEASED}`)
}

/** Returns leased messages that were not marked. */
export async function release(tx: Tx, lease: Lease, ids: readonly number[]): Promise<void> {
  await tx.run(sql`
    UPDATE deliveries SET status = ${statusAfter('release')}, ${UNLEASE}
    WHERE id IN ${idsIn(ids)} AND ${statusBefore('release')} AND lease_id = ${lease.lease_id}`)
}

/** Returns leased messages, each with the time when it is due again. */
export async function defer(tx: Tx, lease: Lease, due_at_of: ReadonlyMap<number, number>): Promise<void> {
  await tx.run(sql`
    UPDATE deliveries SET status = ${statusAfter('defer')}, next_attempt_at = due.value ->> 1, ${UNLEASE}
    FROM json_each(${jsonText([...due_at_of])}) AS due
    WHERE deliveries.id = due.value ->> 0 AND ${statusBefore('defer')} AND lease_id = ${lease.lease_id}`)
}

/** Sets when queued messages that cannot be sent now are due, and stores the reason. They stay `queued`. */
export async function postpone(
  tx: Tx,
  ids: readonly number[],
  { due_at, reason }: { due_at: number; reason: string },
): Promise<void> {
  await tx.run(sql`
    UPDATE deliveries SET next_attempt_at = ${due_at}, last_error = ${reason}
    WHERE id IN ${idsIn(ids)} AND status = 'queued'`)
}

/** Ids of queued messages that are due later than any rule says, because the clock was set back. */
export async function dueTooLate(db: Reader, now: number): Promise<number[]> {
  const { first, first_transactional, retry } = LONGEST_WAIT_MS
  const beyond = (wait_ms: number) => sql`delivery.next_attempt_at > ${now + wait_ms}
    AND (delivery.attempts = 0 OR delivery.next_attempt_at > ${now + retry})`
  const late = await db.all<{ id: number }>(sql`
    SELECT delivery.id FROM campaigns campaign JOIN deliveries delivery ON delivery.campaign_id = campaign.id
    WHERE campaign.status = 'sending' AND delivery.status = 'queued' AND delivery.kind = 'campaign' AND ${beyond(first)}
    UNION ALL
    SELECT delivery.id FROM deliveries delivery
    WHERE delivery.status = 'queued' AND delivery.kind <> 'campaign' AND ${beyond(first_transactional)}
    LIMIT 5000`)
  return late.map(({ id }) => id)
}

/** Makes queued messages due at once. */
export async function hasten(tx: Tx, ids: readonly number[]): Promise<void> {
  await tx.run(sql`UPDATE deliveries SET next_attempt_at = ${AT_ONCE} WHERE id IN ${idsIn(ids)} AND status = 'queued'`)
}

export interface MarkRequest {
  /** Leased messages with the Message-ID that each will carry; it is stored first, so that reports can be matched. */
  messages: readonly { id: number; message_id: string }[]
  /** Whether a message may still go to its recipient: a condition over a row of `deliveries` called `delivery`. */
  may_send: SQL
  /** Whether the whole stream may still send. Otherwise nothing changes. */
  running: SQL
  /** The `last_error` of a skipped message. */
  skipped_because: string
}

export interface Marked {
  id: number
  status: StatusAfter<'mark' | 'skip'>
  project_id: ProjectId
  campaign_id: number | null
  contact_id: number | null
  email: string
}

/** Marks messages that may go, which counts as an attempt, and skips those that may not. */
export function mark(tx: Tx, lease: Lease, request: MarkRequest): Promise<Marked[]> {
  const rows = request.messages.map(({ id, message_id }) => [id, message_id])
  return tx.all<Marked>(sql`
    UPDATE deliveries AS delivery SET
      (status, attempts, worker_id, lease_id, last_error, message_id) = (
        SELECT iif(may, ${statusAfter('mark')}, ${statusAfter('skip')}), delivery.attempts + may,
          iif(may, delivery.worker_id, NULL), iif(may, delivery.lease_id, NULL),
          iif(may, delivery.last_error, ${request.skipped_because}), iif(may, next.value ->> 1, NULL)
        FROM (SELECT ${request.may_send} AS may))
    FROM json_each(${jsonText(rows)}) AS next
    WHERE delivery.id = next.value ->> 0 AND ${statusBefore('mark', 'skip')} AND delivery.lease_id = ${lease.lease_id}
      AND ${request.running}
    RETURNING id, status, project_id, campaign_id, contact_id, email`)
}

/** The outcome of one message that was handed over. A `retry` is due again at `due_at`. */
export type Settlement = { id: number; error: string | null } & (
  | { to: StatusAfter<'settle'> }
  /** `counts`: whether this was an attempt; it was not when the relay was unreachable. */
  | { to: StatusAfter<'retry'>; due_at: number; counts: boolean }
)

/** The cancellation of a campaign does not change its `sending` rows: they end here instead of being retried. */
const CANCELLED = sql`deliveries.kind = 'campaign' AND EXISTS (
  SELECT 1 FROM campaigns campaign WHERE campaign.id = deliveries.campaign_id AND campaign.status = 'cancelled')`

/** Writes outcomes. Answers the ids that changed: rows that the lease no longer holds are left alone. */
export async function settle(
  tx: Tx,
  lease: Lease,
  settlements: readonly Settlement[],
  { in_sandbox, now }: { in_sandbox: boolean; now: number },
): Promise<ReadonlySet<number>> {
  const rows = settlements.map((one) => ({
    id: one.id,
    status: one.to === 'queued' ? allowedAfter('retry', one.to) : allowedAfter('settle', one.to),
    error: one.error,
    due_at: one.to === 'queued' ? one.due_at : null,
    uncounted: one.to === 'queued' && !one.counts ? 1 : 0,
  }))
  const settled = await tx.all<{ id: number }>(sql`
    UPDATE deliveries SET
      status = iif(settlement.value ->> 'status' = ${statusAfter('retry')} AND ${CANCELLED},
        ${statusAfter('drop')}, settlement.value ->> 'status'),
      last_error = settlement.value ->> 'error',
      next_attempt_at = coalesce(settlement.value ->> 'due_at', next_attempt_at),
      attempts = attempts - (settlement.value ->> 'uncounted'),
      sent_at = iif(settlement.value ->> 'status' = 'sent', ${now}, sent_at),
      in_sandbox = settlement.value ->> 'status' = 'sent' AND ${in_sandbox ? 1 : 0},
      ${UNLEASE}
    FROM json_each(${jsonText(rows)}) AS settlement
    WHERE deliveries.id = settlement.value ->> 'id'
      AND ${statusBefore('settle', 'retry', 'drop')} AND lease_id = ${lease.lease_id}
    RETURNING deliveries.id AS id`)
  return new Set(settled.map(({ id }) => id))
}

/** A message that a worker holds or has marked. */
export interface Held extends Leased, Lease {
  status: 'leased' | 'sending'
}

/** At most `limit` messages that workers hold or have marked; `which` is a condition over `deliveries`. */
export function held(db: Reader, which: SQL, limit: number): Promise<Held[]> {
  return db.all<Held>(sql`
    SELECT ${LEASED_COLUMNS}, worker_id, lease_id, status FROM deliveries
    WHERE ${statusBefore('recover')} AND ${which} LIMIT ${limit}`)
}

export type Recovered = Pick<Leased, 'id' | 'project_id' | 'kind' | 'campaign_id' | 'contact_id' | 'email'> & {
  status: StatusAfter<'recover'>
}

/** Recovers messages whose worker died. `doubt` becomes the `last_error` of those that had been marked. */
export function recover(tx: Tx, ids: readonly number[], doubt: string): Promise<Recovered[]> {
  return tx.all<Recovered>(sql`
    UPDATE deliveries SET
      status = ${statusAfter('recover')},
      last_error = iif(status = 'sending', ${doubt}, last_error),
      ${UNLEASE}
    WHERE id IN ${idsIn(ids)} AND ${statusBefore('recover')}
    RETURNING id, project_id, kind, campaign_id, contact_id, email, status`)
}

/** Cancels at most `limit` messages of a campaign, leased ones too; answers how many. */
export async function cancel(tx: Tx, { campaign_id, limit }: { campaign_id: number; limit: number }): Promise<number> {
  const cancelled = await tx.all(sql`
    UPDATE deliveries SET status = ${statusAfter('cancel')}, ${UNLEASE}
    WHERE id IN (
      SELECT id FROM deliveries
      WHERE campaign_id = ${campaign_id} AND kind = 'campaign' AND ${statusBefore('cancel')} LIMIT ${limit})
    RETURNING 1`)
  return cancelled.length
}

/**
 * Queues messages of a campaign again, at most `limit` with an id above `after_id` in the order of their ids. They have
 * no attempts yet. Answers their ids.
 */
export async function requeue(
  tx: Tx,
  request: { campaign_id: number; status: 'failed' | 'uncertain'; after_id: number; limit: number },
): Promise<number[]> {
  const { campaign_id, status, after_id, limit } = request
  const queued = await tx.all<{ id: number }>(sql`
    UPDATE deliveries SET
      status = ${statusAfter('requeue')}, attempts = 0, next_attempt_at = ${AT_ONCE}, last_error = NULL
    WHERE ${statusBefore('requeue')} AND id IN (
      SELECT id FROM deliveries
      WHERE campaign_id = ${campaign_id} AND kind = 'campaign' AND status = ${status} AND id > ${after_id}
      ORDER BY id LIMIT ${limit})
    RETURNING id`)
  return queued.map(({ id }) => id)
}

export type Confirmed = Pick<Leased, 'id' | 'project_id' | 'kind' | 'campaign_id' | 'contact_id' | 'email'>

/** Marks messages in doubt as sent: they are known to have arrived. Answers those that changed. */
export function confirm(tx: Tx, ids: readonly number[], now: number): Promise<Confirmed[]> {
  return tx.all<Confirmed>(sql`
    UPDATE deliveries SET status = ${statusAfter('confirm')}, sent_at = ${now}, last_error = NULL, ${UNLEASE}
    WHERE id IN ${idsIn(ids)} AND ${statusBefore('confirm')}
    RETURNING id, project_id, kind, campaign_id, contact_id, email`)
}

/** Applies the outcomes in the facts to messages of a restored database. Answers those that changed. */
export function replay(
  tx: Tx,
  known: readonly { id: number; to: StatusAfter<'replay'>; at: number; error: string | null }[],
): Promise<Confirmed[]> {
  const rows = known.map(({ id, to, at, error }) => [id, allowedAfter('replay', to), to === 'sent' ? at : null, error])
  return tx.all<Confirmed>(sql`
    UPDATE deliveries SET
      status = fact.value ->> 1, sent_at = fact.value ->> 2, last_error = fact.value ->> 3, ${UNLEASE}
    FROM json_each(${jsonText(rows)}) AS fact WHERE deliveries.id = fact.value ->> 0 AND ${statusBefore('replay')}
    RETURNING deliveries.id AS id, project_id, kind, campaign_id, contact_id, email`)
}

/** Marks a message as bounced after its provider reported a permanent bounce. */
export async function bounce(
  tx: Tx,
  { id, response, now }: { id: number; response: string; now: number },
): Promise<void> {
  await tx.run(sql`
    UPDATE deliveries SET
      status = ${statusAfter('bounce')}, last_error = ${response}, sent_at = coalesce(sent_at, ${now}), ${UNLEASE}
    WHERE id = ${id} AND ${statusBefore('bounce')}`)
}

const LEASED_COLUMNS = sql.raw('id, project_id, kind, campaign_id, contact_id, email, attempts, content, created_at')
const LEASED = sql`RETURNING ${LEASED_COLUMNS}`
const UNLEASE = sql.raw('worker_id = NULL, lease_id = NULL')

function idsIn(ids: readonly number[]): SQL {
  return sql`(SELECT value FROM json_each(${jsonText(ids)}))`
}

/** Empties addresses and answers of relays in the messages to contacts that were deleted; no status changes. */
export async function forgetRecipients(tx: Tx, contact_ids: readonly number[]): Promise<void> {
  await tx.run(sql`UPDATE deliveries SET email = '', last_error = NULL WHERE contact_id IN ${idsIn(contact_ids)}`)
}
