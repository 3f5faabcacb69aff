import { type Static, Type } from '@sinclair/typebox'
import { listPeople, type Person } from '../../../accounts/directory.ts'
import { queueReset } from '../../../accounts/password-reset.ts'
import { type Notice, notifyOfOperator } from '../../../accounts/security-notices.ts'
import { endSessions } from '../../../accounts/sessions.ts'
import { removeTotp } from '../../../accounts/totp.ts'
import { disableUser, enableUser, getUser, setAdministrator, type User } from '../../../accounts/users.ts'
import { iso, isoOrNull } from '../../../clock.ts'
import { AppError } from '../../../errors.ts'
import { Cursor, enumOf, Limit, nullable, obj, Timestamp } from '../../../schema.ts'
import { route } from '../../core/route.ts'
import { MaybeTime, Success } from '../../core/schemas.ts'

export const SEARCH = Type.Optional(Type.String({ minLength: 1, maxLength: 200 }))
export const PAGE_QUERY = { limit: Type.Optional(Limit), cursor: Type.Optional(Cursor) }
export const OPERATOR = { method: 'POST', auth: 'session', operator: true } as const

const UserName = obj({ user_id: Type.String({ minLength: 1 }) })
const Account = {
  id: Type.String(),
  email: Type.String(),
  firstName: Type.String(),
  lastName: Type.String(),
  is_reviewer: Type.Boolean({ description: 'Administers the service.' }),
  created_on: Timestamp,
  last_sign_in_on: MaybeTime,
  disabled_on: MaybeTime,
}
const AccountRecord = obj(Account)
const PersonRecord = obj({
  ...Account,
  sessions: Type.Integer(),
  projects: Type.Integer(),
  apps: Type.Integer(),
  second_factor: Type.Boolean(),
  passkeys: Type.Integer(),
})

/** `/user/operator/users/…`: the accounts of the service (docs/api/operator.md#people). */
export const operatorPeopleRoutes = [
  route({
    ...OPERATOR,
    path: '/user/operator/users/list',
    summary: 'The users of the service, newest first; for administrators of the service.',
    body: obj({ search: SEARCH, status: Type.Optional(enumOf(['enabled', 'disabled'])), ...PAGE_QUERY }),
    response: obj({ items: Type.Array(PersonRecord), next_cursor: nullable(Type.String()) }),
    errors: ['INVALID_CURSOR'],
    async read(query, { store, keys, now }) {
      const { items, next_cursor } = await listPeople(store, keys, query, now)
      return { items: items.map(personRecord), next_cursor }
    },
  }),

  route({
    ...OPERATOR,
    path: '/user/operator/users/disable',
    audit: { target: { kind: 'user', input: 'user_id' } },
    summary: 'Disables a user: sessions end, and API keys and tokens stop working.',
    body: UserName,
    response: obj({ user: AccountRecord }),
    errors: ['CONFLICT', 'NOT_FOUND'],
    async write({ user_id }, context) {
      const { tx, caller, now, wake, afterCommit } = context
      // Another administrator always remains: the one who calls.
      if (user_id === caller.user_id) throw new AppError('CONFLICT', 'Nobody can disable their own account.')
      const user = await getUser(tx, user_id)
      if (user.disabled_at !== null) return { user: accountRecord(user) }
      await notifyOfOperator(tx, context, user.email, DISABLED)
      afterCommit(() => wake('mail'))
      return { user: accountRecord(await disableUser(tx, user.id, now)) }
    },
  }),

  route({
    ...OPERATOR,
    path: '/user/operator/users/enable',
    audit: { target: { kind: 'user', input: 'user_id' } },
    summary: 'Lets a disabled user sign in again. Keys and tokens work again, too.',
    body: UserName,
    response: obj({ user: AccountRecord }),
    errors: ['NOT_FOUND'],
    async write({ user_id }, context) {
      const { tx, now, wake, afterCommit } = context
      const user = await getUser(tx, user_id)
      if (user.disabled_at === null) return { user: accountRecord(user) }
      await notifyOfOperator(tx, context, user.email, ENABLED)
      afterCommit(() => wake('mail'))
      return { user: accountRecord(await enableUser(tx, user.id, now)) }
    },
  }),

  route({
    ...OPERATOR,
    path: '/user/operator/users/send-reset',
    audit: { target: { kind: 'user', input: 'user_id' } },
    summary: 'Sends a user a link with which they choose a new password. The operator does not see it.',
    body: UserName,
    response: Success,
    errors: ['CONFLICT', 'NOT_FOUND'],
    async write({ user_id }, { tx, now, wake, afterCommit }) {
      const user = await getUser(tx, user_id)
      if (user.disabled_at !== null) throw new AppError('CONFLICT', 'This user is disabled. Enable the account first.')
      await queueReset(tx, user.email, now)
      afterCommit(() => wake('mail'))
    },
  }),

  route({
    ...OPERATOR,
    path: '/user/operator/users/end-sessions',
    audit: { target: { kind: 'user', input: 'user_id' } },
    summary: 'Signs a user out everywhere. API keys and tokens of apps stay.',
    body: UserName,
    response: obj({ ended: Type.Integer() }),
    errors: ['NOT_FOUND'],
    async write({ user_id }, { tx }) {
      const user = await getUser(tx, user_id)
      return { ended: await endSessions(tx, user.id) }
    },
  }),

  route({
    ...OPERATOR,
    path: '/user/operator/users/set-operator',
    audit: { target: { kind: 'user', input: 'user_id' }, details: ['operator'] },
    summary: 'Makes a user an administrator of the service, or takes that away.',
    confirmed: true,
    body: obj({ ...UserName.properties, operator: Type.Boolean() }),
    response: obj({ user: AccountRecord }),
    errors: ['CONFLICT', 'NOT_FOUND'],
    async write({ user_id, operator }, context) {
      const { tx, now, wake, afterCommit } = context
      const user = await getUser(tx, user_id)
      if (user.admin === operator) return { user: accountRecord(user) }
      const changed = await setAdministrator(tx, user, operator, now)
      await notifyOfOperator(tx, context, user.email, operator ? MADE_OPERATOR : NO_OPERATOR)
      afterCommit(() => wake('mail'))
      return { user: accountRecord(changed) }
    },
  }),

  route({
    ...OPERATOR,
    path: '/user/operator/users/reset-second-factor',
    audit: { target: { kind: 'user', input: 'user_id' } },
    summary: 'Turns the one-time codes of a user off, with the recovery codes. Passkeys stay.',
    confirmed: true,
    body: UserName,
    response: Success,
    errors: ['CONFLICT', 'NOT_FOUND'],
    async write({ user_id }, context) {
      const { tx, wake, afterCommit } = context
      const user = await getUser(tx, user_id)
      if (!(await removeTotp(tx, user.id))) throw new AppError('CONFLICT', 'This user has no second factor.')
      await notifyOfOperator(tx, context, user.email, FACTOR_RESET)
      afterCommit(() => wake('mail'))
    },
  }),
]

const DISABLED: Notice = {
  subject: 'Your account was disabled',
  sentence: 'It was disabled by the operator. You are signed out, and your keys and connected apps do not work.',
}
const ENABLED: Notice = {
  subject: 'Your account works again',
  sentence: 'The operator enabled it. You can sign in, and your keys and connected apps work again.',
}

const MADE_OPERATOR: Notice = {
  subject: 'You operate the service now',
  sentence: 'Another operator made you an operator of the whole service: you see every project and account.',
}
const NO_OPERATOR: Notice = {
  subject: 'You do not operate the service any more',
  sentence: 'You or another operator ended your rights over the whole service. Your own projects and apps stay.',
}
const FACTOR_RESET: Notice = {
  subject: 'Your second factor was reset',
  sentence:
    'The operator turned one-time codes off and removed your recovery codes. Signing in with your password asks for ' +
    'no code until you set them up again.',
}

type Shown = Pick<
  User,
  'id' | 'email' | 'first_name' | 'last_name' | 'admin' | 'created_at' | 'last_sign_in_at' | 'disabled_at'
>

function accountRecord(user: Shown): Static<typeof AccountRecord> {
  const { id, email, first_name, last_name, admin, created_at, last_sign_in_at, disabled_at } = user
  return {
    id,
    email,
    firstName: first_name,
    lastName: last_name,
    is_reviewer: admin,
    created_on: iso(created_at),
    last_sign_in_on: isoOrNull(last_sign_in_at),
    disabled_on: isoOrNull(disabled_at),
  }
}

function personRecord(person: Person): Static<typeof PersonRecord> {
  const { sessions, projects, apps, second_factor, passkeys } = person
  return { ...accountRecord(person), sessions, projects, apps, second_factor, passkeys }
}
