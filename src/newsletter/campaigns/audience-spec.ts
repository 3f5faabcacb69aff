import type { ProjectId } from '../../ids.ts'
import { Type } from '@sinclair/typebox'
import { sql, type SQL } from 'drizzle-orm'
import { AppError, invalid } from '../../errors.ts'
import { Id, obj } from '../../schema.ts'
import { jsonText } from '../../store/json-text.ts'
import type { Reader } from '../../store/open.ts'
import type { AudienceSpec } from '../../store/tables/delivery.ts'
import { segmentConditions } from '../segments/segment-rules.ts'
import { type Audience, entryIds, inAnyOf, maySend } from '../outbox/eligibility.ts'

/**
 * The audience of a campaign: who is included and who is excluded. A list, tag or segment that was deleted matches no
 * contact, exclude wins over include, and each contact counts once (docs/api/campaigns.md#audience). All conditions
 * here are about a row of `contacts` under the alias `contact`.
 */
const Entry = Type.Union([
  obj({ type: Type.Literal('all') }),
  obj({ type: Type.Union([Type.Literal('list'), Type.Literal('tag'), Type.Literal('segment')]), id: Id }),
])

/** Entries in the include part and in the exclude part, each. */
export const MAX_AUDIENCE_ENTRIES = 50
/** A segment may have hundreds of rules, and one statement evaluates those of all segments. */
const MAX_SEGMENTS = 10

export const AudienceSchema = obj(
  {
    include: Type.Array(Entry, { maxItems: MAX_AUDIENCE_ENTRIES }),
    exclude: Type.Optional(Type.Array(Entry, { maxItems: MAX_AUDIENCE_ENTRIES })),
  },
  { $id: 'AudienceSpec' },
)

/**
 * Throws NOT_FOUND with the path of each entry of `/audience_spec` whose list, tag or segment the project neither has
 * nor had. What it had is known from the audit log, and from the audience before an update.
 */
export async function requireAudience(
  db: Reader,
  project_id: ProjectId,
  spec: AudienceSpec,
  before: AudienceSpec = { include: [] },
): Promise<void> {
  const entries = (['include', 'exclude'] as const).flatMap((part) =>
    (spec[part] ?? []).map((entry, index) => ({ entry, path: `/audience_spec/${part}/${index}/id` })),
  )
  const all = entries.map(({ entry }) => entry)
  const ids = (type: 'list' | 'tag' | 'segment') => jsonText(entryIds(all, type))
  if (entryIds(all, 'segment').length > MAX_SEGMENTS)
    throw invalid('/audience_spec', `At most ${MAX_SEGMENTS} segments in an audience.`)
  const existing = await db.all<{ type: string; id: number }>(sql`
    SELECT 'list' AS type, id FROM lists
      WHERE project_id = ${project_id} AND id IN (SELECT value FROM json_each(${ids('list')}))
    UNION ALL SELECT 'tag' AS type, id FROM tags
      WHERE project_id = ${project_id} AND id IN (SELECT value FROM json_each(${ids('tag')}))
    UNION ALL SELECT 'segment' AS type, id FROM segments
      WHERE project_id = ${project_id} AND id IN (SELECT value FROM json_each(${ids('segment')}))`)
  const found = new Set([...existing, ...before.include, ...(before.exclude ?? [])].map(targetOf))
  const unknown = entries.filter(({ entry }) => entry.type !== 'all' && !found.has(targetOf(entry)))
  const unknown_targets = unknown.map(({ entry }) => targetOf(entry))
  const deleted = await deletedAmong(db, project_id, unknown_targets)
  const missing = unknown.filter(({ entry }) => !deleted.has(targetOf(entry)))
  const [first] = missing
  if (!first) return
  throw new AppError('NOT_FOUND', `No such ${first.entry.type}.`, { details: missing.map(({ path }) => ({ path })) })
}

/** Those of the targets that the audit log knows as deleted. An index holds the rows of such deletions. */
async function deletedAmong(
  db: Reader,
  project_id: ProjectId,
  targets: readonly string[],
): Promise<ReadonlySet<string>> {
  if (targets.length === 0) return new Set()
  const rows = await db.all<{ target: string }>(sql`
    SELECT DISTINCT target FROM audit_log
    WHERE project_id = ${project_id} AND target IN (SELECT value FROM json_each(${jsonText(targets)}))
      AND action IN ('lists/delete', 'tags/delete', 'segments/delete')`)
  return new Set(rows.map(({ target }) => target))
}

/** An entry as the audit log names it. */
const targetOf = (entry: { type: string; id?: number }): string => `${entry.type}:${entry.id}`

/** Reads the segments that an audience names and compiles their rules, as they are now. */
export async function resolveAudience(
  db: Reader,
  project_id: ProjectId,
  spec: AudienceSpec,
  now: number,
): Promise<Audience> {
  const entries = [...spec.include, ...(spec.exclude ?? [])]
  return { ...spec, segments: await segmentConditions(db, project_id, entryIds(entries, 'segment'), now) }
}

/** Condition: included, not excluded, and consent allows to send now. */
export function eligible(project_id: ProjectId, { include, exclude = [], segments }: Audience): SQL {
  return sql`(contact.project_id = ${project_id} AND ${inAnyOf(include, segments)} AND NOT ${inAnyOf(exclude, segments)}
    AND ${maySend()})`
}

/** The ids of the included lists when the audience consists of lists only; else null. */
export function listsOnly(spec: AudienceSpec): number[] | null {
  return spec.include.length > 0 && spec.include.every(({ type }) => type === 'list')
    ? entryIds(spec.include, 'list')
    : null
}
