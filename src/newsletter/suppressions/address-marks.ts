import { type SQL, sql } from 'drizzle-orm'
import type { ProjectId } from '../../ids.ts'
import { allKeys, emailKey, tidyAddress } from '../../address.ts'
import { jsonText } from '../../store/json-text.ts'
import type { Reader, Tx } from '../../store/open.ts'
import { addressKey, addressMark, findAddressKey } from '../../store/address-key.ts'
import { withRows } from '../../store/rows.ts'
import type { SuppressionReason } from '../../store/tables/audience.ts'
import { strongest } from './strength.ts'

/**
 * Suppressions of deleted contacts keep a keyed hash in place of the address (docs/api/consent.md#deleting). When the
 * address comes back, its suppression gets the address again: queries compare suppressions with the addresses of
 * contacts.
 */

/** The values that `email_key` of a suppression of the address may have, as a list for `IN`. */
export async function keysOf(db: Reader, project_id: ProjectId, email: string): Promise<SQL> {
  const marks = await addressMarks(db, project_id, [emailKey(email)])
  return sql`(SELECT value FROM json_each(${jsonText([emailKey(email), ...marks.keys()])}))`
}

/**
 * The keys of addresses by their hashes, those of their earlier keys included; empty while the project has no key of
 * its own.
 */
export async function addressMarks(
  db: Reader,
  project_id: ProjectId,
  email_keys: readonly string[],
): Promise<Map<string, string>> {
  const key = await findAddressKey(db, project_id)
  if (key === null) return new Map()
  return new Map(
    email_keys.flatMap((email_key) => allKeys(email_key).map((one) => [addressMark(key, one), email_key] as const)),
  )
}

/**
 * Gives the suppressions of these addresses their address again, where only a hash of it is left. An address may have
 * several, under hashes of its earlier keys; they become one. Answers whether there were any.
 */
export async function revealSuppressions(tx: Tx, project_id: ProjectId, emails: readonly string[]): Promise<boolean> {
  const spelling = new Map(emails.map((email) => [emailKey(email), tidyAddress(email)]))
  const marks = await addressMarks(tx, project_id, [...spelling.keys()])
  if (marks.size === 0) return false
  const hidden = await suppressionsAt(tx, project_id, [...marks.keys()])
  if (hidden.length === 0) return false
  const keys = [...new Set(hidden.map(({ email_key }) => marks.get(email_key)!))]
  const all = [...(await suppressionsAt(tx, project_id, keys)), ...hidden]
  const joined = Map.groupBy(all, ({ email_key }) => marks.get(email_key) ?? email_key)
  const superfluous = [...joined.values()].flatMap(([, ...others]) => others.map(({ id }) => id))
  if (superfluous.length > 0)
    await tx.run(sql`DELETE FROM suppressions WHERE id IN (SELECT value FROM json_each(${jsonText(superfluous)}))`)
  const rows = [...joined].map(([email_key, some]) => [
    some[0]!.id,
    email_key,
    spelling.get(email_key),
    some.map(({ reason }) => reason).reduce(strongest),
    Math.max(...some.map(({ opted_out }) => opted_out)),
  ])
  await tx.run(sql`
    ${withRows(rows)}
    UPDATE suppressions SET email_key = v->>1, email = v->>2, reason = v->>3, opted_out = v->>4
    FROM r WHERE suppressions.id = v->>0`)
  return true
}

interface Stored {
  id: number
  email_key: string
  reason: SuppressionReason
  opted_out: 0 | 1
}

function suppressionsAt(tx: Tx, project_id: ProjectId, email_keys: readonly string[]): Promise<Stored[]> {
  return tx.all<Stored>(sql`
    SELECT id, email_key, reason, opted_out FROM suppressions
    WHERE project_id = ${project_id} AND email_key IN (SELECT value FROM json_each(${jsonText(email_keys)}))
    ORDER BY id`)
}

/** Replaces the addresses of these suppressions by hashes, and empties the notes, which may name the address. */
export async function hideSuppressions(tx: Tx, project_id: ProjectId, emails: readonly string[]): Promise<void> {
  const email_keys = emails.map(emailKey)
  const found = await tx.all<{ id: number; email_key: string }>(sql`
    SELECT id, email_key FROM suppressions
    WHERE project_id = ${project_id} AND email_key IN (SELECT value FROM json_each(${jsonText(email_keys)}))`)
  if (found.length === 0) return
  const key = await addressKey(tx, project_id)
  const rows = found.map(({ id, email_key }) => [id, addressMark(key, email_key)])
  await tx.run(sql`
    UPDATE suppressions SET email = '', email_key = entry.value ->> 1, note = ''
    FROM json_each(${jsonText(rows)}) entry WHERE suppressions.id = entry.value ->> 0`)
}
