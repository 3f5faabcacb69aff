import { Type } from '@sinclair/typebox'
import { checkPasswordChange, changePassword } from '../../accounts/password-change.ts'
import { requestReset, resetPassword } from '../../accounts/password-reset.ts'
import { endSessionOf, endSessionsOf, listSessions, type SessionEntry } from '../../accounts/sessions.ts'
import { getUser, type User } from '../../accounts/users.ts'
import { iso } from '../../clock.ts'
import { obj, Timestamp } from '../../schema.ts'
import { route } from '../core/route.ts'
import { Success } from '../core/schemas.ts'
import { endedSessionCookie, sessionCookie } from '../core/session-cookie.ts'
import { signInFrom, signOutFrom } from './sign-in.ts'

const EmailText = Type.String({ maxLength: 320 })
const PasswordText = Type.String({ maxLength: 1024 })

const UserRecord = obj({
  id: Type.String(),
  email: Type.String(),
  firstName: Type.String(),
  lastName: Type.String(),
  is_reviewer: Type.Boolean(),
})
const SessionRecord = obj({
  id: Type.String(),
  current: Type.Boolean(),
  address: Type.String(),
  user_agent: Type.String(),
  created_on: Timestamp,
  last_used_on: Timestamp,
  expires_on: Timestamp,
})

const signingIn = [
  route({
    method: 'POST',
    path: '/user/login',
    summary: 'Signs in with a password. Each login begins a new session.',
    auth: 'public',
    own_pages: true,
    body: obj({ email: EmailText, password: PasswordText }),
    response: obj({ user: UserRecord }),
    errors: ['UNAUTHORIZED', 'RATE_LIMITED'],
    async run({ email, password }, context) {
      const { user, token } = await signInFrom(context, email, password)
      context.headers['Set-Cookie'] = sessionCookie(context, token)
      return { user: userRecord(user) }
    },
  }),

  route({
    method: 'POST',
    path: '/user/logout',
    summary: 'Ends the session. A session that has ended already is no error.',
    auth: 'public',
    own_pages: true,
    response: Success,
    async run(_, context) {
      await signOutFrom(context)
      context.headers['Set-Cookie'] = endedSessionCookie(context)
    },
  }),

  route({
    method: 'GET',
    path: '/user/me',
    summary: 'The signed-in user.',
    auth: 'session',
    response: obj({ user: UserRecord }),
    read: async (_, { db, caller }) => ({ user: userRecord(await getUser(db, caller.user_id)) }),
  }),
]

const password = [
  route({
    method: 'POST',
    path: '/user/password/reset-request',
    summary: 'Sends a link to reset the password. The response is the same when no account has the address.',
    auth: 'public',
    own_pages: true,
    body: obj({ email: EmailText }),
    response: Success,
    errors: ['RATE_LIMITED'],
    run: ({ email }, context) => requestReset(context, context.limiter, email, context.address, context.now),
  }),

  route({
    method: 'POST',
    path: '/user/password/reset',
    summary: 'Sets a new password with the token of a reset message. It does not sign in.',
    auth: 'public',
    own_pages: true,
    body: obj({ token: Type.String({ maxLength: 100 }), password: PasswordText }),
    response: Success,
    errors: ['NOT_FOUND', 'RATE_LIMITED'],
    run: (reset, context) => resetPassword(context, context.limiter, reset, context.address, context.now),
  }),

  route({
    method: 'POST',
    path: '/user/password/change',
    summary: 'Changes the password. Every session ends, and this browser gets a new one.',
    auth: 'session',
    body: obj({ current_password: PasswordText, password: PasswordText }),
    response: Success,
    errors: ['RATE_LIMITED'],
    prepare: (passwords, { db, config, limiter, address, caller }) =>
      checkPasswordChange({ db, config, limiter }, { ...passwords, address, user_id: caller.user_id }),
    async write(_, context, checked) {
      const { tx, caller, address, user_agent, now, headers, afterCommit, wake } = context
      const token = await changePassword(tx, context, { ...checked, user_id: caller.user_id, address, user_agent }, now)
      headers['Set-Cookie'] = sessionCookie(context, token)
      afterCommit(() => wake('mail'))
    },
  }),
]

const sessions = [
  route({
    method: 'GET',
    path: '/user/sessions',
    summary: 'The sessions of the signed-in user.',
    auth: 'session',
    response: obj({ sessions: Type.Array(SessionRecord) }),
    async read(_, { db, caller, now }) {
      const sessions = await listSessions(db, caller.user_id, now)
      return { sessions: sessions.map((session) => sessionRecord(session, caller.session_hash)) }
    },
  }),

  route({
    method: 'DELETE',
    path: '/user/sessions',
    summary: 'Signs out everywhere, in this browser too.',
    auth: 'session',
    response: Success,
    async write(_, context) {
      await endSessionsOf(context.tx, context.caller.user_id)
      context.headers['Set-Cookie'] = endedSessionCookie(context)
    },
  }),

  route({
    method: 'DELETE',
    path: '/user/sessions/:id',
    summary: 'Ends one session.',
    auth: 'session',
    response: Success,
    async write({ id }, context) {
      const { tx, caller, headers, now } = context
      const ended = await endSessionOf(tx, caller.user_id, id, now)
      if (ended === caller.session_hash) headers['Set-Cookie'] = endedSessionCookie(context)
    },
  }),
]

/** `/user/…`: sign-in, password and sessions (docs/api/platform.md#login, #sessions). */
export const accountRoutes = [...signingIn, ...password, ...sessions]

function userRecord({ id, email, first_name, last_name, admin }: User) {
  return { id, email, firstName: first_name, lastName: last_name, is_reviewer: admin }
}

function sessionRecord(session: SessionEntry, current_hash: string) {
  const { id, token_hash, address, user_agent, created_at, last_used_at, expires_at } = session
  return {
    id,
    current: token_hash === current_hash,
    address,
    user_agent,
    created_on: iso(created_at),
    last_used_on: iso(last_used_at),
    expires_on: iso(expires_at),
  }
}
