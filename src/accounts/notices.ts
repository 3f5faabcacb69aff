import { DAY_MS, HOUR_MS } from '../clock.ts'
import { and, eq, gt, inArray, sql } from 'drizzle-orm'
import { AppError } from '../errors.ts'
import { mailboxOf, tidyAddress } from '../address.ts'
import type { Keys } from '../secrets.ts'
import type { Reader, Tx } from '../store/open.ts'
import { account_messages, type MessageKind } from '../store/tables/accounts.ts'
import { message, type MessageParts } from './message-templates.ts'
import { queueMessage } from './messages.ts'

/** The keys, base URL and time with which a notice is queued. */
export interface Sender {
  keys: Keys
  base_url: string
  now: number
}

/** A notice that could not be sent within this time is dropped, because it is of no use later. */
const NOTICE_LIFE_MS = DAY_MS
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
  for (const recipient of recipients)
    if (await mayBeTold(tx, { kind, recipient }, now))
      await queueMessage(tx, keys, { kind, recipient, useful_ms: NOTICE_LIFE_MS, content }, now)
}

/** Whether an address got few notices of a kind in the last hour. */
export async function mayBeTold(
  tx: Tx,
  { kind, recipient }: { kind: MessageKind; recipient: string },
  now: number,
): Promise<boolean> {
  const recent = and(
    gt(account_messages.created_at, now - HOUR_MS),
    eq(account_messages.kind, kind),
    eq(account_messages.recipient, recipient),
  )
  return (await tx.$count(account_messages, recent)) < NOTICES_PER_HOUR
}

/** Messages that a mailbox gets in a day because somebody named its address, from everybody together. */
export const MESSAGES_PER_DAY = { invitation: 10, email_change: 5, sign_up: 5 } as const satisfies Partial<
  Record<MessageKind, number>
>
type AskedKind = keyof typeof MESSAGES_PER_DAY

/**
 * Refuses a message to a mailbox that got many of its kind: anyone may own projects and invite, and give any address
 * for an account. Throws RATE_LIMITED.
 */
export async function requireFewMessages(tx: Tx, kind: AskedKind, email: string, now: number): Promise<void> {
  const earlier = await messagesOfDay(tx, kind, email, now)
  if (earlier.length < MESSAGES_PER_DAY[kind]) return
  const seconds = Math.max(1, Math.ceil((earlier[0]!.created_at + DAY_MS - now) / 1000))
  const what = kind === 'invitation' ? 'invitations' : 'messages'
  throw new AppError('RATE_LIMITED', `This address got ${MESSAGES_PER_DAY[kind]} ${what} within a day.`, {
    headers: { 'Retry-After': String(seconds) },
  })
}

/** The messages of a kind that a mailbox got within a day, whatever tag follows its name, the oldest first. */
export async function messagesOfDay(
  db: Reader,
  kind: AskedKind,
  email: string,
  now: number,
): Promise<{ id: number; created_at: number }[]> {
  const mailbox = mailboxOf(email)
  const domain = mailbox.slice(mailbox.lastIndexOf('@'))
  const { id, recipient, created_at } = account_messages
  const of_domain = await db
    .select({ id, recipient, created_at })
    .from(account_messages)
    .where(
      and(
        gt(created_at, now - DAY_MS),
        eq(account_messages.kind, kind),
        inArray(sql`lower(substr(recipient, instr(recipient, '@')))`, [domain, tidyAddress(domain)]),
      ),
    )
    .orderBy(created_at)
  return of_domain.filter((message) => mailboxOf(message.recipient) === mailbox)
}
