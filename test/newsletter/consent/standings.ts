import { sql } from 'drizzle-orm'
import {
  GLOBAL_STATUSES,
  type GlobalStatus,
  MEMBERSHIP_STATUSES,
  type MembershipStatus,
  SUPPRESSION_REASONS,
  type SuppressionReason,
} from '../../../src/store/tables/audience.ts'
import { wordingId } from '../../../src/newsletter/consent/wordings.ts'
import type { World } from '../../support/world.ts'

/**
 * Every combination of statuses that a contact can have in a project with two lists, for tests that compare two
 * implementations of the consent rule.
 */
export interface Standing {
  status: GlobalStatus | null
  suppression: SuppressionReason | null
  /** On the two lists. */
  memberships: [MembershipStatus | null, MembershipStatus | null]
}

const orNone = <T>(words: readonly T[]): (T | null)[] => [null, ...words]

export function everyStanding(): Standing[] {
  const memberships = (status: GlobalStatus | null) => (status === null ? [null] : orNone(MEMBERSHIP_STATUSES))
  return orNone(GLOBAL_STATUSES).flatMap((status) =>
    orNone(SUPPRESSION_REASONS).flatMap((suppression) =>
      memberships(status).flatMap((first) =>
        memberships(status).map((second): Standing => ({ status, suppression, memberships: [first, second] })),
      ),
    ),
  )
}

export const addressOf = (group: string, index: number): string => `${group}${index}@example.com`

/** Stores a contact for each combination; its address is `group` and its number. */
export async function place(
  world: World,
  group: string,
  standings: readonly Standing[],
  list_ids: readonly [number, number],
): Promise<void> {
  const at = world.clock.now() - 3_600_000
  await world.service.runtime.store.write(async (tx) => {
    const old_words = await wordingId(tx, world.project.id, 'Old words')
    for (const [index, { status, suppression, memberships }] of standings.entries()) {
      const email = addressOf(group, index)
      if (suppression)
        await tx.run(
          sql`
            INSERT INTO suppressions (project_id, email, email_key, reason, created_at)
            VALUES (${world.project.id}, ${email}, ${email}, ${suppression}, ${at})`,
        )
      if (!status) continue
      const [made] = await tx.all<{ id: number }>(sql`
        INSERT INTO contacts (project_id, email, email_key, first_name, first_name_key, search_key, global_status,
          consent_wording_id, consent_source, consent_at, created_at, updated_at)
        VALUES (${world.project.id}, ${email}, ${email}, 'Old', 'old',
          ${`${email} old`}, ${status}, ${old_words}, 'api', ${at}, ${at}, ${at}) RETURNING id`)
      for (const [which, membership] of memberships.entries()) {
        if (membership)
          await tx.run(
            sql`
              INSERT INTO memberships (contact_id, list_id, status, confirmation_sent_at)
              VALUES (${made!.id}, ${list_ids[which]}, ${membership}, ${membership === 'pending' ? at : null})`,
          )
      }
    }
  })
}

/**
 * All stored data of a contact, except ids, addresses and the name of the consent source, which differ between any two.
 */
export async function outcomeOf(world: World, group: string, index: number): Promise<unknown> {
  const { db } = world.service.runtime.store
  const email = addressOf(group, index)
  const [contact] = await db.all<{ id: number }>(
    sql`SELECT id FROM contacts WHERE project_id = ${world.project.id} AND email_key = ${email}`,
  )
  const id = contact?.id ?? 0
  return {
    contact: await db.all(sql`
      SELECT replace(search_key, email_key, '') AS search, first_name, first_name_key, global_status, custom_fields,
        slot_1, (SELECT text FROM consent_wordings w
          WHERE w.id = consent_wording_id) AS consent_text, consent_source <> '' AS has_source, consent_at, updated_at
          FROM contacts WHERE id = ${id}`),
    memberships: await db.all(
      sql`
        SELECT list_id, status, subscribed_at, unsubscribed_at, confirmation_sent_at FROM memberships
        WHERE contact_id = ${id} ORDER BY list_id`,
    ),
    tags: await db.all(sql`SELECT tag_id FROM contact_tags WHERE contact_id = ${id} ORDER BY tag_id`),
    suppression: await db.all(
      sql`SELECT reason, note FROM suppressions WHERE project_id = ${world.project.id} AND email_key = ${email}`,
    ),
    consents: await db.all(
      sql`
        SELECT list_id, (SELECT text FROM consent_wordings w WHERE w.id = wording_id) AS text, at FROM consents
        WHERE contact_id = ${id} ORDER BY list_id`,
    ),
    events: await db.all(
      sql`SELECT type, list_id, at, detail FROM events WHERE contact_id = ${id} ORDER BY type, list_id`,
    ),
    messages: await db.all(sql`SELECT kind, status, content FROM deliveries WHERE contact_id = ${id} ORDER BY id`),
  }
}
