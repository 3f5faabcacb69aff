import { tidyAddress } from '../address.ts'
import { HOUR_MS } from '../clock.ts'
import { note } from '../audit/record.ts'
import { and, eq, gt, isNull } from 'drizzle-orm'
import { AppError } from '../errors.ts'
import type { RateLimiter } from '../operation/rate-limit.ts'
import { newToken, tokenHash } from '../secrets.ts'
import type { Reader, Tx } from '../store/open.ts'
import { first, one } from '../store/rows.ts'
import type { LoopContext, Runtime } from '../runtime.ts'
import { account_messages, password_resets, users } from '../store/tables/accounts.ts'
import { resetMessage } from './message-templates.ts'
import { portalLink } from './links.ts'
import { type AccountMessage, dropMessage, fillMessage } from './messages.ts'
import { notifyPasswordChanged } from './password-change.ts'
import { hashNewPassword, requireGoodPassword } from './passwords.ts'
import { throttle, throttleAddress } from './throttle.ts'
import { findUserByLogin, storePassword } from './users.ts'

/**
 * Password reset by mail. The request does the same for every address: it queues a message without content. The loop
 * `mail` then looks for the account, makes the token and sends it.
 */

/** Open reset links of one user; limits the mail that repeated requests can cause. */
const OPEN_RESETS = 10

/** A request of somebody who is not signed in. */
interface ResetContext extends Runtime {
  limiter: RateLimiter
  /** The client's address. */
  address: string
  now: number
}

/** RATE_LIMITED after too many attempts by client address or account; otherwise the same for every address. */
export async function requestReset(
  { config, store, wake, limiter, address, now }: ResetContext,
  email: string,
): Promise<void> {
  await throttle(limiter, 'reset', { address, email }, config.logins_per_minute)
  await store.write((tx) => queueReset(tx, email, now))
  wake('mail')
}

/** Queues the message of a reset. Wake the loop `mail` after the commit. */
export async function queueReset(tx: Tx, email: string, now: number): Promise<void> {
  await tx.insert(account_messages).values({
    kind: 'password_reset',
    recipient: tidyAddress(email),
    state: 'queued',
    next_attempt_at: now,
    expires_at: now + HOUR_MS,
    created_at: now,
  })
}

/**
 * Fills the message of a request with a fresh token; null, and the request is deleted, when there is no account. The
 * message goes to the address of the account, never to the spelling in the request.
 */
export async function fillResetMessage(context: LoopContext, request: AccountMessage): Promise<AccountMessage | null> {
  const { store, keys, clock, base_url } = context
  const now = clock.now()
  const token = newToken('svc_pr_')
  const content = resetMessage({ link: portalLink(base_url, 'reset', token), base_url })
  return store.write(async (tx) => {
    const found = await findUserByLogin(tx, request.recipient)
    if (!found || (await openResets(tx, found.user.id, now)) >= OPEN_RESETS) {
      await dropMessage(tx, request.id)
      return null
    }
    await tx
      .insert(password_resets)
      .values({ token_hash: tokenHash(token), user_id: found.user.id, created_at: now, expires_at: now + HOUR_MS })
    note(tx, { action: 'password-reset-link', target: `user:${found.user.id}` })
    return fillMessage(tx, keys, request.id, { recipient: found.user.email, content })
  })
}

async function openResets(tx: Tx, user_id: string, now: number): Promise<number> {
  return tx.$count(password_resets, and(eq(password_resets.user_id, user_id), gt(password_resets.expires_at, now)))
}

/** The address of the account that a token resets; null for a token that is unknown, used or expired. */
export async function addressOfReset(db: Reader, token: string, now: number): Promise<string | null> {
  const row = first(
    await db
      .select({ email: users.email })
      .from(password_resets)
      .innerJoin(users, and(eq(users.id, password_resets.user_id), isNull(users.disabled_at)))
      .where(and(eq(password_resets.token_hash, tokenHash(token)), gt(password_resets.expires_at, now))),
  )
  return row?.email ?? null
}

/**
 * Sets a new password by a token, which works once, for an hour. All sessions and all other reset tokens of the user
 * end. NOT_FOUND for an unknown, used or expired token. A rejected password leaves the token usable.
 */
export async function resetPassword(context: ResetContext, input: { token: string; password: string }): Promise<void> {
  const { store, now } = context
  await throttleAddress(context.limiter, 'reset', context.address, context.config.logins_per_minute)
  const email = await addressOfReset(store.db, input.token, now)
  if (email === null) throw linkIsGone()
  requireGoodPassword(input.password, email)
  const password_hash = await hashNewPassword(input.password)
  await store.write(async (tx) => {
    if ((await addressOfReset(tx, input.token, now)) === null) throw linkIsGone()
    const { user_id } = one(
      await tx
        .delete(password_resets)
        .where(eq(password_resets.token_hash, tokenHash(input.token)))
        .returning({ user_id: password_resets.user_id }),
    )
    await storePassword(tx, user_id, password_hash, now)
    note(tx, { action: 'password-reset', actor: `user:${user_id}`, target: `user:${user_id}` })
    await notifyPasswordChanged(tx, context, user_id, now)
  })
  context.wake('mail')
}

function linkIsGone(): AppError {
  return new AppError('NOT_FOUND', 'This link is unknown, used, or older than an hour.')
}
