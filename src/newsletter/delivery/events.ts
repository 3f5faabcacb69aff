import { sql } from 'drizzle-orm'
import type { Tx } from '../../store/open.ts'
import type { events } from '../../store/tables/delivery.ts'

export type NewEvent = typeof events.$inferInsert

/** So many entries go into one statement. */
const AT_ONCE = 1000

/** Appends to the log that reports and a contact's history are read from; one statement, whatever their number. */
export async function recordEvents(tx: Tx, entries: readonly NewEvent[]): Promise<void> {
  for (let start = 0; start < entries.length; start += AT_ONCE) {
    await tx.run(sql`
      INSERT INTO events (project_id, type, campaign_id, delivery_id, contact_id, list_id, email, at, url, user_agent, machine, detail)
      SELECT value ->> 'project_id', value ->> 'type', value ->> 'campaign_id', value ->> 'delivery_id', value ->> 'contact_id', value ->> 'list_id',
        coalesce(value ->> 'email', ''), value ->> 'at', value ->> 'url', value ->> 'user_agent', coalesce(value ->> 'machine', 0), value ->> 'detail'
      FROM json_each(${JSON.stringify(entries.slice(start, start + AT_ONCE))})`)
  }
}
