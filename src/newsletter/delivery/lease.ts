import { sql } from 'drizzle-orm'
import { livingWorkers } from '../../store/lease.ts'
import type { Tx } from '../../store/open.ts'
import { recordEvents } from './events.ts'

/** A message that one worker holds for a while. */
export interface Leased {
  id: number
  project_id: string
  kind: 'campaign' | 'confirmation' | 'test'
  campaign_id: number | null
  contact_id: number | null
  email: string
  attempts: number
  /** JSON text; null for a campaign's. */
  content: string | null
  created_at: number
}

export interface Lease {
  worker_id: string
  lease_id: string
}

const LEASED = sql.raw('RETURNING id, project_id, kind, campaign_id, contact_id, email, attempts, content, created_at')

/** Leases what is due of one campaign, the longest due first. */
export function leaseCampaign(tx: Tx, campaign_id: number, lease: Lease, most: number, now: number): Promise<Leased[]> {
  return tx.all<Leased>(sql`
    UPDATE deliveries SET status = 'leased', worker_id = ${lease.worker_id}, lease_id = ${lease.lease_id}
    WHERE id IN (
      SELECT id FROM deliveries WHERE campaign_id = ${campaign_id} AND status = 'queued' AND kind = 'campaign' AND next_attempt_at <= ${now}
      ORDER BY next_attempt_at, id LIMIT ${most})
    ${LEASED}`)
}

/** Leases given messages that belong to no campaign's audience (confirmations, tests), if they are still queued. */
export function leaseSingles(tx: Tx, ids: readonly number[], lease: Lease): Promise<Leased[]> {
  return tx.all<Leased>(sql`
    UPDATE deliveries SET status = 'leased', worker_id = ${lease.worker_id}, lease_id = ${lease.lease_id}
    WHERE id IN (SELECT value FROM json_each(${JSON.stringify(ids)})) AND status = 'queued'
    ${LEASED}`)
}

/** Gives back what was leased and not handed over. */
export async function release(tx: Tx, ids: readonly number[], lease: Lease, due_at?: number): Promise<void> {
  await tx.run(sql`
    UPDATE deliveries SET status = 'queued', worker_id = NULL, lease_id = NULL, next_attempt_at = coalesce(${due_at ?? null}, next_attempt_at)
    WHERE id IN (SELECT value FROM json_each(${JSON.stringify(ids)})) AND status = 'leased' AND lease_id = ${lease.lease_id}`)
}

interface Found {
  id: number
  project_id: string
  campaign_id: number | null
  contact_id: number | null
  email: string
}

/** So many rows of dead workers are put right in one transaction. */
const RECOVERED_AT_ONCE = 5000

/**
 * Puts right what dead workers left: `leased` goes back to the queue, `sending` becomes `uncertain`. Answers
 * whether there may be more.
 */
export async function recoverLeases(tx: Tx, now: number): Promise<boolean> {
  const living = JSON.stringify(await livingWorkers(tx, now))
  const abandoned = sql`worker_id NOT IN (SELECT value FROM json_each(${living}))`
  const back = await tx.all<{ id: number }>(sql`
    UPDATE deliveries SET status = 'queued', worker_id = NULL, lease_id = NULL
    WHERE id IN (SELECT id FROM deliveries WHERE status IN ('leased', 'sending') AND ${abandoned} AND status = 'leased' LIMIT ${RECOVERED_AT_ONCE})
    RETURNING id`)
  const doubtful = await tx.all<Found>(sql`
    UPDATE deliveries SET status = 'uncertain', worker_id = NULL, lease_id = NULL, last_error = ${DOUBT}
    WHERE id IN (SELECT id FROM deliveries WHERE status IN ('leased', 'sending') AND ${abandoned} AND status = 'sending' LIMIT ${RECOVERED_AT_ONCE})
    RETURNING id, project_id, campaign_id, contact_id, email`)
  await recordEvents(tx, doubtful.map(({ id, ...who }) => ({ ...who, delivery_id: id, type: 'uncertain' as const, at: now, detail: DOUBT })))
  return back.length === RECOVERED_AT_ONCE || doubtful.length === RECOVERED_AT_ONCE
}

const DOUBT = 'The process ended after the message was handed over and before its answer was kept.'
