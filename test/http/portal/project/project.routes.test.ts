import { beforeEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { projects } from '../../../../src/store/tables/accounts.ts'
import { createWorld, type World } from '../../../support/world.ts'
import { post, signIn } from '../../signed-in.ts'

let world: World
const cookies: Record<string, string> = {}
beforeEach(async () => {
  world = await createWorld()
  for (const person of ['owner', 'administrator', 'editor', 'member', 'outsider'])
    cookies[person] = await signIn(world, person)
})

async function call(person: string, path: string, body: object = {}): Promise<{ status: number; body: any }> {
  const answer = await post(world, path, body, { cookie: cookies[person]! })
  return { status: answer.status, body: await answer.json() }
}
const inMain = (more: object = {}) => ({ project_id: world.project.public_id, ...more })

test("/project lists the user's own projects with the role; a domain only where there is one.", async () => {
  expect(await call('owner', '/project/list')).toEqual({
    status: 200,
    body: {
      projects: [
        { id: world.project.public_id, name: 'Harbour News', slug: 'harbour-news', role: 'owner' },
        { id: world.other.public_id, name: 'Mountain Post', slug: 'mountain-post', role: 'owner' },
      ],
    },
  })
  expect((await call('outsider', '/project/list')).body).toEqual({ projects: [] })
  expect((await call('owner', '/project/list', { all: true })).status).toBe(400)
})

test('/project creates, reads and updates a project; its creator owns it.', async () => {
  const made = await call('outsider', '/project/create', {
    name: ' Hill Radio ',
    slug: 'hill-radio',
    domain: 'Hill.Example',
  })
  const project = {
    id: expect.stringMatching(/^prj_/),
    name: 'Hill Radio',
    slug: 'hill-radio',
    domain: 'hill.example',
    domain_status: 'unproven',
    domain_record: {
      type: 'TXT',
      name: '_masthead.hill.example',
      value: expect.stringMatching(/^masthead-project=prj_/),
    },
    role: 'owner',
  }
  expect(made).toEqual({ status: 200, body: { project } })
  const inIt = (more: object = {}) => ({ project_id: made.body.project.id, ...more })
  expect((await call('outsider', '/project/get', inIt())).body).toEqual({ project })
  expect((await call('owner', '/project/get', inIt())).status).toBe(403)

  expect((await call('outsider', '/project/update', inIt({ name: 'Hill' }))).body.project).toEqual({
    ...project,
    name: 'Hill',
  })
  expect((await call('outsider', '/project/update', inIt({ slug: 'hill', domain: null }))).body.project).toEqual({
    id: project.id,
    name: 'Hill',
    slug: 'hill',
    role: 'owner',
  })
  expect((await call('owner', '/project/update', inMain({ domain: 'hill.example' }))).body.project.domain).toBe(
    'hill.example',
  )
  expect((await call('owner', '/project/update', inMain({ domain: null }))).body.project.domain).toBeUndefined()
})

test('A new project without a slug gets one from its name, with a number where that is in use.', async () => {
  const slugOf = async (name: string) => (await call('owner', '/project/create', { name })).body.project.slug
  const long = 'ä'.repeat(100)
  expect([await slugOf('Ebb & Flut'), await slugOf('ebb flut'), await slugOf('Ebb-Flut')]).toEqual([
    'ebb-flut',
    'ebb-flut-2',
    'ebb-flut-3',
  ])
  expect([await slugOf(long), await slugOf(long)]).toEqual(['a'.repeat(59), `${'a'.repeat(59)}-2`])
})

test("/project refuses a slug or domain in use, and the service's own host.", async () => {
  const named = (more: object) => ({ name: 'x', slug: 'x', ...more })
  const error = (path: string, body: object) =>
    call('owner', path, body).then(({ status, body: { message } }) => [status, message])
  expect(await error('/project/create', named({ slug: world.project.slug }))).toEqual([
    409,
    expect.stringContaining('slug'),
  ])
  await world.service.runtime.store.write((tx) =>
    tx.update(projects).set({ domain: 'harbour.example' }).where(eq(projects.id, world.project.id)),
  )
  expect(await error('/project/create', named({ domain: 'harbour.EXAMPLE' }))).toEqual([
    409,
    expect.stringContaining('domain'),
  ])
  expect(await error('/project/update', { project_id: world.other.public_id, domain: 'harbour.example' })).toEqual([
    409,
    expect.stringContaining('domain'),
  ])
  for (const flaw of [
    { domain: 'https://x.example' },
    { domain: '127.0.0.1' },
    { domain: 'localhost' },
    { slug: 'No!' },
    { name: ' ' },
    { monthly_limit: 1 },
  ]) {
    expect((await call('owner', '/project/create', named(flaw))).status).toBe(400)
    expect((await call('owner', '/project/update', inMain(flaw))).status).toBe(400)
  }
  expect((await call('editor', '/project/update', inMain({ name: 'x' }))).status).toBe(403)
  expect((await post(world, '/project/create', named({}))).status).toBe(401)

  const open = await createWorld({ base_url: 'https://masthead.example' })
  const cookie = await signIn(open, 'owner')
  for (const [path, body] of [
    ['/project/create', named({ domain: 'Masthead.Example' })],
    ['/project/update', { project_id: open.project.public_id, domain: 'masthead.example' }],
  ] as const) {
    expect((await post(open, path, body, { cookie })).status).toBe(400)
  }
  await open.close()
})

test('/project lists all members for every member.', async () => {
  const { body } = await call('member', '/project/members/list', inMain())
  expect(body.invitations).toEqual([])
  expect(body.members).toHaveLength(4)
  expect(body.members).toContainEqual({
    user_id: world.users.editor,
    email: 'editor@example.com',
    firstName: 'editor',
    lastName: '',
    role: 'editor',
    added_on: '2026-01-15T09:00:00.000Z',
  })
  expect(await call('outsider', '/project/members/list', inMain())).toMatchObject({
    status: 403,
    body: { error: 'project_not_authorized' },
  })
  expect(await call('owner', '/project/members/list', {})).toMatchObject({
    status: 400,
    body: { error: 'invalid_request' },
  })
})

test('/project creates API keys for administrators, shown once and working until revoked.', async () => {
  const made = await call('administrator', '/project/api-keys/create', inMain({ name: ' Website ' }))
  const { key, api_key } = made.body
  expect(api_key).toEqual({
    id: expect.stringMatching(/^key_/),
    name: 'Website',
    hint: key.slice(-4),
    created_by: world.users.administrator,
    created_on: '2026-01-15T09:00:00.000Z',
    last_used_on: null,
    ...{ role: null, scopes: null, expires_on: null },
  })
  expect((await world.call('/no-such-operation', {}, { as: key })).status).toBe(404)

  const { api_keys } = (await call('owner', '/project/api-keys/list', inMain())).body
  expect(api_keys).toContainEqual(api_key)
  expect(JSON.stringify(api_keys)).not.toContain(key)

  expect((await call('owner', '/project/api-keys/revoke', inMain({ api_key_id: api_key.id }))).body).toEqual({
    success: true,
  })
  expect((await world.call('/no-such-operation', {}, { as: key })).status).toBe(401)
  expect(await call('owner', '/project/api-keys/revoke', inMain({ api_key_id: api_key.id }))).toMatchObject({
    status: 404,
    body: { error: 'not_found' },
  })
})

test('/project lets other members list and revoke their own API keys only.', async () => {
  expect(await call('editor', '/project/api-keys/create', inMain({ name: 'k' }))).toMatchObject({
    status: 403,
    body: { error: 'forbidden' },
  })
  const { api_keys } = (await call('editor', '/project/api-keys/list', inMain())).body
  expect(api_keys.map((key: any) => key.created_by)).toEqual([world.users.editor])
  const [mine] = api_keys
  expect((await call('member', '/project/api-keys/revoke', inMain({ api_key_id: mine.id }))).status).toBe(404)
  expect(
    (await call('owner', '/project/api-keys/revoke', { project_id: world.other.public_id, api_key_id: mine.id }))
      .status,
  ).toBe(404)
  expect((await call('editor', '/project/api-keys/revoke', inMain({ api_key_id: mine.id }))).status).toBe(200)
})

test('/project answers 400 to unknown properties and blank names.', async () => {
  for (const body of [
    inMain(),
    inMain({ name: '' }),
    inMain({ name: 'two\nlines' }),
    inMain({ name: 'x', scope: 'all' }),
    { name: 'x' },
  ]) {
    expect(await call('owner', '/project/api-keys/create', body)).toMatchObject({
      status: 400,
      body: { error: 'invalid_request' },
    })
  }
})

test('/project refuses keys and tokens.', async () => {
  for (const authorization of [world.keys.owner, `Bearer ${await world.token('owner')}`]) {
    for (const path of ['/project/list', '/project/newsletter/lists/list']) {
      const answer = await post(world, path, inMain(), { authorization })
      expect([answer.status, ((await answer.json()) as any).error]).toEqual([401, 'unauthorized'])
    }
  }
})

test('/project refuses requests from pages of other sites.', async () => {
  for (const path of ['/project/list', '/project/api-keys/create', '/project/newsletter/lists/list']) {
    const answer = await post(world, path, inMain({ name: 'k' }), {
      cookie: cookies.owner!,
      origin: 'https://evil.example',
    })
    expect([answer.status, ((await answer.json()) as any).error]).toEqual([403, 'forbidden'])
  }
})

test('/project/newsletter admits a session whose user is a member.', async () => {
  expect(await call('owner', '/project/newsletter/no-such-operation', inMain())).toMatchObject({
    status: 404,
    body: { error: { code: 'NOT_FOUND' } },
  })
  expect((await world.fetch('/project/newsletter/lists/list', { headers: { cookie: cookies.owner! } })).status).toBe(
    405,
  )
})
