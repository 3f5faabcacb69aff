import type { ProjectId } from '../../ids.ts'
import { eq, sql } from 'drizzle-orm'
import { jsonText } from '../../store/json-text.ts'
import type { Reader } from '../../store/open.ts'
import type { LoopContext } from '../../runtime.ts'
import { projects } from '../../store/tables/accounts.ts'
import { lists } from '../../store/tables/audience.ts'
import { campaigns } from '../../store/tables/delivery.ts'
import { confirmationMessage } from './confirmation.ts'
import { stillTheirs } from './consent-check.ts'
import { signerOf } from '../connections/dkim-keys.ts'
import { type Leased, leaseSingles } from './lease.ts'
import { messageId } from '../tracking/links.ts'
import { composeSimple } from '../../mail/mime.ts'
import type { ConfirmationContent, TestContent } from './outbox.ts'
import type { Composed, Stream } from './pump.ts'
import { connectionOf, senderOf } from '../connections/sender.ts'
import { getSettings } from '../connections/settings.operations.ts'

/**
 * Messages to one person alone: confirmations, which go out as the project, and tests of a campaign, which go out as
 * the campaign would, from its sender and through its connection.
 */

/** Of one stream: many that cannot leave must not stand before everybody else's. */
const LOOKED_AT = 100
const LOOKED_AT_IN_ALL = 10_000

export interface Singles {
  project_id: ProjectId
  /** The campaign whose tests they are. */
  campaign_id: number | null
  ids: number[]
}

/** Due single messages, by project and campaign, the longest due first. */
export async function dueSingles(db: Reader, now: number): Promise<Singles[]> {
  const rows = await db.all<{ id: number; project_id: ProjectId; campaign_id: number | null }>(sql`
    SELECT id, project_id, campaign_id FROM (
      SELECT id, project_id, campaign_id, next_attempt_at, row_number() OVER (PARTITION BY project_id, campaign_id ORDER BY next_attempt_at, id) AS place
      FROM deliveries WHERE status = 'queued' AND kind <> 'campaign' AND next_attempt_at <= ${now})
    WHERE place <= ${LOOKED_AT} ORDER BY place, next_attempt_at, id LIMIT ${LOOKED_AT_IN_ALL}`)
  const groups = new Map<string, Singles>()
  for (const { id, project_id, campaign_id } of rows) {
    const key = `${project_id}:${campaign_id}`
    const group = groups.get(key) ?? { project_id, campaign_id, ids: [] }
    group.ids.push(id)
    groups.set(key, group)
  }
  return [...groups.values()]
}

/** The stream of some single messages; null when there is no connection to send them through. */
export async function singleStream(
  context: LoopContext,
  { project_id, campaign_id, ids }: Singles,
): Promise<Stream | null> {
  const { db } = context.store
  const [project] = await db.select().from(projects).where(eq(projects.id, project_id))
  const settings = await getSettings(db, project_id)
  const [campaign] = campaign_id === null ? [] : await db.select().from(campaigns).where(eq(campaigns.id, campaign_id))
  const connection = await connectionOf(db, project_id, settings, campaign?.connection_id)
  if (!project || !connection) {
    await postpone(context, ids)
    return null
  }
  const sender = senderOf(settings, campaign)
  const messageIdOf = (row: Leased): string =>
    messageId(
      context.keys,
      { delivery_id: row.id, contact_id: row.contact_id ?? 0, campaign_id: row.campaign_id ?? 0 },
      sender.from_email,
    )
  const waiting = [...ids]

  const compose = async (): Promise<(row: Leased) => Composed | null> => {
    const names = new Map(
      (await db.select({ id: lists.id, name: lists.name }).from(lists).where(eq(lists.project_id, project_id))).map(
        ({ id, name }) => [id, name],
      ),
    )
    return (row) => {
      const message_id = messageIdOf(row)
      const content = JSON.parse(row.content ?? 'null') as ConfirmationContent | TestContent | null
      if (!content || (row.kind === 'confirmation' && row.contact_id === null)) return null
      const said =
        'html' in content
          ? content
          : confirmationMessage({
              project,
              settings,
              keys: context.keys,
              base_url: context.base_url,
              contact_id: row.contact_id!,
              email: row.email,
              lists: content.list_ids.flatMap((id) => (names.has(id) ? [{ id, name: names.get(id)! }] : [])),
            })
      return {
        envelope: { from: sender.from_email, to: row.email },
        message_id,
        message: composeSimple({
          ...said,
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
    }
  }

  return {
    project_id,
    campaign_id: null,
    connection,
    monthly_limit: project.monthly_limit,
    running: sql`1`,
    // Who was suppressed since then is not asked any more; nor who has no subscription left that waits for an answer.
    mayGo: sql`(NOT EXISTS (SELECT 1 FROM suppressions s WHERE s.project_id = d.project_id AND s.email_key = lower(d.email)) AND (d.kind = 'test' OR EXISTS (
      SELECT 1 FROM memberships m WHERE m.contact_id = d.contact_id AND m.status = 'pending' AND m.list_id IN (SELECT value FROM json_each(d.content ->> 'list_ids')))
      AND EXISTS (SELECT 1 FROM contacts c WHERE c.id = d.contact_id AND ${stillTheirs()})))`,
    lease: (tx, lease, most) => leaseSingles(tx, waiting.splice(0, most), lease),
    compose,
    messageId: messageIdOf,
    sign: await signerOf(context, connection, sender.from_email),
  }
}

/** A project without a connection may get one: its messages are looked at again later. */
async function postpone(context: LoopContext, ids: readonly number[]): Promise<void> {
  const due_at = context.clock.now() + 60_000
  await context.store.write((tx) =>
    tx.run(sql`
    UPDATE deliveries SET next_attempt_at = ${due_at}, last_error = 'The project has no connection to send through.'
    WHERE id IN (SELECT value FROM json_each(${jsonText(ids)})) AND status = 'queued'`),
  )
}
