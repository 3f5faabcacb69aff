import { sql } from 'drizzle-orm'
import { DAY_MS } from '../../clock.ts'
import type { ProjectId } from '../../ids.ts'
import type { Report } from '../../mail/reports.ts'
import { emailKey, isEmail, tidyAddress } from '../../address.ts'
import type { Keys } from '../../secrets.ts'
import { jsonText } from '../../store/json-text.ts'
import type { Reader } from '../../store/open.ts'
import type { DeliveryKind, DeliveryStatus } from '../../store/tables/delivery.ts'
import { readReturnPath } from '../outbox/outgoing.ts'
import { unsubscribeTokensIn } from '../tracking/links.ts'
import { isMessageMark, readMessageId, readRecipientToken, type RecipientToken } from '../tracking/tokens.ts'
import type { Connection } from './connection.ts'

/** The message and the recipient that a report is about. See docs/api/delivery.md#bounces. */

/** A report without a known message belongs to the last message to its address, unless that is older. */
const LAST_MESSAGE_MS = 30 * DAY_MS

/** The connection that a report came to. */
export interface ReportedTo {
  keys: Keys
  connection: Connection
}

export interface ReportedMessage {
  id: number
  kind: DeliveryKind
  campaign_id: number | null
  contact_id: number | null
  email: string
  status: DeliveryStatus
}

/** The columns of a `ReportedMessage`. */
export const REPORTED_COLUMNS = sql.raw('id, kind, campaign_id, contact_id, email, status')

export interface ReportedRecipient {
  email: string
  contact_id: number | null
  /** The message, if it is known. */
  message: ReportedMessage | null
}

/**
 * The message that a report is about: the one that it names, and then that message's recipient, whatever address the
 * report gives; otherwise the last message to the address in the report. Null for a report about nobody: a text that is
 * no address, or in a report by mail, which anyone can write, an address that no contact of the project has.
 */
export async function recipientOf(
  db: Reader,
  { keys, connection: { project_id } }: ReportedTo,
  report: Report,
  now: number,
): Promise<ReportedRecipient | null> {
  const named = await namedMessage(db, keys, project_id, report)
  // A message to a deleted contact has lost its address.
  if (named && named.email !== '') return { email: named.email, contact_id: named.contact_id, message: named }
  for (const address of [report.email, report.quoted_to ?? '']) {
    const email = tidyAddress(address)
    if (!email.includes('@')) continue
    const [contact] = await db.all<{ id: number }>(
      sql`SELECT id FROM contacts WHERE project_id = ${project_id} AND email_key = ${emailKey(email)}`,
    )
    if (contact) return { email, contact_id: contact.id, message: await lastMessage(db, contact.id, now) }
    if (!report.by_mail && isEmail(email)) return { email, contact_id: null, message: null }
  }
  return null
}

async function lastMessage(db: Reader, contact_id: number, now: number): Promise<ReportedMessage | null> {
  const [last] = await db.all<ReportedMessage>(sql`
    SELECT ${REPORTED_COLUMNS} FROM deliveries
    WHERE contact_id = ${contact_id} AND kind = 'campaign' AND status IN ('sent', 'bounced', 'uncertain')
      AND created_at > ${now - LAST_MESSAGE_MS}
    ORDER BY id DESC LIMIT 1`)
  return last ?? null
}

/**
 * The message that a report names by its return path, its Message-ID, or another field with a mark of this service that
 * survived where servers removed those.
 */
async function namedMessage(
  db: Reader,
  keys: Keys,
  project_id: ProjectId,
  { message_id, return_path, traces = [] }: Report,
): Promise<ReportedMessage | null> {
  const bounced_id = return_path === undefined ? null : readReturnPath(keys, return_path)
  const quoted = [message_id, ...traces].map(readMessageId).filter((named) => named !== null)
  const linked = traces.flatMap((trace) => unsubscribeTokensIn(trace)).map((token) => readRecipientToken(keys, token))
  const ids = [bounced_id, ...[...quoted, ...linked].map((named) => named?.delivery_id)].filter((id) => !!id)
  if (ids.length === 0) return null
  const messages = await db.all<ReportedMessage>(sql`
    SELECT ${REPORTED_COLUMNS} FROM deliveries
    WHERE id IN (SELECT value FROM json_each(${jsonText(ids)})) AND project_id = ${project_id}`)
  return (
    messages.find(({ id }) => id === bounced_id) ??
    messages.find((message) =>
      quoted.some(({ delivery_id, mark }) => delivery_id === message.id && isOurs(keys, message, mark)),
    ) ??
    messages.find((message) => linked.some((token) => token !== null && isOf(message, token))) ??
    null
  )
}

function isOf({ id, contact_id, campaign_id }: ReportedMessage, token: RecipientToken): boolean {
  return token.delivery_id === id && token.contact_id === contact_id && token.campaign_id === (campaign_id ?? 0)
}

export function isOurs(keys: Keys, { id, contact_id, campaign_id }: ReportedMessage, mark: string): boolean {
  return isMessageMark(keys, { delivery_id: id, contact_id: contact_id ?? 0, campaign_id: campaign_id ?? 0 }, mark)
}
