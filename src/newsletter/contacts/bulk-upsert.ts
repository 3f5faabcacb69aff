import type { ProjectId } from '../../ids.ts'
import { sql } from 'drizzle-orm'
import { jsonText } from '../../store/json-text.ts'
import type { Tx } from '../../store/open.ts'
import { valuesOf, withRows } from '../../store/rows.ts'
import type { CustomValues, MembershipStatus, SuppressionReason } from '../../store/tables/audience.ts'
import { emailKey } from '../suppressions/suppression.ts'
import { keepsConsent, type ListKind, type Plan, plan, type WayIn } from '../consent/consent-rule.ts'
import { putTags } from './contact-tags.operations.ts'
import { type ContactRow, type Packed, packed, searchKey, tidy, unpack } from './contact.ts'
import { type FieldDefinition, mergeValues } from './custom-values.ts'
import { keyColumns, keyValues, type Named } from './rule-columns.ts'
import { type Consent, type Subscribed, type Subscriber, subscribe } from '../consent/subscribe.ts'

/** Somebody who is taken in; null says nothing about what a known contact has. */
export interface Incoming {
  email: string
  first_name: string | null
  last_name: string | null
  custom_fields: CustomValues | null
}

export interface BulkUpsertOptions {
  /** Lists that they are subscribed to, as far as the rule of consent allows. */
  lists: readonly ListKind[]
  tag_ids: readonly number[]
  /** The project's custom fields, all of them. */
  fields: readonly FieldDefinition[]
  way: WayIn
  /** Whether contacts that are there already are changed; without it they are left as they are. */
  update_existing: boolean
  consent: Consent
}

/** What became of one: made, changed, left as it was, or not made because the plan is full. */
export type Taken = 'created' | 'updated' | 'skipped' | 'no_room'

/**
 * What `contacts/upsert` does, for many people at once, in as many statements for a thousand as for one. Their
 * addresses differ from each other. Answers in the same order.
 */
export async function bulkUpsert(tx: Tx, people: readonly Incoming[], how: BulkUpsertOptions): Promise<Taken[]> {
  const keyed = people.map((person) => ({ ...person, key: emailKey(person.email) }))
  const { known, suppressed, room } = await lookUp(
    tx,
    how.consent.project_id,
    keyed.map(({ key }) => key),
  )
  const arriving = keyed.filter(({ key }) => !known.has(key)).slice(0, room)
  const staying = how.update_existing
    ? keyed.flatMap((person) => {
        const contact = known.get(person.key)
        return contact ? [{ ...person, contact }] : []
      })
    : []

  const plans = plansOfNew(how)
  const planned = arriving.map((person) => ({ ...person, plan: plans(suppressed.get(person.key) ?? null) }))
  const made = await createContacts(tx, planned, how)
  const touched = new Set(await changeProfiles(tx, staying, how))

  const subscribers = [
    ...planned.map(({ key, email, plan }): Subscriber => ({
      contact_id: made.get(key)!,
      email,
      status_before: null,
      consent_text: how.consent.text,
      memberships: [],
      plan,
    })),
    // Without a list nobody who is known agrees to anything.
    ...(how.lists.length === 0
      ? []
      : staying.map(({ key, contact }) => subscriberOf(contact, suppressed.get(key) ?? null, how))),
  ]
  const subscribed = await subscribe(tx, subscribers, how.consent)
  for (const [index, { contact_id }] of subscribers.entries())
    if (isTouched(subscribed[index]!)) touched.add(contact_id)
  const tagged = await putTags(tx, [...made.values(), ...staying.map(({ contact }) => contact.id)], how.tag_ids)
  for (const contact_id of tagged) touched.add(contact_id)

  return keyed.map(({ key }) => {
    if (made.has(key)) return 'created'
    const contact = known.get(key)
    if (!contact) return 'no_room'
    return touched.has(contact.id) ? 'updated' : 'skipped'
  })
}

interface Facts {
  known: Map<string, ContactRow>
  suppressed: Map<string, SuppressionReason>
  /** How many contacts the plan has room for. */
  room: number
}

async function lookUp(tx: Tx, project_id: ProjectId, keys: readonly string[]): Promise<Facts> {
  const list = jsonText(keys)
  const [row] = await tx.all<{ known: string; suppressed: string; room: number | null }>(sql`
    SELECT (SELECT json_group_array(json_array(k.value, ${packed})) FROM json_each(${list}) k CROSS JOIN contacts c ON c.project_id = p.id AND c.email_key = k.value) AS known,
      (SELECT json_group_array(json_array(k.value, s.reason)) FROM json_each(${list}) k CROSS JOIN suppressions s ON s.project_id = p.id AND s.email_key = k.value) AS suppressed,
      iif(p.contact_limit IS NULL, NULL, p.contact_limit - (SELECT count(*) FROM contacts c WHERE c.project_id = p.id)) AS room
    FROM projects p WHERE p.id = ${project_id}`)
  const { known, suppressed, room } = row!
  return {
    known: new Map((JSON.parse(known) as [string, Packed][]).map(([key, contact]) => [key, unpack(contact)])),
    suppressed: new Map(JSON.parse(suppressed) as [string, SuppressionReason][]),
    room: room === null ? Infinity : Math.max(0, room),
  }
}

/** What the rule of consent says of somebody new: the same for all who are suppressed for the same reason. */
function plansOfNew({ lists, way }: BulkUpsertOptions): (suppression: SuppressionReason | null) => Plan {
  const made = new Map<SuppressionReason | null, Plan>()
  return (suppression) => {
    let decided = made.get(suppression)
    if (!decided) made.set(suppression, (decided = plan({ global_status: null, suppression }, new Map(), lists, way)))
    return decided
  }
}

function subscriberOf(
  contact: ContactRow,
  suppression: SuppressionReason | null,
  { lists, way }: BulkUpsertOptions,
): Subscriber {
  const { id, email, global_status, consent_text, memberships } = contact
  const byList = new Map<number, MembershipStatus>(memberships.map(({ list_id, status }) => [list_id, status]))
  return {
    contact_id: id,
    email,
    status_before: global_status,
    consent_text,
    memberships,
    plan: plan({ global_status, suppression }, byList, lists, way),
  }
}

function isTouched({ is_new, changed, confirms }: Subscribed): boolean {
  return is_new || changed || confirms
}

/**
 * Answers the ids of the new contacts by the keys of their addresses. The ids are the next of the sequence, which
 * nobody else can take in the meantime: reading a thousand rows back costs as much as writing them.
 */
async function createContacts(
  tx: Tx,
  people: readonly (Incoming & { key: string; plan: Plan })[],
  { consent, fields }: BulkUpsertOptions,
): Promise<Map<string, number>> {
  if (people.length === 0) return new Map()
  const { project_id, text, source, now } = consent
  const [sequence] = await tx.all<{ last: number }>(
    sql`SELECT seq AS last FROM sqlite_sequence WHERE name = 'contacts'`,
  )
  const first = (sequence?.last ?? 0) + 1
  const rows = people.map(({ key, plan, ...person }, index) => {
    const row = {
      email: tidy(person.email),
      first_name: tidy(person.first_name ?? ''),
      last_name: tidy(person.last_name ?? ''),
      custom_fields: person.custom_fields ?? {},
    }
    const consents = keepsConsent(plan) ? 1 : 0
    return [
      consents,
      first + index,
      row.email,
      key,
      row.first_name,
      row.last_name,
      searchKey(row),
      plan.global_status,
      jsonText(row.custom_fields),
      ...keyValues(row, fields),
    ]
  })
  const columns = keyColumns(fields)
  await tx.run(sql`
    ${withRows(rows)}
    INSERT INTO contacts (project_id, id, email, email_key, first_name, last_name, search_key, global_status, custom_fields, consent_text, consent_source, consent_at, created_at, updated_at, ${sql.raw(columns.join(', '))})
    SELECT ${project_id}, ${valuesOf(1, 8)}, iif(v->>0, ${text}, ''), iif(v->>0, ${source}, ''), iif(v->>0, ${now}, NULL), ${now}, ${now}, ${valuesOf(9, columns.length)} FROM r`)
  return new Map(people.map(({ key }, index) => [key, first + index]))
}

/** Lays what is given over the profiles of known contacts; answers the ids of those that differ from before. */
async function changeProfiles(
  tx: Tx,
  people: readonly (Incoming & { contact: ContactRow })[],
  { consent, fields }: BulkUpsertOptions,
): Promise<number[]> {
  const changes = people.flatMap(({ contact, first_name, last_name, custom_fields }) => {
    const become: Named = {
      first_name: tidy(first_name ?? contact.first_name),
      last_name: tidy(last_name ?? contact.last_name),
      custom_fields: mergeValues(contact.custom_fields, custom_fields ?? undefined),
    }
    const values = jsonText(become.custom_fields)
    if (
      become.first_name === contact.first_name &&
      become.last_name === contact.last_name &&
      values === jsonText(contact.custom_fields)
    )
      return []
    return [
      [
        contact.id,
        become.first_name,
        become.last_name,
        searchKey({ ...become, email: contact.email }),
        values,
        ...keyValues(become, fields),
      ],
    ]
  })
  if (changes.length === 0) return []
  await tx.run(sql`
    ${withRows(changes)} UPDATE contacts SET first_name = v->>1, last_name = v->>2, search_key = v->>3, custom_fields = v->>4, updated_at = ${consent.now},
      ${sql.raw(
        keyColumns(fields)
          .map((column, index) => `${column} = v->>${5 + index}`)
          .join(', '),
      )}
    FROM r WHERE contacts.id = v->>0`)
  return changes.map(([id]) => id as number)
}
