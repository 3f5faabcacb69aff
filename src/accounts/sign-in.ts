import { AppError } from '../errors.ts'
import { type RateLimiter, rateLimited } from '../operation/rate-limit.ts'
import { sha256 } from '../secrets.ts'
import type { Runtime } from '../store/runtime.ts'
import { PASSWORD_MAX_BYTES, passwordIs } from './passwords.ts'
import { endSession, startSession, type Visit } from './sessions.ts'
import { emailKey, findUserByLogin, type User } from './users.ts'

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
export async function signIn(runtime: Runtime, limiter: RateLimiter, attempt: SignIn, now: number): Promise<{ user: User; token: string }> {
  await allowAttempt(runtime, limiter, attempt)
  const found = await findUserByLogin(runtime.store.db, attempt.email)
  const possible = Buffer.byteLength(attempt.password) <= PASSWORD_MAX_BYTES
  const matches = await passwordIs(possible ? attempt.password : '', found?.password_hash ?? null)
  if (!found || !matches) throw new AppError('UNAUTHORIZED', 'The address or the password is wrong.', { headers: { 'WWW-Authenticate': 'Bearer realm="masthead"' } })
  const token = await runtime.store.write(async (tx) => {
    if (attempt.replaces) await endSession(tx, attempt.replaces)
    return startSession(tx, found.user.id, attempt, runtime.config.session_ttl_hours, now)
  })
  return { user: found.user, token }
}

/** Half of an address's attempts for one account; an unknown account is counted as well, or its limit would tell. */
async function allowAttempt(runtime: Runtime, limiter: RateLimiter, attempt: SignIn): Promise<void> {
  const limit = runtime.config.logins_per_minute
  const byAddress = await limiter.take(`login:address:${attempt.address}`, limit)
  if (!byAddress.allowed) throw rateLimited(byAddress)
  const byAccount = await limiter.take(`login:account:${sha256(emailKey(attempt.email))}`, Math.max(1, Math.floor(limit / 2)))
  if (!byAccount.allowed) throw rateLimited(byAccount)
}
