import { countMessages } from '../../metrics.ts'
import { DAY_MS } from '../../clock.ts'
import { note } from '../../audit/record.ts'
import { sql } from 'drizzle-orm'
import { sha256 } from '../../secrets.ts'
import { jsonText } from '../../store/json-text.ts'
import type { Store, Tx } from '../../store/open.ts'
import { deleteWhere, type RetentionRule } from '../../store/retention.ts'
import { hasRows } from '../../store/rows.ts'
import { bounceDetail } from '../tracking/event-detail.ts'
import { recordEvents } from '../tracking/events.ts'
import { readMessageId } from '../tracking/tokens.ts'
import { HARD, hasEvent, type Subject, subjectOf, tellsNews } from './report-news.ts'
import { isOurs, REPORTED_COLUMNS, type ReportedMessage, type ReportedTo } from './report-subject.ts'
import { settleArrived } from '../outbox/arrival.ts'
import { bounce } from '../outbox/outbox.ts'
import type { Report } from '../../mail/reports.ts'
import type { Verified } from './webhooks/report.ts'
import { suppress } from '../suppressions/suppression.ts'
import { emailKey } from '../../address.ts'

/**
 * Applies reports: a hard bounce or a complaint suppresses the address; so do soft bounces of five messages in a row.
 * A report that arrives twice counts once (by its id), and so does a message that is reported twice (by its events).
 * One that would change nothing leaves no rows.
 * See docs/api/delivery.md#bounces.
 */

/** Reports applied in one transaction. */
const AT_ONCE = 50
const SOFT_IN_A_ROW = 5

interface Inbox extends ReportedTo {
  store: Store
}

/** The counts of the reports in one request. */
export interface Received {
  /** Reports about a message or an address of the project, those that were applied before included. */
  understood: number
  /** Reports about nobody whom the project knows. */
  unknown: number
}

/**
 * Applies what a provider reports. Reports that were applied before a failure do not count again when the provider
 * repeats the request. A request whose token was used before is ignored.
 */
export async function receiveReports(inbox: Inbox, { reports, token }: Verified, now: number): Promise<Received> {
  const { store, connection } = inbox
  const others = reports.filter(({ kind }) => kind !== 'delivered')
  let unknown = 0
  for (let start = 0; start < others.length || (start === 0 && token !== undefined); start += AT_ONCE) {
    const done = await store.write(async (tx) => {
      if (start === 0 && token !== undefined && !(await isNew(tx, connection.id, `token ${token}`, now))) return null
      const counted: Counting['counted'] = []
      let of_nobody = 0
      let applied = 0
      for (const report of others.slice(start, start + AT_ONCE)) {
        const subject = await subjectOf(tx, inbox, report, now)
        if (!subject) of_nobody += 1
        else if (await tellsNews(tx, subject, report.kind)) {
          if (!(await isNew(tx, connection.id, report.event_id, now))) continue
          await applyReport(tx, { ...subject, counted }, report.kind)
          applied += 1
        }
      }
      if (applied > 0)
        note(tx, {
          actor: `provider:${connection.provider}`,
          target: `connection:${connection.id}`,
          project_id: connection.project_id,
          details: { reports: applied },
        })
      return { of_nobody, counted }
    })
    if (done === null) return { understood: reports.length, unknown: 0 }
    for (const outcome of done.counted) countMessages(outcome)
    unknown += done.of_nobody
  }
  await noteDelivered(
    inbox,
    reports.filter(({ kind }) => kind === 'delivered'),
    now,
  )
  return { understood: reports.length - unknown, unknown }
}

/** Records an event of a connection; answers whether it is new. */
async function isNew(tx: Tx, connection_id: number, event_id: string, now: number): Promise<boolean> {
  const key = event_id.length > 100 ? sha256(event_id) : event_id
  return hasRows(
    await tx.all(
      sql`INSERT INTO provider_events (connection_id, event_id, seen_at) VALUES (${connection_id}, ${key}, ${now})
      ON CONFLICT DO NOTHING RETURNING 1`,
    ),
  )
}

/** What a report is about, and the outcomes that are counted once they are committed. */
interface Counting extends Subject {
  counted: ('bounced' | 'complained')[]
}

async function applyReport(tx: Tx, subject: Counting, kind: Report['kind']): Promise<void> {
  switch (kind) {
    case 'hard_bounce':
      return hardBounce(tx, subject)
    case 'soft_bounce':
      return softBounce(tx, subject)
    case 'complaint':
    case 'unsubscribe':
      return endOnce(tx, subject, kind)
  }
}

async function hardBounce(tx: Tx, subject: Counting): Promise<void> {
  const { message, response, now } = subject
  if (message) {
    // A message still `sending` or in doubt was accepted, since it bounced. Its worker will find it settled.
    await settleArrived(tx, [message.id], now)
    await bounce(tx, { id: message.id, response, now })
  }
  if (!(await hasEvent(tx, subject, 'bounce', HARD)))
    await record(tx, subject, 'bounce', bounceDetail('hard', response))
  await suppress(tx, { ...addressOf(subject), reason: 'hard_bounce', note: response, now })
  await forgetSoftBounces(tx, subject)
}

/** The first soft bounce of a message: it counts once, however often its delivery is delayed (`tellsNews`). */
async function softBounce(tx: Tx, subject: Counting): Promise<void> {
  const { response, now } = subject
  await record(tx, subject, 'bounce', bounceDetail('soft', response))
  const in_a_row = await countSoftBounce(tx, subject)
  if (in_a_row < SOFT_IN_A_ROW) return
  const note = `${in_a_row} messages in a row bounced softly, the last with: ${response}`.slice(0, 500)
  await suppress(tx, { ...addressOf(subject), reason: 'hard_bounce', note, now })
  await forgetSoftBounces(tx, subject)
}

async function endOnce(tx: Tx, subject: Counting, type: 'complaint' | 'unsubscribe'): Promise<void> {
  const { response, now } = subject
  if (!(await hasEvent(tx, subject, type)))
    await record(tx, subject, type, type === 'complaint' ? response || null : null)
  await suppress(tx, { ...addressOf(subject), reason: type, note: response, now })
}

const addressOf = ({ project_id, email }: Subject) => ({ project_id, email })

async function record(
  tx: Tx,
  { project_id, email, contact_id, message, now, counted }: Counting,
  type: 'bounce' | 'complaint' | 'unsubscribe',
  detail: string | null = null,
): Promise<void> {
  if (type !== 'unsubscribe') counted.push(type === 'bounce' ? 'bounced' : 'complained')
  await recordEvents(tx, [
    {
      project_id,
      type,
      contact_id,
      email,
      at: now,
      detail,
      campaign_id: message?.kind === 'campaign' ? message.campaign_id : null,
      delivery_id: message?.id ?? null,
    },
  ])
}

/** Counts the messages in a row that bounced softly. A message between them that did not bounce starts a new row. */
async function countSoftBounce(tx: Tx, { project_id, email, contact_id, message, now }: Subject): Promise<number> {
  const key = emailKey(email)
  const [before] = await tx.all<{ bounces: number; last_delivery_id: number | null }>(
    sql`SELECT bounces, last_delivery_id FROM soft_bounces WHERE project_id = ${project_id} AND email_key = ${key}`,
  )
  const delivered_between =
    before && message && before.last_delivery_id !== null
      ? await tx.all(sql`
      SELECT 1 FROM deliveries delivery
      WHERE delivery.contact_id = ${contact_id} AND delivery.status = 'sent'
        AND delivery.id > ${before.last_delivery_id} AND delivery.id < ${message.id}
        AND NOT EXISTS (
          SELECT 1 FROM events event
          WHERE event.contact_id = delivery.contact_id AND event.type = 'bounce' AND event.delivery_id = delivery.id)
      LIMIT 1`)
      : []
  const bounces = before && delivered_between.length === 0 ? before.bounces + 1 : 1
  const last_delivery_id = Math.max(before?.last_delivery_id ?? 0, message?.id ?? 0) || null
  await tx.run(sql`
    INSERT INTO soft_bounces (project_id, email_key, bounces, last_delivery_id, last_at)
    VALUES (${project_id}, ${key}, ${bounces}, ${last_delivery_id}, ${now})
    ON CONFLICT DO UPDATE SET
      bounces = excluded.bounces, last_delivery_id = excluded.last_delivery_id, last_at = excluded.last_at`)
  return bounces
}

async function forgetSoftBounces(tx: Tx, { project_id, email }: Pick<Subject, 'project_id' | 'email'>): Promise<void> {
  await tx.run(sql`DELETE FROM soft_bounces WHERE project_id = ${project_id} AND email_key = ${emailKey(email)}`)
}

/**
 * Applies reports of delivery: they end a row of soft bounces, and a message that is or may become doubtful is sent.
 * Providers report every message and few of the reports change anything, so a read decides whether to write.
 */
async function noteDelivered(
  { store, keys, connection: { project_id } }: Inbox,
  reports: readonly Report[],
  now: number,
): Promise<void> {
  if (reports.length === 0) return
  const keysOfAddresses = jsonText(reports.map(({ email }) => emailKey(email)))
  const quoted = new Map(
    reports
      .map(({ message_id }) => readMessageId(message_id))
      .filter((named) => named !== null)
      .map(({ delivery_id, mark }) => [delivery_id, mark]),
  )
  const bouncing = sql`project_id = ${project_id} AND email_key IN (SELECT value FROM json_each(${keysOfAddresses}))`
  const doubtful = (
    await store.db.all<ReportedMessage>(sql`
    SELECT ${REPORTED_COLUMNS} FROM deliveries
    WHERE id IN (SELECT value FROM json_each(${jsonText([...quoted.keys()])})) AND project_id = ${project_id}
      AND status IN ('sending', 'uncertain')`)
  ).filter((message) => isOurs(keys, message, quoted.get(message.id)!))
  const softly = await store.db.all(sql`SELECT 1 FROM soft_bounces WHERE ${bouncing} LIMIT 1`)
  if (doubtful.length === 0 && softly.length === 0) return
  await store.write(async (tx) => {
    await tx.run(sql`DELETE FROM soft_bounces WHERE ${bouncing}`)
    await settleArrived(
      tx,
      doubtful.map(({ id }) => id),
      now,
    )
  })
}

export const bounceRetention: readonly RetentionRule[] = [
  {
    rows: 'provider events, for telling duplicates',
    kept: '35 days, longer than any provider repeats a report',
    statement: (now, limit) =>
      deleteWhere('provider_events', 'connection_id, event_id', sql`seen_at <= ${now - 35 * DAY_MS}`, limit),
  },
  {
    rows: 'counts of soft bounces',
    kept: '180 days after the last',
    statement: (now, limit) =>
      deleteWhere('soft_bounces', 'project_id, email_key', sql`last_at <= ${now - 180 * DAY_MS}`, limit),
  },
]
