import { beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { getUser } from '../../src/accounts/users.ts'
import { listTeam } from '../../src/developer/team.ts'
import {
  acceptTeamInvitation,
  getTeamInvitation,
  inviteToTeam,
  isInvitedToTeam,
  listTeamInvitations,
  revokeTeamInvitation,
  TEAM_INVITATION_MS,
  teamInvitationRetention,
} from '../../src/developer/team-invitations.ts'
import { users } from '../../src/store/tables/accounts.ts'
import { app_invitations } from '../../src/store/tables/developer.ts'
import { newApp, newUser, NOW, sharedStore, write } from '../support/shared-store.ts'
import { messagesTo, tokenFor } from '../support/mailbox.ts'
import { APPS, type Desk, openDesk } from './desk.ts'

let desk: Desk
let team: string
beforeEach(async () => {
  desk = await openDesk()
  team = `${APPS}/${(await desk.app({ displayName: 'Tide tables' })).id}/team`
})

const invite = (email: string) => desk.as('outsider', 'POST', `${team}/invitations`, { email })
const emails = async () => (await desk.ok('outsider', 'GET', team)).team.map(({ email }: any) => email)

test('A person with an account is invited by mail, and joins the team with the address.', async () => {
  expect((await invite('member@example.com')).body.invitation.expires_on).toBe('2026-01-22T09:00:00.000Z')
  expect((await messagesTo(desk.world, 'member@example.com')).at(-1)!.subject).toBe(
    `Invitation to the team of an app at ${new URL(desk.world.url).host}`,
  )
  const { invitations } = await desk.ok('member', 'GET', '/user/invitations')
  expect(invitations).toMatchObject([
    { kind: 'app', name: 'Tide tables', place: 'a developer of the app', inviter: 'outsider' },
  ])
  const accept = `/user/invitations/${invitations[0].id}/accept`
  expect((await desk.as('administrator', 'POST', accept, {})).status).toBe(403)
  expect((await desk.as('member', 'POST', accept, {})).status).toBe(200)
  expect((await desk.as('member', 'POST', accept, {})).status).toBe(404)
  expect(await emails()).toEqual(['outsider@example.com', 'member@example.com'])
  expect((await invite('Member@example.com')).body.error).toBe('conflict')
})

test('An invitation answers alike for addresses with an account, without one and invited before.', async () => {
  const { world } = desk
  const call = (email: string) => desk.as('outsider', 'POST', team, { email })
  const answers = [
    await call('member@example.com'),
    await call('nobody-here@example.com'),
    await call('nobody-here@example.com'),
  ]
  for (const { status, body } of answers) expect([status, body]).toEqual([200, { success: true, invited: true }])
  expect(await emails()).toEqual(['outsider@example.com'])
  for (const email of ['member@example.com', 'nobody-here@example.com'])
    expect((await messagesTo(world, email)).at(-1)!.text).toContain('to the team of the app “Tide tables”')
})

test('A person without an account makes one with the link.', async () => {
  await invite('new@example.com')
  const token = await tokenFor(desk.world, 'new@example.com', 'invitation')
  const shown = await (await desk.world.fetch(`/portal/invitation?token=${token}`)).text()
  expect(shown).toContain('as a developer of the app')
  const joined = await desk.world.fetch('/portal/invitation', {
    method: 'POST',
    headers: { Origin: desk.world.url },
    body: new URLSearchParams({ token, password: 'a password nobody guesses', first_name: 'Nia' }),
  })
  expect(joined.status).toBe(303)
  expect(await emails()).toContain('new@example.com')
})

test('An invitation is revoked by the team, and repeated with a new link.', async () => {
  const { invitation } = (await invite('guest@example.com')).body
  const first = await tokenFor(desk.world, 'guest@example.com', 'invitation')
  await invite('guest@example.com')
  expect((await desk.world.fetch(`/portal/invitation?token=${first}`)).status).toBe(404)
  const { invitations } = await desk.ok('outsider', 'GET', team)
  expect(invitations.map(({ email }: any) => email)).toEqual(['guest@example.com'])
  expect(invitations[0].id).not.toBe(invitation.id)
  const revoke = `${team}/invitations/${invitations[0].id}`
  expect((await desk.as('administrator', 'DELETE', revoke, {})).status).toBe(404)
  expect((await desk.as('outsider', 'DELETE', revoke, {})).status).toBe(200)
  const second = await tokenFor(desk.world, 'guest@example.com', 'invitation')
  expect((await desk.world.fetch(`/portal/invitation?token=${second}`)).status).toBe(404)
})

test('An invitation ends when its inviter leaves the team, who could join again by it.', async () => {
  await invite('member@example.com')
  const { invitations } = await desk.ok('member', 'GET', '/user/invitations')
  await desk.ok('member', 'POST', `/user/invitations/${invitations[0].id}/accept`, {})
  expect((await desk.as('member', 'POST', `${team}/invitations`, { email: 'friend@example.com' })).status).toBe(200)
  const token = await tokenFor(desk.world, 'friend@example.com', 'invitation')
  const shown = () => desk.world.fetch(`/portal/invitation?token=${token}`)
  expect((await shown()).status).toBe(200)
  await desk.ok('outsider', 'DELETE', `${team}/${desk.world.users.member}`, {})
  expect((await shown()).status).toBe(404)
})

test('An address can try to make accounts by an invitation as often as it can sign in.', async () => {
  await invite('late@example.com')
  const token = await tokenFor(desk.world, 'late@example.com', 'invitation')
  const config = desk.world.service.runtime.config as { logins_per_minute: number }
  config.logins_per_minute = 1
  desk.world.clock.advance(60_000)
  const body = new URLSearchParams({ token, password: 'short' })
  const join = () =>
    desk.world.fetch('/portal/invitation', { method: 'POST', headers: { Origin: desk.world.url }, body })
  expect([(await join()).status, (await join()).status]).toEqual([400, 429])
})

describe('an open invitation', () => {
  const GUEST = 'guest@team.example'
  const invite = (app: { id: string; user_id: string }, email: string, invited_by = app.user_id, now = NOW) =>
    write((tx) => inviteToTeam(tx, app, { email, invited_by }, now))
  const open = async (app_id: string, now = NOW) =>
    (await listTeamInvitations((await sharedStore()).db, app_id, now)).map(({ email }) => email)

  test('An open invitation ends after seven days, and is closed while its inviter cannot sign in.', async () => {
    const { db } = await sharedStore()
    const inviter = await newUser({ first_name: 'Ann', last_name: 'Quay' })
    const app = await newApp(inviter)
    const { invitation, token } = await invite(app, ' ends@team.example ')
    expect(invitation).toMatchObject({
      email: 'ends@team.example',
      inviter: 'Ann Quay',
      app_name: 'Lamp',
      app_id: app.id,
    })
    expect(await getTeamInvitation(db, { token }, NOW + TEAM_INVITATION_MS - 1)).toEqual(invitation)
    expect(await isInvitedToTeam(db, 'Ends@team.EXAMPLE', NOW)).toBe(true)
    // The Kelvin sign folds into k, and the mailbox may be another person's.
    await invite(await newApp(inviter), 'kim@team.example')
    expect(await isInvitedToTeam(db, '\u212Aim@team.example', NOW)).toBe(false)
    const gone = getTeamInvitation(db, { token }, NOW + TEAM_INVITATION_MS)
    await expect(gone).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const setDisabled = (disabled_at: number | null) =>
      write((tx) => tx.update(users).set({ disabled_at }).where(eq(users.id, inviter)))
    await setDisabled(NOW)
    expect([await open(app.id), await isInvitedToTeam(db, 'ends@team.example', NOW)]).toEqual([[], false])
    await setDisabled(null)
    expect(await open(app.id)).toEqual(['ends@team.example'])
  })

  test('An open invitation is one of at most fifty, for nobody in the team, and replaced when repeated.', async () => {
    const app = await newApp(await newUser({ email: 'creator@team.example' }))
    for (const email of ['nobody', ''])
      await expect(invite(app, email)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
    await expect(invite(app, 'CREATOR@team.example')).rejects.toMatchObject({ code: 'CONFLICT' })
    for (let count = 0; count < 50; count++) await invite(app, `person-${count}@team.example`)
    await expect(invite(app, GUEST)).rejects.toMatchObject({ code: 'CONFLICT' })
    await invite(app, 'Person-0@team.example')
    expect((await open(app.id)).length).toBe(50)
    await invite(app, GUEST, app.user_id, NOW + TEAM_INVITATION_MS)
    expect(await open(app.id, NOW + TEAM_INVITATION_MS)).toEqual([GUEST])
  })

  test('An open invitation is taken once, by the user with its address, and revoked by its own app only.', async () => {
    const { db } = await sharedStore()
    const app = await newApp(await newUser())
    const [guest, other] = [await newUser({ email: 'taker@team.example' }), await newUser()]
    const { invitation } = await invite(app, 'taker@team.example')
    const accept = async (user_id: string) => {
      const user = await getUser(db, user_id)
      return write((tx) => acceptTeamInvitation(tx, invitation.id, user, NOW))
    }
    await expect(accept(other)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await accept(guest)
    expect((await listTeam(db, app.id)).map(({ user_id }) => user_id)).toEqual([app.user_id, guest])
    await expect(accept(guest)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const { invitation: next } = await invite(app, 'next@team.example')
    const revoke = (app_id: string) => write((tx) => revokeTeamInvitation(tx, app_id, next.id))
    await expect(revoke((await newApp(other)).id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await revoke(app.id)
    expect(await open(app.id)).toEqual([])
  })

  test('An open invitation is deleted when it expires.', async () => {
    const { db } = await sharedStore()
    const app = await newApp(await newUser())
    await invite(app, 'kept@team.example')
    const left = () => db.$count(app_invitations, eq(app_invitations.app_id, app.id))
    const clean = (now: number) => write((tx) => tx.run(teamInvitationRetention.statement(now, 1000)))
    await clean(NOW + TEAM_INVITATION_MS - 1)
    expect(await left()).toBe(1)
    await clean(NOW + TEAM_INVITATION_MS)
    expect(await left()).toBe(0)
  })
})
