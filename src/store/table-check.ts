import { sql } from 'drizzle-orm'
import type { HeavyTask, Reader } from './store.ts'

/** Looks for damage in a table and its indexes: whether SQLite can read their pages and the rows on them. */
export const checkTableTask: HeavyTask<{ table: string }, { damage: string | null }> = {
  name: 'check_table',
  async run(db, { table }) {
    const [found] = await db.all<{ quick_check: string }>(sql.raw(`PRAGMA quick_check('${table}')`))
    const said = found?.quick_check ?? 'ok'
    return { damage: said === 'ok' ? null : said }
  },
}

/** The tables of a database file. */
export async function tablesIn(db: Reader): Promise<string[]> {
  const rows = await db.all<{ name: string }>(sql`SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name`)
  return rows.map(({ name }) => name)
}
