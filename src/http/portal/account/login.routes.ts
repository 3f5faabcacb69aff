import { Type } from '@sinclair/typebox'
import { authenticationOptions } from '../../../accounts/passkeys.ts'
import { finishSignIn, type SignedIn, signIn, signInWithPasskey } from '../../../accounts/sign-in.ts'
import { throttleAddress } from '../../../accounts/throttle.ts'
import { PASSWORD_MIN_CHARACTERS } from '../../../accounts/guessable.ts'
import { getUser, type User } from '../../../accounts/users.ts'
import { obj, ruled } from '../../../schema.ts'
import { type PublicContext, route } from '../../core/route.ts'
import { Success } from '../../core/schemas.ts'
import { endedSessionCookie, sessionCookies } from '../../core/session-cookie.ts'
import { signOutFrom, visitOf } from './sign-in.ts'

export const EmailText = Type.String({ maxLength: 320 })
/** An address that is to be an account's. */
export const NewEmail = ruled(EmailText, { format: 'idn-email', pattern: '@' })
export const PasswordText = Type.String({ maxLength: 1024 })
export const NewPassword = ruled(PasswordText, { minLength: PASSWORD_MIN_CHARACTERS })
export const CodeText = Type.String({ maxLength: 100, description: 'A one-time code or a recovery code.' })

/** What @simplewebauthn exchanges with browsers (WebAuthn Level 3, 5.1: the JSON forms of options and answers). */
export const WebAuthnJson = Type.Unsafe<object>(Type.Object({}, { additionalProperties: true }))
export const PasskeyOptions = obj({ options: WebAuthnJson })

const UserRecord = obj({
  id: Type.String(),
  email: Type.String(),
  firstName: Type.String(),
  lastName: Type.String(),
  is_reviewer: Type.Boolean(),
})
export const SignedInUser = obj({ user: UserRecord })

const SIGN_IN = { method: 'POST', auth: 'public', own_pages: true } as const

/** `/user/login`, `/user/logout`, `/user/me` (docs/api/platform.md#login). */
export const loginRoutes = [
  route({
    ...SIGN_IN,
    path: '/user/login',
    audit: { rows: 'noted' },
    summary:
      'Signs in with a password. Each login begins a new session. An account with a second factor gets a ticket ' +
      'instead, which goes to /user/login/second-factor with a code.',
    body: obj({ email: EmailText, password: PasswordText }),
    response: Type.Union([SignedInUser, obj({ second_factor: obj({ ticket: Type.String() }) })]),
    errors: ['UNAUTHORIZED', 'RATE_LIMITED'],
    async run({ email, password }, context) {
      const outcome = await signIn(context, context.limiter, { email, password, ...visitOf(context) }, context.now)
      return 'ticket' in outcome ? { second_factor: outcome } : signedIn(context, outcome)
    },
  }),

  route({
    ...SIGN_IN,
    path: '/user/login/second-factor',
    audit: { rows: 'noted' },
    summary: 'Completes a sign-in with a one-time code or a recovery code. Each code works once.',
    body: obj({ ticket: Type.String({ maxLength: 1000 }), code: CodeText }),
    response: SignedInUser,
    errors: ['UNAUTHORIZED', 'RATE_LIMITED'],
    async run({ ticket, code }, context) {
      const browser = visitOf(context)
      return signedIn(context, await finishSignIn(context, context.limiter, { ticket, code, ...browser }, context.now))
    },
  }),

  route({
    ...SIGN_IN,
    path: '/user/login/passkey/options',
    audit: { rows: 'noted' },
    summary: 'What the browser needs to sign in with a passkey. The answer works once, for five minutes.',
    response: PasskeyOptions,
    errors: ['RATE_LIMITED', 'CONFLICT'],
    async run(_, context) {
      await throttleAddress(context.limiter, 'login', context.address, context.config.logins_per_minute)
      return { options: await authenticationOptions(context, 'sign-in', '', context.now) }
    },
  }),

  route({
    ...SIGN_IN,
    path: '/user/login/passkey',
    audit: { rows: 'noted' },
    summary: 'Signs in with a passkey, which replaces the password and the second factor.',
    body: obj({ response: WebAuthnJson }),
    response: SignedInUser,
    errors: ['UNAUTHORIZED', 'RATE_LIMITED', 'CONFLICT'],
    async run({ response }, context) {
      const attempt = { response, ...visitOf(context) }
      return signedIn(context, await signInWithPasskey(context, context.limiter, attempt, context.now))
    },
  }),

  route({
    ...SIGN_IN,
    path: '/user/logout',
    audit: { rows: 'noted' },
    summary: 'Ends the session. A session that has ended already is no error.',
    response: Success,
    errors: ['VALIDATION_FAILED'],
    async run(_, context) {
      await signOutFrom(context)
      context.cookies.push(endedSessionCookie(context))
    },
  }),

  route({
    method: 'GET',
    path: '/user/me',
    summary: 'The signed-in user.',
    auth: 'session',
    response: SignedInUser,
    read: async (_, { db, caller }) => ({ user: userRecord(await getUser(db, caller.user_id)) }),
  }),
]

/** Gives the browser its session. */
export function signedIn(context: PublicContext, { user, session }: SignedIn) {
  context.cookies.push(...sessionCookies(context, session))
  return { user: userRecord(user) }
}

export function userRecord({ id, email, first_name, last_name, admin }: User) {
  return { id, email, firstName: first_name, lastName: last_name, is_reviewer: admin }
}
