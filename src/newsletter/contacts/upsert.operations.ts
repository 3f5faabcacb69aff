import type { ProjectId } from '../../ids.ts'
import { Type } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import { AppError } from '../../errors.ts'
import { mutation } from '../../operation/declare.ts'
import { Email, Id, nullable, obj, requiredProse, enumOf } from '../../schema.ts'
import { jsonText } from '../../store/json-text.ts'
import type { Tx } from '../../store/open.ts'
import type { SuppressionReason } from '../../store/tables/audience.ts'
import { emailKey } from '../suppressions/suppression.ts'
import { keepsConsent, type ListKind, type Plan, plan, SKIP_REASONS, WAYS_IN } from '../consent/consent-rule.ts'
import {
  Contact,
  type ContactRow,
  type Packed,
  packed,
  PersonName,
  searchKey,
  tidy,
  toContact,
  unpack,
} from './contact.ts'
import {
  CustomValuesInput,
  definitionsOf,
  type FieldDefinition,
  mergeValues,
  type PackedDefinition,
  requireCustomValues,
  unpackDefinition,
} from './custom-values.ts'
import { insertedKeys } from './rule-columns.ts'
import { requireAll } from '../names.ts'
import { type Profile, writeProfile } from './profile.ts'
import { type Consent, subscribe } from '../consent/subscribe.ts'
import { requireTags } from '../lists/tags.operations.ts'

const MAX_NAMED = 100

export const ConsentText = requiredProse(4000, 'The words that the person agreed to; they are kept as evidence')

export const upsertContact = mutation({
  path: '/contacts/upsert',
  scope: 'write',
  summary:
    'Creates a contact or updates the one with the address, and subscribes it as far as consent, suppression and double opt-in allow. Nobody who opted out is subscribed unless resubscribe says so; skipped tells what was left out and why.',
  request: obj({
    email: Email,
    consent_text: ConsentText,
    first_name: Type.Optional(PersonName),
    last_name: Type.Optional(PersonName),
    list_ids: Type.Optional(Type.Array(Id, { maxItems: MAX_NAMED })),
    tag_ids: Type.Optional(
      Type.Array(Id, { maxItems: MAX_NAMED, description: 'Added to the tags that the contact has.' }),
    ),
    custom_fields: Type.Optional(CustomValuesInput),
    resubscribe: Type.Optional(
      Type.Boolean({ description: 'Takes back an opt-out, never a complaint, hard bounce or manual suppression.' }),
    ),
  }),
  response: obj({
    contact: Contact,
    created: Type.Boolean(),
    confirmations_queued: Type.Integer({ minimum: 0, description: 'Messages; one asks for all lists that need it.' }),
    skipped: Type.Array(obj({ list_id: nullable(Id), reason: enumOf(SKIP_REASONS) }), {
      description: 'list_id is null where no list was named.',
    }),
  }),
  async run(input, { tx, project_id, now, address, user_agent, afterCommit, wake }) {
    const way = input.resubscribe ? WAYS_IN.resubscribe : WAYS_IN.upsert
    const { known, suppression, contact_limit, lists, fields } = await lookUp(tx, project_id, input)
    requireCustomValues(fields, input.custom_fields)
    requireAll('list', '/list_ids', input.list_ids ?? [], lists)
    await requireTags(tx, project_id, input.tag_ids ?? [])

    const decided = plan(
      { global_status: known?.global_status ?? null, suppression },
      new Map(known?.memberships.map(({ list_id, status }) => [list_id, status])),
      lists,
      way,
    )
    const consent: Consent = {
      project_id,
      text: input.consent_text.toWellFormed(),
      source: way.source,
      now,
      address,
      user_agent,
    }
    const contact = known
      ? await writeProfile(tx, known, { ...input, email: known.email }, fields, now)
      : await createContact(tx, { contact_limit, fields }, input, decided, consent)
    contact.tag_ids = await addTags(tx, contact, input.tag_ids ?? [])

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
    const { memberships, is_new, confirms, changed } = subscribed!
    if (confirms) afterCommit(() => wake('delivery'))
    return {
      contact: toContact({
        ...contact,
        memberships,
        global_status: decided.global_status,
        ...(is_new ? { consent_text: consent.text, consent_source: consent.source, consent_at: now } : {}),
        ...(changed ? { updated_at: now } : {}),
      }),
      created: known === null,
      confirmations_queued: confirms ? 1 : 0,
      skipped: decided.decisions.flatMap(({ list_id, decision }) =>
        decision.act === 'skip' ? [{ list_id, reason: decision.reason }] : [],
      ),
    }
  },
})

interface Facts {
  known: ContactRow | null
  suppression: SuppressionReason | null
  /** How many contacts the project may have; null for any number. */
  contact_limit: number | null
  /** Those of the named lists that the project has. */
  lists: ListKind[]
  /** The project's custom fields; left out where the request has no values for them. */
  fields: FieldDefinition[]
}

/** All that deciding needs to know, in one statement: this is the operation that integrations call thousands of times. */
export async function lookUp(
  tx: Tx,
  project_id: ProjectId,
  { email, list_ids = [], custom_fields }: { email: string; list_ids?: number[]; custom_fields?: CustomValuesInput },
): Promise<Facts> {
  const fields = custom_fields === undefined ? sql`NULL` : definitionsOf(sql`p.id`)
  const [row] = await tx.all<{ facts: string }>(sql`
    SELECT json_array(iif(c.id IS NULL, NULL, ${packed}), s.reason, p.contact_limit, ${fields},
      (SELECT json_group_array(json_array(l.id, l.double_opt_in)) FROM lists l WHERE l.project_id = p.id AND l.id IN (SELECT value FROM json_each(${jsonText(list_ids)})))) AS facts
    FROM projects p
    LEFT JOIN contacts c ON c.project_id = p.id AND c.email_key = ${emailKey(email)}
    LEFT JOIN suppressions s ON s.project_id = p.id AND s.email_key = ${emailKey(email)}
    WHERE p.id = ${project_id}`)
  if (!row) throw new Error('The project is gone.')
  const [known, suppression, contact_limit, definitions, lists] = JSON.parse(row.facts) as [
    Packed | null,
    Facts['suppression'],
    number | null,
    PackedDefinition[] | null,
    [number, 0 | 1][],
  ]
  return {
    known: known && unpack(known),
    suppression,
    contact_limit,
    lists: lists.map(([id, double_opt_in]) => ({ id, double_opt_in: double_opt_in === 1 })),
    fields: definitions?.map(unpackDefinition) ?? [],
  }
}

export async function createContact(
  tx: Tx,
  { contact_limit, fields }: Pick<Facts, 'contact_limit' | 'fields'>,
  profile: Profile,
  decided: Plan,
  { project_id, text, source, now }: Consent,
): Promise<ContactRow> {
  if (contact_limit !== null) await requireRoom(tx, project_id, contact_limit)
  const { global_status } = decided
  const consents = keepsConsent(decided)
  const row = {
    email: tidy(profile.email),
    first_name: tidy(profile.first_name ?? ''),
    last_name: tidy(profile.last_name ?? ''),
    global_status,
    custom_fields: mergeValues({}, profile.custom_fields),
    consent_text: consents ? text : '',
    consent_source: consents ? source : '',
    consent_at: consents ? now : null,
    created_at: now,
    updated_at: now,
  }
  const keys = insertedKeys(row, fields)
  const [made] = await tx.all<{ id: number }>(sql`
    INSERT INTO contacts (project_id, email, email_key, first_name, last_name, search_key, global_status, custom_fields, consent_text, consent_source, consent_at, created_at, updated_at, ${keys.columns})
    VALUES (${project_id}, ${row.email}, ${emailKey(row.email)}, ${row.first_name}, ${row.last_name}, ${searchKey(row)}, ${global_status}, ${jsonText(row.custom_fields)},
      ${row.consent_text}, ${row.consent_source}, ${row.consent_at}, ${now}, ${now}, ${keys.values})
    RETURNING id`)
  return { id: made!.id, ...row, memberships: [], tag_ids: [] }
}

/** PLAN_LIMIT_EXCEEDED when the project has as many contacts as its plan allows. */
async function requireRoom(tx: Tx, project_id: ProjectId, contact_limit: number): Promise<void> {
  const [count] = await tx.all<{ n: number }>(
    sql`SELECT count(*) AS n FROM (SELECT 1 FROM contacts WHERE project_id = ${project_id} LIMIT ${contact_limit})`,
  )
  if (count!.n >= contact_limit)
    throw new AppError('PLAN_LIMIT_EXCEEDED', `The plan allows ${contact_limit} contacts.`, {
      details: { limit: contact_limit },
    })
}

async function addTags(tx: Tx, { id, tag_ids }: ContactRow, added: readonly number[]): Promise<number[]> {
  const missing = added.filter((tag_id) => !tag_ids.includes(tag_id))
  if (missing.length === 0) return tag_ids
  await tx.run(
    sql`INSERT INTO contact_tags (contact_id, tag_id) SELECT ${id}, value FROM json_each(${jsonText(missing)}) WHERE true ON CONFLICT DO NOTHING`,
  )
  return [...new Set([...tag_ids, ...missing])].sort((a, b) => a - b)
}
