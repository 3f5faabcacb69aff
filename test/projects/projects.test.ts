import { beforeAll, expect, test } from 'bun:test'
import { AppError, type Flaw } from '../../src/errors.ts'
import { addMember } from '../../src/projects/members.ts'
import { createProject, getProject, type NewProject } from '../../src/projects/projects.ts'
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
