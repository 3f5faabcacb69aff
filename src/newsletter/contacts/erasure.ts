import { sql } from 'drizzle-orm'
import type { ProjectId } from '../../ids.ts'
import { allKeys, emailKey } from '../../address.ts'
import { forgetBodiesOfProject } from '../../oauth/kept-bodies.ts'
import { jsonText } from '../../store/json-text.ts'
import type { Reader, Tx } from '../../store/open.ts'
import { withRows } from '../../store/rows.ts'
import { formerAddresses } from './former-addresses.ts'
import { hideSuppressions } from '../suppressions/address-marks.ts'
import { forgetRecipients } from '../outbox/outbox.ts'
import { IMPERSONAL_DETAIL } from '../tracking/event-detail.ts'

/**
 * Forgets the addresses of deleted contacts (docs/api/consent.md#deleting). Answers show them no more at once; the
 * hourly cleanup takes them out of the stored rows. A row of `erasures` stands for a contact until that is done. What
 * the logs of apps keep of calls for the project may name the contact in many ways, so all of it is forgotten.
 */

/** Deleted contacts whose rows one transaction empties. */
const BATCH = 100

export async function requestErasure(
  tx: Tx,
  project_id: ProjectId,
  contacts: readonly { id: number; email: string }[],
  now: number,
): Promise<void> {
  if (contacts.length === 0) return
  await tx.run(sql`
    ${withRows(contacts.map(({ id, email }) => [id, emailKey(email)]))}
    INSERT INTO erasures (contact_id, project_id, email_key, deleted_at)
    SELECT v->>0, ${project_id}, v->>1, ${now} FROM r`)
  await forgetBodiesOfProject(tx, project_id)
}

/** Of the given texts, those that are addresses of contacts whose erasure is under way. */
export async function forgottenAmong(
  db: Reader,
  project_id: ProjectId,
  texts: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = await db.all<{ text: string }>(sql`
    SELECT given.value ->> 0 AS text FROM json_each(${jsonText(texts.map((text) => [text, emailKey(text)]))}) given
    JOIN erasures erasure ON erasure.project_id = ${project_id} AND erasure.email_key = given.value ->> 1`)
  return new Set(found.map(({ text }) => text))
}

/**
 * Empties the stored rows of some deleted contacts. Messages that are being sent keep their address until they have an
 * outcome. Answers whether there is more to do at once.
 */
export async function eraseDeleted(tx: Tx): Promise<boolean> {
  const due = await tx.all<{ contact_id: number; project_id: ProjectId; email_key: string }>(sql`
    SELECT contact_id, project_id, email_key FROM erasures erasure
    WHERE NOT EXISTS (
      SELECT 1 FROM deliveries delivery
      WHERE delivery.contact_id = erasure.contact_id AND delivery.status IN ('leased', 'sending'))
    ORDER BY contact_id LIMIT ${BATCH}`)
  if (due.length === 0) return false
  const contact_ids = due.map(({ contact_id }) => contact_id)
  const ids = jsonText(contact_ids)
  await forgetRecipients(tx, contact_ids)
  const former = await formerAddresses(tx, contact_ids)
  await tx.run(sql`
    UPDATE events SET email = '', detail = ${IMPERSONAL_DETAIL}
    WHERE contact_id IN (SELECT value FROM json_each(${ids}))`)
  for (const [project_id, addresses] of Map.groupBy(former, (address) => address.project_id))
    await hideSuppressions(
      tx,
      project_id,
      addresses.map(({ email_key }) => email_key),
    )
  for (const { project_id, email_key } of [...due, ...former]) {
    await tx.run(sql`DELETE FROM soft_bounces WHERE project_id = ${project_id} AND email_key = ${email_key}`)
    for (const spelling of allKeys(email_key)) await forgetSamples(tx, project_id, spelling)
  }
  await tx.run(sql`DELETE FROM erasures WHERE contact_id IN (SELECT value FROM json_each(${ids}))`)
  return due.length === BATCH
}

/** Empties what reports of imports show of an address in this spelling. */
async function forgetSamples(tx: Tx, project_id: ProjectId, spelling: string): Promise<void> {
  await tx.run(sql`
    UPDATE imports SET
      columns = iif(instr(lower(columns), ${spelling}) > 0, (
        SELECT json_group_array(json_set(value, '$.samples', json('[]'))) FROM json_each(imports.columns)), columns),
      row_errors = (
        SELECT json_group_array(
          iif(instr(lower(value), ${spelling}) > 0, json_set(value, '$.value', NULL), json(value)))
        FROM json_each(imports.row_errors))
    WHERE project_id = ${project_id}
      AND (instr(lower(columns), ${spelling}) > 0 OR instr(lower(row_errors), ${spelling}) > 0)`)
}
