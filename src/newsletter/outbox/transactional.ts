import { emailKey } from '../../address.ts'
import type { ProjectId } from '../../ids.ts'
import { eq, type SQL, sql } from 'drizzle-orm'
import { jsonText } from '../../store/json-text.ts'
import type { Reader } from '../../store/open.ts'
import type { LoopContext } from '../../runtime.ts'
import { projects } from '../../store/tables/accounts.ts'
import { lists } from '../../store/tables/audience.ts'
import { campaigns, type ConfirmationContent } from '../../store/tables/delivery.ts'
import { sendingBlock } from './confirmation-block.ts'
import { confirmationMessage, linkMessage } from './confirmation.ts'
import { hasSameAddress } from './eligibility.ts'
import { signerOf } from '../connections/dkim-keys.ts'
import { messageId } from '../tracking/tokens.ts'
import { composeSimple } from '../../mail/mime.ts'
import { type Leased, leaseTransactional, postpone } from './outbox.ts'
import type { Compose } from './hand-over.ts'
import type { Stream } from './send-batch.ts'
import { connectionOf, type Sender, senderOf } from '../connections/sender.ts'
import { getSettings, type NewsletterSettings } from '../connections/settings.operations.ts'

/**
 * Transactional messages: confirmations and personal links, which are sent as the project, and tests of a campaign,
 * which are sent as the campaign would be, from its sender and through its connection.
 */

/** Rows read for one stream: many that cannot be sent must not delay the messages of other streams. */
const DUE_PER_STREAM = 100
const DUE_IN_ALL = 10_000
/** The delay before messages of a project that cannot send are tried again. */
const BLOCKED_MS = 60_000
const WHY_BLOCKED = {
  no_connection: 'The project has no connection to send through.',
  connection_untested: 'The connection was not tested.',
  no_sender: 'The settings have no sender address.',
  held: 'Confirmations are held since a restore; `settings/update` releases them.',
}

interface TransactionalBatch {
  project_id: ProjectId
  /** The campaign that the tests belong to; null for the others. */
  campaign_id: number | null
  ids: number[]
}

/** Transactional messages that are due, by project and campaign, the longest due first. */
export async function dueTransactional(db: Reader, now: number): Promise<TransactionalBatch[]> {
  const rows = await db.all<{ id: number; project_id: ProjectId; campaign_id: number | null }>(sql`
    SELECT id, project_id, campaign_id FROM (
      SELECT id, project_id, campaign_id, next_attempt_at,
        row_number() OVER (PARTITION BY project_id, campaign_id ORDER BY next_attempt_at, id) AS position
      FROM deliveries WHERE status = 'queued' AND kind <> 'campaign' AND next_attempt_at <= ${now})
    WHERE position <= ${DUE_PER_STREAM} ORDER BY position, next_attempt_at, id LIMIT ${DUE_IN_ALL}`)
  const groups = Map.groupBy(rows, ({ project_id, campaign_id }) => `${project_id}:${campaign_id}`)
  return [...groups.values()].map((group) => ({ ...group[0]!, ids: group.map(({ id }) => id) }))
}

/**
 * Composes the test messages of a campaign. It is passed in because the outbox does not import the campaigns module.
 */
type ComposeTests = (
  context: LoopContext,
  parts: SendingProject & { campaign: typeof campaigns.$inferSelect; sender: Sender },
  rows: readonly Leased[],
) => Promise<Compose>

interface SendingProject {
  project: typeof projects.$inferSelect
  settings: NewsletterSettings
}

/** The stream of some transactional messages; null when the project cannot send them now. */
export async function transactionalStream(
  context: LoopContext,
  { project_id, campaign_id, ids }: TransactionalBatch,
  composeTests: ComposeTests,
): Promise<Stream | null> {
  const { db } = context.store
  const [project] = await db.select().from(projects).where(eq(projects.id, project_id))
  const settings = await getSettings(db, project_id)
  const [campaign] = campaign_id === null ? [] : await db.select().from(campaigns).where(eq(campaigns.id, campaign_id))
  const connection = await connectionOf(db, project_id, settings, campaign?.connection_id)
  const sender = senderOf(settings, campaign)
  const isHeld = settings.confirmations_held && campaign === undefined
  const block = isHeld ? 'held' : sendingBlock(connection, sender.from_email)
  if (!project || !connection || block) {
    const due_at = context.clock.now() + BLOCKED_MS
    const reason = WHY_BLOCKED[block ?? 'no_connection']
    await context.store.write((tx) => postpone(tx, ids, { due_at, reason }))
    return null
  }
  const messageIdOf = (row: Leased): string =>
    messageId(
      context.keys,
      { delivery_id: row.id, contact_id: row.contact_id ?? 0, campaign_id: row.campaign_id ?? 0 },
      sender.from_email,
    )
  const not_leased = [...ids]

  const compose = async (rows: readonly Leased[]): Promise<Compose> => {
    if (campaign) return composeTests(context, { campaign, project, settings, sender }, rows)
    const names = new Map(
      (await db.select({ id: lists.id, name: lists.name }).from(lists).where(eq(lists.project_id, project_id))).map(
        ({ id, name }) => [id, name],
      ),
    )
    const parts = { project, settings, keys: context.keys, base_url: context.base_url }
    /** The content of a row; null when the row lacks data that its kind needs. */
    const contentOf = ({ id, kind, contact_id, email, content: stored }: Leased) => {
      const content = JSON.parse(stored ?? 'null') as ConfirmationContent | null
      if (contact_id === null) return null
      if (kind === 'link') return linkMessage(parts, { delivery_id: id, contact_id, campaign_id: 0 })
      const named = content?.list_ids.flatMap((id) => (names.has(id) ? [{ id, name: names.get(id)! }] : []))
      return named ? confirmationMessage(parts, { contact_id, email, lists: named }) : null
    }
    return (row) => {
      const message_id = messageIdOf(row)
      const parts = contentOf(row)
      return (
        parts && {
          envelope: { from: sender.from_email, to: row.email },
          message_id,
          message: composeSimple({
            ...parts,
            from: { email: sender.from_email, name: sender.from_name },
            reply_to: sender.reply_to ? { email: sender.reply_to } : null,
            to: { email: row.email },
            message_id,
            date_ms: context.clock.now(),
            headers: {
              'Auto-Submitted': 'auto-generated',
              'Feedback-ID': `${row.kind}:${project.public_id}:single:masthead`,
            },
          }),
        }
      )
    }
  }

  return {
    project_id,
    campaign_id: null,
    connection,
    monthly_limit: project.monthly_limit,
    beyond_limit: campaign === undefined,
    running: sql`1`,
    may_send: mayGetTransactional(await addressesOf(db, ids)),
    lease: (tx, lease, limit) => leaseTransactional(tx, lease, not_leased.splice(0, limit)),
    compose,
    messageId: messageIdOf,
    sign: await signerOf(context, connection, sender.from_email),
  }
}

/** Messages with the keys of the addresses they go to, as JSON pairs. */
async function addressesOf(db: Reader, ids: readonly number[]): Promise<string> {
  const rows = await db.all<{ id: number; email: string }>(
    sql`SELECT id, email FROM deliveries WHERE id IN (SELECT value FROM json_each(${jsonText(ids)}))`,
  )
  return jsonText(rows.map(({ id, email }) => [id, emailKey(email)]))
}

/**
 * SQL condition: the row `delivery` may still be sent. A suppressed address gets nothing. A confirmation needs a
 * pending membership, and a personal link a contact who did not unsubscribe.
 */
function mayGetTransactional(addresses: string): SQL {
  return sql`(
    NOT EXISTS (
      SELECT 1 FROM json_each(${addresses}) address
      CROSS JOIN suppressions suppression
        ON suppression.project_id = delivery.project_id AND suppression.email_key = address.value ->> 1
      WHERE address.value ->> 0 = delivery.id)
    AND (delivery.kind = 'test' OR EXISTS (
      SELECT 1 FROM contacts contact WHERE contact.id = delivery.contact_id AND ${hasSameAddress()}
      AND CASE delivery.kind WHEN 'link' THEN contact.global_status IN ('subscribed', 'pending') ELSE EXISTS (
        SELECT 1 FROM memberships membership
        WHERE membership.contact_id = contact.id AND membership.status = 'pending'
          AND membership.list_id IN (SELECT value FROM json_each(delivery.content ->> 'list_ids'))) END)))`
}
