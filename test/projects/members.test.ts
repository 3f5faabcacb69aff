import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { AppError } from '../../src/errors.ts'
import { createApiKey, listApiKeys, revokeApiKey } from '../../src/projects/api-keys.ts'
import { invite, listInvitations, revokeInvitation } from '../../src/projects/invitations.ts'
import { addMember, changeRole, listMembers, removeMember } from '../../src/projects/members.ts'
import { getProject } from '../../src/projects/projects.ts'
import type { Tx } from '../../src/store/open.ts'
import { createWorld, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

const write = <T>(work: (tx: Tx) => Promise<T>) => world.service.runtime.store.write(work)
const refusal = (work: (tx: Tx) => Promise<unknown>) =>
  write(work).then(
    () => null,
    (error: AppError) => error.code,
  )
const owner = () => ({ user_id: world.users.owner, role: 'owner' as const })

test('An owner of two projects cannot change or remove a member of one through the other.', async () => {
  const { project, other, users } = world
  expect(await refusal((tx) => changeRole(tx, other.id, owner(), { user_id: users.editor, role: 'member' }))).toBe(
    'NOT_FOUND',
  )
  expect(await refusal((tx) => removeMember(tx, other.id, owner(), users.editor))).toBe('NOT_FOUND')
  const roles = (await listMembers(world.service.runtime.store.db, project.id)).map(({ user_id, role }) => [
    user_id,
    role,
  ])
  expect(roles).toContainEqual([users.editor, 'editor'])
})

test('An owner of two projects changes and ends a membership in one project only.', async () => {
  const { project, other, users } = world
  const { db } = world.service.runtime.store
  const rolesOf = async (user_id: string) =>
    Promise.all(
      [project, other].map(async ({ id }) => (await listMembers(db, id)).find((one) => one.user_id === user_id)?.role),
    )
  await write((tx) => addMember(tx, other.id, { user_id: users.member, role: 'editor' }, 1))
  await write((tx) => changeRole(tx, other.id, owner(), { user_id: users.member, role: 'administrator' }))
  expect(await rolesOf(users.member)).toEqual(['member', 'administrator'])
  await write((tx) => removeMember(tx, other.id, owner(), users.member))
  expect(await rolesOf(users.member)).toEqual(['member', undefined])
})

test('Being an owner of another project does not keep the last owner.', async () => {
  const { project, other, users } = world
  await write((tx) => addMember(tx, other.id, { user_id: users.administrator, role: 'owner' }, 1))
  expect(await refusal((tx) => removeMember(tx, project.id, owner(), users.owner))).toBe('CONFLICT')
  expect(await refusal((tx) => changeRole(tx, project.id, owner(), { user_id: users.owner, role: 'member' }))).toBe(
    'CONFLICT',
  )
  await write((tx) => removeMember(tx, other.id, owner(), users.administrator))
})

test('An owner of two projects cannot revoke an API key of one through the other.', async () => {
  const { project, other, users } = world
  const { api_key } = await write((tx) => createApiKey(tx, project.id, { user_id: users.editor, name: 'Of main' }, 1))
  const revoke = (project_id: typeof project.id) =>
    refusal((tx) => revokeApiKey(tx, api_key.id, { project_id, user_id: undefined }, 2))
  expect(await revoke(other.id)).toBe('NOT_FOUND')
  const { db } = world.service.runtime.store
  const named = async (project_id: typeof project.id) =>
    (await listApiKeys(db, { project_id })).filter(({ id }) => id === api_key.id)
  expect(await named(other.id)).toEqual([])
  expect((await named(project.id)).map(({ project_public_id }) => project_public_id)).toEqual([project.public_id])
  expect(await revoke(project.id)).toBeNull()
  expect(await named(project.id)).toEqual([])
})

test('An owner of two projects cannot see or revoke an invitation of one through the other.', async () => {
  const { project, other } = world
  const now = world.clock.now()
  const { invitation } = await write((tx) =>
    invite(tx, { project_id: project.id, email: 'new@example.com', role: 'editor' }, owner(), now),
  )
  const { db } = world.service.runtime.store
  expect(await listInvitations(db, other.id, now)).toEqual([])
  expect(await refusal((tx) => revokeInvitation(tx, other.id, owner(), invitation.id))).toBe('NOT_FOUND')
  expect((await listInvitations(db, project.id, now)).map(({ id }) => id)).toEqual([invitation.id])
})

test('An owner of two projects may invite the same address to both projects.', async () => {
  const now = world.clock.now()
  for (const { id } of [world.project, world.other])
    await write((tx) => invite(tx, { project_id: id, email: 'both@example.com', role: 'member' }, owner(), now))
  const { db } = world.service.runtime.store
  for (const { id } of [world.project, world.other])
    expect((await listInvitations(db, id, now)).map(({ email }) => email)).toContain('both@example.com')
})

test('A project is found by its key, public id and slug, and by no other text.', async () => {
  const { db } = world.service.runtime.store
  const { id, public_id, slug } = world.project
  for (const name of [id, public_id, slug]) expect(await getProject(db, name)).toMatchObject({ id, public_id, slug })
  for (const name of [String(id), public_id.toUpperCase(), ''])
    await expect(getProject(db, name)).rejects.toMatchObject({ code: 'NOT_FOUND' })
})
