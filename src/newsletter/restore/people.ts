import { allKeys } from '../../address.ts'
import { sql } from 'drizzle-orm'
import type { ProjectId } from '../../ids.ts'
import { addressMark } from '../../store/address-key.ts'
import { jsonText } from '../../store/json-text.ts'
import type { Reader } from '../../store/open.ts'
import type { UnsubscribingContact } from '../consent/unsubscribe.ts'
import type { ProjectFacts } from './facts-of.ts'

/** A project whose facts are replayed. */
export interface Replayed {
  id: ProjectId
  /** The project's key for hashes of addresses. */
  key: string
  people: People
}

/** The contacts that facts name. */
interface People {
  /** Finds a contact by its id; by its address when the contact was created after the backup and exists again. */
  find(contact_id: number | null, mark: string): UnsubscribingContact | null
  /** The address whose suppression in the backup has this hash; null for none. */
  suppressed(mark: string): string | null
  /**
   * The key that counts a departed person once: the contact's id for all its addresses, or the mark of an unknown
   * address.
   */
  countedAs(mark: string): number | string
}

const PAGE = 5000

/** Reads the contacts of a project that facts name. */
export async function peopleIn(
  db: Reader,
  { id: project_id, key }: { id: ProjectId; key: string },
  { handovers, departures }: ProjectFacts,
): Promise<People> {
  const facts = [...handovers.values(), ...departures]
  const contact_of = new Map(
    facts.flatMap((fact): [string, number][] =>
      'contact_id' in fact && fact.contact_id !== null ? [[fact.mark, fact.contact_id]] : [],
    ),
  )
  const marks = new Set(facts.map(({ mark }) => mark))
  const ids = new Set(facts.flatMap((fact) => ('contact_id' in fact ? (fact.contact_id ?? []) : [])))
  const marksOf = (email_key: string) => allKeys(email_key).map((one) => addressMark(key, one))
  const by_id = new Map<number, UnsubscribingContact>()
  const by_mark = new Map<string, UnsubscribingContact>()
  const contacts = (after: number) =>
    db.all<UnsubscribingContact & { email_key: string }>(sql`
      SELECT id, project_id, email, global_status, email_key FROM contacts
      WHERE project_id = ${project_id} AND id > ${after} ORDER BY id LIMIT ${PAGE}`)
  for await (const { email_key, ...contact } of eachRow(contacts, 0, ({ id }) => id)) {
    for (const mark of marksOf(email_key)) if (marks.has(mark)) by_mark.set(mark, contact)
    if (ids.has(contact.id)) by_id.set(contact.id, contact)
  }
  const suppressed = new Map<string, string>()
  const suppressions = (after: string) =>
    db.all<{ email: string; email_key: string }>(sql`
      SELECT email, email_key FROM suppressions
      WHERE project_id = ${project_id} AND email_key > ${after} AND email <> '' ORDER BY email_key LIMIT ${PAGE}`)
  if (departures.length > 0)
    for await (const { email, email_key } of eachRow(suppressions, '', (row) => row.email_key)) {
      for (const mark of marksOf(email_key)) if (marks.has(mark)) suppressed.set(mark, email)
    }
  return {
    find: (contact_id, mark) => by_id.get(contact_id ?? 0) ?? by_mark.get(mark) ?? null,
    suppressed: (mark) => suppressed.get(mark) ?? null,
    countedAs: (mark) => contact_of.get(mark) ?? by_mark.get(mark)?.id ?? mark,
  }
}

/** The rows of all pages, in the order of a key. */
async function* eachRow<Row, Key>(
  pageAfter: (key: Key) => Promise<Row[]>,
  first: Key,
  keyOf: (row: Row) => Key,
): AsyncGenerator<Row> {
  for (let after = first; ;) {
    const page = await pageAfter(after)
    yield* page
    if (page.length < PAGE) return
    after = keyOf(page.at(-1)!)
  }
}

/** Ids as an SQL list for `IN`. */
export const idList = (ids: readonly number[]) => sql`(SELECT value FROM json_each(${jsonText(ids)}))`
