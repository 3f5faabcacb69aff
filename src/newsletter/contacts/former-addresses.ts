import { sql } from 'drizzle-orm'
import type { ProjectId } from '../../ids.ts'
import { emailKey } from '../../address.ts'
import { jsonText } from '../../store/json-text.ts'
import type { Tx } from '../../store/open.ts'

/** An address that a contact had before. */
interface FormerAddress {
  project_id: ProjectId
  contact_id: number
  email_key: string
}

/** The addresses that contacts had before, deleted ones included, and that no contact has now. */
export async function formerAddresses(tx: Tx, contact_ids: readonly number[]): Promise<FormerAddress[]> {
  if (contact_ids.length === 0) return []
  const changes = await tx.all<{ project_id: ProjectId; contact_id: number; email: string }>(sql`
    SELECT DISTINCT event.project_id, event.contact_id, event.detail AS email
    FROM json_each(${jsonText(contact_ids)}) contact CROSS JOIN events event ON event.contact_id = contact.value
    WHERE event.type = 'address_changed' AND event.detail <> ''`)
  if (changes.length === 0) return []
  const former = changes.map(({ email, ...change }): FormerAddress => ({ ...change, email_key: emailKey(email) }))
  return tx.all<FormerAddress>(sql`
    SELECT value ->> 'project_id' AS project_id, value ->> 'contact_id' AS contact_id,
      value ->> 'email_key' AS email_key
    FROM json_each(${jsonText(former)})
    WHERE NOT EXISTS (
      SELECT 1 FROM contacts WHERE project_id = value ->> 'project_id' AND email_key = value ->> 'email_key')`)
}
