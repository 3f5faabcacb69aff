import { sql, type SQL } from 'drizzle-orm'
import { jsonText } from '../../store/json-text.ts'
import type { AudienceEntry, AudienceSpec } from '../../store/tables/delivery.ts'

/**
 * Which contacts may get a message, as conditions over a row of `contacts` called `contact`. They are checked when an
 * audience is frozen and again when each message is marked, so that an unsubscribe also stops queued messages.
 */

/** The conditions of segments by id; a deleted segment is missing. */
type SegmentConditions = ReadonlyMap<number, SQL>

/** An audience with the conditions of the segments that it names. */
export interface Audience extends AudienceSpec {
  segments: SegmentConditions
}

/** Global consent: subscribed, and the address is not suppressed. See docs/api/consent.md#global-status. */
export function maySend(): SQL {
  return sql`(contact.global_status = 'subscribed' AND NOT EXISTS (
    SELECT 1 FROM suppressions suppression
    WHERE suppression.project_id = contact.project_id AND suppression.email_key = contact.email_key))`
}

/**
 * Whether the contact still has the address that the row `delivery` is for. Consent belongs to the address. A contact
 * whose address is spelled in another way takes its waiting messages along (`respellRecipient`).
 */
export function hasSameAddress(): SQL {
  return sql`(contact.email = delivery.email OR contact.email_key = lower(delivery.email))`
}

/**
 * Whether a recipient in the frozen audience may still get the message. A contact who unsubscribed from one of the
 * campaign's lists is a recipient only while another entry of the audience includes it.
 */
export function stillEligible({ include, segments }: Audience): SQL {
  const lists = entryIds(include, 'list')
  if (lists.length === 0) return maySend()
  return sql`(${maySend()} AND (${inAnyOf(include, segments)} OR NOT EXISTS (
    SELECT 1 FROM memberships membership
    WHERE membership.contact_id = contact.id AND membership.status <> 'subscribed'
      AND membership.list_id IN (SELECT value FROM json_each(${jsonText(lists)})))))`
}

/** Whether a contact is in one of the lists (as a subscriber), tags or segments. A deleted one matches no contact. */
export function inAnyOf(entries: readonly AudienceEntry[], segments: SegmentConditions): SQL {
  if (entries.some(({ type }) => type === 'all')) return sql`1`
  const lists = entryIds(entries, 'list')
  const tags = entryIds(entries, 'tag')
  const conditions: SQL[] = []
  if (lists.length > 0)
    conditions.push(
      sql`EXISTS (
        SELECT 1 FROM memberships membership
        WHERE membership.contact_id = contact.id AND membership.status = 'subscribed'
          AND membership.list_id IN (SELECT value FROM json_each(${jsonText(lists)})))`,
    )
  if (tags.length > 0)
    conditions.push(
      sql`EXISTS (
        SELECT 1 FROM contact_tags tagged
        WHERE tagged.contact_id = contact.id AND tagged.tag_id IN (SELECT value FROM json_each(${jsonText(tags)})))`,
    )
  conditions.push(...entryIds(entries, 'segment').flatMap((id) => segments.get(id) ?? []))
  return conditions.length === 0 ? sql`0` : sql`(${sql.join(conditions, sql` OR `)})`
}

export function entryIds(entries: readonly AudienceEntry[], type: AudienceEntry['type']): number[] {
  return entries.flatMap((entry) => (entry.type === type && 'id' in entry ? [entry.id] : []))
}
