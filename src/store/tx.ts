import type { ResultSet } from '@libsql/client'
import type { BaseSQLiteDatabase } from 'drizzle-orm/sqlite-core'

/** What can be read from: the store itself or a transaction. */
export type Reader = BaseSQLiteDatabase<'async', ResultSet>
/** A write transaction. Only `Store.write` makes one, so whoever is handed a `Tx` may write. */
export type Tx = Reader & { readonly rollback: () => never }
