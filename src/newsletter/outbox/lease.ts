import type { ProjectId } from '../../ids.ts'
import { sql, type SQL } from 'drizzle-orm'
import { jsonText } from '../../store/json-text.ts'
import { livingWorkers } from '../../store/lease.ts'
import type { Tx } from '../../store/open.ts'
import { recordEvents } from '../tracking/events.ts'

/** A message that one worker holds for a while. */
export interface Leased {
  id: number
  project_id: ProjectId
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
    WHERE id IN (SELECT value FROM json_each(${jsonText(ids)})) AND status = 'queued'
    ${LEASED}`)
}

/** Gives back what was leased and not handed over. */
export async function release(tx: Tx, ids: readonly number[], lease: Lease, due_at?: number): Promise<void> {
  await tx.run(sql`
    UPDATE deliveries SET status = 'queued', worker_id = NULL, lease_id = NULL, next_attempt_at = coalesce(${due_at ?? null}, next_attempt_at)
    WHERE id IN (SELECT value FROM json_each(${jsonText(ids)})) AND status = 'leased' AND lease_id = ${lease.lease_id}`)
}

/** So many rows of dead workers are put right in one transaction. */
const RECOVERED_AT_ONCE = 5000

/**
 * Puts right what dead workers left; answers whether there may be more. Who asks is alive, however late its last
 * heartbeat is: after a pause of the machine its own messages are not in doubt.
 */
export async function recoverLeases(tx: Tx, asking: string, now: number): Promise<boolean> {
  const living = jsonText([asking, ...(await livingWorkers(tx, now))])
  const found = await putRight(tx, sql`worker_id NOT IN (SELECT value FROM json_each(${living}))`, now)
  return found === RECOVERED_AT_ONCE
}

/** Puts right what one lease of this worker left behind. */
export async function abandonLease(tx: Tx, lease: Lease, now: number): Promise<void> {
  await putRight(tx, sql`worker_id = ${lease.worker_id} AND lease_id = ${lease.lease_id}`, now)
}

interface Found {
  id: number
  project_id: ProjectId
  campaign_id: number | null
  contact_id: number | null
  email: string
  status: 'leased' | 'sending'
}

/** `leased` goes back to the queue; `sending` becomes `uncertain`, and the log of events says so. */
async function putRight(tx: Tx, which: SQL, now: number): Promise<number> {
  const found = await tx.all<Found>(sql`
    SELECT id, project_id, iif(kind = 'campaign', campaign_id, NULL) AS campaign_id, contact_id, email, status FROM deliveries
    WHERE status IN ('leased', 'sending') AND ${which} LIMIT ${RECOVERED_AT_ONCE}`)
  if (found.length === 0) return 0
  await tx.run(sql`
    UPDATE deliveries SET
      status = CASE status WHEN 'leased' THEN 'queued' ELSE 'uncertain' END,
      last_error = CASE status WHEN 'leased' THEN last_error ELSE ${DOUBT} END,
      worker_id = NULL, lease_id = NULL
    WHERE id IN (SELECT value FROM json_each(${jsonText(found.map(({ id }) => id))}))`)
  const doubtful = found.filter(({ status }) => status === 'sending')
  await recordEvents(
    tx,
    doubtful.map(({ id, status: _, ...who }) => ({
      ...who,
      delivery_id: id,
      type: 'uncertain' as const,
      at: now,
      detail: DOUBT,
    })),
  )
  return found.length
}

const DOUBT = 'The process ended after the message was handed over and before its answer was kept.'
