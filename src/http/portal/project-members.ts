import { Type } from '@sinclair/typebox'
import { invitationLetter } from '../../accounts/message-templates.ts'
import { portalLink } from '../../accounts/links.ts'
import { queueLetter } from '../../accounts/messages.ts'
import { throttleUser } from '../../accounts/throttle.ts'
import { iso } from '../../clock.ts'
import type { RateLimiter } from '../../operation/rate-limit.ts'
import {
  type Invitation,
  INVITATION_MS,
  invite,
  listInvitations,
  revokeInvitation,
} from '../../projects/invitations.ts'
import { withdrawMember } from '../../oauth/authorizations.ts'
import { changeRole, listMembers, type Member, removeMember } from '../../projects/members.ts'
import { enumOf } from '../../schema.ts'
import { ROLES } from '../../store/tables/accounts.ts'
import type { Runtime } from '../../runtime.ts'
import type { Handler } from '../core/exchange.ts'
import { inProject, stillIn } from './project.ts'
import { ROLE_WITH_ARTICLE } from './role-names.ts'

/** `/project/members/…` and `/project/invitations/…` (contract-details 12). Method, path and handler of each route. */
export function memberRoutes(runtime: Runtime, limiter: RateLimiter): [string, string, Handler][] {
  return [
    ['POST', '/project/members/list', memberList(runtime)],
    ['POST', '/project/members/update', memberUpdate(runtime)],
    ['POST', '/project/members/remove', memberRemove(runtime)],
    ['POST', '/project/invitations/create', invitationCreate(runtime, limiter)],
    ['POST', '/project/invitations/revoke', invitationRevoke(runtime)],
  ]
}

function memberList(runtime: Runtime): Handler {
  return inProject(runtime, {}, async ({ project_id, now }) => {
    const { db } = runtime.store
    const [members, invitations] = await Promise.all([
      listMembers(db, project_id),
      listInvitations(db, project_id, now),
    ])
    return { members: members.map(memberRecord), invitations: invitations.map(invitationRecord) }
  })
}

function memberUpdate(runtime: Runtime): Handler {
  return inProject(runtime, { user_id: Type.String(), role: enumOf(ROLES) }, async (admission, { user_id, role }) => {
    const member = await runtime.store.write(async (tx) =>
      changeRole(tx, admission.project_id, await stillIn(tx, admission), user_id, role),
    )
    return { member: memberRecord(member) }
  })
}

function memberRemove(runtime: Runtime): Handler {
  return inProject(runtime, { user_id: Type.String() }, async (admission, { user_id }) => {
    await runtime.store.write(async (tx) => {
      await removeMember(tx, admission.project_id, await stillIn(tx, admission), user_id)
      await withdrawMember(tx, admission.project_id, user_id)
    })
    return { success: true }
  })
}

/** The link goes to the address alone: whoever invites does not see it. */
function invitationCreate(runtime: Runtime, limiter: RateLimiter): Handler {
  return inProject(
    runtime,
    { email: Type.String({ maxLength: 320 }), role: enumOf(ROLES) },
    async (admission, { email, role }) => {
      const { store, keys, base_url, config } = runtime
      const { project_id, caller, now } = admission
      await throttleUser(limiter, 'invitation', caller.user_id, config.logins_per_minute)
      const made = await store.write(async (tx) => {
        const { invitation, token } = await invite(tx, project_id, await stillIn(tx, admission), { email, role }, now)
        const letter = invitationLetter({
          inviter: invitation.inviter,
          project: invitation.project_name,
          role: ROLE_WITH_ARTICLE[role],
          link: portalLink(base_url, 'invitation', token),
          base_url,
        })
        await queueLetter(
          tx,
          keys,
          { kind: 'invitation', recipient: invitation.email, useful_ms: INVITATION_MS },
          letter,
          now,
        )
        return invitation
      })
      runtime.wake('mail')
      return { invitation: invitationRecord(made) }
    },
  )
}

function invitationRevoke(runtime: Runtime): Handler {
  return inProject(runtime, { invitation_id: Type.String() }, async (admission, { invitation_id }) => {
    await runtime.store.write(async (tx) =>
      revokeInvitation(tx, admission.project_id, await stillIn(tx, admission), invitation_id),
    )
    return { success: true }
  })
}

function memberRecord({ user_id, email, first_name, last_name, role, added_at }: Member) {
  return { user_id, email, firstName: first_name, lastName: last_name, role, added_on: iso(added_at) }
}

function invitationRecord({ id, email, role, expires_at }: Invitation) {
  return { id, email, role, expires_on: iso(expires_at) }
}
