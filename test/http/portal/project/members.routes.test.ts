import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { disableUser } from '../../../../src/accounts/users.ts'
import { tokenHash } from '../../../../src/secrets.ts'
import type { Role } from '../../../../src/shared/roles.ts'
import { account_messages, invitations, members, users } from '../../../../src/store/tables/accounts.ts'
import { messagesTo } from '../../../support/mailbox.ts'
import { closeWorlds, createWorld, START, type World } from '../../../support/world.ts'
import { post, signIn } from '../../signed-in.ts'

const WEEK_MS = 7 * 24 * 3_600_000
const PEOPLE = ['owner', 'administrator', 'editor', 'member'] as const

let world: World
const cookies: Record<string, string> = {}
beforeEach(async () => {
  world = await createWorld()
  for (const person of [...PEOPLE, 'outsider']) cookies[person] = await signIn(world, person)
})
afterEach(closeWorlds)

async function call(person: string, path: string, body: object = {}): Promise<{ status: number; body: any }> {
  const answer = await post(
    world,
    `/project/${path}`,
    { project_id: world.project.public_id, ...body },
    { cookie: cookies[person]! },
  )
  return { status: answer.status, body: await answer.json() }
}
const statusOf = (person: string, path: string, body: object) =>
  call(person, path, body).then(({ status, body: { error } }) => (error ? `${status} ${error}` : status))
const roles = async () =>
  Object.fromEntries(
    ((await call('owner', 'members/list')).body.members as { email: string; role: Role }[]).map(({ email, role }) => [
      email.split('@')[0],
      role,
    ]),
  )
const id = (person: keyof World['users']) => ({ user_id: world.users[person] })

describe('members', () => {
  const update = (person: string, whom: keyof World['users'], role: Role) =>
    statusOf(person, 'members/update', { ...id(whom), role })
  const remove = (person: string, whom: keyof World['users']) => statusOf(person, 'members/remove', id(whom))

  test('Members are answered by an update, which holds from the next call.', async () => {
    expect(await statusOf('member', 'update', { name: 'Mine' })).toBe('403 forbidden')
    const { body } = await call('owner', 'members/update', { ...id('member'), role: 'administrator' })
    expect(body).toEqual({
      member: {
        user_id: world.users.member,
        email: 'member@example.com',
        firstName: 'member',
        lastName: '',
        role: 'administrator',
        added_on: '2026-01-15T09:00:00.000Z',
      },
    })
    expect(await statusOf('member', 'update', { name: 'Harbour News' })).toBe(200)
    expect(await statusOf('member', 'update', { slug: world.project.slug })).toBe(200)
  })

  test('Members are managed by administrators, except for owners.', async () => {
    expect(await update('administrator', 'editor', 'member')).toBe(200)
    expect(await update('administrator', 'member', 'administrator')).toBe(200)
    expect(await update('administrator', 'member', 'owner')).toBe('403 forbidden')
    expect(await update('administrator', 'administrator', 'owner')).toBe('403 forbidden')
    expect(await update('administrator', 'owner', 'member')).toBe('403 forbidden')
    expect(await remove('administrator', 'owner')).toBe('403 forbidden')
    expect(await remove('administrator', 'member')).toBe(200)
    expect(await roles()).toEqual({ owner: 'owner', administrator: 'administrator', editor: 'member' })
    expect(await update('administrator', 'administrator', 'editor')).toBe(200)
  })

  test('Editors and members manage nobody, but may leave.', async () => {
    for (const person of ['editor', 'member'] as const) {
      for (const whom of PEOPLE) expect(await update(person, whom, 'member')).toBe('403 forbidden')
      expect(await remove(person, 'administrator')).toBe('403 forbidden')
      expect(await remove(person, 'outsider')).toBe('403 forbidden')
      expect(await remove(person, person)).toBe(200)
      expect(await statusOf(person, 'members/list', {})).toBe('403 project_not_authorized')
    }
    expect(await roles()).toEqual({ owner: 'owner', administrator: 'administrator' })
  })

  test('Members include an owner: of two who leave at once, one stays.', async () => {
    expect(await update('owner', 'owner', 'administrator')).toBe('409 conflict')
    expect(await remove('owner', 'owner')).toBe('409 conflict')
    expect(await update('owner', 'owner', 'owner')).toBe(200)
    expect(await update('owner', 'administrator', 'owner')).toBe(200)
    const left = await Promise.all([remove('owner', 'owner'), remove('administrator', 'administrator')])
    expect(left.toSorted()).toEqual([200, '409 conflict'])
  })

  test('Members include an owner who can sign in.', async () => {
    const { store, clock } = world.service.runtime
    await store.write((tx) =>
      tx
        .insert(members)
        .values({ project_id: world.project.id, user_id: world.users.outsider, role: 'owner', added_at: START }),
    )
    await store.write((tx) => disableUser(tx, world.users.outsider, clock.now()))
    expect(await remove('owner', 'owner')).toBe('409 conflict')
    expect(await remove('owner', 'outsider')).toBe(200)
    await store.write((tx) => tx.update(users).set({ disabled_at: null }))
    cookies.outsider = await signIn(world, 'outsider')
  })

  test('Two administrators who lower each other at once: the second request is refused.', async () => {
    expect(await update('owner', 'editor', 'administrator')).toBe(200)
    const lowered = await Promise.all([
      update('administrator', 'editor', 'member'),
      update('editor', 'administrator', 'member'),
    ])
    expect(lowered.toSorted()).toEqual([200, '403 forbidden'])
  })

  test('Members of other projects are not found.', async () => {
    expect(await update('owner', 'outsider', 'editor')).toBe('404 not_found')
    expect(await remove('owner', 'outsider')).toBe('404 not_found')
    expect(await statusOf('outsider', 'members/remove', id('editor'))).toBe('403 project_not_authorized')
    expect(
      await statusOf('administrator', 'members/remove', { project_id: world.other.public_id, ...id('owner') }),
    ).toBe('403 project_not_authorized')
    expect(await statusOf('owner', 'members/update', { ...id('editor'), role: 'king' })).toBe('400 invalid_request')
    expect(await statusOf('owner', 'members/update', id('editor'))).toBe('400 invalid_request')
  })

  test('Members lose the project for their key and token when removed.', async () => {
    const token = await world.token('editor')
    expect(await remove('owner', 'editor')).toBe(200)
    for (const as of [world.keys.editor, token])
      expect(await world.call('lists/list', {}, { as })).toMatchObject({
        status: 403,
        body: { error: 'project_not_authorized' },
      })
  })
})

describe('invitations', () => {
  const invite = (person: string, email: string, role: Role) => statusOf(person, 'invitations/create', { email, role })

  test('Invitations are sent, listed and revoked; only the message has the link.', async () => {
    const { status, body } = await call('administrator', 'invitations/create', {
      email: ' Nina@Example.com ',
      role: 'editor',
    })
    const invitation = {
      id: expect.stringMatching(/^inv_/),
      email: 'Nina@Example.com',
      role: 'editor',
      expires_on: '2026-01-22T09:00:00.000Z',
    }
    expect([status, body]).toEqual([200, { invitation }])
    expect((await call('member', 'members/list')).body.invitations).toEqual([invitation])

    const [letter] = await messagesTo(world, 'nina@example.com')
    const [, token] = /\/portal\/invitation\?token=(svc_iv_[\w-]{43})/.exec(letter!.text)!
    expect(letter!.subject).toBe(`Invitation to a project at ${new URL(world.url).host}`)
    for (const said of ['administrator invites you', 'as an editor', `${world.url}/portal/`])
      expect(letter!.text).toContain(said)
    const { store } = world.service.runtime
    const stored = JSON.stringify([
      await store.db.select().from(invitations),
      await store.db.select().from(account_messages),
    ])
    expect([stored.includes(token!), stored.includes(tokenHash(token!))]).toEqual([false, true])

    expect((await call('owner', 'invitations/revoke', { invitation_id: body.invitation.id })).body).toEqual({
      success: true,
    })
    expect((await call('owner', 'members/list')).body.invitations).toEqual([])
    expect(await statusOf('owner', 'invitations/revoke', { invitation_id: body.invitation.id })).toBe('404 not_found')
  })

  test("Invitations are given by administrators and owners, with an owner's role by owners only.", async () => {
    expect(await invite('administrator', 'a@example.com', 'administrator')).toBe(200)
    expect(await invite('administrator', 'b@example.com', 'owner')).toBe('403 forbidden')
    expect(await invite('owner', 'b@example.com', 'owner')).toBe(200)
    for (const person of ['editor', 'member'])
      expect(await invite(person, 'c@example.com', 'member')).toBe('403 forbidden')
    expect(await invite('outsider', 'c@example.com', 'member')).toBe('403 project_not_authorized')
    const owners = (await call('owner', 'members/list')).body.invitations.find(
      ({ role }: { role: Role }) => role === 'owner',
    )
    expect(await statusOf('administrator', 'invitations/revoke', { invitation_id: owners.id })).toBe('403 forbidden')
    expect(await invite('administrator', 'B@example.com', 'member')).toBe('403 forbidden')
    expect((await call('owner', 'members/list')).body.invitations).toContainEqual(owners)
    expect(
      await statusOf('owner', 'invitations/revoke', { project_id: world.other.public_id, invitation_id: owners.id }),
    ).toBe('404 not_found')
  })

  test('A mailbox gets ten invitations in a day, with any plus tag and from any project.', async () => {
    for (let n = 0; n < 10; n++)
      expect(await invite(n % 2 ? 'owner' : 'administrator', `vic+${n}@bombed.example`, 'member')).toBe(200)
    const one_more = { project_id: world.other.public_id, email: 'VIC@Bombed.example', role: 'member' }
    expect(await statusOf('owner', 'invitations/create', one_more)).toBe('429 rate_limited')
    expect((await call('owner', 'members/list')).body.invitations).toHaveLength(10)
    expect(await invite('owner', 'vicky@bombed.example', 'member')).toBe(200)
  })

  test('Invitations are replaced when the address is invited again.', async () => {
    await invite('owner', 'nora@example.com', 'editor')
    await invite('administrator', 'NORA@example.com', 'member')
    const { body } = await call('owner', 'members/list')
    expect(body.invitations).toMatchObject([{ email: 'NORA@example.com', role: 'member' }])
    const tokens = (await messagesTo(world, 'nora@example.com')).map(({ text }) => /token=(\S+)/.exec(text)![1])
    expect(
      await Promise.all(
        tokens.map((token) => world.fetch(`/portal/invitation?token=${token}`).then(({ status }) => status)),
      ),
    ).toEqual([404, 200])
  })

  test('Invitations are refused for members, for malformed addresses and above a number.', async () => {
    expect(await invite('owner', 'Editor@Example.com', 'editor')).toBe('409 conflict')
    for (const email of ['', 'nina', 'nina@', 'a@example.com, b@example.com', 'a@example.com\r\nBcc: b@example.com'])
      expect(await invite('owner', email, 'editor')).toBe('400 invalid_request')
    const strict = await createWorld({ logins_per_minute: 4 })
    const cookie = await signIn(strict, 'owner')
    const statuses: number[] = []
    for (let index = 0; index < 5; index++)
      statuses.push(
        (
          await post(
            strict,
            '/project/invitations/create',
            { project_id: strict.project.public_id, email: `reader-${index}@example.com`, role: 'member' },
            { cookie },
          )
        ).status,
      )
    expect(statuses).toEqual([200, 200, 200, 200, 429])
    await strict.close()
  })

  test('Invitations last seven days, and as long as the inviter may give the role.', async () => {
    await invite('administrator', 'nina@example.com', 'administrator')
    const open = async () => (await call('owner', 'members/list')).body.invitations.length
    await call('owner', 'members/update', { ...id('administrator'), role: 'editor' })
    expect(await open()).toBe(0)
    await call('owner', 'members/update', { ...id('administrator'), role: 'administrator' })
    expect(await open()).toBe(1)
    world.clock.advance(WEEK_MS - 1)
    expect(await open()).toBe(1)
    world.clock.advance(1)
    expect(await open()).toBe(0)
    await world.service.drain('maintenance')
    expect(await world.service.runtime.store.db.select().from(invitations)).toEqual([])
    world.clock.advance(-WEEK_MS)
  })
})
