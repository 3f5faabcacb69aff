import { DAY_MS, HOUR_MS, MINUTE_MS } from '../clock.ts'
import { and, asc, eq, inArray, lte, sql } from 'drizzle-orm'
import type { Keys } from '../secrets.ts'
import type { Reader, Tx } from '../store/open.ts'
import { seal, SEALED, unseal } from '../store/sealed.ts'
import { one, hasRows } from '../store/rows.ts'
import { deleteWhere, type RetentionRule } from '../store/retention.ts'
import { account_messages, type MessageKind } from '../store/tables/accounts.ts'
import type { MessageContent } from './message-templates.ts'

/**
 * The outbox of account messages. A message is written in the transaction that it announces and sent by the loop
 * `mail`:
 *
 *   queued   waits for its next attempt
 *   sent     the relay or the sandbox mailbox accepted it
 *   failed   refused for good, too many attempts, or expired
 *
 * A worker moves the next attempt of a message ahead before it sends it, so the message is retried when the process
 * dies. A message may arrive twice, but is never lost. Its content may hold a working link, so it is sealed and deleted
 * when the message is sent or failed.
 */
export type AccountMessage = typeof account_messages.$inferSelect

/** How long a worker keeps a message to itself; longer than an attempt can last. */
const CLAIM_MS = 120_000
/** Pauses between attempts; then the message fails. */
const PAUSES_MS = [60_000, 5 * MINUTE_MS, 15 * MINUTE_MS, 30 * MINUTE_MS, HOUR_MS]

/** Queues a message. Wake the loop `mail` after the commit. */
export async function queueMessage(
  tx: Tx,
  keys: Keys,
  message: { kind: MessageKind; recipient: string; useful_ms: number; content: MessageContent; asked_by?: string },
  now: number,
): Promise<void> {
  await tx.insert(account_messages).values({
    kind: message.kind,
    recipient: message.recipient,
    content_sealed: sealed(keys, message.recipient, message.content),
    state: 'queued',
    next_attempt_at: now,
    expires_at: now + message.useful_ms,
    created_at: now,
    asked_by: message.asked_by,
  })
}

/** Sets content and recipient of a message that was queued without content. */
export async function fillMessage(
  tx: Tx,
  keys: Keys,
  id: number,
  { recipient, content }: { recipient: string; content: MessageContent },
): Promise<AccountMessage> {
  const changes = { recipient, content_sealed: sealed(keys, recipient, content) }
  return one(await tx.update(account_messages).set(changes).where(eq(account_messages.id, id)).returning())
}

export async function dropMessage(tx: Tx, id: number): Promise<void> {
  await tx.delete(account_messages).where(eq(account_messages.id, id))
}

export async function anyDue(db: Reader, now: number): Promise<boolean> {
  return hasRows(await db.select({ id: account_messages.id }).from(account_messages).where(isDue(now)).limit(1))
}

/** Takes up to `most` due messages, the longest overdue first. */
export async function takeDue(tx: Tx, most: number, now: number): Promise<AccountMessage[]> {
  const due = tx
    .select({ id: account_messages.id })
    .from(account_messages)
    .where(isDue(now))
    .orderBy(asc(account_messages.next_attempt_at), asc(account_messages.id))
    .limit(most)
  return tx
    .update(account_messages)
    .set({ next_attempt_at: now + CLAIM_MS, attempts: sql`${account_messages.attempts} + 1` })
    .where(inArray(account_messages.id, due))
    .returning()
}

export function unsealContent(
  keys: Keys,
  { recipient, content_sealed }: Pick<AccountMessage, 'recipient' | 'content_sealed'>,
): MessageContent | null {
  const text = content_sealed === null ? null : unseal(keys, SEALED.account_message, content_sealed, { recipient })
  return text === null ? null : (JSON.parse(text) as MessageContent)
}

export async function settleSent(tx: Tx, id: number): Promise<void> {
  await tx
    .update(account_messages)
    .set({ state: 'sent', content_sealed: null, last_error: null })
    .where(stillQueued(id))
}

/** Schedules the next attempt after a failure; false when attempts or time are used up. */
export async function retryLater(
  tx: Tx,
  { id, attempts, expires_at }: AccountMessage,
  why: string,
  now: number,
): Promise<boolean> {
  const pause = PAUSES_MS[attempts - 1]
  if (pause === undefined || now + pause >= expires_at) return settleFailed(tx, id, why)
  await tx
    .update(account_messages)
    .set({ next_attempt_at: now + pause, last_error: why })
    .where(stillQueued(id))
  return true
}

/** Marks a message as failed. */
export async function settleFailed(tx: Tx, id: number, why: string): Promise<false> {
  await tx
    .update(account_messages)
    .set({ state: 'failed', content_sealed: null, last_error: why })
    .where(stillQueued(id))
  return false
}

export const accountRetention: readonly RetentionRule[] = [
  {
    rows: 'account messages',
    kept: '30 days',
    statement: (now, limit) => deleteWhere('account_messages', 'id', sql`created_at <= ${now - 30 * DAY_MS}`, limit),
  },
  {
    rows: 'password reset links',
    kept: 'until they expire',
    statement: (now, limit) => deleteWhere('password_resets', 'token_hash', sql`expires_at <= ${now}`, limit),
  },
  {
    rows: 'links of sign-ups',
    kept: 'until they expire',
    statement: (now, limit) => deleteWhere('sign_ups', 'token_hash', sql`expires_at <= ${now}`, limit),
  },
  {
    rows: 'links of new addresses',
    kept: 'until they expire',
    statement: (now, limit) => deleteWhere('email_changes', 'user_id', sql`expires_at <= ${now}`, limit),
  },
  {
    rows: 'invitations',
    kept: 'until they expire',
    statement: (now, limit) => deleteWhere('invitations', 'id', sql`expires_at <= ${now}`, limit),
  },
]

// The status is a literal because a partial index is not used with a parameter.
function isDue(now: number) {
  return and(sql`${account_messages.state} = 'queued'`, lte(account_messages.next_attempt_at, now))
}

function stillQueued(id: number) {
  return and(eq(account_messages.id, id), eq(account_messages.state, 'queued'))
}

function sealed(keys: Keys, recipient: string, content: MessageContent): string {
  return seal(keys, SEALED.account_message, JSON.stringify(content), { recipient })
}
