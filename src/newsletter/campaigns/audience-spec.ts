import { Type } from '@sinclair/typebox'
import { sql, type SQL } from 'drizzle-orm'
import { Id, obj } from '../../schema.ts'
import type { AudienceSpec } from '../../store/tables/delivery.ts'
import { entryIds, inAnyOf, maySend } from '../delivery/consent-check.ts'

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

/** In the include part and not in the exclude part, whatever their consent. */
export function named(project_id: string, spec: AudienceSpec): SQL {
  return sql`(c.project_id = ${project_id} AND ${inAnyOf(spec.include)} AND NOT ${inAnyOf(spec.exclude ?? [])})`
}

/** Those of `named` who may be written to. */
export function eligible(project_id: string, spec: AudienceSpec): SQL {
  return sql`(${named(project_id, spec)} AND ${maySend()})`
}

/** The lists that brought a message, when its audience came from lists alone; else null. */
export function listsOnly(spec: AudienceSpec): number[] | null {
  return spec.include.length > 0 && spec.include.every(({ type }) => type === 'list') ? entryIds(spec.include, 'list') : null
}
