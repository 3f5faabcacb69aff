import type { LoopContext } from '../../runtime.ts'
import { dueTooLate, hasten } from './outbox.ts'

/** How often messages are looked for that are due too late. */
const EVERY_MS = 60_000

/** When each process looked last. */
const looked_at = new WeakMap<LoopContext['journal'], number>()

/** A clock that was set back must not hold messages up until it is as late again (docs/api/delivery.md#clock). */
export async function hastenAfterClockChange({ store, clock, journal }: LoopContext): Promise<void> {
  const now = clock.now()
  const since_ms = now - (looked_at.get(journal) ?? Number.NEGATIVE_INFINITY)
  if (since_ms >= 0 && since_ms < EVERY_MS) return
  looked_at.set(journal, now)
  const late = await dueTooLate(store.db, now)
  if (late.length > 0) await store.write((tx) => hasten(tx, late))
}
