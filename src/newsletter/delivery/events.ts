import { sql } from 'drizzle-orm'
import type { Tx } from '../../store/open.ts'
import { valuesOf, withRows } from '../../store/rows.ts'
import type { events } from '../../store/tables/delivery.ts'

export type NewEvent = typeof events.$inferInsert

/** So many entries go into one statement. */
const AT_ONCE = 1000

/** Appends to the log that reports and a contact's history are read from; one statement, whatever their number. */
export async function recordEvents(tx: Tx, entries: readonly NewEvent[]): Promise<void> {
  for (let start = 0; start < entries.length; start += AT_ONCE) {
    const rows = entries.slice(start, start + AT_ONCE).map(({ project_id, type, campaign_id, delivery_id, contact_id, list_id, email = '', at, url, user_agent, machine = false, detail }) => (
      [project_id, type, campaign_id, delivery_id, contact_id, list_id, email, at, url, user_agent, machine ? 1 : 0, detail]))
    await tx.run(sql`
      ${withRows(rows)} INSERT INTO events (project_id, type, campaign_id, delivery_id, contact_id, list_id, email, at, url, user_agent, machine, detail)
      SELECT ${valuesOf(0, 12)} FROM r`)
  }
}
