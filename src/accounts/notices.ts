import { and, eq, gt, sql } from 'drizzle-orm'
import { AppError } from '../errors.ts'
import { mailboxOf } from '../schema.ts'
import type { Keys } from '../secrets.ts'
import type { Tx } from '../store/open.ts'
import { account_messages, type MessageKind } from '../store/tables/accounts.ts'
import { message, type MessageParts } from './message-templates.ts'
import { queueMessage } from './messages.ts'

/** What a notice needs of the context that it is queued in. */
export interface Sender {
  keys: Keys
  base_url: string
  now: number
}

const HOUR_MS = 3_600_000
/** A notice is of no use later. */
const NOTICE_LIFE_MS = 24 * HOUR_MS
/** Notices of one kind that an address gets in an hour, so that nobody can flood it through this service. */
export const NOTICES_PER_HOUR = 30

/** Queues a notice for each address, except for those that got many in the last hour. */
export async function queueNotice(
  tx: Tx,
  { keys, base_url, now }: Sender,
  { kind, recipients }: { kind: MessageKind; recipients: readonly string[] },
  parts: MessageParts,
): Promise<void> {
  const content = message(base_url, parts)
  for (const recipient of recipients) {
    const recent = and(
      gt(account_messages.created_at, now - HOUR_MS),
      eq(account_messages.kind, kind),
      eq(account_messages.recipient, recipient),
    )
    if ((await tx.$count(account_messages, recent)) < NOTICES_PER_HOUR)
      await queueMessage(tx, keys, { kind, recipient, useful_ms: NOTICE_LIFE_MS, content }, now)
  }
}

/** Invitations that a mailbox gets in a day, from all projects together. */
export const INVITATIONS_PER_DAY = 10
const DAY_MS = 24 * HOUR_MS

/** Refuses an invitation to a mailbox that got many: anyone may own projects and invite. Throws RATE_LIMITED. */
export async function requireFewInvitations(tx: Tx, email: string, now: number): Promise<void> {
  const mailbox = mailboxOf(email)
  const of_domain = await tx
    .select({ recipient: account_messages.recipient, created_at: account_messages.created_at })
    .from(account_messages)
    .where(
      and(
        gt(account_messages.created_at, now - DAY_MS),
        eq(account_messages.kind, 'invitation'),
        sql`lower(substr(recipient, instr(recipient, '@'))) = ${mailbox.slice(mailbox.lastIndexOf('@'))}`,
      ),
    )
    .orderBy(account_messages.created_at)
  const earlier = of_domain.filter(({ recipient }) => mailboxOf(recipient) === mailbox)
  if (earlier.length < INVITATIONS_PER_DAY) return
  const seconds = Math.max(1, Math.ceil((earlier[0]!.created_at + DAY_MS - now) / 1000))
  throw new AppError('RATE_LIMITED', `This address got ${INVITATIONS_PER_DAY} invitations within a day.`, {
    headers: { 'Retry-After': String(seconds) },
  })
}
