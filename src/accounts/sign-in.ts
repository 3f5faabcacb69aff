import { AppError } from '../errors.ts'
import type { RateLimiter } from '../operation/rate-limit.ts'
import type { Tx } from '../store/open.ts'
import type { Runtime } from '../runtime.ts'
import { passwordIs } from './passwords.ts'
import { endSession, startSession, type Visit } from './sessions.ts'
import { throttle } from './throttle.ts'
import { findUserByLogin, type User } from './users.ts'

export interface SignIn extends Visit {
  email: string
  password: string
  /** The session that the browser brought along: it ends when the new one begins. */
  replaces: string | null
}

/**
 * Signs a person in and answers the token of a new session. UNAUTHORIZED in the same words and after the same
 * work whether the address or the password is wrong; RATE_LIMITED when too many tries came from the address of
 * the client or for the account.
 */
export async function signIn(
  runtime: Runtime,
  limiter: RateLimiter,
  attempt: SignIn,
  now: number,
): Promise<{ user: User; token: string }> {
  await throttle(limiter, 'login', attempt.address, attempt.email, runtime.config.logins_per_minute)
  const found = await findUserByLogin(runtime.store.db, attempt.email)
  const matches = await passwordIs(attempt.password, found?.password_hash ?? null)
  if (!found || !matches) throw wrong()
  const token = await runtime.store.write(async (tx) => {
    // Comparing takes its time: a password that was changed meanwhile, and whose sessions have ended, begins no new one.
    const still = await findUserByLogin(tx, attempt.email)
    if (still?.password_hash !== found.password_hash) throw wrong()
    return beginSession(tx, runtime, found.user.id, attempt, now)
  })
  return { user: found.user, token }
}

/** A session in place of the one that the browser brought along: a session's token is never older than the sign-in. */
export async function beginSession(
  tx: Tx,
  { config }: Runtime,
  user_id: string,
  visit: Visit & { replaces: string | null },
  now: number,
): Promise<string> {
  if (visit.replaces) await endSession(tx, visit.replaces)
  return startSession(tx, user_id, visit, config.session_ttl_hours, now)
}

function wrong(): AppError {
  return new AppError('UNAUTHORIZED', 'The address or the password is wrong.', {
    headers: { 'WWW-Authenticate': 'Bearer realm="masthead"' },
  })
}
