import { DAY_MS } from '../clock.ts'
import { and, eq } from 'drizzle-orm'
import { invalid } from '../errors.ts'
import type { Keys } from '../secrets.ts'
import type { Tx } from '../store/open.ts'
import { one } from '../store/rows.ts'
import type { Runtime } from '../runtime.ts'
import { users } from '../store/tables/accounts.ts'
import { type PasswordProof, provePassword } from './confirmation.ts'
import { passwordChangedMessage } from './message-templates.ts'
import { PORTAL_PATH } from './links.ts'
import { queueMessage } from './messages.ts'
import { hashNewPassword, requireGoodPassword } from './passwords.ts'
import { beginSession, type Browser, type NewSession } from './sign-in.ts'
import { getUser, storePassword } from './users.ts'

interface PasswordChange extends Omit<PasswordProof, 'password'> {
  current_password: string
  password: string
}

/** A password change whose current password was right: both are hashed. */
interface CheckedPasswordChange {
  known_hash: string
  new_hash: string
}

/** After this time the notice of a changed password is no longer sent. */
const NOTICE_LIFE_MS = DAY_MS

/**
 * Checks the current password and hashes the new one, before the transaction of `changePassword`. Throws
 * VALIDATION_FAILED for either password, and RATE_LIMITED as at a login.
 */
export async function checkPasswordChange(
  context: Parameters<typeof provePassword>[0],
  { current_password, password, ...user }: PasswordChange,
  now: number,
): Promise<CheckedPasswordChange> {
  const known_hash = await provePassword(context, { ...user, password: current_password }, '/current_password', now)
  requireGoodPassword(password, (await getUser(context.db, user.user_id)).email)
  return { known_hash, new_hash: await hashNewPassword(password) }
}

/** Changes the password, ends every session, and begins a new one. */
export async function changePassword(
  tx: Tx,
  runtime: Pick<Runtime, 'keys' | 'base_url' | 'config'>,
  { user_id, known_hash, new_hash, ...browser }: CheckedPasswordChange & Browser & { user_id: string },
  now: number,
): Promise<NewSession> {
  const same = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, user_id), eq(users.password_hash, known_hash)))
  if (same.length === 0) throw invalid('/current_password', 'This is not your password.') // changed in the meantime
  await storePassword(tx, user_id, new_hash, now)
  await notifyPasswordChanged(tx, runtime, user_id, now)
  return beginSession(tx, runtime, { ...browser, user_id }, now)
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
  const message = { kind: 'password_changed', recipient: email, useful_ms: NOTICE_LIFE_MS, content } as const
  await queueMessage(tx, keys, message, now)
}
