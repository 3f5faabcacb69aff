import { sql } from 'drizzle-orm'
import type { ProjectId } from '../../../src/ids.ts'
import { findSuppression } from '../../../src/newsletter/suppressions/suppression.ts'
import { NOW, sharedStore } from '../../support/shared-store.ts'

/** What the store has after suppressions were added or ended. */

export const LATER = NOW + 1000
export const rows = async <T>(query: ReturnType<typeof sql>) => (await sharedStore()).db.all<T>(query)
export const contact = async (id: number) =>
  (
    await rows<{ global_status: string; opted_out: number; updated_at: number }>(
      sql`SELECT global_status, opted_out, updated_at FROM contacts WHERE id = ${id}`,
    )
  )[0]!
export const memberships = async (id: number) =>
  (await rows<{ status: string }>(sql`SELECT status FROM memberships WHERE contact_id = ${id} ORDER BY list_id`)).map(
    ({ status }) => status,
  )
export const events = async (id: number) =>
  rows<{ type: string; detail: string }>(sql`SELECT type, detail FROM events WHERE contact_id = ${id} ORDER BY id`)
export const found = async (project_id: ProjectId, email: string) =>
  findSuppression((await sharedStore()).db, project_id, email)
