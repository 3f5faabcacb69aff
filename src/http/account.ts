import { Type } from '@sinclair/typebox'
import { sessionHashIn } from '../access/session.ts'
import { endSession } from '../accounts/sessions.ts'
import { signIn } from '../accounts/sign-in.ts'
import { getUser, type User } from '../accounts/users.ts'
import type { RateLimiter } from '../operation/rate-limit.ts'
import { check, obj } from '../schema.ts'
import type { Runtime } from '../store/runtime.ts'
import { readJson } from './body.ts'
import { type Exchange, type Handler, json } from './exchange.ts'
import { endedSessionCookie, fromOwnPages, sessionCookie, signedIn } from './session-route.ts'

const Login = obj({ email: Type.String({ maxLength: 320 }), password: Type.String({ maxLength: 1024 }) })

/** `POST /user/login`: begins a session, a new one each time. */
export function login(runtime: Runtime, limiter: RateLimiter): Handler {
  return fromOwnPages(runtime, async (exchange) => {
    const { email, password } = check(Login, await readJson(exchange.request))
    const { user, token } = await signInFrom(runtime, limiter, exchange, email, password)
    return json(200, { user: userRecord(user) }, { 'Set-Cookie': sessionCookie(runtime, token) })
  })
}

/** `POST /user/logout`: ends the session on the server; one that has ended already is no error. */
export function logout(runtime: Runtime): Handler {
  return fromOwnPages(runtime, async (exchange) => {
    await signOutFrom(runtime, exchange)
    return json(200, { success: true }, { 'Set-Cookie': endedSessionCookie(runtime) })
  })
}

/** `GET /user/me` */
export function me(runtime: Runtime): Handler {
  return signedIn(runtime, async (_, caller) => json(200, { user: userRecord(await getUser(runtime.store.db, caller.user_id)) }))
}

export function signInFrom(runtime: Runtime, limiter: RateLimiter, exchange: Exchange, email: string, password: string): Promise<{ user: User; token: string }> {
  const { address, user_agent, request, now } = exchange
  return signIn(runtime, limiter, { email, password, address, user_agent, replaces: sessionHashIn(request.headers.get('cookie')) }, now)
}

export async function signOutFrom(runtime: Runtime, exchange: Exchange): Promise<void> {
  const hash = sessionHashIn(exchange.request.headers.get('cookie'))
  if (hash !== null) await runtime.store.write((tx) => endSession(tx, hash))
}

function userRecord({ id, email, first_name, last_name, admin }: User) {
  return { id, email, firstName: first_name, lastName: last_name, is_reviewer: admin }
}
