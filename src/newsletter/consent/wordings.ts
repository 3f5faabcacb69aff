import { eq, type SQL, sql } from 'drizzle-orm'
import { requireRoom } from '../../errors.ts'
import type { ProjectId } from '../../ids.ts'
import { sha256 } from '../../secrets.ts'
import type { Tx } from '../../store/open.ts'
import { one, withRows } from '../../store/rows.ts'
import { consent_wordings } from '../../store/tables/audience.ts'

/**
 * The texts that contacts agreed to (docs/api/consent.md#evidence). A project stores each text once, and its contacts
 * and their evidence refer to it: an import of a hundred thousand contacts does not repeat up to 4,000 characters in
 * each row. The database deletes a text with the last evidence that refers to it.
 */

/** Strangers choose the text of a signup. A full store refuses new texts; the known ones go on working. */
const MAX_WORDINGS = 20_000

/** The id of a text, stored now unless the project has it; null for an empty text. INVALID_STATE beyond the limit. */
export async function wordingId(tx: Tx, project_id: ProjectId, text: string): Promise<number | null> {
  if (text === '') return null
  const { known } = one(
    await tx.all<{ known: number | null }>(sql`SELECT ${storedWording(sql`${project_id}`, text)} AS known`),
  )
  if (known !== null) return known
  requireRoom(
    await tx.$count(consent_wordings, eq(consent_wordings.project_id, project_id)),
    MAX_WORDINGS,
    'texts of consent',
  )
  const { id } = one(
    await tx.all<{ id: number }>(sql`
      INSERT INTO consent_wordings (project_id, hash, text) VALUES (${project_id}, ${sha256(text)}, ${text})
      RETURNING id`),
  )
  return id
}

/** Ids of texts, by the text; the empty text has none. */
export type Wordings = ReadonlyMap<string, number>

/** The ids of texts, stored now unless the project has them; `known` are those that were looked up already. */
export async function wordingIds(
  tx: Tx,
  project_id: ProjectId,
  texts: readonly string[],
  known: Wordings = new Map(),
): Promise<Wordings> {
  const missing = new Set(texts.filter((text) => text !== '' && !known.has(text)))
  if (missing.size === 0) return known
  const found = new Map(known)
  if (missing.size === 1) {
    const text = one([...missing])
    return found.set(text, (await wordingId(tx, project_id, text))!)
  }
  const rows = withRows([...missing].map((text) => [sha256(text), text]))
  await tx.run(sql`
    ${rows} INSERT INTO consent_wordings (project_id, hash, text) SELECT ${project_id}, v->>0, v->>1 FROM r WHERE true
    ON CONFLICT DO NOTHING`)
  requireRoom(
    (await tx.$count(consent_wordings, eq(consent_wordings.project_id, project_id))) - 1,
    MAX_WORDINGS,
    'texts of consent',
  )
  const stored = await tx.all<{ id: number; text: string }>(sql`
    ${rows} SELECT wording.id, wording.text FROM r CROSS JOIN consent_wordings wording
      ON wording.project_id = ${project_id} AND wording.hash = v->>0`)
  for (const { id, text } of stored) found.set(text, id)
  return found
}

/** An expression for the id of a text of the project; null when the project has not stored it. */
export function storedWording(project_id: SQL, text: string): SQL {
  return sql`(SELECT id FROM consent_wordings WHERE project_id = ${project_id} AND hash = ${sha256(text)})`
}

/** SQL for the text of the latest consent of a row `contact` of contacts; empty when there is none. */
export const LATEST_WORDING = `coalesce((SELECT wording.text FROM consent_wordings wording
  WHERE wording.id = contact.consent_wording_id), '')`
