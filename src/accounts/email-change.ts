import { HOUR_MS } from '../clock.ts'
import { and, eq, gt } from 'drizzle-orm'
import { note } from '../audit/record.ts'
import { AppError, invalid } from '../errors.ts'
import { emailKey } from '../address.ts'
import { newToken, tokenHash } from '../secrets.ts'
import { orConflict } from '../store/constraint.ts'
import type { Reader, Tx } from '../store/open.ts'
import { first } from '../store/rows.ts'
import { email_changes, password_resets, users } from '../store/tables/accounts.ts'
import { portalLink } from './links.ts'
import { hostOf, message } from './message-templates.ts'
import { queueMessage } from './messages.ts'
import { queueNotice, requireFewMessages, type Sender } from './notices.ts'
import { notifyUser } from './security-notices.ts'
import { findUser, getUser, requireAddress } from './users.ts'

/**
 * Another address for an account (docs/api/platform.md#account). The new address proves itself by a link; the earlier
 * one is told when somebody asks and when it happened.
 */

/**
 * Sends the link to the new address. An address that has an account gets a notice in its place, and the answer is the
 * same. VALIDATION_FAILED for no address, or the present one; RATE_LIMITED for an address that got many such messages.
 * Wake the loop `mail` after the commit.
 */
export async function requestEmailChange(tx: Tx, sender: Sender, user_id: string, given: string): Promise<void> {
  const { keys, base_url, now } = sender
  const user = await getUser(tx, user_id)
  const email = requireAddress(given)
  if (email === user.email) throw invalid('/email', 'This is your address already.')
  await requireFewMessages(tx, 'email_change', email, now)
  await tx.delete(email_changes).where(eq(email_changes.user_id, user_id))
  const asked = {
    subject: 'Another address was given for your account',
    sentence: `It was asked to use ${email} instead of this one. Nothing changes before that address confirms.`,
  }
  await notifyUser(tx, sender, user_id, asked)
  const other = await findUser(tx, email)
  if (other !== null && other.id !== user_id) {
    await queueNotice(
      tx,
      sender,
      { kind: 'email_change', recipients: [other.email] },
      {
        subject: 'Your address was given for another account',
        paragraphs: [
          `Somebody wants to use your address for another account at ${hostOf(base_url)}. ` +
            'It belongs to your account, so nothing changed.',
        ],
        closing: 'If that was you, change the address of this account first, or delete it.',
      },
    )
    return
  }
  const token = newToken('svc_ec_')
  const row = { user_id, token_hash: tokenHash(token), email, created_at: now, expires_at: now + HOUR_MS }
  await tx.insert(email_changes).values(row)
  const content = message(base_url, {
    subject: 'Confirm your new address',
    paragraphs: [
      `Use this address for your account at ${hostOf(base_url)} with this link. It works once, for an hour.`,
    ],
    link: { label: 'Use this address', address: portalLink(base_url, 'email', token) },
    closing: 'If it was not you, ignore this message: nothing changes.',
  })
  await queueMessage(tx, keys, { kind: 'email_change', recipient: email, useful_ms: HOUR_MS, content }, now)
}

/** The address that a link confirms; null for a link that is unknown, used or expired. */
export async function findEmailChange(
  db: Reader,
  token: string,
  now: number,
): Promise<{ user_id: string; email: string } | null> {
  return first(
    await db
      .select({ user_id: email_changes.user_id, email: email_changes.email })
      .from(email_changes)
      .where(and(eq(email_changes.token_hash, tokenHash(token)), gt(email_changes.expires_at, now))),
  )
}

/**
 * Gives the account the address of a link, and tells the earlier one. Links to new passwords that went there end.
 * NOT_FOUND for a link that is unknown, used or expired, CONFLICT when the address got an account meanwhile.
 */
export async function confirmEmailChange(tx: Tx, sender: Sender, token: string): Promise<string> {
  const { now } = sender
  const change = await findEmailChange(tx, token, now)
  if (!change) throw new AppError('NOT_FOUND', 'This link is unknown, used, or older than an hour.')
  const { user_id, email } = change
  const changed = {
    subject: 'The address of your account changed',
    sentence: `It is ${email} from now on. This address no longer signs in.`,
  }
  await notifyUser(tx, sender, user_id, changed)
  await orConflict(
    tx
      .update(users)
      .set({ email, email_key: emailKey(email), confirmed_at: now, updated_at: now })
      .where(eq(users.id, user_id)),
    { email_key: '/email' },
    'Another account has this address.',
  )
  await tx.delete(email_changes).where(eq(email_changes.user_id, user_id))
  await tx.delete(password_resets).where(eq(password_resets.user_id, user_id))
  note(tx, { action: 'email-change', actor: `user:${user_id}`, target: `user:${user_id}` })
  return email
}
