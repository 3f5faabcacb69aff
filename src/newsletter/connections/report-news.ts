import { sql } from 'drizzle-orm'
import type { ProjectId } from '../../ids.ts'
import type { Report } from '../../mail/reports.ts'
import { hasRoomFor, USAGE_LIMITS } from '../../projects/usage.ts'
import type { Tx } from '../../store/open.ts'
import { hasRows } from '../../store/rows.ts'
import type { SuppressionReason } from '../../store/tables/audience.ts'
import { allowedFrom } from '../outbox/states.ts'
import { STRENGTH } from '../suppressions/strength.ts'
import { findSuppression, type Suppression } from '../suppressions/suppression.ts'
import { BOUNCE_KIND } from '../tracking/event-detail.ts'
import { recipientOf, type ReportedRecipient, type ReportedTo } from './report-subject.ts'

/**
 * Whom a report is about, and whether it tells something new. Whoever holds the secret of a connection can send reports
 * without end, so what is stored of them has to end.
 */

export interface Subject extends ReportedRecipient {
  project_id: ProjectId
  /** The response of the server or the provider, shortened. */
  response: string
  /** When the report arrived. */
  now: number
  /** The present one of the address. */
  suppression: Suppression | null
}

/** The subject of a report; null for one about nobody, or that would suppress one more address in a full project. */
export async function subjectOf(tx: Tx, to: ReportedTo, report: Report, now: number): Promise<Subject | null> {
  const recipient = await recipientOf(tx, to, report, now)
  if (!recipient) return null
  const { project_id } = to.connection
  const suppression = await findSuppression(tx, project_id, recipient.email)
  const isStranger = recipient.contact_id === null && recipient.message === null && suppression === null
  if (isStranger && !(await hasRoomFor(tx, project_id, USAGE_LIMITS.suppressions))) return null
  return { ...recipient, project_id, response: report.response.slice(0, 500), now, suppression }
}

/**
 * False when the message was reported so before, and the address is suppressed for that reason or a stronger one. The
 * events of a message of nobody, such as a test, are not found again: its status and the suppression decide. Soft
 * bounces are counted by messages, so one without a message tells nothing.
 */
export async function tellsNews(tx: Tx, subject: Subject, kind: Report['kind']): Promise<boolean> {
  const { suppression } = subject
  const message = subject.message?.kind === 'campaign' || subject.message?.contact_id ? subject.message : null
  switch (kind) {
    case 'delivered':
      return false
    case 'soft_bounce':
      return message !== null && !(await hasEvent(tx, subject, 'bounce'))
    case 'hard_bounce':
      if (!isFor(suppression, kind)) return true
      if (message === null) return subject.message !== null && allowedFrom('bounce').includes(subject.message.status)
      return !(await hasEvent(tx, subject, 'bounce', HARD))
    case 'complaint':
    case 'unsubscribe':
      if (!isFor(suppression, kind)) return true
      return message !== null && !(await hasEvent(tx, subject, kind))
  }
}

function isFor(suppression: Suppression | null, reason: SuppressionReason): boolean {
  if (!suppression || STRENGTH[suppression.reason] < STRENGTH[reason]) return false
  return reason !== 'unsubscribe' || suppression.opted_out
}

/** Events of hard bounces alone. */
export const HARD = sql`AND ${BOUNCE_KIND} = 'hard'`

/**
 * Whether the message has an event of this type already, and of a kind that is asked for. The events of a transactional
 * message are found by contact: it belongs to no campaign's report.
 */
export async function hasEvent(
  tx: Tx,
  { message }: Pick<Subject, 'message'>,
  type: 'bounce' | 'complaint' | 'unsubscribe',
  ofKind = sql``,
): Promise<boolean> {
  if (!message) return false
  const { id, kind, campaign_id, contact_id } = message
  const ofOwner =
    kind === 'campaign' ? sql`campaign_id = ${campaign_id} AND type <> 'sent'` : sql`contact_id = ${contact_id}`
  return hasRows(
    await tx.all(sql`
      SELECT 1 FROM events WHERE ${ofOwner} AND type = ${type} AND delivery_id = ${id} ${ofKind} LIMIT 1`),
  )
}
