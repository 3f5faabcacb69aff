import { afterEach, beforeEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { account_messages } from '../../../../src/store/tables/accounts.ts'
import { authorizations } from '../../../../src/store/tables/apps.ts'
import { app_events } from '../../../../src/store/tables/oauth.ts'
import { APPS, type Desk, openDesk } from '../../../developer/desk.ts'
import { messagesTo, tokenFor } from '../../../support/mailbox.ts'
import { closeWorlds } from '../../../support/world.ts'

let desk: Desk
let one: string
let app_id: string
beforeEach(async () => {
  desk = await openDesk()
  app_id = (await desk.app({ displayName: 'Tide tables' })).id
  one = `${APPS}/${app_id}`
})
afterEach(closeWorlds)

const invite = (email: string) => desk.as('outsider', 'POST', `${one}/team/invitations`, { email })
const store = () => desk.world.service.runtime.store

test('An invitation to a team names who invites and the approved app, and is of use as long as its link.', async () => {
  await desk.approve(app_id)
  await desk.ok('outsider', 'PATCH', one, { displayName: 'Tide clock' })
  const { invitation } = (await invite('member@example.com')).body
  const shown = { id: invitation.id, email: 'member@example.com', expires_on: '2026-01-22T09:00:00.000Z' }
  expect(invitation).toEqual(shown)
  expect((await desk.ok('editor', 'GET', `${one}/team`)).invitations).toEqual([shown])
  const [{ subject, text }] = (await messagesTo(desk.world, 'member@example.com')).slice(-1) as [any]
  expect(subject).toBe(`Invitation to the team of an app at ${new URL(desk.world.url).host}`)
  const host = new URL(desk.world.url).host
  expect(text.replaceAll(/\s+/g, ' ')).toContain(
    `outsider invites you to the team of the app “Tide tables” at ${host}. The link works once, for seven days.`,
  )
  expect(text).toContain('If you did not expect this, ignore it.')
  const token = await tokenFor(desk.world, 'member@example.com', 'invitation')
  expect((await desk.world.fetch(`/portal/invitation?token=${token}`)).status).toBe(200)
  const [row] = await store()
    .db.select()
    .from(account_messages)
    .where(eq(account_messages.recipient, 'member@example.com'))
  expect([row!.kind, row!.expires_at]).toEqual(['invitation', Date.parse(shown.expires_on)])
})

test('A user sees the open invitations to the own address, each until it ends.', async () => {
  await desk.approve(app_id)
  expect((await invite('member@example.com')).status).toBe(200)
  const seen = async () => (await desk.ok('member', 'GET', '/user/invitations')).invitations
  const invitation = { id: expect.any(String), kind: 'app', name: 'Tide tables', place: 'a developer of the app' }
  expect(await seen()).toEqual([{ ...invitation, inviter: 'outsider', expires_on: '2026-01-22T09:00:00.000Z' }])
  expect((await desk.ok('owner', 'GET', '/user/invitations')).invitations).toEqual([])
  const { clock } = desk.world
  clock.advance(7 * 86_400_000)
  expect(await seen()).toEqual([])
})

test('The invitations of somebody who is removed from a team end, and do not return with them.', async () => {
  const join = async (by: 'outsider' | 'owner', who: 'owner' | 'member') => {
    const { invitation } = (await desk.as(by, 'POST', `${one}/team/invitations`, { email: `${who}@example.com` })).body
    return () => desk.as(who, 'POST', `/user/invitations/${invitation.id}/accept`, {})
  }
  expect((await (await join('outsider', 'owner'))()).status).toBe(200)
  const { team } = await desk.ok('outsider', 'GET', `${one}/team`)
  const { user_id } = team.find(({ email }: { email: string }) => email === 'owner@example.com')
  const accept = await join('owner', 'member')
  expect((await desk.as('outsider', 'DELETE', `${one}/team/${user_id}`)).status).toBe(200)
  expect((await (await join('outsider', 'owner'))()).status).toBe(200)
  expect((await desk.ok('outsider', 'GET', `${one}/team`)).invitations).toEqual([])
  expect((await accept()).status).toBe(404)
})

test('A mailbox gets ten invitations a day, and both calls of a user count as one kind.', async () => {
  const statuses = []
  for (let n = 0; n < 11; n++) statuses.push((await invite(`guest+${n}@example.com`)).status)
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429])
  const limits = desk.world.service.runtime.config as { logins_per_minute: number }
  const usual = limits.logins_per_minute
  limits.logins_per_minute = 2
  desk.world.clock.advance(60_000)
  const add = () => desk.as('outsider', 'POST', `${one}/team`, { email: 'nobody@example.com' })
  const both = []
  for (let n = 0; n < 3; n++) both.push([(await invite('one@example.com')).status, (await add()).status])
  limits.logins_per_minute = usual
  expect(both).toEqual([
    [200, 200],
    [429, 429],
    [429, 429],
  ])
})

test('The uses of an app are listed in pages with their times, and beside them the fifty latest events.', async () => {
  const { project, other, clock } = desk.world
  const now = clock.now()
  await desk.token(app_id, { scopes: ['scripts:read', 'scripts:embed'] })
  await store().write((tx) => tx.update(authorizations).set({ last_used_at: now + 5000 }))
  clock.advance(1000)
  await desk.token(app_id, { scopes: ['profile'], project_ids: [other.id] })
  await store().write((tx) =>
    tx
      .insert(app_events)
      .values(Array.from({ length: 51 }, (_, nth) => ({ app_id, type: 'resumed' as const, at: now + nth }))),
  )
  const read = (query = '', by: 'editor' | 'outsider' = 'outsider') => desk.ok(by, 'GET', `${one}/installs${query}`)
  const all = await read('', 'editor')
  const iso = (at: number) => new Date(at).toISOString()
  expect(all.installs).toMatchObject([
    { project_id: other.public_id, connected_on: iso(now + 1000), last_used_on: null, scripts: [] },
    { project_id: project.public_id, connected_on: iso(now), last_used_on: iso(now + 5000) },
  ])
  expect([all.next_cursor, all.totals.projects, all.latest_events.length]).toEqual([null, 2, 50])
  const first = await read('?limit=1')
  expect(first.installs).toEqual(all.installs.slice(0, 1))
  expect(await read(`?limit=1&cursor=${first.next_cursor}`)).toMatchObject({
    installs: all.installs.slice(1),
    next_cursor: null,
  })
})
