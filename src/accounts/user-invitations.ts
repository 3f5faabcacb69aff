import { and, desc, eq, gt, isNotNull, sql } from 'drizzle-orm'
import { emailKey } from '../address.ts'
import { DAY_MS } from '../clock.ts'
import { AppError, conflict, notFound } from '../errors.ts'
import { newToken, tokenHash } from '../secrets.ts'
import type { Reader, Tx } from '../store/open.ts'
import { hasRows } from '../store/rows.ts'
import { sign_ups, users } from '../store/tables/accounts.ts'
import { portalLink } from './links.ts'
import { hostOf, message } from './message-templates.ts'
import { queueMessage } from './messages.ts'
import { requireFewMessages, type Sender } from './notices.ts'
import { findUser, requireAddress } from './users.ts'

/** Invitations of an operator to make an account (docs/api/operator.md#people). Each is a link of a sign-up. */
interface UserInvitation {
  email: string
  /** The name of the operator, or the address when there is no name. */
  inviter: string
  created_at: number
  expires_at: number
}

const LIFE_MS = 7 * DAY_MS
/** Open invitations of the service. */
const MAX_OPEN = 200

/**
 * Sends a link with which the owner of an address makes an account, also where sign-up is closed. Another invitation of
 * the address replaces the earlier one. VALIDATION_FAILED; CONFLICT for an address with an account and beyond the
 * limit; RATE_LIMITED. Wake the loop `mail` after the commit.
 */
export async function inviteUser(
  tx: Tx,
  { keys, base_url, now }: Sender,
  { email: given, invited_by }: Record<'email' | 'invited_by', string>,
): Promise<void> {
  const email = requireAddress(given)
  if (await findUser(tx, email)) throw conflict('/email', 'This address has an account already.')
  await requireFewMessages(tx, 'sign_up', email, now)
  await tx.delete(sign_ups).where(isInvited(email))
  if ((await tx.$count(sign_ups, isOpen(now))) >= MAX_OPEN)
    throw new AppError('CONFLICT', `At most ${MAX_OPEN} invitations are open at once.`)
  const token = newToken('svc_su_')
  const row = { email, email_key: emailKey(email), invited_by, created_at: now, expires_at: now + LIFE_MS }
  await tx.insert(sign_ups).values({ token_hash: tokenHash(token), ...row })
  const content = message(base_url, {
    subject: 'You are invited',
    paragraphs: [
      `The operator of ${hostOf(base_url)} invites you to make an account with this address. ` +
        'The link works once, for seven days.',
    ],
    link: { label: 'Make the account', address: portalLink(base_url, 'sign-up', token) },
    closing: 'If you do not want an account, ignore this message: there is none without the link.',
  })
  await queueMessage(tx, keys, { kind: 'sign_up', recipient: email, useful_ms: LIFE_MS, content }, now)
}

/** The invitations that are open, the newest first. */
export async function listUserInvitations(db: Reader, now: number): Promise<UserInvitation[]> {
  const rows = await db
    .select({
      email: sign_ups.email,
      created_at: sign_ups.created_at,
      expires_at: sign_ups.expires_at,
      inviter_email: users.email,
      first_name: users.first_name,
      last_name: users.last_name,
    })
    .from(sign_ups)
    .leftJoin(users, eq(users.id, sign_ups.invited_by))
    .where(isOpen(now))
    .orderBy(desc(sign_ups.created_at))
    .limit(MAX_OPEN)
  return rows.map(({ inviter_email, first_name, last_name, ...row }) => ({
    ...row,
    inviter: `${first_name ?? ''} ${last_name ?? ''}`.trim() || (inviter_email ?? ''),
  }))
}

/** Ends the invitation of an address: its link does not work any more. NOT_FOUND. */
export async function revokeUserInvitation(tx: Tx, email: string): Promise<void> {
  const ended = await tx.delete(sign_ups).where(isInvited(email)).returning({ email: sign_ups.email })
  if (!hasRows(ended)) throw notFound('invitation of this address')
}

/** An address may have got an account by another way. */
function isOpen(now: number) {
  const has_account = sql`SELECT 1 FROM users account WHERE account.email_key = sign_ups.email_key`
  return and(isNotNull(sign_ups.invited_by), gt(sign_ups.expires_at, now), sql`NOT EXISTS (${has_account})`)
}

function isInvited(email: string) {
  return and(eq(sign_ups.email_key, emailKey(email)), isNotNull(sign_ups.invited_by))
}
