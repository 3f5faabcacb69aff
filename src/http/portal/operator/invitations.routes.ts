import { Type } from '@sinclair/typebox'
import { inviteUser, listUserInvitations, revokeUserInvitation } from '../../../accounts/user-invitations.ts'
import { iso } from '../../../clock.ts'
import { obj, Timestamp } from '../../../schema.ts'
import { route } from '../../core/route.ts'
import { EmailText } from '../account/login.routes.ts'
import { Success } from '../../core/schemas.ts'
import { OPERATOR } from './people.routes.ts'

const Invited = obj({ email: EmailText })

/** `/user/operator/invitations/…`: people who are asked to make an account (docs/api/operator.md#people). */
export const operatorInvitationRoutes = [
  route({
    ...OPERATOR,
    path: '/user/operator/invitations/list',
    summary: 'The addresses that are invited to make an account, the newest first.',
    response: obj({
      invitations: Type.Array(
        obj({ email: Type.String(), inviter: Type.String(), created_on: Timestamp, expires_on: Timestamp }),
      ),
    }),
    read: async (_, { db, now }) => ({
      invitations: (await listUserInvitations(db, now)).map(({ created_at, expires_at, ...invitation }) => ({
        ...invitation,
        created_on: iso(created_at),
        expires_on: iso(expires_at),
      })),
    }),
  }),

  route({
    ...OPERATOR,
    path: '/user/operator/invitations/create',
    audit: { target: 'user' },
    summary: 'Sends a link with which the owner of an address makes an account, also where sign-up is closed.',
    confirmed: true,
    body: Invited,
    response: Success,
    errors: ['CONFLICT'],
    async write({ email }, context) {
      const { tx, caller, wake, afterCommit } = context
      await inviteUser(tx, context, { email, invited_by: caller.user_id })
      afterCommit(() => wake('mail'))
    },
  }),

  route({
    ...OPERATOR,
    path: '/user/operator/invitations/revoke',
    audit: { target: 'user' },
    summary: 'Ends the invitation of an address.',
    body: Invited,
    response: Success,
    errors: ['NOT_FOUND'],
    write: ({ email }, { tx }) => revokeUserInvitation(tx, email),
  }),
]
