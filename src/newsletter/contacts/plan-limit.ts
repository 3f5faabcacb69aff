import type { ProjectId } from '../../ids.ts'
import { sql } from 'drizzle-orm'
import { AppError } from '../../errors.ts'
import type { Reader } from '../../store/open.ts'
import { one } from '../../store/rows.ts'

/** How many of the wanted new contacts the project's plan has room for (docs/api/limits.md#plan-limits). */
export async function roomFor(
  db: Reader,
  project_id: ProjectId,
  contact_limit: number | null,
  wanted: number,
): Promise<number> {
  if (contact_limit === null || wanted === 0) return wanted
  const { contacts } = one(
    await db.all<{ contacts: number }>(sql`
      SELECT count(*) AS contacts FROM (SELECT 1 FROM contacts
        WHERE project_id = ${project_id} LIMIT ${contact_limit})`),
  )
  return Math.min(wanted, contact_limit - contacts)
}

/** Throws PLAN_LIMIT_EXCEEDED unless the project's plan has room for all of the wanted new contacts. */
export async function requireRoomFor(db: Reader, project_id: ProjectId, wanted: number): Promise<void> {
  const { contact_limit } = one(
    await db.all<{ contact_limit: number | null }>(sql`SELECT contact_limit FROM projects WHERE id = ${project_id}`),
  )
  const room = await roomFor(db, project_id, contact_limit, wanted)
  if (contact_limit !== null && room < wanted)
    throw planFull(contact_limit, `It has room for ${room} more, and ${wanted} would be new.`)
}

/** PLAN_LIMIT_EXCEEDED for the limit of contacts. */
export function planFull(contact_limit: number | null, more = ''): AppError {
  return new AppError('PLAN_LIMIT_EXCEEDED', `The plan allows ${contact_limit} contacts. ${more}`.trim(), {
    details: { limit: contact_limit },
  })
}
