import type { ProjectId } from '../../ids.ts'
import { Type, type Static } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import { iso } from '../../clock.ts'
import { emailKey } from '../../address.ts'
import { nullable, obj, Id, Timestamp, enumOf } from '../../schema.ts'
import type { Store } from '../../store/open.ts'
import { preparedRead } from '../../store/prepared.ts'
import { CONSENT_ACTIONS, type ConsentAction, type SuppressionReason } from '../../store/tables/audience.ts'
import { EVENT_TYPES, type EventType } from '../../store/tables/delivery.ts'
import { type ContactRow, type Packed, packed, unpack } from './contact.ts'

export const MAX_ACTIVITY = 100
export const MAX_CONSENTS = 200

/** What happened to a contact and to the messages to it. */
export const Activity = obj({
  id: Id,
  type: enumOf(EVENT_TYPES),
  at: Timestamp,
  list_id: nullable(Id),
  campaign_id: nullable(Id),
  url: Type.Optional(Type.String()),
  user_agent: Type.Optional(Type.String()),
  machine: Type.Optional(Type.Boolean()),
  detail: Type.Optional(Type.String()),
})
export type Activity = Static<typeof Activity>

/** Evidence: what a contact agreed to, confirmed or withdrew (docs/api/consent.md#evidence). */
export const ConsentEntry = obj({
  id: Id,
  at: Timestamp,
  list_id: nullable(Type.Integer({ minimum: 1, description: 'Null for messages in general.' })),
  action: enumOf(CONSENT_ACTIONS),
  text: Type.String({ description: 'Empty where there is none.' }),
  source: Type.String(),
  ip: nullable(Type.String({ description: 'Of the person; null where it is not known.' })),
  user_agent: nullable(Type.String({ description: 'Of the person; null where it is not known.' })),
  campaign_id: nullable(Id),
  caller: Type.Optional(
    obj({ ip: Type.String(), user_agent: Type.String() }, { description: 'Who spoke for the person.' }),
  ),
})

type PackedEvent = [
  id: number,
  type: EventType,
  at: number,
  list_id: number | null,
  campaign_id: number | null,
  url: string | null,
  user_agent: string | null,
  machine: 0 | 1,
  detail: string | null,
]
type PackedConsent = [
  id: number,
  at: number,
  list_id: number | null,
  action: ConsentAction,
  text: string,
  source: string,
  ip: string | null,
  user_agent: string | null,
  campaign_id: number | null,
  caller_ip: string | null,
  caller_user_agent: string | null,
]
interface Found {
  contact: ContactRow
  suppression: [SuppressionReason, string, number] | null
  activity: Activity[]
  consents: Static<typeof ConsentEntry>[]
}

/** The cursors of a history: each page begins after the last id of the page before. */
export interface HistoryPages {
  activity_after_id?: number
  consents_after_id?: number
}

/** One statement with one column, because this is the most frequent call of integrations. */
const readFound = (column: 'email_key' | 'id') =>
  preparedRead<{ packed: string }>(
    () => sql`
    SELECT json_array(${packed},
      (SELECT json_array(suppression.reason, suppression.note, suppression.created_at) FROM suppressions suppression
        WHERE suppression.project_id = contact.project_id AND suppression.email_key = contact.email_key),
      (SELECT json_group_array(json_array(id, type, at, list_id, campaign_id, url, user_agent, machine, detail)) FROM (
        SELECT * FROM events event
        WHERE event.contact_id = contact.id AND event.id < ${sql.placeholder('activity_after_id')}
        ORDER BY event.id DESC LIMIT ${MAX_ACTIVITY})),
      (SELECT json_group_array(json_array(id, at, list_id, action, coalesce(text, ''), source, address, user_agent,
        campaign_id, caller_address, caller_user_agent)) FROM (
        SELECT consent.*, wording.text FROM consents consent
        LEFT JOIN consent_wordings wording ON wording.id = consent.wording_id
        WHERE consent.contact_id = contact.id AND consent.id < ${sql.placeholder('consents_after_id')}
        ORDER BY consent.id DESC LIMIT ${MAX_CONSENTS}))) AS packed
    FROM contacts contact
    WHERE contact.project_id = ${sql.placeholder('project_id')}
      AND contact.${sql.raw(column)} = ${sql.placeholder('which')}`,
  )
const readById = readFound('id')
const readByAddress = readFound('email_key')

/** A contact with its suppression and a page of its activity and of its consents; null where there is no such contact. */
export async function findWithHistory(
  store: Pick<Store, 'query'>,
  project_id: ProjectId,
  given: { contact_id: number } | { email: string },
  { activity_after_id = Number.MAX_SAFE_INTEGER, consents_after_id = Number.MAX_SAFE_INTEGER }: HistoryPages,
): Promise<Found | null> {
  const [read, which] =
    'email' in given ? ([readByAddress, emailKey(given.email)] as const) : ([readById, given.contact_id] as const)
  const [row] = await read(store, { project_id, which, activity_after_id, consents_after_id })
  if (!row) return null
  const [contact, suppression, events, consents] = JSON.parse(row.packed) as [
    Packed,
    Found['suppression'],
    PackedEvent[],
    PackedConsent[],
  ]
  return {
    contact: unpack(contact),
    suppression,
    activity: events.map(activityEntry),
    consents: consents.map(consentEntry),
  }
}

function activityEntry([id, type, at, list_id, campaign_id, url, user_agent, machine, detail]: PackedEvent): Activity {
  return {
    id,
    type,
    at: iso(at),
    list_id,
    campaign_id,
    ...(url === null ? {} : { url }),
    ...(user_agent === null ? {} : { user_agent }),
    ...(machine ? { machine: true } : {}),
    ...(detail === null ? {} : { detail }),
  }
}

function consentEntry([
  id,
  at,
  list_id,
  action,
  text,
  source,
  ip,
  user_agent,
  campaign_id,
  caller_ip,
  caller_agent,
]: PackedConsent): Static<typeof ConsentEntry> {
  const entry = { id, at: iso(at), list_id, action, text, source, ip, user_agent, campaign_id }
  return caller_ip === null ? entry : { ...entry, caller: { ip: caller_ip, user_agent: caller_agent ?? '' } }
}
