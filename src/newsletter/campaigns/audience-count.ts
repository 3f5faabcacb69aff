import { type Static, Type } from '@sinclair/typebox'
import { type SQL, sql } from 'drizzle-orm'
import { AppError, invalid } from '../../errors.ts'
import { read } from '../../operation/declare.ts'
import { Id, obj } from '../../schema.ts'
import type { Reader, Store } from '../../store/open.ts'
import type { AudienceEntry, AudienceSpec } from '../../store/tables/delivery.ts'
import { entryIds, inAnyOf, maySend } from '../delivery/consent-check.ts'
import { AudienceSchema } from './audience-spec.ts'
import { getCampaign } from './resource.ts'

const REASONS = ['excluded_by_rule', 'suppressed', 'unsubscribed', 'pending', 'bounced', 'complained'] as const

const Count = obj({
  count: Type.Integer({ minimum: 0, description: 'Who would get the campaign now.' }),
  excluded: obj(
    Object.fromEntries(REASONS.map((reason) => [reason, Type.Integer({ minimum: 0 })])) as Record<(typeof REASONS)[number], ReturnType<typeof Type.Integer>>,
    { description: 'Who is named by the include part and would not get it, each counted once, under the first reason that applies: the exclude part, the contact\'s own status, suppression, the membership of the lists named.' },
  ),
})
export type AudienceCount = Static<typeof Count>

export const audienceCount = read({
  path: '/campaigns/audience-count',
  scope: 'read',
  summary: 'Counts an audience, and who is left out of it for what reason.',
  request: obj({ campaign_id: Type.Optional(Id), audience_spec: Type.Optional(AudienceSchema) }, { oneOf: [{ required: ['campaign_id'] }, { required: ['audience_spec'] }] }),
  response: Count,
  async run({ campaign_id, audience_spec }, { db, store, project_id }) {
    if ((campaign_id === undefined) === (audience_spec === undefined)) throw invalid('', 'Expected campaign_id or audience_spec, and not both.')
    if (audience_spec) await requireAudience(db, project_id, audience_spec, '/audience_spec')
    return countAudience(store, project_id, audience_spec ?? (await getCampaign(db, project_id, campaign_id!)).audience_spec)
  },
})

/** Counts an audience as it would be frozen now, in one statement on the reading thread. */
export async function countAudience(store: Store, project_id: string, spec: AudienceSpec): Promise<AudienceCount> {
  const rows = await store.heavy<{ verdict: keyof AudienceCount['excluded'] | 'in'; contacts: number }>(countQuery(project_id, spec))
  const counts = new Map(rows.map(({ verdict, contacts }) => [verdict, contacts]))
  return {
    count: counts.get('in') ?? 0,
    excluded: Object.fromEntries(REASONS.map((reason) => [reason, counts.get(reason) ?? 0])) as AudienceCount['excluded'],
  }
}

/**
 * Looks at everybody whom the include part names, a member of a named list whatever became of the membership, and
 * sorts them by the first reason that keeps them out. `in` is who the audience's own conditions let through.
 */
export function countQuery(project_id: string, { include, exclude = [] }: AudienceSpec): SQL {
  const lists = JSON.stringify(entryIds(include, 'list'))
  return sql`
    SELECT verdict, count(*) AS contacts FROM (
      SELECT CASE
        WHEN ${inAnyOf(exclude)} THEN 'excluded_by_rule'
        WHEN c.global_status <> 'subscribed' THEN c.global_status
        WHEN NOT ${maySend()} THEN 'suppressed'
        WHEN ${inAnyOf(include)} THEN 'in'
        WHEN EXISTS (SELECT 1 FROM memberships m WHERE m.contact_id = c.id AND m.status = 'pending' AND m.list_id IN (SELECT value FROM json_each(${lists}))) THEN 'pending'
        ELSE 'unsubscribed' END AS verdict
      FROM contacts c WHERE c.project_id = ${project_id} AND ${mentioned(include)})
    GROUP BY verdict`
}

/** Found from the lists and tags, not by walking through all contacts. */
function mentioned(include: readonly AudienceEntry[]): SQL {
  if (include.some(({ type }) => type === 'all')) return sql`1`
  const lists = JSON.stringify(entryIds(include, 'list'))
  const tags = JSON.stringify(entryIds(include, 'tag'))
  return sql`c.id IN (
    SELECT m.contact_id FROM memberships m WHERE m.list_id IN (SELECT value FROM json_each(${lists}))
    UNION SELECT t.contact_id FROM contact_tags t WHERE t.tag_id IN (SELECT value FROM json_each(${tags})))`
}

/** Throws NOT_FOUND with the path of each entry that names nothing of the project (contract-details 9). */
export async function requireAudience(db: Reader, project_id: string, spec: AudienceSpec, path: string): Promise<void> {
  const entries = (['include', 'exclude'] as const).flatMap((part) => (spec[part] ?? []).map((entry, at) => ({ entry, path: `${path}/${part}/${at}/id` })))
  const all = entries.map(({ entry }) => entry)
  const known = await db.all<{ type: string; id: number }>(sql`
    SELECT 'list' AS type, id FROM lists WHERE project_id = ${project_id} AND id IN (SELECT value FROM json_each(${JSON.stringify(entryIds(all, 'list'))}))
    UNION ALL
    SELECT 'tag' AS type, id FROM tags WHERE project_id = ${project_id} AND id IN (SELECT value FROM json_each(${JSON.stringify(entryIds(all, 'tag'))}))`)
  const found = new Set(known.map(({ type, id }) => `${type} ${id}`))
  const missing = entries.filter(({ entry }) => entry.type !== 'all' && !found.has(`${entry.type} ${entry.id}`))
  if (missing.length === 0) return
  throw new AppError('NOT_FOUND', `No such ${missing[0]!.entry.type}.`, { details: missing.map(({ path }) => ({ path })) })
}
