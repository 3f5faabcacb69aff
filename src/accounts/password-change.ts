import { and, eq } from 'drizzle-orm'
import { invalid } from '../errors.ts'
import type { RateLimiter } from '../operation/rate-limit.ts'
import type { Keys } from '../secrets.ts'
import type { Tx } from '../store/open.ts'
import type { Runtime } from '../runtime.ts'
import { users } from '../store/tables/accounts.ts'
import { passwordChangedLetter } from './message-templates.ts'
import { PORTAL_PATH } from './links.ts'
import { queueLetter } from './messages.ts'
import { hashOf, passwordIs, requireGoodPassword } from './passwords.ts'
import { startSession, type Visit } from './sessions.ts'
import { throttle } from './throttle.ts'
import { storePassword } from './users.ts'

export interface PasswordChange extends Visit {
  user_id: string
  current_password: string
  password: string
}

/** The news of a changed password is of use for so long. */
const NEWS_MS = 24 * 3_600_000

/**
 * Changes the password of somebody who is signed in and knows the old one; every session ends, and the token of a
 * new one is answered. VALIDATION_FAILED for either password, RATE_LIMITED as at a login: whoever found an open
 * browser does not get to guess.
 */
export async function changePassword(
  runtime: Runtime,
  limiter: RateLimiter,
  change: PasswordChange,
  now: number,
): Promise<string> {
  const { store, config } = runtime
  const [user] = await store.db
    .select({ email: users.email, password_hash: users.password_hash })
    .from(users)
    .where(eq(users.id, change.user_id))
  await throttle(limiter, 'login', change.address, user?.email ?? '', config.logins_per_minute)
  const known = user?.password_hash ?? null
  if (!(await passwordIs(change.current_password, known))) throw wrongPassword()
  requireGoodPassword(change.password)
  const password_hash = await hashOf(change.password)
  const token = await store.write(async (tx) => {
    const same = await tx
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.id, change.user_id), eq(users.password_hash, known!)))
    if (same.length === 0) throw wrongPassword() // changed by another way in the meantime
    await storePassword(tx, change.user_id, password_hash, now)
    await tellOfNewPassword(tx, runtime, change.user_id, now)
    return startSession(tx, change.user_id, change, config.session_ttl_hours, now)
  })
  runtime.wake('mail')
  return token
}

/** Writes to a person that their password was changed. */
export async function tellOfNewPassword(
  tx: Tx,
  { keys, base_url }: { keys: Keys; base_url: string },
  user_id: string,
  now: number,
): Promise<void> {
  const [user] = await tx.select({ email: users.email }).from(users).where(eq(users.id, user_id))
  const letter = passwordChangedLetter({ portal_url: base_url + PORTAL_PATH, base_url })
  await queueLetter(tx, keys, { kind: 'password_changed', recipient: user!.email, useful_ms: NEWS_MS }, letter, now)
}

function wrongPassword() {
  return invalid('/current_password', 'This is not your password.')
}
