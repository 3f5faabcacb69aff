import { type SQL, sql } from 'drizzle-orm'
import { errorFields } from '../../log.ts'
import type { LoopContext } from '../../runtime.ts'
import { jsonText } from '../../store/json-text.ts'
import { livingWorkers } from '../../store/lease.ts'
import type { Tx } from '../../store/open.ts'
import { recordEvents } from '../tracking/events.ts'
import { type Lease, recover } from './outbox.ts'

/** Recovers messages whose worker died or whose batch failed; see docs/api/delivery.md#doubt. */

/** Rows recovered in one transaction. */
const RECOVERED_AT_ONCE = 5000
const DOUBT = 'The process ended after the message was handed over and before its outcome was stored.'
/** The pause between two attempts to recover a batch while the store fails. */
const STORE_DOWN_MS = 1_000

/**
 * Recovers what dead workers left; answers whether there may be more. The asking worker counts as alive however late
 * its last heartbeat is: after a pause of the machine its own messages are not in doubt.
 */
export async function recoverLeases(tx: Tx, worker_id: string, now: number): Promise<boolean> {
  const living = jsonText([worker_id, ...(await livingWorkers(tx, now))])
  const recovered = await recoverRows(tx, sql`worker_id NOT IN (SELECT value FROM json_each(${living}))`, now)
  return recovered === RECOVERED_AT_ONCE
}

/** Recovers what one lease of a living worker still holds. */
export async function recoverLease(tx: Tx, lease: Lease, now: number): Promise<void> {
  await recoverRows(tx, sql`worker_id = ${lease.worker_id} AND lease_id = ${lease.lease_id}`, now)
}

/**
 * Cleans up after the store failed under a batch: `settle` writes the outcomes that are known, and the other rows are
 * recovered as if the worker had died. No other worker would do it while this one lives, so it is tried until it
 * succeeds or the process stops.
 */
export async function recoverBatch(
  context: LoopContext,
  lease: Lease,
  settle: (tx: Tx) => Promise<unknown> = async () => undefined,
): Promise<void> {
  for (;;) {
    try {
      return await context.store.write(async (tx) => {
        await settle(tx)
        await recoverLease(tx, lease, context.clock.now())
      })
    } catch (error) {
      context.log.error('a failed batch of messages is not recovered yet', errorFields(error))
      if (context.stopping()) return
      await Bun.sleep(STORE_DOWN_MS)
    }
  }
}

async function recoverRows(tx: Tx, which: SQL, now: number): Promise<number> {
  const recovered = await recover(tx, { which, limit: RECOVERED_AT_ONCE, doubt: DOUBT })
  const doubtful = recovered.filter(({ was }) => was === 'sending')
  await recordEvents(
    tx,
    doubtful.map(({ id, was: _, ...recipient }) => ({
      ...recipient,
      delivery_id: id,
      type: 'uncertain' as const,
      at: now,
      detail: DOUBT,
    })),
  )
  return recovered.length
}
