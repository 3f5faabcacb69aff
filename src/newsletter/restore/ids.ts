import { sql } from 'drizzle-orm'
import type { Tx } from '../../store/open.ts'

/** Tables whose ids stand in links of messages and in the records of integrations. */
const NAMED_OUTSIDE = ['contacts', 'deliveries', 'campaigns', 'lists'] as const

/** More rows than a table can have got since its backup. */
const GAP = 10_000_000

/**
 * Lets new rows have ids that no row had after the backup. Otherwise a link in a message that was sent, such as
 * the one to unsubscribe, would act on whoever got the id of its recipient.
 */
export async function skipIds(tx: Tx): Promise<void> {
  for (const table of NAMED_OUTSIDE) {
    const moved = await tx.all(sql`UPDATE sqlite_sequence SET seq = seq + ${GAP} WHERE name = ${table} RETURNING 1`)
    // A table that never had a row has no sequence yet.
    if (moved.length === 0) await tx.run(sql`INSERT INTO sqlite_sequence (name, seq) VALUES (${table}, ${GAP})`)
  }
}
