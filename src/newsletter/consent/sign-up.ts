import { note } from '../../audit/record.ts'
import type { ContactFieldName } from '../../shared/contact-fields.ts'
import type { ProjectId } from '../../ids.ts'
import { sql } from 'drizzle-orm'
import { invalid } from '../../errors.ts'
import { jsonText } from '../../store/json-text.ts'
import type { Keys } from '../../secrets.ts'
import { one } from '../../store/rows.ts'
import type { Tx } from '../../store/open.ts'
import { type CustomValuesInput, requireCustomValues } from '../contacts/custom-values.ts'
import { findForSaving } from '../contacts/found.ts'
import { saveContacts } from '../contacts/save.ts'
import type { ConsentSource } from './consent-rule.ts'

/** A person who signs up on a public page. */
export interface SignUp extends Partial<Record<ContactFieldName, string>> {
  email: string
  consent_text: string
  list_ids?: number[]
  custom_fields?: CustomValuesInput
}

interface SignUpOrigin {
  keys: Keys
  by: ConsentSource
  /** See `findForSaving`. */
  contacts_per_project: number
  now: number
  address: string
  user_agent: string
}

/**
 * Subscribes a person as `contacts/upsert` does, with two differences, because anyone can send this request: a known
 * contact keeps its profile except for empty parts, and the response reveals no outcome, not even a full plan
 * (docs/api/consent.md#signup). VALIDATION_FAILED for custom values; `requirePublicLists` checks the lists.
 */
export async function signUp(
  tx: Tx,
  project_id: ProjectId,
  { email, consent_text, list_ids, ...profile }: SignUp,
  { by, contacts_per_project, ...from }: SignUpOrigin,
): Promise<{ confirms: boolean }> {
  const with_fields = profile.custom_fields !== undefined
  const text = consent_text.toWellFormed()
  const wanted = { emails: [email], list_ids, with_fields, consent_text: text, contacts_per_project }
  const found = await findForSaving(tx, project_id, wanted)
  requireCustomValues(found.fields, profile.custom_fields)
  const saved = one(
    await saveContacts(tx, [{ email, ...profile }], {
      found,
      known: 'fill_empty',
      known_consents_without_list: true,
      consent: { project_id, text, source: by, ...from },
    }),
  )
  if (saved.outcome !== 'no_room') note(tx, { target: `contact:${saved.contact.id}`, project_id })
  return { confirms: saved.outcome !== 'no_room' && saved.confirms }
}

/**
 * VALIDATION_FAILED for the first list that is not a public one of the project; the refusal does not tell private lists
 * from missing ones.
 */
export async function requirePublicLists(
  tx: Tx,
  project_id: ProjectId,
  list_ids: readonly number[],
  path: string,
): Promise<void> {
  const found = await tx.all<{ id: number }>(sql`
    SELECT id FROM lists WHERE project_id = ${project_id} AND public = 1 AND archived_at IS NULL
      AND id IN (SELECT value FROM json_each(${jsonText(list_ids)}))`)
  const missing = list_ids.findIndex((id) => !found.some((list) => list.id === id))
  if (missing !== -1) throw invalid(`${path}/${missing}`, 'There is no such list.')
}
