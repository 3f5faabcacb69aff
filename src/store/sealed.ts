import { sql } from 'drizzle-orm'
import { KEY_ID_LENGTH, type Keys, type Purpose } from '../secrets.ts'
import { jsonText } from './json-text.ts'
import type { Store } from './store.ts'

/**
 * Every column whose values are encrypted with the key ring (docs/operations.md#secret-key). The context binds a
 * ciphertext to its row and purpose, so it cannot be decrypted after it was moved to another row.
 */
export interface SealedColumn<Row = never> {
  readonly table: string
  readonly column: string
  readonly purpose: Purpose
  /** The columns that `context` reads. */
  readonly reads: readonly (keyof Row & string)[]
  context(row: Row): string
}

const sealedColumn = <Row>(declared: SealedColumn<Row>): SealedColumn<Row> => declared

export const SEALED = {
  relay_password: sealedColumn<{ project_id: number }>({
    table: 'connections',
    column: 'password_sealed',
    purpose: 'credentials',
    reads: ['project_id'],
    context: ({ project_id }) => `connection:${project_id}`,
  }),
  webhook_secret: sealedColumn<{ project_id: number }>({
    table: 'connections',
    column: 'webhook_secret_sealed',
    purpose: 'credentials',
    reads: ['project_id'],
    context: ({ project_id }) => `webhook:${project_id}`,
  }),
  webhook_token: sealedColumn<{ id: number }>({
    table: 'connections',
    column: 'webhook_token_sealed',
    purpose: 'credentials',
    reads: ['id'],
    context: ({ id }) => `webhook-token:${id}`,
  }),
  dkim_key: sealedColumn<{ project_id: number; domain: string; selector: string }>({
    table: 'dkim_keys',
    column: 'private_key_sealed',
    purpose: 'credentials',
    reads: ['project_id', 'domain', 'selector'],
    context: ({ project_id, domain, selector }) => `dkim:${project_id}:${domain}:${selector}`,
  }),
  account_message: sealedColumn<{ recipient: string }>({
    table: 'account_messages',
    column: 'content_sealed',
    purpose: 'account-message',
    reads: ['recipient'],
    context: ({ recipient }) => `message:${recipient}`,
  }),
  totp_secret: sealedColumn<{ user_id: string }>({
    table: 'totp_factors',
    column: 'secret_sealed',
    purpose: 'totp',
    reads: ['user_id'],
    context: ({ user_id }) => user_id,
  }),
}

export function seal<Row>(keys: Keys, column: SealedColumn<Row>, plain: string, row: Row): string {
  return keys.seal(column.purpose, plain, column.context(row))
}

/** Null when the text was altered, or was sealed for another row or with a key that is not in the ring. */
export function unseal<Row>(keys: Keys, column: SealedColumn<Row>, sealed: string, row: Row): string | null {
  return keys.unseal(column.purpose, sealed, column.context(row))
}

/** The declared columns, for work on all of them. Rows come from the database, which has the columns they read. */
const COLUMNS = Object.values(SEALED) as unknown as readonly SealedColumn<Record<string, unknown>>[]

/** The number of encrypted values that need each key, by key id. */
export async function sealedByKey(query: Store['query']): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for (const { table, column } of COLUMNS) {
    const rows = await query(`
      SELECT substr(${column}, 1, ${KEY_ID_LENGTH}) AS key_id, count(*) AS sealed
      FROM ${table} WHERE ${column} IS NOT NULL GROUP BY 1`)
    for (const row of rows) {
      const key_id = String(row.key_id)
      counts.set(key_id, (counts.get(key_id) ?? 0) + Number(row.sealed))
    }
  }
  return counts
}

/** Rows that one transaction encrypts anew. */
const PAGE_ROWS = 100

/**
 * Seals with the newest key what other keys of the ring have sealed, in short transactions. It may be repeated, and
 * stopped anywhere: each text is replaced as a whole. Answers how many it sealed, and how many no key can decrypt.
 */
export async function reseal(store: Store, keys: Keys): Promise<{ resealed: number; unreadable: number }> {
  const total = { resealed: 0, unreadable: 0 }
  for (const column of COLUMNS) {
    for (let after: number | null = 0; after !== null;) {
      const done: ResealedPage = await resealPage(store, keys, column, after)
      total.resealed += done.resealed
      total.unreadable += done.unreadable
      after = done.last
    }
  }
  return total
}

interface ResealedPage {
  resealed: number
  unreadable: number
  /** The last row id of the page; null when it was the last page. */
  last: number | null
}

type SealedRow = Record<string, unknown> & { row_id: number; sealed: string }

/** Reads before it opens a transaction, because there is seldom anything to seal. */
async function resealPage(
  store: Store,
  keys: Keys,
  column: SealedColumn<Record<string, unknown>>,
  after: number,
): Promise<ResealedPage> {
  const [table, name] = [sql.raw(column.table), sql.raw(column.column)]
  const rows = await store.db.all<SealedRow>(sql`
    SELECT rowid AS row_id, ${name} AS sealed, ${sql.raw(column.reads.join(', '))} FROM ${table}
    WHERE rowid > ${after} AND ${name} IS NOT NULL AND substr(${name}, 1, ${KEY_ID_LENGTH}) <> ${keys.newest_id}
    ORDER BY rowid LIMIT ${PAGE_ROWS}`)
  const again = rows.flatMap((row) => {
    const plain = unseal(keys, column, row.sealed, row)
    return plain === null ? [] : [[row.row_id, row.sealed, seal(keys, column, plain, row)]]
  })
  if (again.length > 0)
    // A text that changed meanwhile stays as it is.
    await store.write((tx) =>
      tx.run(sql`
        UPDATE ${table} SET ${name} = given.value ->> 2 FROM json_each(${jsonText(again)}) AS given
        WHERE ${table}.rowid = given.value ->> 0 AND ${name} = given.value ->> 1`),
    )
  return {
    resealed: again.length,
    unreadable: rows.length - again.length,
    last: rows.length < PAGE_ROWS ? null : rows.at(-1)!.row_id,
  }
}
