import { Type } from '@sinclair/typebox'
import { requireFewInvitations } from '../../../accounts/invitation-limit.ts'
import { portalLink } from '../../../accounts/links.ts'
import { invitationMessage } from '../../../accounts/message-templates.ts'
import { queueMessage } from '../../../accounts/messages.ts'
import { requireFewMessages } from '../../../accounts/notices.ts'
import { throttleUser } from '../../../accounts/throttle.ts'
import { iso } from '../../../clock.ts'
import { withdrawMember } from '../../../oauth/authorizations.ts'
import {
  type Invitation,
  INVITATION_MS,
  invite,
  listInvitations,
  revokeInvitation,
} from '../../../projects/invitations.ts'
import { changeRole, listMembers, type Member, removeMember } from '../../../projects/members.ts'
import { obj, Timestamp } from '../../../schema.ts'
import { route } from '../../core/route.ts'
import { RoleName, Success } from '../../core/schemas.ts'
import { NewEmail } from '../account/login.routes.ts'
import { ROLE_WITH_ARTICLE } from '../role-names.ts'

export const MemberRecord = obj({
  user_id: Type.String(),
  email: Type.String(),
  firstName: Type.String(),
  lastName: Type.String(),
  role: RoleName,
  added_on: Timestamp,
})
const InvitationRecord = obj({ id: Type.String(), email: Type.String(), role: RoleName, expires_on: Timestamp })

/** `/project/members/…` and `/project/invitations/…` (docs/api/platform.md#members, #invitations). */
export const memberRoutes = [
  route({
    method: 'POST',
    path: '/project/members/list',
    summary: 'The members of the project, and its open invitations.',
    auth: 'session',
    role: 'member',
    response: obj({ members: Type.Array(MemberRecord), invitations: Type.Array(InvitationRecord) }),
    async read(_, { db, project_id, now }) {
      const [members, invitations] = await Promise.all([
        listMembers(db, project_id),
        listInvitations(db, project_id, now),
      ])
      return { members: members.map(memberRecord), invitations: invitations.map(invitationRecord) }
    },
  }),

  route({
    method: 'POST',
    path: '/project/members/update',
    summary: 'Gives a member another role. Only owners manage owners.',
    auth: 'session',
    role: 'administrator',
    body: obj({ user_id: Type.String(), role: RoleName }),
    audit: { target: { kind: 'user', input: 'user_id' }, changes: true, details: ['role'] },
    response: obj({ member: MemberRecord }),
    errors: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
    async write(change, { tx, project_id, caller, role }) {
      const acting = { user_id: caller.user_id, role }
      return { member: memberRecord(await changeRole(tx, project_id, acting, change)) }
    },
  }),

  route({
    method: 'POST',
    path: '/project/members/remove',
    summary: 'Ends a membership: anyone ends their own, administrators those of others.',
    auth: 'session',
    role: 'member',
    audit: { target: { kind: 'user', input: 'user_id' } },
    body: obj({ user_id: Type.String() }),
    response: Success,
    errors: ['INSUFFICIENT_ROLE', 'NOT_FOUND', 'CONFLICT'],
    async write({ user_id }, { tx, project_id, caller, role, now }) {
      await removeMember(tx, project_id, { user_id: caller.user_id, role }, user_id)
      await withdrawMember(tx, project_id, user_id, now)
    },
  }),

  route({
    method: 'POST',
    path: '/project/invitations/create',
    summary: 'Invites an address. The link is sent to that address only; the inviter does not see it.',
    auth: 'session',
    role: 'administrator',
    body: obj({ email: NewEmail, role: RoleName }),
    audit: { target: { answer: 'invitation' }, details: ['role'] },
    response: obj({ invitation: InvitationRecord }),
    errors: ['FORBIDDEN', 'CONFLICT', 'RATE_LIMITED'],
    async prepare(_, { limiter, caller, config }) {
      await throttleUser(limiter, 'invitation', caller.user_id, config.logins_per_minute)
    },
    async write(input, { tx, project_id, caller, role, keys, base_url, config, now, wake, afterCommit }) {
      const { user_id } = caller
      const acting = { user_id, role }
      const { invitation, token } = await invite(tx, { ...input, project_id }, acting, now)
      const content = invitationMessage({
        inviter: invitation.inviter,
        project: invitation.project_name,
        role: ROLE_WITH_ARTICLE[input.role],
        link: portalLink(base_url, 'invitation', token),
        base_url,
      })
      const recipient = invitation.email
      await requireFewInvitations(tx, user_id, config.invitations_per_day, now)
      await requireFewMessages(tx, 'invitation', recipient, now)
      const message = { kind: 'invitation', recipient, useful_ms: INVITATION_MS, content, asked_by: user_id } as const
      await queueMessage(tx, keys, message, now)
      afterCommit(() => wake('mail'))
      return { invitation: invitationRecord(invitation) }
    },
  }),

  route({
    method: 'POST',
    path: '/project/invitations/revoke',
    summary: 'Revokes an open invitation.',
    auth: 'session',
    role: 'administrator',
    audit: { target: { kind: 'invitation', input: 'invitation_id' } },
    body: obj({ invitation_id: Type.String() }),
    response: Success,
    errors: ['FORBIDDEN', 'NOT_FOUND'],
    write: ({ invitation_id }, { tx, project_id, caller, role }) =>
      revokeInvitation(tx, project_id, { user_id: caller.user_id, role }, invitation_id),
  }),
]

export function memberRecord({ user_id, email, first_name, last_name, role, added_at }: Member) {
  return { user_id, email, firstName: first_name, lastName: last_name, role, added_on: iso(added_at) }
}

function invitationRecord({ id, email, role, expires_at }: Invitation) {
  return { id, email, role, expires_on: iso(expires_at) }
}
