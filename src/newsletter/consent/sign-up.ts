import type { ProjectId } from '../../ids.ts'
import { sql } from 'drizzle-orm'
import { AppError, invalid } from '../../errors.ts'
import { jsonText } from '../../store/json-text.ts'
import type { Tx } from '../../store/open.ts'
import { plan, WAYS_IN } from './consent-rule.ts'
import type { ContactRow } from '../contacts/contact.ts'
import { type CustomValuesInput, requireCustomValues } from '../contacts/custom-values.ts'
import { type Profile, writeProfile } from '../contacts/profile.ts'
import { type Consent, subscribe } from './subscribe.ts'
import { createContact, lookUp } from '../contacts/upsert.operations.ts'

/** Somebody who signs up by themselves, on a page that anybody can open. */
export interface SignUp {
  email: string
  consent_text: string
  list_ids?: number[]
  first_name?: string
  last_name?: string
  custom_fields?: CustomValuesInput
}

/**
 * Subscribes by the rule of consent, as `contacts/upsert` does, but for what a stranger must not do: a contact that is
 * known keeps its profile but for what is empty, and nothing of the outcome is told, a full plan included
 * (contract-details 64, 66). VALIDATION_FAILED for custom values; the lists are checked by `requirePublicLists`.
 */
export async function signUp(
  tx: Tx,
  project_id: ProjectId,
  person: SignUp,
  by: 'signup' | 'form',
  from: { now: number; address: string; user_agent: string },
): Promise<{ confirms: boolean }> {
  const way = WAYS_IN[by]
  const { known, suppression, contact_limit, lists, fields } = await lookUp(tx, project_id, person)
  requireCustomValues(fields, person.custom_fields)
  const decided = plan(
    { global_status: known?.global_status ?? null, suppression },
    new Map(known?.memberships.map(({ list_id, status }) => [list_id, status])),
    lists,
    way,
  )
  const consent: Consent = { project_id, text: person.consent_text.toWellFormed(), source: way.source, ...from }
  const contact = known
    ? await writeProfile(tx, known, stillEmpty(known, person), fields, from.now)
    : await createIfRoom(() => createContact(tx, { contact_limit, fields }, person, decided, consent))
  if (!contact) return { confirms: false }
  const [subscribed] = await subscribe(
    tx,
    [
      {
        contact_id: contact.id,
        email: contact.email,
        status_before: known?.global_status ?? null,
        consent_text: contact.consent_text,
        memberships: contact.memberships,
        plan: decided,
      },
    ],
    consent,
  )
  return { confirms: subscribed!.confirms }
}

/** VALIDATION_FAILED, pointing at the first list that is none of the project's public ones: others are nobody's business. */
export async function requirePublicLists(
  tx: Tx,
  project_id: ProjectId,
  list_ids: readonly number[],
  path: string,
): Promise<void> {
  const found = await tx.all<{ id: number }>(sql`
    SELECT id FROM lists WHERE project_id = ${project_id} AND public = 1 AND archived_at IS NULL AND id IN (SELECT value FROM json_each(${jsonText(list_ids)}))`)
  const missing = list_ids.findIndex((id) => !found.some((list) => list.id === id))
  if (missing !== -1) throw invalid(`${path}/${missing}`, 'There is no such list.')
}

/** Of what is given, what the contact does not have yet. */
function stillEmpty(known: ContactRow, { first_name, last_name, custom_fields = {} }: SignUp): Profile {
  return {
    email: known.email,
    first_name: known.first_name === '' ? first_name : undefined,
    last_name: known.last_name === '' ? last_name : undefined,
    custom_fields: Object.fromEntries(
      Object.entries(custom_fields).filter(
        ([key, value]) => value !== null && !Object.hasOwn(known.custom_fields, key),
      ),
    ),
  }
}

/** Null when the plan is full: an address that is known would get another answer. */
async function createIfRoom(create: () => Promise<ContactRow>): Promise<ContactRow | null> {
  try {
    return await create()
  } catch (error) {
    if (error instanceof AppError && error.code === 'PLAN_LIMIT_EXCEEDED') return null
    throw error
  }
}
