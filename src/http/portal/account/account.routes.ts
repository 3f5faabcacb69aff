import { Type } from '@sinclair/typebox'
import { type Device, knownDevice, listDevices, removeDevice } from '../../../accounts/devices.ts'
import { checkPasswordChange, changePassword } from '../../../accounts/password-change.ts'
import { requestReset, resetPassword } from '../../../accounts/password-reset.ts'
import {
  endOtherSessions,
  endSessionOf,
  endSessionsOf,
  listSessions,
  type SessionEntry,
} from '../../../accounts/sessions.ts'
import { iso } from '../../../clock.ts'
import { obj, Timestamp } from '../../../schema.ts'
import { route } from '../../core/route.ts'
import { Success } from '../../core/schemas.ts'
import { deviceCookieIn, endedSessionCookie, sessionCookies } from '../../core/session-cookie.ts'
import { EmailText, NewPassword, PasswordText } from './login.routes.ts'
import { visitOf } from './sign-in.ts'

const VISIT = {
  id: Type.String(),
  current: Type.Boolean(),
  address: Type.String(),
  user_agent: Type.String(),
  created_on: Timestamp,
  last_used_on: Timestamp,
}
const SessionRecord = obj({ ...VISIT, expires_on: Timestamp })
const DeviceRecord = obj(VISIT)

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
    run: ({ email }, context) => requestReset(context, email),
  }),

  route({
    method: 'POST',
    path: '/user/password/reset',
    summary: 'Sets a new password with the token of a reset message. It neither signs in nor removes a second factor.',
    auth: 'public',
    own_pages: true,
    body: obj({ token: Type.String({ maxLength: 100 }), password: NewPassword }),
    response: Success,
    errors: ['NOT_FOUND', 'RATE_LIMITED'],
    run: (reset, context) => resetPassword(context, reset),
  }),

  route({
    method: 'POST',
    path: '/user/password/change',
    summary: 'Changes the password. Every session ends, and this browser gets a new one.',
    auth: 'session',
    audit: { target: 'user' },
    body: obj({ current_password: PasswordText, password: NewPassword }),
    response: Success,
    errors: ['RATE_LIMITED'],
    prepare: (passwords, context) =>
      checkPasswordChange(context, { ...passwords, ...visitOf(context), user_id: context.caller.user_id }, context.now),
    async write(_, context, checked) {
      const { tx, caller, now, cookies, afterCommit, wake } = context
      const change = { ...checked, ...visitOf(context), user_id: caller.user_id }
      cookies.splice(0, cookies.length, ...sessionCookies(context, await changePassword(tx, context, change, now)))
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
    audit: { target: 'user' },
    response: Success,
    async write(_, context) {
      await endSessionsOf(context.tx, context.caller.user_id)
      context.cookies.splice(0, Infinity, endedSessionCookie(context))
    },
  }),

  route({
    method: 'POST',
    path: '/user/sessions/end-others',
    summary: 'Signs out everywhere but in this browser.',
    auth: 'session',
    audit: { target: 'user' },
    response: Success,
    write: (_, { tx, caller }) => endOtherSessions(tx, caller.user_id, caller.session_hash),
  }),

  route({
    method: 'DELETE',
    path: '/user/sessions/:id',
    summary: 'Ends one session.',
    auth: 'session',
    audit: { target: { kind: 'session', input: 'id' } },
    response: Success,
    async write({ id }, context) {
      const { tx, caller, cookies, now } = context
      const ended = await endSessionOf(tx, caller.user_id, id, now)
      if (ended === caller.session_hash) cookies.splice(0, Infinity, endedSessionCookie(context))
    },
  }),
]

const devices = [
  route({
    method: 'GET',
    path: '/user/devices',
    summary: 'The browsers that the signed-in user has signed in with.',
    auth: 'session',
    response: obj({ devices: Type.Array(DeviceRecord) }),
    async read(_, context) {
      const { db, keys, caller, request } = context
      const here = await knownDevice(db, keys, deviceCookieIn(context, request), caller.user_id)
      return { devices: (await listDevices(db, caller.user_id)).map((device) => deviceRecord(device, here)) }
    },
  }),

  route({
    method: 'DELETE',
    path: '/user/devices/:id',
    summary: 'Forgets a device and ends its sessions.',
    auth: 'session',
    audit: { target: { kind: 'device', input: 'id' } },
    response: Success,
    write: ({ id }, { tx, caller }) => removeDevice(tx, caller.user_id, id),
  }),
]

/** `/user/…`: password, sessions and devices (docs/api/platform.md#login, #sessions). */
export const accountRoutes = [...password, ...sessions, ...devices]

type Shown = Pick<SessionEntry, 'id' | 'address' | 'user_agent' | 'created_at' | 'last_used_at'>

function visitRecord({ id, address, user_agent, created_at, last_used_at }: Shown, current: boolean) {
  return { id, current, address, user_agent, created_on: iso(created_at), last_used_on: iso(last_used_at) }
}

function sessionRecord(session: SessionEntry, current_hash: string) {
  return { ...visitRecord(session, session.token_hash === current_hash), expires_on: iso(session.expires_at) }
}

function deviceRecord(device: Device, here: string | null) {
  return visitRecord(device, device.id === here)
}
