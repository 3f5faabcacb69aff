import { Type } from '@sinclair/typebox'
import { confirmedUntil } from '../../../access/session.ts'
import { provePassword } from '../../../accounts/confirmation.ts'
import {
  type Notice,
  notifyUser,
  PASSKEY_ADDED,
  PASSKEY_REMOVED,
  RECOVERY_CODES_NEW,
  TOTP_OFF,
  TOTP_ON,
} from '../../../accounts/security-notices.ts'
import {
  addPasskey,
  authenticationOptions,
  listPasskeys,
  type Passkey,
  registrationOptions,
  relyingParty,
  removePasskey,
  usePasskey,
  verifyPasskey,
  verifyRegistration,
} from '../../../accounts/passkeys.ts'
import { confirmSession } from '../../../accounts/sessions.ts'
import { beginEnrollment, enroll, newRecoveryCodes, removeTotp, totpState } from '../../../accounts/totp.ts'
import { getUser } from '../../../accounts/users.ts'
import { iso, isoOrNull } from '../../../clock.ts'
import { invalid, notFound } from '../../../errors.ts'
import { line, nullable, obj, Timestamp } from '../../../schema.ts'
import { route, type WriteContext } from '../../core/route.ts'
import { MaybeTime, Success } from '../../core/schemas.ts'
import { CodeText, PasskeyOptions, PasswordText, WebAuthnJson } from './login.routes.ts'
import { visitOf } from './sign-in.ts'

const PasskeyRecord = obj({ id: Type.String(), name: Type.String(), created_on: Timestamp, last_used_on: MaybeTime })
const RecoveryCodes = obj({
  recovery_codes: Type.Array(Type.String(), { description: 'Shown once. Each replaces a one-time code once.' }),
})
const Confirmation = obj({ confirmed_until: Timestamp })

const state = [
  route({
    method: 'GET',
    path: '/user/security',
    summary: 'How the signed-in user signs in: passkeys and second factor.',
    auth: 'session',
    response: obj({
      confirmed_until: Timestamp,
      is_confirmed: Type.Boolean({ description: 'Whether that is still to come, by the clock of the service.' }),
      passkeys: Type.Array(PasskeyRecord),
      passkeys_possible: Type.Boolean({ description: 'False where the address of the service has no host name.' }),
      totp: nullable(obj({ created_on: Timestamp, recovery_codes_left: Type.Integer() })),
    }),
    async read(_, { db, caller, base_url, now }) {
      const totp = await totpState(db, caller.user_id)
      const confirmed_until = confirmedUntil(caller)
      return {
        confirmed_until: iso(confirmed_until),
        is_confirmed: confirmed_until > now,
        passkeys: (await listPasskeys(db, caller.user_id)).map(passkeyRecord),
        passkeys_possible: relyingParty(base_url) !== null,
        totp: totp && { created_on: iso(totp.created_at), recovery_codes_left: totp.recovery_codes_left },
      }
    },
  }),
]

const confirmation = [
  route({
    method: 'POST',
    path: '/user/confirm',
    summary: 'Confirms the session with the password, for ten minutes.',
    auth: 'session',
    audit: { target: 'user' },
    body: obj({ password: PasswordText }),
    response: Confirmation,
    errors: ['RATE_LIMITED'],
    prepare: ({ password }, context) =>
      provePassword(
        context,
        { ...visitOf(context), password, user_id: context.caller.user_id },
        '/password',
        context.now,
      ),
    write: (_, context) => confirm(context),
  }),

  route({
    method: 'POST',
    path: '/user/confirm/passkey/options',
    summary: 'What the browser needs to confirm the session with a passkey.',
    auth: 'session',
    response: PasskeyOptions,
    errors: ['CONFLICT'],
    read: async (_, context) => ({
      options: await authenticationOptions(context, 'confirm', context.caller.session_hash, context.now),
    }),
  }),

  route({
    method: 'POST',
    path: '/user/confirm/passkey',
    summary: 'Confirms the session with a passkey, for ten minutes.',
    auth: 'session',
    audit: { target: 'user' },
    body: obj({ response: WebAuthnJson }),
    response: Confirmation,
    errors: ['CONFLICT'],
    prepare: ({ response }, context) =>
      verifyPasskey(
        context.db,
        context,
        { use: 'confirm', subject: context.caller.session_hash, response },
        context.now,
      ),
    async write(_, context, answer) {
      const { tx, caller, now } = context
      const isOwn = answer?.passkey.user_id === caller.user_id
      if (!answer || !isOwn || !(await usePasskey(tx, answer, now)))
        throw invalid('/response', 'This passkey does not confirm your account.')
      return confirm(context)
    },
  }),
]

const FRESH = { auth: 'session', confirmed: true } as const

const oneTimeCodes = [
  route({
    ...FRESH,
    method: 'POST',
    path: '/user/totp/enrollment',
    summary: 'A secret for an authenticator app. Nothing is stored until its first code comes back.',
    response: obj({
      secret: Type.String(),
      otpauth_url: Type.String(),
      qr_svg: Type.String(),
      enrollment: Type.String(),
    }),
    async read(_, context) {
      return beginEnrollment(context, await getUser(context.db, context.caller.user_id), context.now)
    },
  }),

  route({
    ...FRESH,
    method: 'POST',
    path: '/user/totp',
    audit: { target: 'user' },
    summary: 'Turns one-time codes on, with the first code of the authenticator app.',
    body: obj({ enrollment: Type.String({ maxLength: 1000 }), code: CodeText }),
    response: RecoveryCodes,
    errors: ['CONFLICT'],
    async write({ enrollment, code }, context) {
      const { tx, keys, caller, now } = context
      const recovery_codes = await enroll(tx, keys, { user_id: caller.user_id, enrollment, code }, now)
      await tell(context, TOTP_ON)
      return { recovery_codes }
    },
  }),

  route({
    ...FRESH,
    method: 'DELETE',
    path: '/user/totp',
    audit: { target: 'user' },
    summary: 'Turns one-time codes off, and the recovery codes with them.',
    response: Success,
    errors: ['NOT_FOUND'],
    async write(_, context) {
      if (!(await removeTotp(context.tx, context.caller.user_id))) throw notFound('second factor')
      await tell(context, TOTP_OFF)
    },
  }),

  route({
    ...FRESH,
    method: 'POST',
    path: '/user/totp/recovery-codes',
    audit: { target: 'user' },
    summary: 'Ten new recovery codes. The old ones end.',
    response: RecoveryCodes,
    errors: ['NOT_FOUND'],
    async write(_, context) {
      const { tx, caller } = context
      if (!(await totpState(tx, caller.user_id))) throw notFound('second factor')
      await tell(context, RECOVERY_CODES_NEW)
      return { recovery_codes: await newRecoveryCodes(tx, caller.user_id) }
    },
  }),
]

const passkeys = [
  route({
    ...FRESH,
    method: 'POST',
    path: '/user/passkeys/options',
    summary: 'What the browser needs to make a passkey. The answer works once, for five minutes.',
    response: PasskeyOptions,
    errors: ['CONFLICT'],
    async read(_, context) {
      const user = await getUser(context.db, context.caller.user_id)
      return { options: await registrationOptions(context.db, context, user, context.now) }
    },
  }),

  route({
    ...FRESH,
    method: 'POST',
    path: '/user/passkeys',
    audit: { target: { answer: 'passkey' } },
    summary: 'Adds a passkey that the browser has made.',
    body: obj({ name: line(100), response: WebAuthnJson }),
    response: obj({ passkey: PasskeyRecord }),
    errors: ['CONFLICT'],
    prepare: ({ response }, context) => verifyRegistration(context, context.caller.user_id, response, context.now),
    async write({ name }, context, verified) {
      const { tx, caller, now } = context
      const named = name.trim() || 'Passkey'
      const added = await addPasskey(tx, { ...verified, user_id: caller.user_id, name: named }, now)
      await tell(context, PASSKEY_ADDED(named))
      return { passkey: passkeyRecord(added) }
    },
  }),

  route({
    ...FRESH,
    method: 'DELETE',
    path: '/user/passkeys/:id',
    audit: { target: { kind: 'passkey', input: 'id' } },
    summary: 'Removes a passkey.',
    response: Success,
    async write({ id }, context) {
      await tell(context, PASSKEY_REMOVED(await removePasskey(context.tx, context.caller.user_id, id)))
    },
  }),
]

/** `/user/…`: second factor, passkeys and confirmation (docs/api/platform.md#second-factor, #passkeys). */
export const securityRoutes = [...state, ...confirmation, ...oneTimeCodes, ...passkeys]

async function confirm({ tx, caller, now }: WriteContext<'session'>) {
  await confirmSession(tx, caller.session_hash, now)
  return { confirmed_until: iso(confirmedUntil({ ...caller, confirmed_at: now })) }
}

async function tell(context: WriteContext<'session'>, notice: Notice): Promise<void> {
  await notifyUser(context.tx, context, context.caller.user_id, notice)
  context.afterCommit(() => context.wake('mail'))
}

function passkeyRecord({ id, name, created_at, last_used_at }: Passkey) {
  return { id, name, created_on: iso(created_at), last_used_on: isoOrNull(last_used_at) }
}
