import type { ProjectId } from '../../ids.ts'
import { Type } from '@sinclair/typebox'
import { sql, type SQL } from 'drizzle-orm'
import { Id, obj } from '../../schema.ts'
import type { Reader } from '../../store/open.ts'
import type { AudienceSpec } from '../../store/tables/delivery.ts'
import { segmentConditions } from '../segments/segment-rules.ts'
import { type Audience, entryIds, inAnyOf, maySend } from '../outbox/consent-check.ts'

/**
 * Whom a campaign is for. All conditions are over a row of `contacts` called `c`. A list, tag or segment that is
 * gone matches nobody (contract-details 9); exclude wins over include; everybody counts once.
 */
const Entry = Type.Union([
  obj({ type: Type.Literal('all') }),
  obj({ type: Type.Union([Type.Literal('list'), Type.Literal('tag'), Type.Literal('segment')]), id: Id }),
])

export const AudienceSchema = obj({
  include: Type.Array(Entry, { maxItems: 50 }),
  exclude: Type.Optional(Type.Array(Entry, { maxItems: 50 })),
})

/** Reads the segments that an audience names, as they are now. Without them its conditions cannot be made. */
export async function resolveAudience(
  db: Reader,
  project_id: ProjectId,
  spec: AudienceSpec,
  now: number,
): Promise<Audience> {
  return {
    ...spec,
    segments: await segmentConditions(
      db,
      project_id,
      entryIds([...spec.include, ...(spec.exclude ?? [])], 'segment'),
      now,
    ),
  }
}

/** In the include part and not in the exclude part, whatever their consent. */
export function named(project_id: ProjectId, { include, exclude = [], segments }: Audience): SQL {
  return sql`(c.project_id = ${project_id} AND ${inAnyOf(include, segments)} AND NOT ${inAnyOf(exclude, segments)})`
}

/** Those of `named` who may be written to. */
export function eligible(project_id: ProjectId, audience: Audience): SQL {
  return sql`(${named(project_id, audience)} AND ${maySend()})`
}

/** The lists that brought a message, when its audience came from lists alone; else null. */
export function listsOnly(spec: AudienceSpec): number[] | null {
  return spec.include.length > 0 && spec.include.every(({ type }) => type === 'list')
    ? entryIds(spec.include, 'list')
    : null
}
