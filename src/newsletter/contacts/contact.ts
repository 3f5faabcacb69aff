import { normalForm } from '../../normal-form.ts'
import { isEmail, tidyAddress } from '../../address.ts'
import { byContactField, CONTACT_FIELDS, type ContactTexts } from '../../shared/contact-fields.ts'
import type { ProjectId } from '../../ids.ts'
import { type Static, Type } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import { iso, isoOrNull } from '../../clock.ts'
import { Id, nullable, obj, Timestamp, enumOf } from '../../schema.ts'
import type { Reader } from '../../store/open.ts'
import { oneOrNotFound, packedRow } from '../../store/rows.ts'
import { LATEST_WORDING } from '../consent/wordings.ts'
import {
  type CustomValues,
  GLOBAL_STATUSES,
  type GlobalStatus,
  MEMBERSHIP_STATUSES,
  type MembershipStatus,
} from '../../store/tables/audience.ts'
import { contactFieldAnswers } from './field-schemas.ts'

/** A contact as every operation shows it. */
export const Contact = obj(
  {
    id: Id,
    email: Type.String(),
    ...contactFieldAnswers,
    full_name: Type.String(),
    global_status: enumOf(GLOBAL_STATUSES),
    custom_fields: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()])),
    lists: Type.Array(
      obj({
        list_id: Id,
        status: enumOf(MEMBERSHIP_STATUSES),
        subscribed_at: nullable(Timestamp),
        unsubscribed_at: nullable(Timestamp),
      }),
    ),
    tag_ids: Type.Array(Id),
    consent_text: Type.String(),
    consent_source: Type.String(),
    consent_at: nullable(Timestamp),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { $id: 'Contact' },
)
export type Contact = Static<typeof Contact>

export interface Membership {
  list_id: number
  status: MembershipStatus
  subscribed_at: number | null
  unsubscribed_at: number | null
  confirmation_sent_at: number | null
}

/** A contact with its memberships and tags, as the store has it. */
export interface ContactRow extends ContactTexts {
  id: number
  email: string
  global_status: GlobalStatus
  custom_fields: CustomValues
  consent_text: string
  consent_source: string
  consent_at: number | null
  created_at: number
  updated_at: number
  memberships: Membership[]
  tag_ids: number[]
}

const membershipRow = packedRow<Membership>({
  list_id: 'membership.list_id',
  status: 'membership.status',
  subscribed_at: 'membership.subscribed_at',
  unsubscribed_at: 'membership.unsubscribed_at',
  confirmation_sent_at: 'membership.confirmation_sent_at',
})

const contactRow = packedRow<Omit<ContactRow, 'memberships'> & { memberships: readonly Packed[] }>({
  id: 'contact.id',
  email: 'contact.email',
  ...byContactField(({ name }) => `contact.${name}`),
  global_status: 'contact.global_status',
  custom_fields: 'json(contact.custom_fields)',
  consent_text: LATEST_WORDING,
  consent_source: 'contact.consent_source',
  consent_at: 'contact.consent_at',
  created_at: 'contact.created_at',
  updated_at: 'contact.updated_at',
  memberships: `(SELECT json_group_array(${membershipRow.text})
    FROM memberships membership WHERE membership.contact_id = contact.id)`,
  tag_ids: '(SELECT json_group_array(tagged.tag_id) FROM contact_tags tagged WHERE tagged.contact_id = contact.id)',
})

/**
 * The row `contact` of `contacts` with its memberships and tags, as one JSON text: it costs a third of eleven columns
 * and two more statements.
 */
export const packed = contactRow.sql

/** The value of `packed`, parsed. */
export type Packed = readonly unknown[]

export function unpack(values: Packed): ContactRow {
  const row = contactRow.unpack(values)
  return Object.assign(row, { memberships: row.memberships.map(membershipRow.unpack) })
}

export function toContact(row: ContactRow): Contact {
  return {
    id: row.id,
    email: row.email,
    ...byContactField(({ name }) => row[name]),
    full_name: `${row.first_name} ${row.last_name}`.trim(),
    global_status: row.global_status,
    custom_fields: row.custom_fields,
    lists: row.memberships.map(({ list_id, status, subscribed_at, unsubscribed_at }) => ({
      list_id,
      status,
      subscribed_at: isoOrNull(subscribed_at),
      unsubscribed_at: isoOrNull(unsubscribed_at),
    })),
    tag_ids: row.tag_ids,
    consent_text: row.consent_text,
    consent_source: row.consent_source,
    consent_at: isoOrNull(row.consent_at),
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  }
}

/** Finds a contact by id; throws NOT_FOUND, pointing at `contact_id`, when the project has none. */
export async function getContact(db: Reader, project_id: ProjectId, contact_id: number): Promise<ContactRow> {
  const rows = await db.all<{ packed: string }>(
    sql`
      SELECT ${packed} AS packed FROM contacts contact
      WHERE contact.project_id = ${project_id} AND contact.id = ${contact_id}`,
  )
  return unpack(JSON.parse(oneOrNotFound(rows, 'contact', '/contact_id').packed) as Packed)
}

/**
 * The stored form of a text: trimmed, and well-formed Unicode, because the database cannot store half of a surrogate
 * pair.
 */
export function tidy(text: string): string {
  return text.trim().toWellFormed()
}

/** Normalizes a search text. A whole address matches in every spelling of its domain. */
export function searchedText(text: string): string {
  return searchText(isEmail(text) ? tidyAddress(text) : text)
}

/** The form in which text is searched: Unicode NFC in lower case. */
export function searchText(text: string): string {
  return normalForm(tidy(text)).toLowerCase()
}

const SEARCHED = CONTACT_FIELDS.filter(({ searched }) => searched).map(({ name }) => name)

/** The text of a contact that `search` looks in. */
export function searchKey(contact: ContactTexts & { email: string }): string {
  return searchText([contact.email, ...SEARCHED.map((name) => contact[name])].join(' '))
}
