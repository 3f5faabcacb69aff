import { sql } from 'drizzle-orm'
import { emailKey, tidyAddress } from '../../address.ts'
import { withRows } from '../rows.ts'
import type { Store, Tx } from '../store.ts'
import { joinContacts } from './join-contacts.ts'
import { joinSuppressions } from './join-suppressions.ts'
import { byMailbox, type ScopedKey, withPresentKeys } from './scoped-keys.ts'

interface KeyedTable {
  name: string
  column: 'email_key' | 'recipient_key'
  scope: 'project_id' | 'app_id' | null
  /** Gives the rows with these keys the keys of today, and joins those that are one mailbox. */
  join(tx: Tx, keys: readonly ScopedKey[], now: number): Promise<void>
}

/** Suppressions come before contacts, which take the status of theirs. */
const TABLES: readonly KeyedTable[] = [
  { name: 'suppressions', column: 'email_key', scope: 'project_id', join: joinSuppressions },
  { name: 'contacts', column: 'email_key', scope: 'project_id', join: joinContacts },
  { name: 'soft_bounces', column: 'email_key', scope: 'project_id', join: joinSoftBounces },
  { name: 'invitations', column: 'email_key', scope: 'project_id', join: joinInvitations('invitations', 'project_id') },
  {
    name: 'app_invitations',
    column: 'email_key',
    scope: 'app_id',
    join: joinInvitations('app_invitations', 'app_id'),
  },
  { name: 'users', column: 'email_key', scope: null, join: joinUsers },
  { name: 'erasures', column: 'email_key', scope: 'project_id', join: rename('erasures', 'email_key') },
  { name: 'sign_ups', column: 'email_key', scope: null, join: rename('sign_ups', 'email_key') },
  { name: 'sandbox_messages', column: 'recipient_key', scope: null, join: rename('sandbox_messages', 'recipient_key') },
]

/** Keys whose rows one transaction changes. */
const BATCH = 200

/**
 * Gives every address the key of its mailbox. Only keys with characters beyond ASCII or with A-labels can change; one
 * scan of each index finds them.
 */
export async function joinMailboxes(store: Pick<Store, 'write' | 'query'>, now: number): Promise<void> {
  for (const table of TABLES)
    for await (const keys of otherSpellings(store, table)) await store.write((tx) => table.join(tx, keys, now))
}

/** The keys of a table that another spelling of the mailbox may have, in pages. */
async function* otherSpellings(
  { query }: Pick<Store, 'query'>,
  { name, column, scope }: KeyedTable,
): AsyncGenerator<ScopedKey[]> {
  const columns = scope === null ? column : `${scope}, ${column}`
  const first = scope === 'project_id' ? [0, ''] : scope === 'app_id' ? ['', ''] : ['']
  for (let after: (string | number)[] = first; ;) {
    const rows = await query(
      `SELECT DISTINCT ${columns} FROM ${name}
       WHERE (${columns}) > (${after.map(() => '?').join(', ')}) AND instr(${column}, '@') > 0
         AND (${column} GLOB '*[^ -~]*' OR instr(${column}, 'xn--') > 0)
       ORDER BY ${columns} LIMIT ${BATCH}`,
      after,
    )
    const keys = rows.map((row) => ({ scope: scope && (row[scope] as number | string), key: String(row[column]) }))
    if (keys.length > 0) yield keys
    if (keys.length < BATCH) return
    const { scope: last, key } = keys.at(-1)!
    after = last === null ? [key] : [last, key]
  }
}

function rename(table: string, column: string): KeyedTable['join'] {
  return async (tx, keys) => {
    const changed = keys.filter(({ key }) => emailKey(key) !== key).map(({ key }) => [key, emailKey(key)])
    if (changed.length === 0) return
    await tx.run(sql`
      ${withRows(changed)} UPDATE ${sql.raw(table)} SET ${sql.raw(column)} = v->>1 FROM r
      WHERE ${sql.raw(`${table}.${column}`)} = v->>0`)
  }
}

/** The messages of both spellings bounced one after the other. */
async function joinSoftBounces(tx: Tx, keys: readonly ScopedKey[]): Promise<void> {
  const rows = await tx.all<{
    project_id: number
    email_key: string
    bounces: number
    last_delivery_id: number | null
    last_at: number
  }>(sql`
    SELECT bounce.* FROM json_each(${withPresentKeys(keys)}) named
    CROSS JOIN soft_bounces bounce ON bounce.project_id = named.value ->> 0 AND bounce.email_key = named.value ->> 1`)
  for (const [, joined] of byMailbox(rows, ({ project_id }) => project_id)) {
    const [{ project_id, email_key }] = joined as [(typeof rows)[number]]
    if (joined.length === 1 && emailKey(email_key) === email_key) continue
    for (const row of joined)
      await tx.run(sql`DELETE FROM soft_bounces WHERE project_id = ${project_id} AND email_key = ${row.email_key}`)
    const bounces = joined.reduce((sum, row) => sum + row.bounces, 0)
    const last_delivery_id = Math.max(...joined.map((row) => row.last_delivery_id ?? 0)) || null
    await tx.run(sql`
      INSERT INTO soft_bounces (project_id, email_key, bounces, last_delivery_id, last_at)
      VALUES (${project_id}, ${emailKey(email_key)}, ${bounces}, ${last_delivery_id},
        ${Math.max(...joined.map((row) => row.last_at))})`)
  }
}

/** A row of a person who is named by an address. */
interface Named {
  id: string
  email: string
  email_key: string
  created_at: number
}

async function tidy(tx: Tx, table: 'users' | 'invitations' | 'app_invitations', row: Named): Promise<void> {
  const [email, email_key] = [tidyAddress(row.email), emailKey(row.email_key)]
  if (email === row.email && email_key === row.email_key) return
  await tx.run(sql`UPDATE ${sql.raw(table)} SET email = ${email}, email_key = ${email_key} WHERE id = ${row.id}`)
}

/** The last invitation counts, as where an address is invited again. */
function joinInvitations(table: 'invitations' | 'app_invitations', scope: 'project_id' | 'app_id'): KeyedTable['join'] {
  return async (tx, keys) => {
    const rows = await tx.all<Named & { scope: number | string }>(sql`
      SELECT invitation.id, invitation.${sql.raw(scope)} AS scope, invitation.email, invitation.email_key,
        invitation.created_at
      FROM json_each(${withPresentKeys(keys)}) named
      CROSS JOIN ${sql.raw(table)} invitation
        ON invitation.${sql.raw(scope)} = named.value ->> 0 AND invitation.email_key = named.value ->> 1`)
    for (const [, joined] of byMailbox(rows, (row) => row.scope)) {
      const [last, ...earlier] = joined.toSorted((one, other) => other.created_at - one.created_at)
      for (const { id } of earlier) await tx.run(sql`DELETE FROM ${sql.raw(table)} WHERE id = ${id}`)
      await tidy(tx, table, last!)
    }
  }
}

/**
 * Two accounts of one mailbox cannot become one: each has its password, projects and rights. Each is found by its own
 * spelling as before. Where none has the key of the mailbox, the oldest gets it, and every other spelling finds that
 * one.
 */
async function joinUsers(tx: Tx, keys: readonly ScopedKey[]): Promise<void> {
  const rows = await tx.all<Named>(sql`
    SELECT user.id, user.email, user.email_key, user.created_at
    FROM json_each(${withPresentKeys(keys)}) named CROSS JOIN users user ON user.email_key = named.value ->> 1`)
  for (const [, accounts] of byMailbox(rows, () => null)) {
    const present = emailKey(accounts[0]!.email_key)
    if (accounts.length > 1 && accounts.some(({ email_key }) => email_key === present)) continue
    const [oldest] = accounts.toSorted((one, other) => one.created_at - other.created_at)
    await tidy(tx, 'users', oldest!)
  }
}
