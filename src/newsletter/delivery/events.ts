import type { Tx } from '../../store/open.ts'
import { events } from '../../store/tables/delivery.ts'

export type NewEvent = typeof events.$inferInsert

/** Appends to the log that reports and a contact's history are read from. */
export async function recordEvents(tx: Tx, entries: readonly NewEvent[]): Promise<void> {
  const CHUNK = 500
  for (let start = 0; start < entries.length; start += CHUNK) {
    await tx.insert(events).values(entries.slice(start, start + CHUNK))
  }
}
