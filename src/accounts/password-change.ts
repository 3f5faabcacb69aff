import { and, eq } from 'drizzle-orm'
import { invalid } from '../errors.ts'
import type { RateLimiter } from '../operation/rate-limit.ts'
import type { Keys } from '../secrets.ts'
import type { Reader, Tx } from '../store/open.ts'
import { one } from '../store/rows.ts'
import type { Runtime } from '../runtime.ts'
import { users } from '../store/tables/accounts.ts'
import { passwordChangedMessage } from './message-templates.ts'
import { PORTAL_PATH } from './links.ts'
import { queueMessage } from './messages.ts'
import { hashNewPassword, checkPassword, requireGoodPassword } from './passwords.ts'
import { startSession, type Visit } from './sessions.ts'
import { throttle } from './throttle.ts'
import { storePassword } from './users.ts'

export interface PasswordChange {
  user_id: string
  /** Of the request, for the limit on attempts. */
  address: string
  current_password: string
  password: string
}

/** A password change whose current password was right: both are hashed. */
export interface CheckedPasswordChange {
  known_hash: string
  new_hash: string
}

/** After this time the notice of a changed password is no longer sent. */
const NOTICE_LIFE_MS = 24 * 3_600_000

/**
 * Checks the current password and hashes the new one, before the transaction of `changePassword`. Throws
 * VALIDATION_FAILED for either password, and RATE_LIMITED as at a login, so that an open browser cannot be used to
 * guess the password.
 */
export async function checkPasswordChange(
  { db, config, limiter }: { db: Reader; config: Runtime['config']; limiter: RateLimiter },
  { user_id, address, current_password, password }: PasswordChange,
): Promise<CheckedPasswordChange> {
  const [user] = await db
    .select({ email: users.email, password_hash: users.password_hash })
    .from(users)
    .where(eq(users.id, user_id))
  await throttle(limiter, 'login', address, user?.email ?? '', config.logins_per_minute)
  const known_hash = user?.password_hash ?? null
  const isRight = await checkPassword(current_password, known_hash)
  if (known_hash === null || !isRight) throw wrongPassword()
  requireGoodPassword(password)
  return { known_hash, new_hash: await hashNewPassword(password) }
}

/** Changes the password, ends every session, and begins a new one whose token it returns. */
export async function changePassword(
  tx: Tx,
  runtime: Pick<Runtime, 'keys' | 'base_url' | 'config'>,
  { user_id, known_hash, new_hash, ...visit }: CheckedPasswordChange & Visit & { user_id: string },
  now: number,
): Promise<string> {
  const same = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, user_id), eq(users.password_hash, known_hash)))
  if (same.length === 0) throw wrongPassword() // changed in the meantime
  await storePassword(tx, user_id, new_hash, now)
  await notifyPasswordChanged(tx, runtime, user_id, now)
  return startSession(tx, user_id, visit, runtime.config.session_ttl_hours, now)
}

/** Queues the notice that the password was changed. */
export async function notifyPasswordChanged(
  tx: Tx,
  { keys, base_url }: { keys: Keys; base_url: string },
  user_id: string,
  now: number,
): Promise<void> {
  const { email } = one(await tx.select({ email: users.email }).from(users).where(eq(users.id, user_id)))
  const content = passwordChangedMessage({ portal_url: base_url + PORTAL_PATH, base_url })
  await queueMessage(tx, keys, { kind: 'password_changed', recipient: email, useful_ms: NOTICE_LIFE_MS }, content, now)
}

function wrongPassword() {
  return invalid('/current_password', 'This is not your password.')
}
