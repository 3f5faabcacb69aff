import type { ProjectId } from '../../ids.ts'
import { Type, type Static } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import { iso, isoOrNull } from '../../clock.ts'
import { nullable, obj, Id, Timestamp, enumOf, emailKey } from '../../schema.ts'
import type { Reader } from '../../store/open.ts'
import type { SuppressionReason } from '../../store/tables/audience.ts'
import { EVENT_TYPES, type EventType } from '../../store/tables/delivery.ts'
import { type ContactRow, type Packed, packed, unpack } from './contact.ts'

export const MAX_ACTIVITY = 100

/** An entry of a contact's history. A `consent` is evidence: what the contact agreed to, and how it confirmed. */
export const Activity = obj({
  type: enumOf([...EVENT_TYPES, 'consent']),
  at: Timestamp,
  list_id: nullable(Id),
  campaign_id: nullable(Id),
  url: Type.Optional(Type.String()),
  user_agent: Type.Optional(Type.String()),
  machine: Type.Optional(Type.Boolean()),
  detail: Type.Optional(Type.String()),
  text: Type.Optional(Type.String()),
  source: Type.Optional(Type.String()),
  address: Type.Optional(Type.String()),
  confirmed_at: Type.Optional(nullable(Timestamp)),
  confirmed_address: Type.Optional(nullable(Type.String())),
  confirmed_user_agent: Type.Optional(nullable(Type.String())),
})
export type Activity = Static<typeof Activity>

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
  text: string,
  source: string,
  address: string | null,
  user_agent: string | null,
  confirmed_at: number | null,
  confirmed_address: string | null,
  confirmed_user_agent: string | null,
]
interface Found {
  contact: ContactRow
  suppression: [SuppressionReason, string, number] | null
  events: PackedEvent[]
  consents: PackedConsent[]
}

/** Reads everything in one statement and one column: this is the most frequent call of integrations. */
export async function findWithHistory(
  db: Reader,
  project_id: ProjectId,
  which: { contact_id: number } | { email: string },
): Promise<Found | null> {
  const condition =
    'email' in which ? sql`contact.email_key = ${emailKey(which.email)}` : sql`contact.id = ${which.contact_id}`
  const [row] = await db.all<{ packed: string }>(sql`
    SELECT json_array(${packed},
      (SELECT json_array(suppression.reason, suppression.note, suppression.created_at) FROM suppressions suppression
        WHERE suppression.project_id = contact.project_id AND suppression.email_key = contact.email_key),
      (SELECT json_group_array(json_array(id, type, at, list_id, campaign_id, url, user_agent, machine, detail)) FROM (
        SELECT * FROM events event WHERE event.contact_id = contact.id ORDER BY event.id DESC LIMIT ${MAX_ACTIVITY})),
      (SELECT json_group_array(json_array(id, at, list_id, coalesce(text, ''), source, address, user_agent,
      confirmed_at, confirmed_address, confirmed_user_agent)) FROM (
        SELECT consent.*, wording.text FROM consents consent
        LEFT JOIN consent_wordings wording ON wording.id = consent.wording_id
        WHERE consent.contact_id = contact.id ORDER BY consent.id DESC LIMIT ${MAX_ACTIVITY}))) AS packed
    FROM contacts contact WHERE contact.project_id = ${project_id} AND ${condition}`)
  if (!row) return null
  const [contact, suppression, events, consents] = JSON.parse(row.packed) as [
    Packed,
    Found['suppression'],
    PackedEvent[],
    PackedConsent[],
  ]
  return { contact: unpack(contact), suppression, events, consents }
}

/** Events and evidence, the latest first. Of the same instant, an event comes before the consent that caused it. */
export function history(events: readonly PackedEvent[], consents: readonly PackedConsent[]): Activity[] {
  const entries = [
    ...events.map((event) => ({ at: event[2], rank: 1, id: event[0], entry: eventEntry(event) })),
    ...consents.map((consent) => ({ at: consent[1], rank: 0, id: consent[0], entry: consentEntry(consent) })),
  ]
  entries.sort((a, b) => b.at - a.at || b.rank - a.rank || b.id - a.id)
  return entries.slice(0, MAX_ACTIVITY).map(({ entry }) => entry)
}

function eventEntry([, type, at, list_id, campaign_id, url, user_agent, machine, detail]: PackedEvent): Activity {
  return {
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
  ,
  at,
  list_id,
  text,
  source,
  address,
  user_agent,
  confirmed_at,
  confirmed_address,
  confirmed_user_agent,
]: PackedConsent): Activity {
  return {
    type: 'consent',
    at: iso(at),
    list_id,
    campaign_id: null,
    text,
    source,
    ...(address === null ? {} : { address }),
    ...(user_agent === null ? {} : { user_agent }),
    confirmed_at: isoOrNull(confirmed_at),
    confirmed_address,
    confirmed_user_agent,
  }
}
