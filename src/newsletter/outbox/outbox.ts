import type { ProjectId } from '../../ids.ts'
import { sql } from 'drizzle-orm'
import { jsonText } from '../../store/json-text.ts'
import type { Tx } from '../../store/open.ts'
import { withRows } from '../../store/rows.ts'
import { deliveries } from '../../store/tables/delivery.ts'

/**
 * The outbox: one row a message, and the promise that none is lost and none is silently sent twice.
 *
 *   queued ──► leased ──► sending ──► sent          the relay took it
 *     ▲          │           ├──────► bounced       the address does not exist; it is suppressed
 *     │          │           ├──────► failed        refused for good, or tried too often
 *     │          │           ├──────► queued        refused for now: tried again later
 *     └──────────┘           └──────► uncertain     handed over, and no answer was read: only people may repeat it
 *   queued, leased ──► skipped      the recipient left or was suppressed before it was handed over
 *   queued, leased ──► cancelled    the campaign was cancelled
 *
 * `sending` is committed before a message is handed over and the outcome after it. A lease that ended gives
 * `leased` rows back; a row found `sending` becomes `uncertain`. Every settling is fenced by the lease: a worker
 * that was taken for dead cannot overwrite what came of its rows.
 */

/** What a confirmation message asks to be confirmed. */
export interface ConfirmationContent {
  list_ids: number[]
}

/** A test message carries the campaign's content as it was when the test was asked for. */
export interface TestContent {
  subject: string
  html: string
  text: string
}

/** Queues a message to each of these contacts that asks to confirm memberships; delivery renders it when it goes out. */
export async function enqueueConfirmations(
  tx: Tx,
  project_id: ProjectId,
  people: readonly { contact_id: number; email: string; list_ids: number[] }[],
  now: number,
): Promise<void> {
  if (people.length === 0) return
  const rows = people.map(({ contact_id, email, list_ids }) => [
    contact_id,
    email,
    { list_ids } satisfies ConfirmationContent,
  ])
  await tx.run(sql`
    ${withRows(rows)} INSERT INTO deliveries (project_id, kind, contact_id, email, status, next_attempt_at, created_at, content)
    SELECT ${project_id}, 'confirmation', v->>0, v->>1, 'queued', ${now}, ${now}, v->2 FROM r`)
}

/** Queues test messages of a campaign; they are no recipients of it and count nowhere. */
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
  await tx.insert(deliveries).values(
    emails.map((email) => ({
      ...rest,
      email,
      kind: 'test' as const,
      status: 'queued' as const,
      next_attempt_at: now,
      created_at: now,
    })),
  )
}

/** Drops confirmation messages that wait for contacts who are gone or have left. */
export async function withdrawConfirmations(tx: Tx, contact_ids: readonly number[]): Promise<void> {
  if (contact_ids.length === 0) return
  await tx.run(
    sql`DELETE FROM deliveries WHERE contact_id IN (SELECT value FROM json_each(${jsonText(contact_ids)})) AND kind = 'confirmation' AND status = 'queued'`,
  )
}
