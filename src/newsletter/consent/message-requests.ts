import { DAY_MS, HOUR_MS } from '../../clock.ts'
import { type SQL, sql } from 'drizzle-orm'
import { AppError } from '../../errors.ts'
import type { ProjectId } from '../../ids.ts'
import { allKeys, mailboxOf } from '../../address.ts'
import type { Keys } from '../../secrets.ts'
import { jsonText } from '../../store/json-text.ts'
import { deleteWhere, type RetentionRule } from '../../store/retention.ts'
import { one, withRows } from '../../store/rows.ts'
import type { Reader, Tx } from '../../store/open.ts'
import type { RequestedMessage } from '../../store/tables/audience.ts'

/**
 * Limits of the messages that somebody can have sent to an address by naming it: nobody may use a project to flood a
 * mailbox (docs/api/consent.md#double-opt-in). A row stands for each message that was queued.
 */

const MAX_A_DAY = 3
/** The most confirmations to an address that has not confirmed yet. */
const MAX_UNCONFIRMED = 5
/** Messages that strangers can have a project send in an hour. */
export const STRANGERS_AN_HOUR = 1000
const RETENTION_MS = 400 * DAY_MS

export interface MessageRequests {
  keys: Keys
  project_id: ProjectId
  kind: RequestedMessage
  now: number
  /** Whether anyone could make these requests, such as by a public form. */
  by_stranger: boolean
}

/**
 * Decides when each of these addresses may get another message, and counts it. An address that got a confirmation
 * within the last hour gets the next an hour later. Addresses that may get none are missing from the answer.
 */
export async function admitMessages(
  tx: Tx,
  { keys, project_id, kind, now, by_stranger }: MessageRequests,
  emails: readonly string[],
): Promise<Map<string, number>> {
  if (emails.length === 0) return new Map()
  const mailboxes = new Map(emails.map((email) => [mailboxOf(email), email]))
  const marks = new Map([...mailboxes.keys()].map((mailbox) => [mailbox, marksOf({ keys, project_id }, mailbox)]))
  const earlier = await tx.all<{ mark: string; all: number; day: number; last: number }>(sql`
    SELECT mailbox_mark AS mark, count(*) AS "all", sum(at > ${now - DAY_MS}) AS day, max(at) AS last
    FROM message_requests
    WHERE project_id = ${project_id} AND kind = ${kind}
      AND mailbox_mark IN (SELECT value FROM json_each(${jsonText([...marks.values()].flat())}))
    GROUP BY mailbox_mark`)
  const byMark = new Map(earlier.map((row) => [row.mark, row]))
  /** Earlier messages to a mailbox, found by its marks under all keys. */
  const earlierOf = (known: readonly string[]) => {
    const rows = known.flatMap((mark) => byMark.get(mark) ?? [])
    const sum = (of: 'all' | 'day') => rows.reduce((total, row) => total + row[of], 0)
    return { all: sum('all'), day: sum('day'), last: Math.max(...rows.map((row) => row.last)) }
  }
  let room = by_stranger ? STRANGERS_AN_HOUR - (await strangersWithin(tx, project_id, now - HOUR_MS)) : Infinity
  const admitted = new Map<string, number>()
  const rows: [mark: string, at: number][] = []
  for (const [mailbox, email] of mailboxes) {
    const { all, day, last } = earlierOf(marks.get(mailbox)!)
    if (room <= 0 || last > now || day >= MAX_A_DAY || (kind === 'confirmation' && all >= MAX_UNCONFIRMED)) continue
    const due_at = Math.max(now, last + HOUR_MS)
    if (kind === 'link' && due_at > now) continue
    admitted.set(email, due_at)
    rows.push([marks.get(mailbox)![0]!, due_at])
    room--
  }
  if (rows.length > 0)
    await tx.run(sql`
      ${withRows(rows)} INSERT INTO message_requests (project_id, kind, mailbox_mark, at, by_stranger)
      SELECT ${project_id}, ${kind}, v->>0, v->>1, ${by_stranger ? 1 : 0} FROM r`)
  return admitted
}

type Sender = Pick<MessageRequests, 'keys' | 'project_id' | 'now'>

/** Test messages of a project to one mailbox in an hour, and to all. */
export const TESTS_OF_MAILBOX = 30
export const TESTS_OF_PROJECT = 300

/**
 * Refuses test messages to these addresses beyond the limits: they need nobody's consent
 * (docs/api/campaigns.md#test-messages). Throws RATE_LIMITED.
 */
export async function requireFewTests(
  db: Reader,
  { keys, project_id, now }: Sender,
  emails: readonly string[],
): Promise<void> {
  const earlier = await db.all<{ mark: string; count: number; first: number }>(sql`
    SELECT mailbox_mark AS mark, count(*) AS count, min(at) AS first FROM message_requests
    WHERE project_id = ${project_id} AND kind = 'test' AND at > ${now - HOUR_MS} GROUP BY mailbox_mark`)
  const full = [...Map.groupBy(emails, mailboxOf)].flatMap(([mailbox, wanted]) => {
    const marks = marksOf({ keys, project_id }, mailbox)
    const sent = earlier.filter(({ mark }) => marks.includes(mark))
    return sent.reduce((sum, { count }) => sum + count, wanted.length) > TESTS_OF_MAILBOX ? sent : []
  })
  const total = earlier.reduce((sum, { count }) => sum + count, 0)
  if (full.length === 0 && total + emails.length <= TESTS_OF_PROJECT) return
  const first = Math.min(...(full.length > 0 ? full : earlier).map((row) => row.first))
  const seconds = Math.max(1, Math.ceil((first + HOUR_MS - now) / 1000))
  throw new AppError('RATE_LIMITED', `Too many test messages in an hour. Try again in ${seconds} seconds.`, {
    headers: { 'Retry-After': String(seconds) },
  })
}

/** Counts test messages to these addresses. */
export async function countTests(tx: Tx, { keys, project_id, now }: Sender, emails: readonly string[]): Promise<void> {
  if (emails.length === 0) return
  await tx.run(sql`
    DELETE FROM message_requests WHERE project_id = ${project_id} AND kind = 'test' AND at <= ${now - HOUR_MS}`)
  const rows = emails.map((email) => [marksOf({ keys, project_id }, mailboxOf(email))[0]])
  await tx.run(sql`
    ${withRows(rows)} INSERT INTO message_requests (project_id, kind, mailbox_mark, at, by_stranger)
    SELECT ${project_id}, 'test', v->>0, ${now}, 0 FROM r`)
}

/** Forgets the confirmations of an address that has confirmed. */
export async function forgetConfirmations(
  tx: Tx,
  { keys, project_id }: Omit<Sender, 'now'>,
  email: string,
): Promise<void> {
  const marks = marksOf({ keys, project_id }, mailboxOf(email))
  await tx.run(sql`
    DELETE FROM message_requests WHERE project_id = ${project_id} AND kind = 'confirmation'
      AND mailbox_mark IN (SELECT value FROM json_each(${jsonText(marks)}))`)
}

async function strangersWithin(tx: Tx, project_id: ProjectId, since: number): Promise<number> {
  const { count } = one(
    await tx.all<{ count: number }>(sql`
      SELECT count(*) AS count FROM message_requests
      WHERE project_id = ${project_id} AND by_stranger = 1 AND at > ${since}`),
  )
  return count
}

/**
 * Keyed hashes of a mailbox in a project: one for each key of the ring and each earlier key of its address, the newest
 * first. Without a key nobody can tell from the database which address it is.
 */
function marksOf({ keys, project_id }: Omit<Sender, 'now'>, mailbox: string): string[] {
  return allKeys(mailbox).flatMap((one) => keys.marks('mailbox', `${project_id} ${one}`))
}

export const messageRequestRetention: RetentionRule = {
  rows: 'requests for confirmations, personal links and tests, as keyed hashes of addresses',
  kept: '400 days; confirmations until the address confirms',
  statement: (now, limit): SQL => deleteWhere('message_requests', 'id', sql`at <= ${now - RETENTION_MS}`, limit),
}
