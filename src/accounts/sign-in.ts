import { AppError } from '../errors.ts'
import type { RateLimiter } from '../operation/rate-limit.ts'
import type { Tx } from '../store/open.ts'
import type { Runtime } from '../runtime.ts'
import { checkPassword } from './passwords.ts'
import { endSession, startSession, type Visit } from './sessions.ts'
import { throttle } from './throttle.ts'
import { findUserByLogin, type User } from './users.ts'

export interface SignIn extends Visit {
  email: string
  password: string
  /** The session in the browser's cookie, which ends when the new one starts. */
  replaces: string | null
}

/**
 * Signs a user in and returns the token of a new session. A wrong address and a wrong password give the same
 * UNAUTHORIZED after the same work. RATE_LIMITED after too many attempts by client address or account.
 */
export async function signIn(
  runtime: Runtime,
  limiter: RateLimiter,
  attempt: SignIn,
  now: number,
): Promise<{ user: User; token: string }> {
  await throttle(limiter, 'login', attempt.address, attempt.email, runtime.config.logins_per_minute)
  const found = await findUserByLogin(runtime.store.db, attempt.email)
  const matches = await checkPassword(attempt.password, found?.password_hash ?? null)
  if (!found || !matches) throw wrongCredentials()
  const token = await runtime.store.write(async (tx) => {
    // Comparing takes time. A password that was changed meanwhile, which ended all sessions, must not start a new one.
    const present = await findUserByLogin(tx, attempt.email)
    if (present?.password_hash !== found.password_hash) throw wrongCredentials()
    return beginSession(tx, runtime, found.user.id, attempt, now)
  })
  return { user: found.user, token }
}

/** Starts a session in place of the browser's present one, so that a session token is never older than the sign-in. */
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

function wrongCredentials(): AppError {
  return new AppError('UNAUTHORIZED', 'The address or the password is wrong.', {
    headers: { 'WWW-Authenticate': 'Bearer realm="masthead"' },
  })
}
