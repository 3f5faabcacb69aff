import type { ProjectId } from '../../ids.ts'
import { type Static, Type } from '@sinclair/typebox'
import { type SQL, sql } from 'drizzle-orm'
import { AppError, invalid } from '../../errors.ts'
import { read } from '../../operation/declare.ts'
import { exactlyOneOf, Id, obj } from '../../schema.ts'
import { jsonText } from '../../store/json-text.ts'
import type { Reader, Store } from '../../store/open.ts'
import { MEMBERSHIP_STATUSES } from '../../store/tables/audience.ts'
import type { AudienceEntry, AudienceSpec } from '../../store/tables/delivery.ts'
import { contactsIn, type IdRange, idRanges } from '../contacts/contact-scan.ts'
import { type Audience, entryIds, inAnyOf, maySend } from '../outbox/consent-check.ts'
import { AudienceSchema, resolveAudience } from './audience-spec.ts'
import { getCampaign } from './resource.ts'

const REASONS = ['excluded_by_rule', 'suppressed', 'unsubscribed', 'pending', 'bounced', 'complained'] as const

const Count = obj({
  count: Type.Integer({ minimum: 0, description: 'Who would get the campaign now.' }),
  excluded: obj(
    Object.fromEntries(REASONS.map((reason) => [reason, Type.Integer({ minimum: 0 })])) as Record<
      (typeof REASONS)[number],
      ReturnType<typeof Type.Integer>
    >,
    {
      description:
        "Who is named by the include part and would not get it, each counted once, under the first reason that applies: the exclude part, the contact's own status, suppression, the membership of the lists named.",
    },
  ),
})
export type AudienceCount = Static<typeof Count>

const AUDIENCE = exactlyOneOf('campaign_id', 'audience_spec')

export const audienceCount = read({
  path: '/campaigns/audience-count',
  scope: 'read',
  summary: 'Counts an audience, and who is left out of it for what reason.',
  request: obj({ campaign_id: Type.Optional(Id), audience_spec: Type.Optional(AudienceSchema) }, AUDIENCE.keywords),
  response: Count,
  async run(input, { db, store, project_id, now }) {
    const audience = AUDIENCE.of(input)
    if ('audience_spec' in audience) await requireAudience(db, project_id, audience.audience_spec, '/audience_spec')
    const { audience_spec } =
      'audience_spec' in audience ? audience : await getCampaign(db, project_id, audience.campaign_id)
    return countAudience(store, project_id, audience_spec, now)
  },
})

/** Counts an audience as it would be frozen now, on the reading thread. */
export async function countAudience(
  store: Store,
  project_id: ProjectId,
  spec: AudienceSpec,
  now: number,
): Promise<AudienceCount> {
  const audience = await resolveAudience(store.db, project_id, spec, now)
  const ranges = await idRanges(store.db, project_id)
  const parts = await Promise.all(
    ranges.map((range) => store.heavy<{ verdict: Verdict; contacts: number }>(countQuery(project_id, audience, range))),
  )
  const countOf = (wanted: Verdict): number =>
    parts.flat().reduce((sum, { verdict, contacts }) => (verdict === wanted ? sum + contacts : sum), 0)
  return {
    count: countOf('in'),
    excluded: Object.fromEntries(REASONS.map((reason) => [reason, countOf(reason)])) as AudienceCount['excluded'],
  }
}

type Verdict = (typeof REASONS)[number] | 'in'

/** Whom a segment fits can only be found by looking at everybody. */
function looksAtAll({ include }: Audience): boolean {
  return include.some(({ type }) => type === 'all' || type === 'segment')
}

/**
 * Looks at everybody whom the include part names, a member of a named list whatever became of the membership, and
 * sorts them by the first reason that keeps them out. `in` is who the audience's own conditions let through. It walks
 * through the contacts of a range where it has to, else it finds them from the lists and tags.
 */
export function countQuery(project_id: ProjectId, audience: Audience, range: IdRange): SQL {
  const { include, exclude = [], segments } = audience
  const lists = jsonText(entryIds(include, 'list'))
  const people = looksAtAll(audience)
    ? contactsIn(project_id, range, mentioned(audience))
    : sql`contacts c WHERE c.project_id = ${project_id} AND ${onListsOrTagged(include, range)}`
  return sql`
    SELECT verdict, count(*) AS contacts FROM (
      SELECT CASE
        WHEN ${inAnyOf(exclude, segments)} THEN 'excluded_by_rule'
        WHEN c.global_status <> 'subscribed' THEN c.global_status
        WHEN NOT ${maySend()} THEN 'suppressed'
        WHEN ${inAnyOf(include, segments)} THEN 'in'
        WHEN EXISTS (SELECT 1 FROM memberships m WHERE m.contact_id = c.id AND m.status = 'pending' AND m.list_id IN (SELECT value FROM json_each(${lists}))) THEN 'pending'
        ELSE 'unsubscribed' END AS verdict
      FROM ${people})
    GROUP BY verdict`
}

/** Whether the include part names a contact whom a walk comes to. */
function mentioned({ include, segments }: Audience): SQL {
  const lists = jsonText(entryIds(include, 'list'))
  return sql`(${inAnyOf(include, segments)} OR EXISTS (SELECT 1 FROM memberships m WHERE m.contact_id = c.id AND m.list_id IN (SELECT value FROM json_each(${lists}))))`
}

/** Every status is named, so that the index of a list finds those of the range. */
function onListsOrTagged(include: readonly AudienceEntry[], { after, upto }: IdRange): SQL {
  const [lists, tags, statuses] = [entryIds(include, 'list'), entryIds(include, 'tag'), MEMBERSHIP_STATUSES].map(
    jsonText,
  )
  return sql`c.id IN (
    SELECT m.contact_id FROM memberships m
      WHERE m.list_id IN (SELECT value FROM json_each(${lists})) AND m.status IN (SELECT value FROM json_each(${statuses})) AND m.contact_id > ${after} AND m.contact_id <= ${upto}
    UNION ALL SELECT t.contact_id FROM contact_tags t
      WHERE t.tag_id IN (SELECT value FROM json_each(${tags})) AND t.contact_id > ${after} AND t.contact_id <= ${upto})`
}

/** Each may come to hundreds of rules, and all of them are asked in one statement. */
const MAX_SEGMENTS = 10

/**
 * Throws NOT_FOUND with the path of each entry that names nothing of the project (contract-details 9).
 * @param before the audience as it was: what it named may be gone by now and stay
 */
export async function requireAudience(
  db: Reader,
  project_id: ProjectId,
  spec: AudienceSpec,
  path: string,
  before: AudienceSpec = { include: [] },
): Promise<void> {
  const entries = (['include', 'exclude'] as const).flatMap((part) =>
    (spec[part] ?? []).map((entry, at) => ({ entry, path: `${path}/${part}/${at}/id` })),
  )
  const all = entries.map(({ entry }) => entry)
  if (entryIds(all, 'segment').length > MAX_SEGMENTS)
    throw invalid(path, `At most ${MAX_SEGMENTS} segments in an audience.`)
  const known = await db.all<{ type: string; id: number }>(sql`
    SELECT 'list' AS type, id FROM lists WHERE project_id = ${project_id} AND id IN (SELECT value FROM json_each(${jsonText(entryIds(all, 'list'))}))
    UNION ALL
    SELECT 'tag' AS type, id FROM tags WHERE project_id = ${project_id} AND id IN (SELECT value FROM json_each(${jsonText(entryIds(all, 'tag'))}))
    UNION ALL
    SELECT 'segment' AS type, id FROM segments WHERE project_id = ${project_id} AND id IN (SELECT value FROM json_each(${jsonText(entryIds(all, 'segment'))}))`)
  const kept = [...before.include, ...(before.exclude ?? [])].map(({ type, id = 0 }) => ({ type, id }))
  const found = new Set([...known, ...kept].map(({ type, id }) => `${type} ${id}`))
  const missing = entries.filter(({ entry }) => entry.type !== 'all' && !found.has(`${entry.type} ${entry.id}`))
  if (missing.length === 0) return
  throw new AppError('NOT_FOUND', `No such ${missing[0]!.entry.type}.`, {
    details: missing.map(({ path }) => ({ path })),
  })
}
