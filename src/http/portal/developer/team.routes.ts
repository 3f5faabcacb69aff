import { type Static, Type } from '@sinclair/typebox'
import { requireFewInvitations } from '../../../accounts/invitation-limit.ts'
import { portalLink } from '../../../accounts/links.ts'
import { hostOf, message } from '../../../accounts/message-templates.ts'
import { queueMessage } from '../../../accounts/messages.ts'
import { requireFewMessages } from '../../../accounts/notices.ts'
import { throttleUser } from '../../../accounts/throttle.ts'
import { getUser } from '../../../accounts/users.ts'
import { iso, isoOrNull } from '../../../clock.ts'
import { openApp } from '../../../developer/apps.ts'
import { callsOfApp } from '../../../developer/app-calls.ts'
import { countInstalls, type Install, listInstalls } from '../../../developer/installs.ts'
import { listTeam, removeFromTeam } from '../../../developer/team.ts'
import {
  inviteToTeam,
  listTeamInvitations,
  revokeTeamInvitation,
  TEAM_INVITATION_MS,
  type TeamInvitation,
} from '../../../developer/team-invitations.ts'
import { latestEvents } from '../../../oauth/events.ts'
import { NewEmail } from '../account/login.routes.ts'
import { Cursor, enumOf, Id, Limit, nullable, obj, Timestamp } from '../../../schema.ts'
import { SCRIPT_TYPES } from '../../../store/tables/scripts.ts'
import { route, type WriteContext } from '../../core/route.ts'
import { MaybeTime, Success } from '../../core/schemas.ts'
import { eventRecord, EventRecord } from '../../oauth/app-events.routes.ts'
import { APPS } from './apps.routes.ts'
import { TeamMemberRecord, teamMemberRecord } from './records.ts'
import { getOffer, offersFor } from '../offers.ts'

const APP = `${APPS}/:id` as const
const LATEST_EVENTS = 50

const InvitationRecord = obj({ id: Type.String(), email: Type.String(), expires_on: Timestamp })
const OfferRecord = obj({
  id: Type.String(),
  kind: enumOf(['project', 'app']),
  name: Type.String({ description: 'Of the project or app.' }),
  place: Type.String({ description: 'What the user would become, such as `an editor of the project`.' }),
  inviter: Type.String(),
  expires_on: Timestamp,
})
const InstallRecord = obj({
  project_id: Type.String(),
  name: Type.String(),
  domain: nullable(Type.String()),
  scope: Type.String(),
  users: Type.Integer({ description: 'Users who have authorized the app for the project.' }),
  connected_on: Timestamp,
  last_used_on: MaybeTime,
  scripts: Type.Array(
    obj({
      script_id: Id,
      name: Type.String(),
      type: enumOf(SCRIPT_TYPES),
      enabled: Type.Boolean({ description: 'False once the owner of the site switched it off.' }),
    }),
  ),
})

const team = [
  route({
    method: 'GET',
    path: `${APP}/team`,
    summary: 'The team of an app.',
    auth: 'session',
    response: obj({ team: Type.Array(TeamMemberRecord), invitations: Type.Array(InvitationRecord) }),
    async read({ id }, { db, caller, now }) {
      const app = await openApp(db, id, caller.user_id, 'read')
      const [team, invitations] = await Promise.all([listTeam(db, app.id), listTeamInvitations(db, app.id, now)])
      return { team: team.map(teamMemberRecord), invitations: invitations.map(invitationRecord) }
    },
  }),

  route({
    method: 'POST',
    path: `${APP}/team/invitations`,
    summary: 'Invites an address to the team. The link is sent to that address only.',
    auth: 'session',
    audit: { target: { answer: 'invitation' }, ids: { app_id: 'id' } },
    body: obj({ email: NewEmail }),
    response: obj({ invitation: InvitationRecord }),
    errors: ['CONFLICT', 'RATE_LIMITED'],
    prepare: (_, { limiter, caller, config }) =>
      throttleUser(limiter, 'invitation', caller.user_id, config.logins_per_minute),
    write: async ({ id, email }, context) => ({ invitation: invitationRecord(await inviteByMail(context, id, email)) }),
  }),

  route({
    method: 'DELETE',
    path: `${APP}/team/invitations/:invitationId`,
    summary: 'Revokes an open invitation to the team.',
    auth: 'session',
    audit: { target: { kind: 'app', input: 'id' }, ids: { invitation_id: 'invitationId' } },
    body: obj({}),
    response: Success,
    write: async ({ id, invitationId }, { tx, caller }) =>
      revokeTeamInvitation(tx, (await openApp(tx, id, caller.user_id, 'change')).id, invitationId),
  }),

  route({
    method: 'POST',
    path: `${APP}/team`,
    summary: 'Invites an address to the team. The answer tells nothing of the address or of who has it.',
    auth: 'session',
    audit: { target: { kind: 'app', input: 'id' } },
    body: obj({ email: NewEmail }),
    response: obj({ success: Type.Literal(true), invited: Type.Literal(true) }),
    errors: ['CONFLICT', 'RATE_LIMITED'],
    prepare: (_, { limiter, caller, config }) =>
      throttleUser(limiter, 'invitation', caller.user_id, config.logins_per_minute),
    async write({ id, email }, context) {
      await inviteByMail(context, id, email)
      return { success: true as const, invited: true as const }
    },
  }),

  route({
    method: 'DELETE',
    path: `${APP}/team/:userId`,
    summary: 'Removes a user from the team.',
    auth: 'session',
    audit: { target: { kind: 'app', input: 'id' }, ids: { user_id: 'userId' } },
    body: obj({}),
    response: Success,
    errors: ['CONFLICT'],
    write: async ({ id, userId }, { tx, caller, now }) =>
      removeFromTeam(tx, await openApp(tx, id, caller.user_id, 'change'), userId, now),
  }),

  route({
    method: 'GET',
    path: `${APP}/installs`,
    summary: 'The projects that use the app now, those that connected last first, and what happened last.',
    auth: 'session',
    query: Type.Object({ limit: Type.Optional(Limit), cursor: Type.Optional(Cursor) }),
    response: obj({
      installs: Type.Array(InstallRecord),
      next_cursor: nullable(Type.String()),
      totals: obj({
        projects: Type.Integer(),
        users: Type.Integer(),
        script_connections: Type.Integer(),
        calls_in_7_days: Type.Integer({
          description: 'For projects and for none, today and in the six days before.',
        }),
        errors_in_7_days: Type.Integer({ description: 'Calls among them that were refused or failed.' }),
      }),
      latest_events: Type.Array(EventRecord, { maxItems: LATEST_EVENTS }),
    }),
    errors: ['INVALID_CURSOR'],
    async read({ id, ...query }, { db, store, keys, caller, now }) {
      const app = await openApp(db, id, caller.user_id, 'read')
      const [{ items, next_cursor }, totals, calls, events] = await Promise.all([
        listInstalls(store, keys, app.id, query),
        countInstalls(db, app.id),
        callsOfApp(db, app.id, now),
        latestEvents(db, app.id, LATEST_EVENTS),
      ])
      return {
        ...{ installs: items.map(installRecord), next_cursor },
        ...{ totals: { ...totals, ...calls }, latest_events: events.map(eventRecord) },
      }
    },
  }),
]

/** Invitations to projects and teams, for the user whose address they were sent to. */
const invitations = [
  route({
    method: 'GET',
    path: '/user/invitations',
    summary: 'The open invitations to the address of the signed-in user.',
    auth: 'session',
    response: obj({ invitations: Type.Array(OfferRecord) }),
    async read(_, { db, caller, now }) {
      const { email } = await getUser(db, caller.user_id)
      const offers = await offersFor(db, email, now)
      return {
        invitations: offers.map(({ id, kind, name, place, inviter, expires_at }) => ({
          id,
          kind,
          name,
          place,
          inviter,
          expires_on: iso(expires_at),
        })),
      }
    },
  }),

  route({
    method: 'POST',
    path: '/user/invitations/:id/accept',
    summary: 'Accepts an invitation to the address of the signed-in user.',
    auth: 'session',
    audit: { target: { kind: 'invitation', input: 'id' } },
    body: obj({}),
    response: Success,
    errors: ['NOT_FOUND', 'CONFLICT', 'INVALID_STATE'],
    async write({ id }, { tx, caller, now }) {
      const offer = await getOffer(tx, { id }, now)
      await offer.accept(tx, await getUser(tx, caller.user_id), now)
    },
  }),
]

/** The team of an app, where the app is used, and invitations (docs/api/platform.md#developer-apps). */
export const developerTeamRoutes = [...team, ...invitations]

/** Invites an address to the team of an app, and queues the message with the link. */
async function inviteByMail(
  { tx, caller: { user_id }, keys, base_url, config, now, wake, afterCommit }: WriteContext<'session'>,
  app_id: string,
  email: string,
): Promise<TeamInvitation> {
  const app = await openApp(tx, app_id, user_id, 'change')
  const { invitation, token } = await inviteToTeam(tx, app, { email, invited_by: user_id }, now)
  await requireFewInvitations(tx, user_id, config.invitations_per_day, now)
  await requireFewMessages(tx, 'invitation', invitation.email, now)
  const content = message(base_url, {
    // A subject is read before the message is opened, so it has no words of people who use the service.
    subject: `Invitation to the team of an app at ${hostOf(base_url)}`,
    paragraphs: [
      `${invitation.inviter} invites you to the team of the app “${invitation.app_name}” at ` +
        `${hostOf(base_url)}. The link works once, for seven days.`,
    ],
    link: { label: 'View the invitation', address: portalLink(base_url, 'invitation', token) },
    closing: 'If you did not expect this, ignore it.',
  })
  const sent = { kind: 'invitation', recipient: invitation.email, useful_ms: TEAM_INVITATION_MS, content } as const
  await queueMessage(tx, keys, { ...sent, asked_by: user_id }, now)
  afterCommit(() => wake('mail'))
  return invitation
}

function invitationRecord({ id, email, expires_at }: TeamInvitation): Static<typeof InvitationRecord> {
  return { id, email, expires_on: iso(expires_at) }
}

function installRecord({ connected_at, last_used_at, ...install }: Install): Static<typeof InstallRecord> {
  return { ...install, connected_on: iso(connected_at), last_used_on: isoOrNull(last_used_at) }
}
