import { sql } from 'drizzle-orm'
import { AppError } from '../../errors.ts'
import type { ProjectId } from '../../ids.ts'
import type { Reader } from '../../store/open.ts'
import { one } from '../../store/rows.ts'

/**
 * How many contacts `project` has. The counter stands beside the rows: counting them takes longer the more there are.
 */
export const contactCount = sql`coalesce(
  (SELECT rows FROM project_usage WHERE project_id = project.id AND kind = 'contacts'), 0)`

/** How many contacts a project has, and how many it may have. */
interface ContactUsage {
  contacts: number
  contact_limit: number
}

/** How many of the wanted new contacts the project has room for (docs/api/limits.md#plan-limits). */
export function roomFor({ contacts, contact_limit }: ContactUsage, wanted: number): number {
  return Math.max(0, Math.min(wanted, contact_limit - contacts))
}

/**
 * Throws PLAN_LIMIT_EXCEEDED unless the project has room for all of the wanted new contacts.
 * @param contacts_per_project the limit of a project whose plan has none of its own
 */
export async function requireRoomFor(
  db: Reader,
  project_id: ProjectId,
  wanted: number,
  contacts_per_project: number,
): Promise<void> {
  const usage = one(
    await db.all<ContactUsage>(sql`
      SELECT ${contactCount} AS contacts, coalesce(contact_limit, ${contacts_per_project}) AS contact_limit
      FROM projects project WHERE id = ${project_id}`),
  )
  const room = roomFor(usage, wanted)
  if (room < wanted) throw planFull(usage.contact_limit, `It has room for ${room} more, and ${wanted} would be new.`)
}

/** PLAN_LIMIT_EXCEEDED for the limit of contacts. */
export function planFull(contact_limit: number, more = ''): AppError {
  return new AppError('PLAN_LIMIT_EXCEEDED', `The plan allows ${contact_limit} contacts. ${more}`.trim(), {
    details: { limit: contact_limit },
  })
}
