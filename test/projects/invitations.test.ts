import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { getUser } from '../../src/accounts/users.ts'
import {
  acceptInvitation,
  getInvitation,
  INVITATION_MS,
  invitationsFor,
  invite,
  listInvitations,
} from '../../src/projects/invitations.ts'
import { users } from '../../src/store/tables/accounts.ts'
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
