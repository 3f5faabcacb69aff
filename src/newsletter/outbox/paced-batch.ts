import type { ProjectId } from '../../ids.ts'
import { sql } from 'drizzle-orm'
import type { LoopContext } from '../../runtime.ts'
import type { Tx } from '../../store/open.ts'
import { hasRows } from '../../store/rows.ts'
import type { Connection } from '../connections/connection.ts'
import type { Lease, Leased } from './outbox.ts'
import { beyondLimit, type Bucket, dailyLimit, type Limits, returnTokens, takeTokens, withinLimits } from './quota.ts'

/** Messages of one origin, and what limits them through one connection. */
export interface Source {
  project_id: ProjectId
  /** Null for messages that belong to no campaign's audience. */
  campaign_id: number | null
  connection: Connection
  monthly_limit: number | null
  /** Whether the messages may go a little beyond the day's limit, so that a campaign does not hold them up. */
  beyond_limit?: boolean
  lease(tx: Tx, lease: Lease, limit: number, now: number): Promise<Leased[]>
}

export interface Batch {
  rows: Leased[]
  /** The earliest send time of each row, by `performance.now()`; null when the connection has no pace. */
  send_at: number[] | null
  /** Milliseconds until the connection's pace allows more; null when the pace is not what limits. */
  wait_ms: number | null
}

/** Rows leased at once: enough to keep the connections busy, few enough that a crash returns few. */
const MAX_ROWS = 500
/** How long a batch of a paced connection lasts, at most. */
const PACED_MS = 250
/** Batches leased ahead on a paced connection: one leaves while the next is prepared. */
export const PACED_BATCHES = 2

const EMPTY: Batch = { rows: [], send_at: null, wait_ms: null }

/**
 * Leases as large a batch as the limits and the connection's pace allow. Null when the connection or its limits have
 * changed since `opened_at`: the caller opens the source again.
 */
export function leaseBatch(
  context: LoopContext,
  source: Source,
  lease: Lease,
  opened_at: number,
): Promise<Batch | null> {
  const { id, max_per_second } = source.connection
  return context.store.write(async (tx) => {
    // Read inside the transaction, which may have waited in the write queue; send times count from here.
    const now = context.clock.now()
    const begun_at = performance.now()
    const room = await withinLimits(tx, limitsOf(source, now), MAX_ROWS, now)
    if (room === 0) return EMPTY
    if (max_per_second === null) return { ...EMPTY, rows: await source.lease(tx, lease, room, now) }
    if (!(await isUnchanged(tx, source, opened_at))) return null
    const bucket: Bucket = { connection_id: id, lane: '', per_second: max_per_second }
    const wanted = Math.min(room, Math.max(1, Math.ceil((max_per_second * PACED_MS) / 1000)))
    const { send_in_ms, wait_ms } = await takeTokens(tx, bucket, { wanted, now, ahead_ms: PACED_MS * PACED_BATCHES })
    if (send_in_ms.length === 0) return { ...EMPTY, wait_ms }
    const rows = await source.lease(tx, lease, send_in_ms.length, now)
    if (rows.length < send_in_ms.length) await returnTokens(tx, bucket, send_in_ms.length - rows.length)
    return { rows, send_at: send_in_ms.map((ms) => begun_at + ms), wait_ms: null }
  })
}

export function limitsOf(source: Source, now: number): Limits {
  const { project_id, campaign_id, connection, monthly_limit } = source
  const max_per_day = dailyLimit(connection, now)
  return {
    project_id,
    campaign_id,
    connection_id: connection.id,
    max_per_day: source.beyond_limit ? beyondLimit(max_per_day) : max_per_day,
    monthly_limit,
    in_sandbox: connection.provider === 'sandbox',
  }
}

/** Whether the connection, the project's limit and its settings are as they were when the source was opened. */
async function isUnchanged(
  tx: Tx,
  { project_id, connection, monthly_limit }: Source,
  opened_at: number,
): Promise<boolean> {
  return hasRows(
    await tx.all(sql`
    SELECT 1 FROM connections connection JOIN projects project ON project.id = connection.project_id
    WHERE connection.id = ${connection.id} AND connection.updated_at = ${connection.updated_at}
      AND project.monthly_limit IS ${monthly_limit}
      AND NOT EXISTS (
        SELECT 1 FROM newsletter_settings settings
        WHERE settings.project_id = ${project_id} AND settings.updated_at > ${opened_at})`),
  )
}
