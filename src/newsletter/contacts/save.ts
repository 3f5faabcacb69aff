import { CONTACT_FIELD_NAMES } from '../../shared/contact-fields.ts'
import { sql } from 'drizzle-orm'
import { jsonText } from '../../store/json-text.ts'
import type { Tx } from '../../store/open.ts'
import { packedRows, withRows } from '../../store/rows.ts'
import type { GlobalStatus, SuppressionReason } from '../../store/tables/audience.ts'
import { askingLists, type ListKind, type Plan, planNew } from '../consent/consent-rule.ts'
import { type SkipReason, storesConsent } from '../consent/consent-rule.ts'
import { planFor, subscribe } from '../consent/subscribe.ts'
import { type Consent, evidenceOf, type ToldConsent } from '../consent/evidence.ts'
import { wordingIds, type Wordings } from '../consent/wordings.ts'
import { assignTags, touchContacts } from './contact-tags.ts'
import { type ContactRow, searchKey } from './contact.ts'
import type { FieldDefinition } from './custom-values.ts'
import type { Found } from './found.ts'
import { roomFor } from './plan-limit.ts'
import { isSameProfile, newProfile, onlyMissing, type Person, type Profile, profileAfter } from './profile.ts'
import { keyColumns, keyValues } from './rule-columns.ts'
import { emailKey, tidyAddress } from '../../address.ts'

/** This file alone creates contacts and writes their profiles: for upsert, update, imports, signup and bulk actions. */

/** A person to save, with the settings that override the policy for this person. */
export interface Arrival extends Person {
  /** The lists to subscribe to, a subset of `found.lists`; all of them when left out. */
  list_ids?: readonly number[]
  /** Tags beside those of the policy. */
  tag_ids?: readonly number[]
  /** The person has not confirmed yet: nothing is subscribed, and only double opt-in lists ask. */
  is_pending?: boolean
  consent?: ToldConsent
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
      /** Lists not subscribed, with the reason; `list_id` is null where no list was named. */
      skipped: { list_id: number | null; reason: SkipReason }[]
      /** Whether a confirmation message was queued. */
      confirms: boolean
    }

/**
 * Creates or changes a contact for each person, tags it, and subscribes it to `found.lists` as far as the consent rule
 * allows. The addresses differ from each other. The number of statements does not depend on the number of people.
 * Answers in the same order.
 */
export async function saveContacts(tx: Tx, people: readonly Arrival[], policy: SavePolicy): Promise<Saved[]> {
  const { found, tag_ids = [] } = policy
  const { project_id, now, text } = policy.consent
  const keys = people.map(({ email }) => emailKey(email))
  const arriving = keys.filter((key) => !found.known.has(key)).length
  const room = roomFor(found, arriving)
  const entries = entriesOf(people, keys, policy, room)
  const present = entries.filter((entry) => entry !== null)
  const created = present.filter(isNew)
  const known = new Map(found.wording_id === null ? [] : [[text, found.wording_id]])
  const texts = created.filter(({ plan }) => storesConsent(plan)).map(({ contact }) => contact.consent_text)
  const wordings = await wordingIds(tx, project_id, texts, known)
  const consent = { ...policy.consent, wording_id: wordings.get(text) ?? null }
  await insertContacts(tx, created, policy, wordings)
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
  const profile = { ...profileAfter(contact, given), email: tidyAddress(given.email) }
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
  told: ToldConsent | undefined
  /** Tags of this person alone. */
  tag_ids: readonly number[]
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
  people: readonly Arrival[],
  keys: readonly string[],
  policy: SavePolicy,
  room: number,
): (Entry | null)[] {
  const { found, consent } = policy
  const usual = new Map<Arrival['list_ids'], Plan>()
  let created = 0
  return people.map((person, index) => {
    const key = keys[index]!
    const suppression = found.suppressed.get(key) ?? null
    const known = found.known.get(key)
    if (known) return policy.known === 'leave' ? null : knownEntry(known, person, { key, suppression, policy })
    if (created === room) return null
    // The plan of a new contact depends on these alone, and most people of a page have the same.
    const isUsual = suppression === null && !person.is_pending
    let decided = isUsual ? usual.get(person.list_ids) : undefined
    decided ??= planNew(suppression, listsOf(person, found.lists), consent.source, person.is_pending)
    if (isUsual) usual.set(person.list_ids, decided)
    created += 1
    const contact = newContact(found.last_id + created, person, decided, consent)
    const { consent: told, tag_ids = [] } = person
    return { key, contact, status_before: null, plan: decided, told, tag_ids, changed: true, confirms: false }
  })
}

function listsOf({ list_ids }: Arrival, lists: readonly ListKind[]): readonly ListKind[] {
  return list_ids ? lists.filter(({ id }) => list_ids.includes(id)) : lists
}

function newContact(id: number, person: Arrival, plan: Plan, consent: Consent): ContactRow {
  const consents = storesConsent(plan)
  const { text, source, at } = evidenceOf(consent, person.consent)
  return {
    id,
    ...newProfile(person),
    global_status: plan.global_status,
    consent_text: consents ? text : '',
    consent_source: consents ? source : '',
    consent_at: consents ? at : null,
    created_at: consent.now,
    updated_at: consent.now,
    memberships: [],
    tag_ids: [],
  }
}

/** A known contact with its new profile. */
function knownEntry(
  before: ContactRow,
  person: Arrival,
  { key, suppression, policy }: { key: string; suppression: SuppressionReason | null; policy: SavePolicy },
): Entry {
  const { source, now } = policy.consent
  const named = listsOf(person, policy.found.lists)
  const lists = person.is_pending ? askingLists(named, source) : named
  const profile = profileAfter(before, policy.known === 'fill_empty' ? onlyMissing(before, person) : person)
  const changed = !isSameProfile(before, profile)
  const subscribes = lists.length > 0 || (policy.known_consents_without_list && !person.is_pending)
  return {
    key,
    contact: changed ? { ...before, ...profile, updated_at: now } : before,
    status_before: before.global_status,
    plan: subscribes ? planFor(before, suppression, lists, source) : null,
    told: person.consent,
    tag_ids: person.tag_ids ?? [],
    changed,
    confirms: false,
  }
}

async function insertContacts(
  tx: Tx,
  created: readonly NewEntry[],
  { consent: { project_id, now }, found: { fields, opted_out } }: SavePolicy,
  wordings: Wordings,
): Promise<void> {
  if (created.length === 0) return
  const rows = created.map(({ key, contact }) => [
    contact.id,
    wordings.get(contact.consent_text) ?? null,
    contact.consent_source,
    contact.consent_at,
    contact.email,
    key,
    contact.global_status,
    ...profileValues(contact, fields),
  ])
  const { with_rows, values, from } = packedRows(rows)
  await tx.later(sql`
    ${with_rows}
    INSERT INTO contacts (project_id, created_at, updated_at, id, consent_wording_id, consent_source, consent_at,
      email, email_key, global_status, ${sql.raw(profileColumns(fields).join(', '))})
    SELECT ${project_id}, ${now}, ${now}, ${values} ${from}`)
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
    ...profileValues(profile, how.fields),
  ])
  const columns = ['id', 'email', 'email_key', ...profileColumns(how.fields)]
  const written = columns.map((column, position) => `${column} = v->>${position}`).slice(how.with_address ? 1 : 3)
  await tx.run(sql`
    ${withRows(rows)} UPDATE contacts SET ${sql.raw(written.join(', '))}, updated_at = ${how.now}
    FROM r WHERE contacts.id = v->>0`)
}

/** The columns of a profile beside those of the address. */
function profileColumns(fields: readonly FieldDefinition[]): string[] {
  return [...CONTACT_FIELD_NAMES, 'search_key', 'custom_fields', ...keyColumns(fields)]
}

/** The values for `profileColumns`, in the same order. */
function profileValues(profile: Profile, fields: readonly FieldDefinition[]): (string | number | null)[] {
  return [
    ...CONTACT_FIELD_NAMES.map((name) => profile[name]),
    searchKey(profile),
    jsonText(profile.custom_fields),
    ...keyValues(profile, fields),
  ]
}

async function addTags(tx: Tx, entries: readonly Entry[], tag_ids: readonly number[], now: number): Promise<void> {
  const added = entries.flatMap((entry) => {
    const missing = [...tag_ids, ...entry.tag_ids].filter((tag_id) => !entry.contact.tag_ids.includes(tag_id))
    if (missing.length === 0) return []
    const all = new Set([...entry.contact.tag_ids, ...missing])
    entry.contact = { ...entry.contact, tag_ids: [...all].sort((a, b) => a - b), updated_at: now }
    entry.changed = true
    return missing.map((tag_id) => ({ entry, tag_id }))
  })
  await assignTags(
    tx,
    added.map(({ entry, tag_id }) => [entry.contact.id, tag_id] as const),
  )
  const known = added.filter(({ entry }) => !isNew(entry)).map(({ entry }) => entry.contact.id)
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
