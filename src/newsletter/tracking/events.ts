import { sql } from 'drizzle-orm'
import type { Tx } from '../../store/open.ts'
import { packedRows } from '../../store/rows.ts'
import type { events } from '../../store/tables/delivery.ts'

export type NewEvent = typeof events.$inferInsert

/** Entries in one statement. */
const MAX_BATCH = 1000

const COLUMNS = [
  'project_id',
  'type',
  'campaign_id',
  'delivery_id',
  'contact_id',
  'list_id',
  'email',
  'at',
  'url',
  'user_agent',
  'machine',
  'detail',
] as const

/** Appends to the log of events, from which reports and the history of a contact are read. */
export async function recordEvents(tx: Tx, entries: readonly NewEvent[]): Promise<void> {
  for (let start = 0; start < entries.length; start += MAX_BATCH) {
    const some = entries.slice(start, start + MAX_BATCH)
    // Columns that are empty in all entries are left out.
    const columns = COLUMNS.filter((column) =>
      some.some((entry) => entry[column] !== undefined && entry[column] !== null),
    )
    const rows = some.map((entry) =>
      columns.map((column) =>
        column === 'machine'
          ? Number(entry.machine ?? false)
          : column === 'email'
            ? (entry.email ?? '')
            : (entry[column] ?? null),
      ),
    )
    const { with_rows, values, from } = packedRows(rows)
    await tx.later(sql`${with_rows} INSERT INTO events (${sql.raw(columns.join(', '))}) SELECT ${values} ${from}`)
  }
}
