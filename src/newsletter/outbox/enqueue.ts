import { emailKey } from '../../address.ts'
import type { ProjectId } from '../../ids.ts'
import { type SQL, sql } from 'drizzle-orm'
import { jsonText } from '../../store/json-text.ts'
import type { Tx } from '../../store/open.ts'
import { withRows } from '../../store/rows.ts'
import { type ConfirmationContent, deliveries, type TestContent } from '../../store/tables/delivery.ts'
import { AT_ONCE } from './outbox.ts'
import { statusAfter, statusBefore } from './states.ts'

/** How messages enter the outbox, change their spelling of an address, and how a queued confirmation leaves it again. */

/**
 * Adds recipients of a campaign, and those again whom an attempt canceled that could not be prepared. `contacts` is a
 * `FROM … WHERE … ORDER BY` over rows `contact`. Answers the number.
 */
export async function enqueueCampaign(
  tx: Tx,
  { campaign_id, contacts, now }: { campaign_id: number; contacts: SQL; now: number },
): Promise<number> {
  const added = await tx.all(sql`
    INSERT INTO deliveries (project_id, kind, campaign_id, contact_id, email, status, next_attempt_at, created_at)
    SELECT contact.project_id, 'campaign', ${campaign_id}, contact.id, contact.email, ${statusAfter('enqueue')},
      ${AT_ONCE}, ${now}
    ${contacts}
    ON CONFLICT (campaign_id, contact_id) WHERE kind = 'campaign' DO UPDATE SET
      status = ${statusAfter('revive')}, email = excluded.email, next_attempt_at = ${AT_ONCE}, last_error = NULL
    WHERE deliveries.${statusBefore('revive')}
    RETURNING 1`)
  return added.length
}

/** Queues a message to each of these contacts that asks to confirm memberships; it is rendered when it is sent. */
export async function enqueueConfirmations(
  tx: Tx,
  project_id: ProjectId,
  people: readonly { contact_id: number; email: string; list_ids: number[]; due_at: number }[],
  now: number,
): Promise<void> {
  if (people.length === 0) return
  const rows = people.map(({ contact_id, email, list_ids, due_at }) => [
    contact_id,
    email,
    { list_ids } satisfies ConfirmationContent,
    due_at <= now ? AT_ONCE : due_at,
  ])
  await tx.run(sql`
    ${withRows(rows)}
    INSERT INTO deliveries (project_id, kind, contact_id, email, status, next_attempt_at, created_at, content)
    SELECT ${project_id}, 'confirmation', v->>0, v->>1, ${statusAfter('enqueue')}, v->>3, ${now}, v->2 FROM r`)
}

/** Lets queued confirmations to these contacts name these lists. Answers the contacts that have such a message. */
export async function extendConfirmations(
  tx: Tx,
  people: readonly { contact_id: number; list_ids: number[] }[],
): Promise<number[]> {
  const rows = people.map(({ contact_id, list_ids }) => [contact_id, { list_ids } satisfies ConfirmationContent])
  const extended = await tx.all<{ contact_id: number }>(sql`
    ${withRows(rows)}
    UPDATE deliveries SET content = v->1 FROM r
    WHERE contact_id = v->>0 AND kind = 'confirmation' AND status = 'queued'
    RETURNING contact_id`)
  return extended.map(({ contact_id }) => contact_id)
}

/** Queues the personal link of a subscription to a contact. */
export async function enqueueLink(
  tx: Tx,
  { project_id, contact_id, email, now }: { project_id: ProjectId; contact_id: number; email: string; now: number },
): Promise<void> {
  await tx.insert(deliveries).values({
    project_id,
    contact_id,
    email,
    kind: 'link',
    status: 'queued',
    next_attempt_at: AT_ONCE,
    created_at: now,
  })
}

/**
 * Queues test messages of a campaign. They are not among its recipients and appear in no count. Empties its earlier
 * tests that were sent, because each holds a whole document.
 */
export async function enqueueTests(
  tx: Tx,
  message: {
    project_id: ProjectId
    campaign_id: number
    contact_id: number | null
    emails: readonly string[]
    content: TestContent
    now: number
  },
): Promise<void> {
  const { now, emails, ...rest } = message
  await tx.run(sql`
    UPDATE deliveries INDEXED BY deliveries_tests SET content = NULL
    WHERE campaign_id = ${message.campaign_id} AND kind = 'test' AND content IS NOT NULL
      AND status IN ('sent', 'failed', 'bounced', 'skipped')`)
  await tx.insert(deliveries).values(
    emails.map((email) => ({
      ...rest,
      email,
      kind: 'test' as const,
      status: 'queued' as const,
      next_attempt_at: AT_ONCE,
      created_at: now,
    })),
  )
}

/**
 * Gives messages to a contact that may still be sent another spelling of the same address, where `hasSameAddress` would
 * not see that it is the same.
 */
export async function respellRecipient(
  tx: Tx,
  contact_id: number,
  { before, after }: { before: string; after: string },
): Promise<void> {
  await tx.run(sql`
    UPDATE deliveries SET email = ${after}
    WHERE contact_id = ${contact_id} AND email = ${before} AND lower(email) <> ${emailKey(after)}
      AND status IN ('queued', 'leased', 'failed', 'uncertain')`)
}

/** Deletes queued confirmation messages to contacts that were deleted, suppressed or unsubscribed. */
export async function withdrawConfirmations(tx: Tx, contact_ids: readonly number[]): Promise<void> {
  if (contact_ids.length === 0) return
  await tx.run(sql`
    DELETE FROM deliveries
    WHERE contact_id IN (SELECT value FROM json_each(${jsonText(contact_ids)}))
      AND kind = 'confirmation' AND status = 'queued'`)
}
