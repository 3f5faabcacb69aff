import { MINUTE_MS } from '../clock.ts'
import { eq } from 'drizzle-orm'
import { note } from '../audit/record.ts'
import { AppError } from '../errors.ts'
import type { RateLimiter } from '../operation/rate-limit.ts'
import type { Tx } from '../store/open.ts'
import { first } from '../store/rows.ts'
import { users } from '../store/tables/accounts.ts'
import { totp_factors } from '../store/tables/sign-in.ts'
import type { Runtime } from '../runtime.ts'
import { sha256 } from '../secrets.ts'
import { knownDevice, useDevice } from './devices.ts'
import { addressBucket, allowCode, allowPassword, forgetFailures, recordFailure, requireNoPause } from './failures.ts'
import { notifyUser } from './security-notices.ts'
import { usePasskey, verifyPasskey } from './passkeys.ts'
import { checkPassword } from './passwords.ts'
import { endSession, startSession, type Visit } from './sessions.ts'
import { throttleAddress } from './throttle.ts'
import { acceptCode, totpState } from './totp.ts'
import { findUserByLogin, getUser, type User } from './users.ts'

/** The browser that signs in. */
export interface Browser extends Visit {
  /** The session in its cookie, which ends when the new one starts. */
  replaces: string | null
  /** The value of its device cookie. */
  device: string | null
}

/** The result of a sign-in: the token of the session and the value of the browser's device cookie. */
export interface NewSession {
  token: string
  device: string
}

export interface SignedIn {
  user: User
  session: NewSession
}

/** The password was right, and the account has a second factor. `ticket` goes to `finishSignIn` with a code. */
interface CodeNeeded {
  ticket: string
}

/** The validity of a ticket: the time in which the second factor must be given. */
const TICKET_MS = 5 * MINUTE_MS
const TICKET = 'ticket'

/**
 * Signs a user in with a password. A wrong address and a wrong password give the same UNAUTHORIZED after the same work.
 * RATE_LIMITED after too many attempts or failures.
 */
export async function signIn(
  runtime: Runtime,
  limiter: RateLimiter,
  attempt: Browser & { email: string; password: string },
  now: number,
): Promise<SignedIn | CodeNeeded> {
  const { store, keys, config } = runtime
  const found = await findUserByLogin(store.db, attempt.email)
  const device_id = found && (await knownDevice(store.db, keys, attempt.device, found.user.id))
  const buckets = await allowPassword({ db: store.db, config, limiter }, { ...attempt, device_id }, now)
  const matches = await checkPassword(attempt.password, found?.password_hash ?? null, device_id ? 'known' : 'strangers')
  if (!found || !matches) {
    await recordFailure(store, buckets, { action: 'sign-in', user_id: found?.user.id ?? null }, now)
    throw wrongCredentials()
  }
  const session = await store.write(async (tx) => {
    // Comparing takes time. A password that was changed meanwhile, which ended all sessions, must not start a new one.
    const present = await findUserByLogin(tx, attempt.email)
    if (present?.password_hash !== found.password_hash) throw wrongCredentials()
    await forgetFailures(tx, buckets)
    if (await totpState(tx, found.user.id)) return null
    return beginSession(tx, runtime, { ...attempt, user_id: found.user.id }, now)
  })
  if (session) runtime.wake('mail')
  return session
    ? { user: found.user, session }
    : { ticket: newTicket(runtime, found.user.id, found.password_hash, now) }
}

/** Signs an authenticated user in, or asks for the second factor first. For sign-ins through a provider. */
export async function signInAs(
  tx: Tx,
  runtime: Runtime,
  { user, ...browser }: Browser & { user: User },
  now: number,
): Promise<SignedIn | CodeNeeded> {
  if (await totpState(tx, user.id)) return { ticket: newTicket(runtime, user.id, null, now) }
  return { user, session: await beginSession(tx, runtime, { ...browser, user_id: user.id }, now) }
}

/**
 * Completes a sign-in with the second factor. UNAUTHORIZED for a wrong or used code, and for a ticket that expired or
 * is older than the present password.
 */
export async function finishSignIn(
  runtime: Runtime,
  limiter: RateLimiter,
  { ticket, code, ...browser }: Browser & { ticket: string; code: string },
  now: number,
): Promise<SignedIn> {
  const { store, keys, config } = runtime
  const known = readTicket(runtime, ticket, now)
  if (!known) throw expiredTicket()
  const { user_id } = known
  const device_id = await knownDevice(store.db, keys, browser.device, user_id)
  const buckets = await allowCode({ db: store.db, config, limiter }, { user_id, device_id }, now)
  const session = await store.write(async (tx) => {
    await requireSamePassword(tx, known)
    const accepted = await acceptCode(tx, keys, { user_id, code }, now)
    if (accepted === null) return null
    await forgetFailures(tx, buckets)
    if (accepted === 'recovery_code') await notifyUser(tx, { ...runtime, now }, user_id, RECOVERY_CODE_USED)
    return beginSession(tx, runtime, { ...browser, user_id }, now)
  })
  if (!session) {
    await recordFailure(store, buckets, { action: 'second-factor', user_id }, now)
    throw new AppError('UNAUTHORIZED', 'This code is wrong or was used already.', CHALLENGE)
  }
  runtime.wake('mail')
  return { user: await getUser(store.db, user_id), session }
}

/** Signs the user of a passkey in. It replaces password and second factor. */
export async function signInWithPasskey(
  runtime: Runtime,
  limiter: RateLimiter,
  { response, ...browser }: Browser & { response: unknown },
  now: number,
): Promise<SignedIn> {
  const { store, config } = runtime
  await throttleAddress(limiter, 'login', browser.address, config.logins_per_minute)
  const buckets = [addressBucket(browser.address, config.logins_per_minute)]
  await requireNoPause(store.db, buckets, now)
  const answer = await verifyPasskey(store.db, runtime, { use: 'sign-in', subject: '', response }, now)
  const signed_in =
    answer &&
    (await store.write(async (tx) => {
      const user = await getUser(tx, answer.passkey.user_id)
      if (user.disabled_at !== null || !(await usePasskey(tx, answer, now))) return null
      return { user, session: await beginSession(tx, runtime, { ...browser, user_id: user.id }, now) }
    }))
  if (!signed_in) {
    await recordFailure(store, buckets, { action: 'passkey', user_id: answer?.passkey.user_id ?? null }, now)
    throw new AppError('UNAUTHORIZED', 'This passkey does not work here. Sign in with your password.', CHALLENGE)
  }
  runtime.wake('mail')
  return signed_in
}

/**
 * Starts a session in place of the browser's present one, so that a session token is never older than the sign-in.
 * Every sign-in ends here. A new device is told by mail; wake the loop `mail` after the commit.
 */
export async function beginSession(
  tx: Tx,
  runtime: Pick<Runtime, 'config' | 'keys' | 'base_url'>,
  { user_id, replaces, device, ...visit }: Browser & { user_id: string },
  now: number,
): Promise<NewSession> {
  const { config, keys } = runtime
  if (replaces) await endSession(tx, replaces)
  note(tx, { action: 'sign-in', actor: `user:${user_id}`, target: `user:${user_id}` })
  await tx.update(users).set({ last_sign_in_at: now }).where(eq(users.id, user_id))
  const used = await useDevice(tx, keys, { user_id, cookie: device, visit }, now)
  if (used.is_news && config.sign_in_notices) await notifyUser(tx, { ...runtime, now }, user_id, newDevice(visit))
  const here = {
    address: visit.address,
    user_agent: visit.user_agent,
    device_id: used.id,
    ttl_hours: Math.min(config.session_ttl_hours, config.session_longest_days * 24),
  }
  return { token: await startSession(tx, user_id, here, now), device: used.cookie }
}

const RECOVERY_CODE_USED = {
  subject: 'A recovery code was used',
  sentence: 'Somebody signed in with your password and a recovery code. Each code works once.',
}

function newDevice({ address, user_agent }: Visit) {
  const device = `${user_agent || 'an unknown program'}, at the address ${address}`
  return {
    subject: 'A sign-in from a new device',
    sentence: `Somebody signed in from a device that had not been used before: ${device}.`,
  }
}

interface Ticket {
  user_id: string
  /** Hash of the password's hash; null where no password was used. */
  password: string | null
  expires_at: number
}

function newTicket({ keys }: Runtime, user_id: string, password_hash: string | null, now: number): string {
  const ticket: Ticket = {
    user_id,
    password: password_hash === null ? null : sha256(password_hash),
    expires_at: now + TICKET_MS,
  }
  return keys.seal('second-factor', JSON.stringify(ticket), TICKET)
}

function readTicket({ keys }: Runtime, sealed: string, now: number): Ticket | null {
  const text = keys.unseal('second-factor', sealed, TICKET)
  const ticket = text === null ? null : (JSON.parse(text) as Ticket)
  return ticket && ticket.expires_at > now ? ticket : null
}

/** Throws UNAUTHORIZED when the password changed or the account was disabled since the ticket was issued. */
async function requireSamePassword(tx: Tx, { user_id, password }: Ticket): Promise<void> {
  const user = first(
    await tx
      .select({ password_hash: users.password_hash, disabled_at: users.disabled_at })
      .from(users)
      .innerJoin(totp_factors, eq(totp_factors.user_id, users.id))
      .where(eq(users.id, user_id)),
  )
  const same = password === null || sha256(user?.password_hash ?? '') === password
  if (!user || user.disabled_at !== null || !same) throw expiredTicket()
}

/** RFC 9110, 11.6.1: a 401 names a way to authenticate. */
const CHALLENGE = { headers: { 'WWW-Authenticate': 'Bearer realm="masthead"' } }

function wrongCredentials(): AppError {
  return new AppError('UNAUTHORIZED', 'The address or the password is wrong.', CHALLENGE)
}

function expiredTicket(): AppError {
  return new AppError('UNAUTHORIZED', 'This sign-in has expired. Sign in again.', CHALLENGE)
}
