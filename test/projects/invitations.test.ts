import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { getUser } from '../../src/accounts/users.ts'
import {
  acceptInvitation,
  getInvitation,
  INVITATION_MS,
  invitationsFor,
  invite,
  isInvited,
  listInvitations,
  revokeInvitation,
} from '../../src/projects/invitations.ts'
import { type Acting, addMember, listMembers, removeMember } from '../../src/projects/members.ts'
import type { Role } from '../../src/shared/roles.ts'
import { members, users } from '../../src/store/tables/accounts.ts'
import { newProject, newUser, NOW, sharedStore, write } from '../support/shared-store.ts'
import { closeWorlds, createWorld, type World } from '../support/world.ts'

let world: World

beforeAll(async () => {
  world = await createWorld()
})
afterAll(closeWorlds)

test('An invitation is closed while its inviter is disabled.', async () => {
  const { store } = world.service.runtime
  const now = world.clock.now()
  const inviter = { user_id: world.users.administrator, role: 'administrator' as const }
  const guest = await getUser(store.db, world.users.outsider)
  const { invitation, token } = await store.write((tx) =>
    invite(tx, { project_id: world.project.id, email: guest.email, role: 'editor' }, inviter, now),
  )
  const setDisabled = (disabled_at: number | null) =>
    store.write((tx) => tx.update(users).set({ disabled_at }).where(eq(users.id, inviter.user_id)))
  const accept = () => store.write((tx) => acceptInvitation(tx, invitation, guest, now))

  await setDisabled(now)
  expect(await listInvitations(store.db, world.project.id, now)).toEqual([])
  expect(await invitationsFor(store.db, guest.email, now)).toEqual([])
  await expect(getInvitation(store.db, { token }, now)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(accept()).rejects.toMatchObject({ code: 'NOT_FOUND' })

  await setDisabled(null)
  expect(await getInvitation(store.db, { token }, now)).toEqual(invitation)
  await accept()
  await expect(accept()).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('An expired invitation to the role owner does not keep an administrator from inviting the address.', async () => {
  const { store, clock } = world.service.runtime
  const invitation = (role: 'owner' | 'administrator', offered: 'owner' | 'editor') =>
    store.write((tx) => {
      const acting = { user_id: world.users[role], role }
      const offer = { project_id: world.project.id, email: 'guest@example.com', role: offered }
      return invite(tx, offer, acting, clock.now())
    })
  await invitation('owner', 'owner')
  await expect(invitation('administrator', 'editor')).rejects.toMatchObject({ code: 'FORBIDDEN' })
  world.clock.advance(INVITATION_MS)
  expect((await invitation('administrator', 'editor')).invitation.role).toBe('editor')
})

describe('an invitation of the store', () => {
  const GUEST = 'guest@project.example'
  async function scene() {
    const project_id = await newProject({ name: 'Quay News' })
    const owner = {
      user_id: await newUser({ first_name: 'Ann', last_name: 'Quay' }, [project_id, 'owner']),
      role: 'owner' as const,
    }
    const administrator = {
      user_id: await newUser({ email: `admin-${project_id}@project.example` }, [project_id, 'administrator']),
      role: 'administrator' as const,
    }
    const send = (email: string, role: Role, acting: Acting = owner, now = NOW) =>
      write((tx) => invite(tx, { project_id, email, role }, acting, now))
    const open = async (now = NOW) =>
      (await listInvitations((await sharedStore()).db, project_id, now)).map(({ email, role }) => `${email} ${role}`)
    return { project_id, owner, administrator, send, open }
  }

  test('An invitation of the store names project, role and inviter, and is replaced when repeated.', async () => {
    const { project_id, owner, administrator, send, open } = await scene()
    const { invitation, token } = await send(` ${GUEST} `, 'editor')
    expect(invitation).toMatchObject({
      ...{ project_id, project_name: 'Quay News', email: GUEST, role: 'editor', inviter: 'Ann Quay' },
      expires_at: NOW + INVITATION_MS,
    })
    expect(token).toStartWith('svc_iv_')
    await send('Guest@project.EXAMPLE', 'member', administrator)
    expect(await open()).toEqual(['Guest@project.EXAMPLE member'])
    await send(GUEST, 'owner', owner)
    await expect(send(GUEST, 'member', administrator)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    expect(await open()).toEqual([`${GUEST} owner`])
    const nameless = (await send('b@project.example', 'member', administrator)).invitation.inviter
    expect(nameless).toBe(`admin-${project_id}@project.example`)
  })

  test('An invitation of the store is given by those who may, to somebody else, and to 200 at most.', async () => {
    const { project_id, owner, administrator, send, open } = await scene()
    const editor = {
      user_id: await newUser({ email: 'in@project.example' }, [project_id, 'editor']),
      role: 'editor' as const,
    }
    const codeOf = (...given: Parameters<typeof send>) =>
      send(...given).then(
        () => 'sent',
        ({ code }) => code,
      )
    expect(await codeOf(GUEST, 'member', editor)).toBe('INSUFFICIENT_ROLE')
    expect(await codeOf(GUEST, 'owner', administrator)).toBe('FORBIDDEN')
    expect([await codeOf('nobody', 'member'), await codeOf('In@project.example', 'member')]).toEqual([
      'VALIDATION_FAILED',
      'CONFLICT',
    ])
    for (let count = 0; count < 200; count++) await send(`many-${count}@project.example`, 'member', owner, NOW + 1)
    expect([await codeOf(GUEST, 'member'), await codeOf('MANY-0@project.example', 'editor')]).toEqual([
      'CONFLICT',
      'sent',
    ])
    expect((await open()).length).toBe(200)
    expect(await codeOf(GUEST, 'member', owner, NOW + 1 + INVITATION_MS)).toBe('sent')
  })

  test('An invitation of the store is open while its inviter may give the role.', async () => {
    const { project_id, owner, administrator, send, open } = await scene()
    await send('a@project.example', 'administrator', administrator)
    await send('b@project.example', 'owner', owner, NOW + 1)
    const setRole = (user_id: string, role: Role) =>
      write((tx) => tx.update(members).set({ role }).where(eq(members.user_id, user_id)))
    expect(await open()).toEqual(['a@project.example administrator', 'b@project.example owner'])
    await setRole(owner.user_id, 'administrator')
    expect(await open()).toEqual(['a@project.example administrator'])
    await setRole(administrator.user_id, 'editor')
    expect(await open()).toEqual([])
    await setRole(owner.user_id, 'owner')
    expect(await open()).toEqual(['b@project.example owner'])
    await write((tx) => tx.delete(members).where(eq(members.project_id, project_id)))
    expect(await open()).toEqual([])
  })

  test('An invitation of the store stays closed when its inviter is removed and joins again.', async () => {
    const { db } = await sharedStore()
    const { project_id, owner, administrator, send, open } = await scene()
    const { token } = await send(GUEST, 'editor', administrator)
    await send('kept@project.example', 'editor')
    await write((tx) => removeMember(tx, project_id, owner, administrator.user_id))
    const again = await send(`admin-${project_id}@project.example`, 'administrator')
    const user = await getUser(db, administrator.user_id)
    await write((tx) => acceptInvitation(tx, again.invitation, user, NOW))
    await expect(getInvitation(db, { token }, NOW)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await open()).toEqual(['kept@project.example editor'])
  })

  test('An invitation of the store is accepted once by its own person, who keeps a role that was there.', async () => {
    const { db } = await sharedStore()
    const { project_id, send } = await scene()
    const [guest, other] = [await newUser({ email: 'taker@project.example' }), await newUser()]
    const { invitation } = await send('Taker@project.example', 'editor')
    const accept = async (user_id: string) => {
      const user = await getUser(db, user_id)
      return write((tx) => acceptInvitation(tx, invitation, user, NOW))
    }
    expect([await isInvited(db, 'taker@project.example', NOW), await isInvited(db, 'x@project.example', NOW)]).toEqual([
      true,
      false,
    ])
    await send('kim@project.example', 'member')
    expect(await isInvited(db, '\u212Aim@project.example', NOW)).toBe(false)
    await expect(accept(other)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await write((tx) => addMember(tx, project_id, { user_id: guest, role: 'administrator' }, NOW))
    await accept(guest)
    await expect(accept(guest)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const role = (await listMembers(db, project_id)).find(({ user_id }) => user_id === guest)?.role
    expect([role, await isInvited(db, 'taker@project.example', NOW)]).toEqual(['administrator', false])
  })

  test('An invitation of the store to the role owner is revoked by owners only.', async () => {
    const { project_id, owner, administrator, send, open } = await scene()
    const { invitation } = await send(GUEST, 'owner')
    const revoke = (acting: Acting) => write((tx) => revokeInvitation(tx, project_id, acting, invitation.id))
    await expect(revoke(administrator)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    expect(await open()).toHaveLength(1)
    await revoke(owner)
    await expect(revoke(owner)).rejects.toMatchObject({ code: 'NOT_FOUND', details: [{ path: '/invitation_id' }] })
    const editor = { user_id: owner.user_id, role: 'editor' as const }
    await expect(revoke(editor)).rejects.toMatchObject({ code: 'INSUFFICIENT_ROLE' })
  })
})
