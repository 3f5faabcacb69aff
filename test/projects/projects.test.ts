import { beforeAll, expect, test } from 'bun:test'
import type { ProjectId } from '../../src/ids.ts'
import { AppError, type Flaw } from '../../src/errors.ts'
import { addMember } from '../../src/projects/members.ts'
import {
  createOwnProject,
  createProject,
  getProject,
  listProjects,
  listProjectsOf,
  type NewProject,
  projectRecord,
  setLimits,
  updateProject,
} from '../../src/projects/projects.ts'
import { newProject, newUser, NOW, sharedStore, write } from '../support/shared-store.ts'
import { createWorld, START, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})

const create = (project: NewProject) =>
  world.service.runtime.store.write((tx) => createProject(tx, project, world.users.owner, START))

async function refusal(work: Promise<unknown>): Promise<[string, string[]]> {
  const error = await work.then(
    () => null,
    (error: unknown) => error,
  )
  if (!(error instanceof AppError)) throw error
  return [error.code, ((error.details ?? []) as Flaw[]).map(({ path }) => path)]
}

test('A project has a slug and a domain of its own.', async () => {
  const made = await create({ name: ' Hill ', slug: 'hill', domain: 'Hill.Example', is_proven: true })
  expect(made).toMatchObject({
    name: 'Hill',
    slug: 'hill',
    domain: 'hill.example',
    monthly_limit: null,
    contact_limit: null,
  })
  expect(await refusal(create({ name: 'Other', slug: 'hill' }))).toEqual(['CONFLICT', ['/slug']])
  expect(await refusal(create({ name: 'Other', slug: 'other', domain: 'hill.EXAMPLE' }))).toEqual([
    'CONFLICT',
    ['/domain'],
  ])
  const { db } = world.service.runtime.store
  expect([await getProject(db, 'hill'), await getProject(db, made.id)]).toEqual([made, made])
  expect(await refusal(getProject(db, 'other'))).toEqual(['NOT_FOUND', []])
})

test('A project is refused with all of its flaws at once.', async () => {
  expect(
    await refusal(
      create({ name: ' ', slug: 'No', domain: 'https://x.example', monthly_limit: -1, contact_limit: 1.5 }),
    ),
  ).toEqual(['VALIDATION_FAILED', ['/name', '/slug', '/domain', '/monthly_limit', '/contact_limit']])
  for (const domain of [
    'x.example:80',
    'x_y.example',
    '-x.example',
    'x..example',
    '10.0.0.1',
    'x.example/',
    'x%2eexample',
    'xn--a.example',
    'x.example.',
  ])
    expect(await refusal(create({ name: 'x', slug: 'x', domain }))).toEqual(['VALIDATION_FAILED', ['/domain']])
  expect(await refusal(create({ name: 'x', slug: 'x'.repeat(64) }))).toEqual(['VALIDATION_FAILED', ['/slug']])
})

test('A project has each member once.', async () => {
  const add = () =>
    world.service.runtime.store.write((tx) =>
      addMember(tx, world.other.id, { user_id: world.users.editor, role: 'member' }, START),
    )
  await add()
  expect(await refusal(add())).toEqual(['CONFLICT', ['/user_id']])
})

test('Projects are listed in the order they were made, with the role of their member.', async () => {
  const { db } = await sharedStore()
  const made: ProjectId[] = []
  for (const created_at of [9, 5, 5, 7]) made.push(await newProject({ created_at }))
  const deleted = await newProject({ created_at: 6, deleted_at: NOW })
  const order = [made[1]!, made[2]!, made[3]!, made[0]!]
  const all = (await listProjects(db)).map(({ id }) => id)
  expect(all.filter((id) => id === deleted || made.includes(id))).toEqual(order)
  const user_id = await newUser({}, [made[0]!, 'owner'])
  for (const project_id of made.slice(1))
    await write((tx) => addMember(tx, project_id, { user_id, role: 'member' }, NOW))
  const own = await listProjectsOf(db, user_id)
  expect(own.map(({ id, role }) => [id, role])).toEqual(order.map((id) => [id, id === made[0] ? 'owner' : 'member']))
})

test('A person owns as many projects as allowed, and memberships do not count.', async () => {
  const user_id = await newUser({}, [await newProject(), 'administrator'])
  const make = (name: string, slug?: string) =>
    write((tx) => createOwnProject(tx, { name, slug }, user_id, { most: 2, now: NOW }))
  expect((await make('Über Quay')).slug).toBe('uber-quay')
  expect((await make('Über Quay', 'second-quay')).slug).toBe('second-quay')
  await expect(make('Third')).rejects.toMatchObject({ code: 'INVALID_STATE', details: { state: 'full', limit: 2 } })
})

test('A change of a project keeps what is not given, and a limit of null is none.', async () => {
  const { db } = await sharedStore()
  const id = await newProject({ name: 'Before', slug: 'before-quay' })
  const change = (changes: Parameters<typeof updateProject>[2]) =>
    write((tx) => updateProject(tx, id, changes, NOW + 5))
  expect(await change({ name: ' After ' })).toMatchObject({ name: 'After', slug: 'before-quay', updated_at: NOW + 5 })
  expect(await change({ slug: 'after-quay' })).toMatchObject({ name: 'After', slug: 'after-quay' })
  await newProject({ slug: 'taken-quay' })
  expect(await refusal(change({ slug: 'taken-quay' }))).toEqual(['CONFLICT', ['/slug']])
  expect(await refusal(change({ name: '', slug: 'No' }))).toEqual(['VALIDATION_FAILED', ['/name', '/slug']])
  const limits = async (given: Parameters<typeof setLimits>[2]) => {
    await write((tx) => setLimits(tx, id, given, NOW))
    const { monthly_limit, contact_limit } = await getProject(db, id)
    return [monthly_limit, contact_limit]
  }
  expect(await limits({ monthly_limit: 5, contact_limit: 0 })).toEqual([5, 0])
  expect(await limits({ monthly_limit: null })).toEqual([null, 0])
})

test('A project shows the domain that is served, else the one that waits, else none.', () => {
  const of = (domain: string | null, domain_claim: string | null) =>
    projectRecord({ public_id: 'prj_1', name: 'Quay', slug: 'quay', domain, domain_claim })
  expect(of('a.example', 'b.example')).toEqual({ id: 'prj_1', name: 'Quay', slug: 'quay', domain: 'a.example' })
  expect([of(null, 'b.example').domain, Object.hasOwn(of(null, null), 'domain')]).toEqual(['b.example', false])
})
