import { sql } from 'drizzle-orm'
import type { ProjectId } from '../../ids.ts'
import { emailKey } from '../../address.ts'
import { jsonText } from '../../store/json-text.ts'
import type { Tx } from '../../store/open.ts'
import { one } from '../../store/rows.ts'
import type { SuppressionReason } from '../../store/tables/audience.ts'
import type { ListKind } from '../consent/consent-rule.ts'
import { storedWording } from '../consent/wordings.ts'
import { revealSuppressions } from '../suppressions/address-marks.ts'
import { type ContactRow, type Packed, packed, unpack } from './contact.ts'
import { definitionsOf, type FieldDefinition } from './custom-values.ts'
import { contactCount } from './plan-limit.ts'

/** The stored rows about the people to save. */
export interface Found {
  /** Contacts and suppressions, by the keys of their addresses. */
  known: ReadonlyMap<string, ContactRow>
  suppressed: ReadonlyMap<string, SuppressionReason>
  /** The suppressed addresses that have an opt-out, even when the suppression has another reason. */
  opted_out: ReadonlySet<string>
  /** How many contacts the project has, and how many it may have. */
  contacts: number
  contact_limit: number
  /** The named lists that exist in the project. */
  lists: ListKind[]
  /** All custom fields of the project; empty when they were not asked for. */
  fields: FieldDefinition[]
  /** The last id that a contact got. */
  last_id: number
  /** The consent's wording; null when the project has not stored it. */
  wording_id: number | null
}

interface Wanted {
  emails: readonly string[]
  list_ids?: readonly number[]
  with_fields: boolean
  consent_text: string
  /** The limit of contacts for a project whose plan sets none. */
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
      EXISTS (SELECT 1 FROM suppressions hidden
        WHERE hidden.project_id = project.id AND hidden.email_key >= '#' AND hidden.email_key < '$')) AS found
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
