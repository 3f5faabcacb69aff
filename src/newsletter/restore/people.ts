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
  /** The key of its hashes. */
  key: string
  people: People
}

/** The contacts that facts name. */
interface People {
  /** By the contact's id, or by the address where the contact was made after the backup and exists again. */
  find(contact_id: number | null, mark: string): UnsubscribingContact | null
}

const PAGE = 5000

/** Reads the contacts of a project that facts name. */
export async function peopleIn(
  db: Reader,
  { id: project_id, key }: { id: ProjectId; key: string },
  { handovers, departures }: ProjectFacts,
): Promise<People> {
  const facts = [...handovers.values(), ...departures]
  const marks = new Set(facts.map(({ mark }) => mark))
  const ids = new Set(facts.flatMap((fact) => ('contact_id' in fact ? (fact.contact_id ?? []) : [])))
  const by_id = new Map<number, UnsubscribingContact>()
  const by_mark = new Map<string, UnsubscribingContact>()
  for (let after = 0; ;) {
    const page = await db.all<UnsubscribingContact & { email_key: string }>(sql`
      SELECT id, project_id, email, global_status, email_key FROM contacts
      WHERE project_id = ${project_id} AND id > ${after} ORDER BY id LIMIT ${PAGE}`)
    for (const { email_key, ...contact } of page) {
      const mark = addressMark(key, email_key)
      if (marks.has(mark)) by_mark.set(mark, contact)
      if (ids.has(contact.id)) by_id.set(contact.id, contact)
    }
    if (page.length < PAGE) break
    after = page.at(-1)!.id
  }
  return { find: (contact_id, mark) => by_id.get(contact_id ?? 0) ?? by_mark.get(mark) ?? null }
}

/** As a list for `IN`. */
export const idList = (ids: readonly number[]) => sql`(SELECT value FROM json_each(${jsonText(ids)}))`
