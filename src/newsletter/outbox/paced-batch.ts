import type { ProjectId } from '../../ids.ts'
import { sql } from 'drizzle-orm'
import type { Tx } from '../../store/open.ts'
import type { LoopContext } from '../../runtime.ts'
import type { Connection } from '../connections/connections.operations.ts'
import type { Lease, Leased } from './lease.ts'
import { type Bucket, dailyLimit, type Limits, returnTokens, takeTokens, withinLimits } from './quota.ts'

/** Where messages come from, and what limits them on their way through one connection. */
export interface Source {
  project_id: ProjectId
  /** Null for messages that are in no campaign's audience. */
  campaign_id: number | null
  connection: Connection
  monthly_limit: number | null
  lease(tx: Tx, lease: Lease, most: number, now: number): Promise<Leased[]>
}

export interface Batch {
  rows: Leased[]
  /** When one message after the other may leave, by `performance.now()`; null for at once. */
  turns: number[] | null
  /** Milliseconds after which the connection's pace allows more; null when it does not hold anything up. */
  wait_ms: number | null
}

/** Rows leased at once: enough to keep the connections busy, few enough that a crash gives back little. */
const MOST = 500
/** How long a batch of a limited pace lasts, at most. */
const PACED_MS = 250
/** While the answers to one batch are awaited, the next one leaves: a relay far away must not slow the pace. */
export const PACED_BATCHES = 2

const NOTHING: Batch = { rows: [], turns: null, wait_ms: null }

/** Leases as large a batch as the limits and the connection's pace allow; null when the source has to be opened anew. */
export function leaseBatch(
  context: LoopContext,
  source: Source,
  lease: Lease,
  opened_at: number,
): Promise<Batch | null> {
  const { id, max_per_second } = source.connection
  return context.store.write(async (tx) => {
    // Not before: it may have waited to write, and the turns it takes begin now.
    const now = context.clock.now()
    const begun_at = performance.now()
    const room = await withinLimits(tx, limitsOf(source, now), MOST, now)
    if (room === 0) return NOTHING
    if (max_per_second === null) return { ...NOTHING, rows: await source.lease(tx, lease, room, now) }
    if (!(await isUnchanged(tx, source, opened_at))) return null
    const bucket: Bucket = { connection_id: id, lane: '', per_second: max_per_second }
    const wanted = Math.min(room, Math.max(1, Math.ceil((max_per_second * PACED_MS) / 1000)))
    const { turns_ms, wait_ms } = await takeTokens(tx, bucket, wanted, now, PACED_MS * PACED_BATCHES)
    if (turns_ms.length === 0) return { ...NOTHING, wait_ms }
    const rows = await source.lease(tx, lease, turns_ms.length, now)
    if (rows.length < turns_ms.length) await returnTokens(tx, bucket, turns_ms.length - rows.length)
    return { rows, turns: turns_ms.map((turn_ms) => begun_at + turn_ms), wait_ms: null }
  })
}

export function limitsOf({ project_id, campaign_id, connection, monthly_limit }: Source, now: number): Limits {
  return {
    project_id,
    campaign_id,
    connection_id: connection.id,
    max_per_day: dailyLimit(connection, now),
    monthly_limit,
  }
}

/** Whether a source would be found as it was when it was opened. */
async function isUnchanged(
  tx: Tx,
  { project_id, connection, monthly_limit }: Source,
  opened_at: number,
): Promise<boolean> {
  const [row] = await tx.all(sql`
    SELECT 1 FROM connections c JOIN projects p ON p.id = c.project_id
    WHERE c.id = ${connection.id} AND c.updated_at = ${connection.updated_at} AND p.monthly_limit IS ${monthly_limit}
      AND NOT EXISTS (SELECT 1 FROM newsletter_settings s WHERE s.project_id = ${project_id} AND s.updated_at > ${opened_at})`)
  return row !== undefined
}
