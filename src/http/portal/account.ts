import { Type } from '@sinclair/typebox'
import { sessionHashIn } from '../../access/session.ts'
import { changePassword } from '../../accounts/password-change.ts'
import { requestReset, resetPassword } from '../../accounts/password-reset.ts'
import { endSession, endSessionOf, endSessionsOf, listSessions, type SessionEntry } from '../../accounts/sessions.ts'
import { signIn } from '../../accounts/sign-in.ts'
import { getUser, type User } from '../../accounts/users.ts'
import { iso } from '../../clock.ts'
import type { RateLimiter } from '../../operation/rate-limit.ts'
import { check, obj } from '../../schema.ts'
import type { Runtime } from '../../runtime.ts'
import { readJson } from '../core/body.ts'
import { type Exchange, type Handler, json } from '../core/exchange.ts'
import { endedSessionCookie, sessionCookie } from '../core/session-cookie.ts'
import { fromOwnPages, signedIn } from '../core/session-route.ts'

const EmailText = Type.String({ maxLength: 320 })
const PasswordText = Type.String({ maxLength: 1024 })
const Login = obj({ email: EmailText, password: PasswordText })
const ResetRequest = obj({ email: EmailText })
const Reset = obj({ token: Type.String({ maxLength: 100 }), password: PasswordText })
const Change = obj({ current_password: PasswordText, password: PasswordText })

/** `/user/…`: whoever is signed in, or wants to be. Method, path and handler of each route. */
export function accountRoutes(runtime: Runtime, limiter: RateLimiter): [string, string, Handler][] {
  return [
    ['POST', '/user/login', login(runtime, limiter)],
    ['POST', '/user/logout', logout(runtime)],
    [
      'GET',
      '/user/me',
      signedIn(runtime, async (_, caller) =>
        json(200, { user: userRecord(await getUser(runtime.store.db, caller.user_id)) }),
      ),
    ],
    ['POST', '/user/password/reset-request', passwordResetRequest(runtime, limiter)],
    ['POST', '/user/password/reset', passwordReset(runtime, limiter)],
    ['POST', '/user/password/change', passwordChange(runtime, limiter)],
    ['GET', '/user/sessions', sessionList(runtime)],
    ['DELETE', '/user/sessions', sessionEndAll(runtime)],
    ['DELETE', '/user/sessions/:id', sessionEnd(runtime)],
  ]
}

/** Begins a session, a new one each time. */
function login(runtime: Runtime, limiter: RateLimiter): Handler {
  return fromOwnPages(runtime, async (exchange) => {
    const { email, password } = check(Login, await readJson(exchange.request))
    const { user, token } = await signInFrom(runtime, limiter, exchange, email, password)
    return json(200, { user: userRecord(user) }, { 'Set-Cookie': sessionCookie(runtime, token) })
  })
}

/** Ends the session on the server; one that has ended already is no error. */
function logout(runtime: Runtime): Handler {
  return fromOwnPages(runtime, async (exchange) => {
    await signOutFrom(runtime, exchange)
    return json(200, { success: true }, { 'Set-Cookie': endedSessionCookie(runtime) })
  })
}

/** The same answer whether anybody has the address or not. */
function passwordResetRequest(runtime: Runtime, limiter: RateLimiter): Handler {
  return fromOwnPages(runtime, async ({ request, address, now }) => {
    const { email } = check(ResetRequest, await readJson(request))
    await requestReset(runtime, limiter, email, address, now)
    return json(200, { success: true })
  })
}

/** By the token of a letter. Nobody is signed in by it. */
function passwordReset(runtime: Runtime, limiter: RateLimiter): Handler {
  return fromOwnPages(runtime, async ({ request, address, now }) => {
    await resetPassword(runtime, limiter, check(Reset, await readJson(request)), address, now)
    return json(200, { success: true })
  })
}

/** Every session ends, and this browser gets a new one. */
function passwordChange(runtime: Runtime, limiter: RateLimiter): Handler {
  return signedIn(runtime, async ({ request, address, user_agent, now }, { user_id }) => {
    const passwords = check(Change, await readJson(request))
    const token = await changePassword(runtime, limiter, { ...passwords, user_id, address, user_agent }, now)
    return json(200, { success: true }, { 'Set-Cookie': sessionCookie(runtime, token) })
  })
}

function sessionList(runtime: Runtime): Handler {
  return signedIn(runtime, async ({ now }, { user_id, session_hash }) => {
    const sessions = await listSessions(runtime.store.db, user_id, now)
    return json(200, { sessions: sessions.map((session) => sessionRecord(session, session_hash)) })
  })
}

function sessionEnd(runtime: Runtime): Handler {
  return signedIn(runtime, async ({ params, now }, { user_id, session_hash }) => {
    const ended = await runtime.store.write((tx) => endSessionOf(tx, user_id, params.id!, now))
    return json(200, { success: true }, ended === session_hash ? { 'Set-Cookie': endedSessionCookie(runtime) } : {})
  })
}

/** Signs out everywhere, here too. */
function sessionEndAll(runtime: Runtime): Handler {
  return signedIn(runtime, async (_, { user_id }) => {
    await runtime.store.write((tx) => endSessionsOf(tx, user_id))
    return json(200, { success: true }, { 'Set-Cookie': endedSessionCookie(runtime) })
  })
}

export function signInFrom(
  runtime: Runtime,
  limiter: RateLimiter,
  exchange: Exchange,
  email: string,
  password: string,
): Promise<{ user: User; token: string }> {
  return signIn(runtime, limiter, { email, password, ...visitOf(exchange) }, exchange.now)
}

/** Where a sign-in comes from, and the session that the browser brought along. */
export function visitOf({ address, user_agent, request }: Exchange) {
  return { address, user_agent, replaces: sessionHashIn(request.headers.get('cookie')) }
}

export async function signOutFrom(runtime: Runtime, exchange: Exchange): Promise<void> {
  const hash = sessionHashIn(exchange.request.headers.get('cookie'))
  if (hash !== null) await runtime.store.write((tx) => endSession(tx, hash))
}

function userRecord({ id, email, first_name, last_name, admin }: User) {
  return { id, email, firstName: first_name, lastName: last_name, is_reviewer: admin }
}

function sessionRecord(
  { id, token_hash, address, user_agent, created_at, last_used_at, expires_at }: SessionEntry,
  current: string,
) {
  return {
    id,
    current: token_hash === current,
    address,
    user_agent,
    created_on: iso(created_at),
    last_used_on: iso(last_used_at),
    expires_on: iso(expires_at),
  }
}
