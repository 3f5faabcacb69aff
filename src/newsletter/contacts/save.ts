import type { ProjectId } from '../../ids.ts'
import { countContacts } from '../../projects/usage.ts'
import { sql } from 'drizzle-orm'
import { jsonText } from '../../store/json-text.ts'
import type { Tx } from '../../store/open.ts'
import { one, valuesOf, withRows } from '../../store/rows.ts'
import type { GlobalStatus, SuppressionReason } from '../../store/tables/audience.ts'
import { type ListKind, type Plan, plan, type SkipReason, storesConsent } from '../consent/consent-rule.ts'
import { type Consent, planFor, subscribe } from '../consent/subscribe.ts'
import { storedWording, wordingId } from '../consent/wordings.ts'
import { insertTags, touchContacts } from './contact-tags.ts'
import { type ContactRow, type Packed, packed, searchKey, tidy, unpack } from './contact.ts'
import { definitionsOf, type FieldDefinition } from './custom-values.ts'
import { contactCount, roomFor } from './plan-limit.ts'
import { isSameProfile, newProfile, onlyMissing, type Person, type Profile, profileAfter } from './profile.ts'
import { keyColumns, keyValues } from './rule-columns.ts'
import { emailKey } from '../../schema.ts'
import { revealSuppressions } from '../suppressions/address-marks.ts'

/** This file alone creates contacts and writes their profiles: for upsert, update, imports, signup and bulk actions. */

/** What the store has about the people to save. */
export interface Found {
  /** Contacts and suppressions, by the keys of their addresses. */
  known: ReadonlyMap<string, ContactRow>
  suppressed: ReadonlyMap<string, SuppressionReason>
  /** Those of the suppressed addresses that unsubscribed, whatever the reason. */
  opted_out: ReadonlySet<string>
  /** How many contacts the project has, and how many it may have. */
  contacts: number
  contact_limit: number
  /** Those of the named lists that the project has. */
  lists: ListKind[]
  /** All custom fields of the project; empty when they were not asked for. */
  fields: FieldDefinition[]
  /** The last id that a contact got. */
  last_id: number
  /** The consent's wording; null when the project has not stored it. */
  wording_id: number | null
}

export interface SavePolicy {
  found: Found
  consent: Consent
  tag_ids?: readonly number[]
  /** What happens to a known contact: its profile changes, only its empty parts are filled, or nothing happens. */
  known: 'update' | 'fill_empty' | 'leave'
  /** Whether a known contact consents to messages in general when no list is named; a new contact always does. */
  known_consents_without_list: boolean
}

export type Saved =
  | { outcome: 'no_room' }
  | {
      outcome: 'created' | 'updated' | 'unchanged'
      /** The contact as it is now. */
      contact: ContactRow
      /** What was not subscribed; list_id is null where no list was named. */
      skipped: { list_id: number | null; reason: SkipReason }[]
      /** Whether a confirmation message was queued. */
      confirms: boolean
    }

interface Wanted {
  emails: readonly string[]
  list_ids?: readonly number[]
  with_fields: boolean
  consent_text: string
  /** For a project whose plan has no limit of its own. */
  contacts_per_project: number
}

/** Reads what `saveContacts` needs in one statement: integrations call upsert thousands of times. */
export async function findForSaving(tx: Tx, project_id: ProjectId, wanted: Wanted): Promise<Found> {
  const keys = jsonText(wanted.emails.map(emailKey))
  const fields = wanted.with_fields ? definitionsOf(sql`project.id`) : sql`NULL`
  const rows = await tx.all<{ found: string }>(sql`
    SELECT json_array(
      (SELECT json_group_array(json_array(address.value, ${packed}))
        FROM json_each(${keys}) address
        CROSS JOIN contacts contact ON contact.project_id = project.id AND contact.email_key = address.value),
      (SELECT json_group_array(json_array(address.value, suppression.reason, suppression.opted_out))
        FROM json_each(${keys}) address
        CROSS JOIN suppressions suppression
          ON suppression.project_id = project.id AND suppression.email_key = address.value),
      ${contactCount}, coalesce(project.contact_limit, ${wanted.contacts_per_project}),
      (SELECT json_group_array(json_array(list.id, list.double_opt_in)) FROM lists list
        WHERE list.project_id = project.id
          AND list.id IN (SELECT value FROM json_each(${jsonText(wanted.list_ids ?? [])}))),
      ${fields},
      (SELECT seq FROM sqlite_sequence WHERE name = 'contacts'),
      ${storedWording(sql`project.id`, wanted.consent_text)},
      EXISTS (SELECT 1 FROM address_keys WHERE project_id = project.id)) AS found
    FROM projects project WHERE project.id = ${project_id}`)
  const [known, suppressed, contacts, contact_limit, lists, definitions, last_id, wording_id, hides] = JSON.parse(
    one(rows).found,
  ) as [
    [string, Packed][],
    [string, SuppressionReason, 0 | 1][],
    number,
    number,
    [number, 0 | 1][],
    FieldDefinition[] | null,
    number | null,
    number | null,
    0 | 1,
  ]
  if (hides && (await revealSuppressions(tx, project_id, wanted.emails))) return findForSaving(tx, project_id, wanted)
  return {
    known: new Map(known.map(([key, contact]) => [key, unpack(contact)])),
    suppressed: new Map(suppressed.map(([key, reason]) => [key, reason])),
    opted_out: new Set(suppressed.flatMap(([key, , opted_out]) => (opted_out ? [key] : []))),
    contacts,
    contact_limit,
    lists: lists.map(([id, double_opt_in]) => ({ id, double_opt_in: double_opt_in === 1 })),
    fields: definitions ?? [],
    last_id: last_id ?? 0,
    wording_id,
  }
}

/**
 * Creates or changes a contact for each person, tags it, and subscribes it to `found.lists` as far as the consent rule
 * allows. The addresses differ from each other. The number of statements does not depend on the number of people.
 * Answers in the same order.
 */
export async function saveContacts(tx: Tx, people: readonly Person[], policy: SavePolicy): Promise<Saved[]> {
  const { found, tag_ids = [] } = policy
  const { project_id, now, text } = policy.consent
  const keys = people.map(({ email }) => emailKey(email))
  const arriving = keys.filter((key) => !found.known.has(key)).length
  const room = roomFor(found, arriving)
  const entries = entriesOf(people, keys, policy, room)
  const present = entries.filter((entry) => entry !== null)
  const created = present.filter(isNew)
  let { wording_id } = found
  if (created.some(({ plan }) => storesConsent(plan))) wording_id ??= await wordingId(tx, project_id, text)
  const consent = { ...policy.consent, wording_id }
  await insertContacts(tx, created, { ...policy, consent })
  const changed = present.filter((entry) => entry.changed && !isNew(entry)).map(({ contact }) => contact)
  await writeProfiles(tx, changed, { fields: found.fields, now })

  await addTags(tx, present, tag_ids, now)
  const planned = present.filter((entry): entry is Entry & { plan: Plan } => entry.plan !== null)
  for (const [index, subscribed] of (await subscribe(tx, planned, consent)).entries()) {
    const entry = planned[index]!
    entry.contact = subscribed.contact
    entry.changed ||= subscribed.changed
    entry.confirms = subscribed.confirms
  }
  return entries.map((entry, index) => outcomeOf(entry, found.known.get(keys[index]!)))
}

/**
 * Changes the profile of one known contact where it differs, its address included; answers the contact as it is now.
 * `fields` are all custom fields of the project when custom values are given.
 */
export async function updateProfile(
  tx: Tx,
  contact: ContactRow,
  given: Person,
  { fields, now }: { fields: readonly FieldDefinition[]; now: number },
): Promise<ContactRow> {
  const profile = { ...profileAfter(contact, given), email: tidy(given.email) }
  if (isSameProfile(contact, profile)) return contact
  const changed = { ...contact, ...profile, updated_at: now }
  await writeProfiles(tx, [changed], { fields, now, with_address: profile.email !== contact.email })
  return changed
}

/** A contact while it is saved. */
interface Entry {
  key: string
  contact: ContactRow
  /** Null for a contact that is created now. */
  status_before: GlobalStatus | null
  /** Null when nothing is subscribed. */
  plan: Plan | null
  changed: boolean
  confirms: boolean
}
type NewEntry = Entry & { plan: Plan; status_before: null }

function isNew(entry: Entry): entry is NewEntry {
  return entry.status_before === null
}

/**
 * An entry for each person; null for a known contact that is left as it is, and for a new one that `room` is too small
 * for. New ids follow the last one of the sequence, which no other transaction can use in the meantime: to read a
 * thousand generated ids back would cost as much as to write the rows.
 */
function entriesOf(
  people: readonly Person[],
  keys: readonly string[],
  policy: SavePolicy,
  room: number,
): (Entry | null)[] {
  const { found, consent } = policy
  // The plan of a new contact depends on its suppression alone.
  const plans = new Map<SuppressionReason | null, Plan>()
  let created = 0
  return people.map((person, index) => {
    const key = keys[index]!
    const suppression = found.suppressed.get(key) ?? null
    const known = found.known.get(key)
    if (known) return policy.known === 'leave' ? null : knownEntry(known, person, { key, suppression, policy })
    if (created === room) return null
    let decided = plans.get(suppression)
    if (!decided) {
      decided = plan({ global_status: null, suppression }, new Map(), found.lists, consent.source)
      plans.set(suppression, decided)
    }
    created += 1
    const contact = newContact(found.last_id + created, person, decided, consent)
    return { key, contact, status_before: null, plan: decided, changed: true, confirms: false }
  })
}

function newContact(id: number, person: Person, plan: Plan, { text, source, now }: Consent): ContactRow {
  const consents = storesConsent(plan)
  const { email, first_name, last_name, custom_fields } = newProfile(person)
  return {
    id,
    email,
    first_name,
    last_name,
    custom_fields,
    global_status: plan.global_status,
    consent_text: consents ? text : '',
    consent_source: consents ? source.name : '',
    consent_at: consents ? now : null,
    created_at: now,
    updated_at: now,
    memberships: [],
    tag_ids: [],
  }
}

/** A known contact with its new profile. */
function knownEntry(
  before: ContactRow,
  person: Person,
  { key, suppression, policy }: { key: string; suppression: SuppressionReason | null; policy: SavePolicy },
): Entry {
  const { lists } = policy.found
  const { source, now } = policy.consent
  const profile = profileAfter(before, policy.known === 'fill_empty' ? onlyMissing(before, person) : person)
  const changed = !isSameProfile(before, profile)
  const subscribes = lists.length > 0 || policy.known_consents_without_list
  return {
    key,
    contact: changed ? { ...before, ...profile, updated_at: now } : before,
    status_before: before.global_status,
    plan: subscribes ? planFor(before, suppression, lists, source) : null,
    changed,
    confirms: false,
  }
}

async function insertContacts(
  tx: Tx,
  created: readonly NewEntry[],
  { consent: { project_id, wording_id = null, source, now }, found: { fields, opted_out } }: SavePolicy,
): Promise<void> {
  if (created.length === 0) return
  await countContacts(tx, project_id, created.length)
  const rows = created.map(({ key, contact, plan }) => [
    contact.id,
    storesConsent(plan) ? 1 : 0,
    contact.email,
    key,
    contact.first_name,
    contact.last_name,
    searchKey(contact),
    contact.global_status,
    jsonText(contact.custom_fields),
    ...keyValues(contact, fields),
  ])
  const keys = keyColumns(fields)
  await tx.run(sql`
    ${withRows(rows)}
    INSERT INTO contacts (project_id, id, consent_wording_id, consent_source, consent_at, created_at, updated_at,
      email, email_key, first_name, last_name, search_key, global_status, custom_fields, ${sql.raw(keys.join(', '))})
    SELECT ${project_id}, v->>0, iif(v->>1, ${wording_id}, NULL), iif(v->>1, ${source.name}, ''), iif(v->>1, ${now},
      NULL),
      ${now}, ${now}, ${valuesOf(2, 7 + keys.length)} FROM r`)
  const optedOut = created.filter(({ key, contact }) => contact.global_status === 'bounced' && opted_out.has(key))
  if (optedOut.length > 0)
    await tx.run(sql`
      UPDATE contacts SET opted_out = 1
      WHERE id IN (SELECT value FROM json_each(${jsonText(optedOut.map(({ contact }) => contact.id))}))`)
}

/** Without `with_address` the address and the indexes on it are not written again. */
async function writeProfiles(
  tx: Tx,
  profiles: readonly (Profile & { id: number })[],
  how: { fields: readonly FieldDefinition[]; now: number; with_address?: boolean },
): Promise<void> {
  if (profiles.length === 0) return
  const rows = profiles.map((profile) => [
    profile.id,
    profile.email,
    emailKey(profile.email),
    profile.first_name,
    profile.last_name,
    searchKey(profile),
    jsonText(profile.custom_fields),
    ...keyValues(profile, how.fields),
  ])
  const keys = keyColumns(how.fields).map((column, index) => `${column} = v->>${7 + index}`)
  if (how.with_address) keys.push('email = v->>1', 'email_key = v->>2')
  await tx.run(sql`
    ${withRows(rows)} UPDATE contacts SET first_name = v->>3, last_name = v->>4, search_key = v->>5,
      custom_fields = v->>6, updated_at = ${how.now}, ${sql.raw(keys.join(', '))}
    FROM r WHERE contacts.id = v->>0`)
}

async function addTags(tx: Tx, entries: readonly Entry[], tag_ids: readonly number[], now: number): Promise<void> {
  const untagged = entries.filter(({ contact }) => tag_ids.some((tag_id) => !contact.tag_ids.includes(tag_id)))
  for (const entry of untagged) {
    const all = new Set([...entry.contact.tag_ids, ...tag_ids])
    entry.contact = { ...entry.contact, tag_ids: [...all].sort((a, b) => a - b), updated_at: now }
    entry.changed = true
  }
  const ids = untagged.map(({ contact }) => contact.id)
  await insertTags(tx, ids, tag_ids)
  const known = untagged.filter((entry) => !isNew(entry)).map(({ contact }) => contact.id)
  await touchContacts(tx, known, now)
}

/** A known contact without an entry was left as it is. */
function outcomeOf(entry: Entry | null, known: ContactRow | undefined): Saved {
  if (!entry)
    return known ? { outcome: 'unchanged', contact: known, skipped: [], confirms: false } : { outcome: 'no_room' }
  return {
    outcome: isNew(entry) ? 'created' : entry.changed ? 'updated' : 'unchanged',
    contact: entry.contact,
    skipped: (entry.plan?.decisions ?? []).flatMap(({ list_id, decision }) =>
      decision.act === 'skip' ? [{ list_id, reason: decision.reason }] : [],
    ),
    confirms: entry.confirms,
  }
}
