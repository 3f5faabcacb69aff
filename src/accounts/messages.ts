import { and, asc, eq, inArray, lte, sql } from 'drizzle-orm'
import type { Keys } from '../secrets.ts'
import type { Reader, Tx } from '../store/open.ts'
import { account_messages, type MessageKind } from '../store/tables/accounts.ts'
import type { Letter } from './message-templates.ts'

/**
 * The outbox of the service's own letters. A letter is written to the table in the transaction that it tells of, and
 * sent afterwards by the loop `mail`:
 *
 *   queued   waits for its next attempt
 *   sent     a relay, or the sandbox mailbox, has it
 *   failed   was refused for good, tried too often, or was of no use any more
 *
 * Who takes a letter up moves its next attempt on before sending it: if the process dies, it is tried again. A letter
 * may so arrive twice, but is not lost. It may hold a link that works, so it is kept sealed, and only until it is done with.
 */
export type AccountMessage = typeof account_messages.$inferSelect

/** For so long a letter that was taken up is left alone: longer than an attempt can last. */
const TAKEN_MS = 120_000
/** Pauses after the first failure and those that follow; then it is given up. */
const PAUSES_MS = [60_000, 5 * 60_000, 15 * 60_000, 30 * 60_000, 60 * 60_000]
/** How long it is remembered that a letter was sent, or was not. */
const KEPT_MS = 30 * 24 * 3_600_000

/** Queues a letter; wake the loop `mail` after the commit. */
export async function queueLetter(
  tx: Tx,
  keys: Keys,
  to: { kind: MessageKind; recipient: string; useful_ms: number },
  letter: Letter,
  now: number,
): Promise<void> {
  await tx.insert(account_messages).values({
    kind: to.kind,
    recipient: to.recipient,
    content_sealed: seal(keys, to.recipient, letter),
    state: 'queued',
    next_attempt_at: now,
    expires_at: now + to.useful_ms,
    created_at: now,
  })
}

/** Gives a message that was queued without one its letter and the address it goes to. */
export async function writeLetter(
  tx: Tx,
  keys: Keys,
  id: number,
  recipient: string,
  letter: Letter,
): Promise<AccountMessage> {
  const [written] = await tx
    .update(account_messages)
    .set({ recipient, content_sealed: seal(keys, recipient, letter) })
    .where(eq(account_messages.id, id))
    .returning()
  return written!
}

export async function dropMessage(tx: Tx, id: number): Promise<void> {
  await tx.delete(account_messages).where(eq(account_messages.id, id))
}

export async function anyDue(db: Reader, now: number): Promise<boolean> {
  const rows = await db.select({ id: account_messages.id }).from(account_messages).where(isDue(now)).limit(1)
  return rows.length > 0
}

/** Takes up to `most` due messages, the longest due first. */
export async function takeDue(tx: Tx, most: number, now: number): Promise<AccountMessage[]> {
  const due = tx
    .select({ id: account_messages.id })
    .from(account_messages)
    .where(isDue(now))
    .orderBy(asc(account_messages.next_attempt_at), asc(account_messages.id))
    .limit(most)
  return tx
    .update(account_messages)
    .set({ next_attempt_at: now + TAKEN_MS, attempts: sql`${account_messages.attempts} + 1` })
    .where(inArray(account_messages.id, due))
    .returning()
}

export function openLetter(
  keys: Keys,
  { recipient, content_sealed }: Pick<AccountMessage, 'recipient' | 'content_sealed'>,
): Letter | null {
  const text = content_sealed === null ? null : keys.open('account-message', content_sealed, contextOf(recipient))
  return text === null ? null : (JSON.parse(text) as Letter)
}

export async function settleSent(tx: Tx, id: number): Promise<void> {
  await tx
    .update(account_messages)
    .set({ state: 'sent', content_sealed: null, last_error: null })
    .where(stillQueued(id))
}

/** Puts a message off after a failure; false when there is no further attempt, because it was the last or would come too late. */
export async function putOff(
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

/** Gives a message up: there is no further attempt. */
export async function settleFailed(tx: Tx, id: number, why: string): Promise<false> {
  await tx
    .update(account_messages)
    .set({ state: 'failed', content_sealed: null, last_error: why })
    .where(stillQueued(id))
  return false
}

/** What the hourly tidying takes away, at most `limit` rows a statement, each with RETURNING. */
export function accountSweeps(limit: number, now: number) {
  return [
    sql`DELETE FROM account_messages WHERE id IN (SELECT id FROM account_messages WHERE created_at <= ${now - KEPT_MS} LIMIT ${limit}) RETURNING 1`,
    sql`DELETE FROM password_resets WHERE token_hash IN (SELECT token_hash FROM password_resets WHERE expires_at <= ${now} LIMIT ${limit}) RETURNING 1`,
    sql`DELETE FROM invitations WHERE id IN (SELECT id FROM invitations WHERE expires_at <= ${now} LIMIT ${limit}) RETURNING 1`,
  ]
}

// The index that serves it holds for the word itself, not for a parameter.
function isDue(now: number) {
  return and(sql`${account_messages.state} = 'queued'`, lte(account_messages.next_attempt_at, now))
}

function stillQueued(id: number) {
  return and(eq(account_messages.id, id), eq(account_messages.state, 'queued'))
}

function seal(keys: Keys, recipient: string, letter: Letter): string {
  return keys.seal('account-message', JSON.stringify(letter), contextOf(recipient))
}

/** A sealed letter opens for the address it was written to. */
function contextOf(recipient: string): string {
  return `letter:${recipient}`
}
