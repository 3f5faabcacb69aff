import type { LoopContext } from '../../runtime.ts'
import { dueTooLate, hasten } from './outbox.ts'

/** How often messages are looked for that are due too late. */
const EVERY_MS = 60_000

/**
 * A clock that was set back must not hold messages up until it is as late again (docs/api/delivery.md#clock).
 * `looked`: when this process looked last.
 */
export async function hastenAfterClockChange({ store, clock }: LoopContext, looked: { at: number }): Promise<void> {
  const now = clock.now()
  const since_ms = now - looked.at
  if (since_ms >= 0 && since_ms < EVERY_MS) return
  looked.at = now
  const late = await dueTooLate(store.db, now)
  if (late.length > 0) await store.write((tx) => hasten(tx, late))
}
