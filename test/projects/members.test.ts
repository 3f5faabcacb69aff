import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import type { AppError } from '../../src/errors.ts'
import { createApiKey, listApiKeys, revokeApiKey } from '../../src/projects/api-keys.ts'
import { invite, listInvitations, revokeInvitation } from '../../src/projects/invitations.ts'
import {
  addMember,
  changeRole,
  handOver,
  isMember,
  listMembers,
  MAX_MEMBERS,
  removeMember,
} from '../../src/projects/members.ts'
import { getProject } from '../../src/projects/projects.ts'
import type { Tx } from '../../src/store/open.ts'
import type { Role } from '../../src/shared/roles.ts'
import { users } from '../../src/store/tables/accounts.ts'
import { newProject, newUser, NOW, sharedStore, write as writeShared } from '../support/shared-store.ts'
import { createWorld, type World } from '../support/world.ts'

let home: World
let world: World
beforeAll(async () => {
  home = await createWorld()
})
beforeEach(async () => {
  world = await home.fresh()
})
afterAll(() => home.close())

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

describe('a project with one member of each role', () => {
  const ROLES: Role[] = ['owner', 'administrator', 'editor', 'member']

  async function crew() {
    const project_id = await newProject()
    const ids = {} as Record<Role, string>
    for (const role of ROLES) ids[role] = await newUser({ first_name: role }, [project_id, role])
    const attempt = (work: (tx: Tx) => Promise<unknown>) =>
      writeShared(work).then(
        () => 'done',
        (error: AppError) => error.code,
      )
    const roles = async () =>
      Object.fromEntries(
        (await listMembers((await sharedStore()).db, project_id)).map((one) => [one.first_name, one.role]),
      )
    return { project_id, ids, attempt, roles }
  }

  test('Roles are changed by administrators, except those of owners and to owner.', async () => {
    const { project_id, ids, attempt, roles } = await crew()
    const change = (by: Role, of: Role, role: Role) =>
      attempt((tx) => changeRole(tx, project_id, { user_id: ids[by], role: by }, { user_id: ids[of], role }))
    for (const by of ['editor', 'member'] as const) expect(await change(by, by, 'member')).toBe('INSUFFICIENT_ROLE')
    expect(await change('administrator', 'owner', 'editor')).toBe('FORBIDDEN')
    expect(await change('administrator', 'editor', 'owner')).toBe('FORBIDDEN')
    expect(await change('administrator', 'member', 'editor')).toBe('done')
    expect(await change('owner', 'owner', 'administrator')).toBe('CONFLICT')
    expect(await change('owner', 'owner', 'owner')).toBe('done')
    expect(await change('owner', 'editor', 'owner')).toBe('done')
    expect(await roles()).toEqual({ owner: 'owner', administrator: 'administrator', editor: 'owner', member: 'editor' })
    expect(await change('owner', 'owner', 'editor')).toBe('done')
    const changed = await writeShared((tx) =>
      changeRole(tx, project_id, { user_id: ids.editor, role: 'owner' }, { user_id: ids.member, role: 'member' }),
    )
    expect(changed).toMatchObject({ user_id: ids.member, first_name: 'member', role: 'member', added_at: NOW })
  })

  test('Everybody may leave but the last owner who can sign in; administrators remove all but owners.', async () => {
    const { project_id, ids, attempt, roles } = await crew()
    const remove = (by: Role, of: Role) =>
      attempt((tx) => removeMember(tx, project_id, { user_id: ids[by], role: by }, ids[of]))
    expect(await remove('editor', 'member')).toBe('INSUFFICIENT_ROLE')
    expect([await remove('administrator', 'owner'), await remove('owner', 'owner')]).toEqual(['FORBIDDEN', 'CONFLICT'])
    expect(await remove('member', 'member')).toBe('done')
    expect(await remove('administrator', 'member')).toBe('NOT_FOUND')
    const second = await newUser({ disabled_at: NOW }, [project_id, 'owner'])
    expect(await remove('owner', 'owner')).toBe('CONFLICT')
    await writeShared((tx) => tx.update(users).set({ disabled_at: null }).where(eq(users.id, second)))
    expect(await remove('owner', 'owner')).toBe('done')
    expect(await remove('administrator', 'editor')).toBe('done')
    expect(await roles()).toEqual({ administrator: 'administrator', '': 'owner' })
  })

  test('Others may go while the only owner cannot sign in.', async () => {
    const { project_id, ids, attempt, roles } = await crew()
    await writeShared((tx) => tx.update(users).set({ disabled_at: NOW }).where(eq(users.id, ids.owner)))
    const acting = { user_id: ids.administrator, role: 'administrator' as const }
    expect(await attempt((tx) => removeMember(tx, project_id, acting, ids.editor))).toBe('done')
    expect(await attempt((tx) => changeRole(tx, project_id, acting, { user_id: ids.member, role: 'editor' }))).toBe(
      'done',
    )
    expect(await roles()).toEqual({ owner: 'owner', administrator: 'administrator', member: 'editor' })
  })

  test('An owner hands the project over to another member who can sign in.', async () => {
    const { project_id, ids, attempt, roles } = await crew()
    const { db } = await sharedStore()
    const hand = (user_id: string) => attempt((tx) => handOver(tx, project_id, ids.owner, user_id))
    expect([await hand(ids.owner), await hand(await newUser())]).toEqual(['CONFLICT', 'NOT_FOUND'])
    await writeShared((tx) => tx.update(users).set({ disabled_at: NOW }).where(eq(users.id, ids.editor)))
    expect(await hand(ids.editor)).toBe('CONFLICT')
    const before = await roles()
    expect(await hand(ids.member)).toBe('done')
    expect(await roles()).toEqual({ ...before, owner: 'administrator', member: 'owner' })
    expect([await isMember(db, project_id, ids.member), await isMember(db, await newProject(), ids.member)]).toEqual([
      true,
      false,
    ])
  })

  test('A project has at most a thousand members, listed in the order in which they came.', async () => {
    const { project_id, attempt } = await crew()
    const { db } = await sharedStore()
    const count = sql`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${MAX_MEMBERS - 5})`
    await writeShared(async (tx) => {
      await tx.run(sql`INSERT INTO users (id, email, email_key, created_at, updated_at)
        ${count} SELECT 'usr_full_' || i, 'full_' || i, 'full_' || i, 0, 0 FROM n`)
      await tx.run(sql`INSERT INTO members (project_id, user_id, role, added_at)
        ${count} SELECT ${project_id}, 'usr_full_' || i, 'member', ${NOW} FROM n`)
    })
    const late = [await newUser({ first_name: 'late' }), await newUser()]
    const add = (user_id: string, now: number) =>
      attempt((tx) => addMember(tx, project_id, { user_id, role: 'editor' }, now))
    expect([await add(late[0]!, NOW - 1), await add(late[1]!, NOW)]).toEqual(['done', 'INVALID_STATE'])
    expect((await listMembers(db, project_id)).at(0)?.first_name).toBe('late')
  })
})
