import type { ProjectId } from '../../ids.ts'
import { type SQL, sql } from 'drizzle-orm'
import { jsonText } from '../../store/json-text.ts'
import type { Store } from '../../store/open.ts'
import { MEMBERSHIP_STATUSES } from '../../store/tables/audience.ts'
import type { AudienceEntry, AudienceSpec } from '../../store/tables/delivery.ts'
import { contactsIn, type IdRange, idRanges } from '../contacts/contact-scan.ts'
import { type Audience, entryIds, inAnyOf, maySend } from '../outbox/eligibility.ts'
import { resolveAudience } from './audience-spec.ts'

/** Why a contact of the include part would not receive the campaign, in the order in which the reasons apply. */
export const EXCLUSION_REASONS = [
  'excluded_by_rule',
  'suppressed',
  'unsubscribed',
  'pending',
  'bounced',
  'complained',
] as const
type ExclusionReason = (typeof EXCLUSION_REASONS)[number]

/** Counts an audience as a campaign would freeze it now. Runs on the reading thread, one id range a query. */
export async function countAudience(
  store: Store,
  project_id: ProjectId,
  spec: AudienceSpec,
  now: number,
): Promise<{ count: number; excluded: Record<ExclusionReason, number> }> {
  const audience = await resolveAudience(store.db, project_id, spec, now)
  const parts = await Promise.all(
    (await idRanges(store.db, project_id)).map((range) =>
      store.heavy<{ verdict: Verdict; contacts: number }>(countQuery(project_id, audience, range)),
    ),
  )
  const countOf = (wanted: Verdict): number =>
    parts.flat().reduce((sum, { verdict, contacts }) => (verdict === wanted ? sum + contacts : sum), 0)
  return {
    count: countOf('in'),
    excluded: Object.fromEntries(EXCLUSION_REASONS.map((reason) => [reason, countOf(reason)])) as Record<
      ExclusionReason,
      number
    >,
  }
}

type Verdict = ExclusionReason | 'in'

/**
 * Counts the contacts of an id range that the include part names, by verdict: `in`, or the first reason against
 * sending. Members of an included list count whatever the status of their membership, so that the count can say
 * `pending` or `unsubscribed`. An audience of lists and tags alone starts from their indexes; any other reads every
 * contact of the range.
 */
export function countQuery(project_id: ProjectId, audience: Audience, range: IdRange): SQL {
  const { include, exclude = [], segments } = audience
  const people = needsEveryContact(audience)
    ? contactsIn(project_id, range, mentioned(audience))
    : sql`contacts contact WHERE contact.project_id = ${project_id} AND ${onListsOrTagged(include, range)}`
  return sql`
    SELECT verdict, count(*) AS contacts FROM (
      SELECT CASE
        WHEN ${inAnyOf(exclude, segments)} THEN 'excluded_by_rule'
        WHEN contact.global_status <> 'subscribed' THEN contact.global_status
        WHEN NOT ${maySend()} THEN 'suppressed'
        WHEN ${inAnyOf(include, segments)} THEN 'in'
        WHEN ${isMember(include, sql` AND membership.status = 'pending'`)} THEN 'pending'
        ELSE 'unsubscribed' END AS verdict
      FROM ${people})
    GROUP BY verdict`
}

/** No index leads from `all` or from a segment to its contacts. */
function needsEveryContact({ include }: Audience): boolean {
  return include.some(({ type }) => type === 'all' || type === 'segment')
}

/** Condition: the include part names the contact, members of any status among them. */
function mentioned({ include, segments }: Audience): SQL {
  return sql`(${inAnyOf(include, segments)} OR ${isMember(include)})`
}

/** Condition: the contact has a membership, of any status unless `also` limits it, in a list of these entries. */
function isMember(entries: readonly AudienceEntry[], also = sql``): SQL {
  return sql`EXISTS (
    SELECT 1 FROM memberships membership
    WHERE membership.contact_id = contact.id${also}
      AND membership.list_id IN (SELECT value FROM json_each(${jsonText(entryIds(entries, 'list'))})))`
}

/** Names every membership status, so that SQLite can use the index over list, status and contact for the id range. */
function onListsOrTagged(include: readonly AudienceEntry[], { after, upto }: IdRange): SQL {
  return sql`contact.id IN (
    SELECT membership.contact_id FROM memberships membership
      WHERE membership.list_id IN (SELECT value FROM json_each(${jsonText(entryIds(include, 'list'))}))
        AND membership.status IN (SELECT value FROM json_each(${jsonText(MEMBERSHIP_STATUSES)}))
        AND membership.contact_id > ${after} AND membership.contact_id <= ${upto}
    UNION ALL SELECT tagged.contact_id FROM contact_tags tagged
      WHERE tagged.tag_id IN (SELECT value FROM json_each(${jsonText(entryIds(include, 'tag'))}))
        AND tagged.contact_id > ${after} AND tagged.contact_id <= ${upto})`
}
