import type { LoopContext } from '../../runtime.ts'
import { dueTooLate, hasten } from './outbox.ts'

/** The interval between two searches for messages whose due time is too far ahead. */
const EVERY_MS = 60_000

/**
 * Makes messages due now whose due time is too far ahead because the clock was set back (docs/api/delivery.md#clock).
 * `looked`: the time of this process's last search.
 */
export async function hastenAfterClockChange({ store, clock }: LoopContext, looked: { at: number }): Promise<void> {
  const now = clock.now()
  const since_ms = now - looked.at
  if (since_ms >= 0 && since_ms < EVERY_MS) return
  looked.at = now
  const late = await dueTooLate(store.db, now)
  if (late.length > 0) await store.write((tx) => hasten(tx, late))
}
