import { emailKey } from '../../../address.ts'
import { type Static, Type } from '@sinclair/typebox'
import { confirmEmailChange, requestEmailChange } from '../../../accounts/email-change.ts'
import { exportAccount } from '../../../accounts/export.ts'
import { requestSignUp, signUp } from '../../../accounts/sign-up.ts'
import { throttleAddress, throttleUser } from '../../../accounts/throttle.ts'
import { getUser, renameUser } from '../../../accounts/users.ts'
import { iso } from '../../../clock.ts'
import { type AccountDeletion, accountDeletion, deleteAccount } from '../../../deletion/account.ts'
import { invalid } from '../../../errors.ts'
import { enumOf, line, obj, ruled } from '../../../schema.ts'
import { route } from '../../core/route.ts'
import { Success } from '../../core/schemas.ts'
import { endedSessionCookie } from '../../core/session-cookie.ts'
import { NewEmail, NewPassword, SignedInUser, signedIn, userRecord } from './login.routes.ts'
import { visitOf } from './sign-in.ts'

const Token = Type.String({ maxLength: 100 })
const PersonName = line(100)

const NamedProjects = Type.Array(obj({ id: Type.String(), name: Type.String() }))
const APP = { id: Type.String(), displayName: Type.String() }
const Deletion = obj({
  deletes_projects: NamedProjects,
  blocked_by: NamedProjects,
  leaves_projects: NamedProjects,
  deletes_apps: Type.Array(obj(APP)),
  hands_over_apps: Type.Array(obj({ ...APP, to: Type.String({ description: 'The user who gets it.' }) })),
  is_last_administrator: Type.Boolean({ description: 'The account cannot be deleted.' }),
})

const profile = [
  route({
    method: 'PATCH',
    path: '/user/me',
    summary: 'Changes the name of the signed-in user.',
    auth: 'session',
    audit: { target: 'user', changes: true },
    body: obj({ firstName: Type.Optional(PersonName), lastName: Type.Optional(PersonName) }),
    response: SignedInUser,
    async write({ firstName, lastName }, { tx, caller, now }) {
      const names = { first_name: firstName, last_name: lastName }
      return { user: userRecord(await renameUser(tx, caller.user_id, names, now)) }
    },
  }),

  route({
    method: 'POST',
    path: '/user/email/change',
    summary: 'Sends a link to a new address. The account has it once the link is used.',
    auth: 'session',
    audit: { target: 'user' },
    confirmed: true,
    body: obj({ email: NewEmail }),
    response: Success,
    errors: ['RATE_LIMITED'],
    prepare: (_, { limiter, caller, config }) =>
      throttleUser(limiter, 'email', caller.user_id, config.logins_per_minute),
    async write({ email }, context) {
      const { tx, caller, wake, afterCommit } = context
      await requestEmailChange(tx, context, caller.user_id, email)
      afterCommit(() => wake('mail'))
    },
  }),

  route({
    method: 'POST',
    path: '/user/email/confirm',
    summary: 'Gives an account its new address, with the token of the message.',
    auth: 'public',
    own_pages: true,
    body: obj({ token: Token }),
    response: obj({ email: Type.String() }),
    errors: ['NOT_FOUND', 'CONFLICT', 'RATE_LIMITED'],
    async run({ token }, context) {
      const { store, limiter, address, config, wake } = context
      await throttleAddress(limiter, 'reset', address, config.logins_per_minute)
      const email = await store.write((tx) => confirmEmailChange(tx, context, token))
      wake('mail')
      return { email }
    },
  }),

  route({
    method: 'GET',
    path: '/user/export',
    summary: 'Everything that the service holds about the signed-in user, as JSON.',
    auth: 'session',
    cost: 20,
    response: 'file',
    media_type: 'application/json',
    audit: { target: 'user', reads: true },
    async respond({ store, caller, now }) {
      const sections = await exportAccount(store, caller.user_id)
      return new Response(JSON.stringify({ exported_on: iso(now), ...withTimes(sections) }, null, 2), {
        headers: {
          'Content-Type': 'application/json',
          'Content-Disposition': 'attachment; filename="masthead-account.json"',
        },
      })
    },
  }),
]

const end = [
  route({
    method: 'GET',
    path: '/user/deletion',
    summary: 'What the deletion of the account would do, and what is in its way.',
    auth: 'session',
    response: obj({ deletion: Deletion }),
    read: async (_, { db, caller }) => ({ deletion: deletionRecord(await accountDeletion(db, caller.user_id)) }),
  }),

  route({
    method: 'POST',
    path: '/user/deletion',
    summary: 'Deletes the account, at once and for good.',
    auth: 'session',
    audit: { target: 'user' },
    confirmed: true,
    body: obj({ email: Type.String({ maxLength: 320, description: 'The address of the account, typed again.' }) }),
    response: Success,
    errors: ['CONFLICT'],
    async write({ email }, context) {
      const { tx, caller, cookies, wake, afterCommit } = context
      const user = await getUser(tx, caller.user_id)
      if (emailKey(email) !== emailKey(user.email)) throw invalid('/email', 'This is not the address of your account.')
      await deleteAccount(tx, context, caller.user_id)
      cookies.splice(0, Infinity, endedSessionCookie(context))
      afterCommit(() => {
        wake('mail')
        wake('maintenance')
      })
    },
  }),
]

const signUps = [
  route({
    method: 'GET',
    path: '/user/sign-up',
    summary: 'Who can make an account here.',
    auth: 'public',
    response: obj({ sign_up: enumOf(['closed', 'invited', 'open']) }),
    read: (_, { config }) => ({ sign_up: config.sign_up }),
  }),

  route({
    method: 'POST',
    path: '/user/sign-up/request',
    summary: 'Sends a link that makes an account. The response is the same for every address.',
    auth: 'public',
    own_pages: true,
    body: obj({ email: NewEmail }),
    response: Success,
    errors: ['RATE_LIMITED', 'FORBIDDEN'],
    run: ({ email }, context) => requestSignUp(context, email),
  }),

  route({
    method: 'POST',
    path: '/user/sign-up',
    summary: 'Makes an account with the token of the message, and signs in.',
    auth: 'public',
    own_pages: true,
    body: obj({
      token: Token,
      password: NewPassword,
      firstName: Type.Optional(ruled(Type.String(), PersonName)),
      lastName: Type.Optional(ruled(Type.String(), PersonName)),
    }),
    response: SignedInUser,
    errors: ['NOT_FOUND', 'CONFLICT', 'RATE_LIMITED', 'FORBIDDEN'],
    async run({ token, password, firstName, lastName }, context) {
      const input = { token, password, first_name: firstName, last_name: lastName }
      return signedIn(context, await signUp(context, input, visitOf(context)))
    },
  }),
]

/** `/user/…`: name, address, export and end of one's account, and making one (docs/api/platform.md#account). */
export const ownAccountRoutes = [...profile, ...end, ...signUps]

function deletionRecord({ deletes_apps, hands_over_apps, ...plan }: AccountDeletion): Static<typeof Deletion> {
  return {
    ...plan,
    deletes_apps: deletes_apps.map(({ id, display_name }) => ({ id, displayName: display_name })),
    hands_over_apps: hands_over_apps.map(({ id, display_name, to }) => ({ id, displayName: display_name, to })),
  }
}

type Sections = Awaited<ReturnType<typeof exportAccount>>

/** The sections with times in ISO 8601. */
function withTimes(sections: Sections): Sections {
  const shown = (name: string, value: string | number | null) =>
    name.endsWith('_at') && typeof value === 'number' ? iso(value) : value
  return Object.fromEntries(
    Object.entries(sections).map(([section, rows]) => [
      section,
      rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, shown(name, value)]))),
    ]),
  )
}
