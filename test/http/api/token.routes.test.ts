import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { flushRequests, listRequests } from '../../../src/developer/request-log.ts'
import { members, projects } from '../../../src/store/tables/accounts.ts'
import { closeWorlds, SCOPES } from '../../support/world.ts'
import { createOAuthWorld, type OAuthWorld, setRole } from '../../oauth/oauth-world.ts'

let world: OAuthWorld

beforeAll(async () => {
  world = await createOAuthWorld()
})
afterAll(closeWorlds)

const ROUTES = [
  ['GET', '/token/authorized_by'],
  ['GET', '/token/introspect'],
  ['GET', '/project/list'],
  ['POST', '/project/details'],
] as const

async function call(
  method: string,
  path: string,
  token: string | null,
  body?: unknown,
  headers: Record<string, string> = {},
) {
  const response = await world.fetch(`/general/api/v1${path}`, {
    method,
    headers: {
      ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) }
}

test('GET /token/authorized_by answers the user field by field.', async () => {
  const { access_token } = await world.tokens()
  expect(await call('GET', '/token/authorized_by', access_token)).toMatchObject({
    status: 200,
    body: { id: world.users.owner, email: 'owner@example.com', firstName: 'owner', lastName: '' },
  })
  expect(Object.keys((await call('GET', '/token/authorized_by', access_token)).body)).toEqual([
    'id',
    'email',
    'firstName',
    'lastName',
  ])
})

test('GET /general/oauth/userinfo answers who the user is, with the scope profile.', async () => {
  const ask = async (scope: string) => {
    const { access_token } = await world.tokens({ scope })
    const answer = await world.fetch('/general/oauth/userinfo', {
      headers: { Authorization: `Bearer ${access_token}` },
    })
    return { status: answer.status, body: await answer.json() }
  }
  expect(await ask('profile')).toEqual({
    status: 200,
    body: { sub: world.users.owner, name: 'owner', email: 'owner@example.com' },
  })
  expect(await ask('newsletter:read')).toMatchObject({ status: 403, body: { error: 'insufficient_scope' } })
})

test('GET /token/introspect answers the authorization and the app field by field.', async () => {
  const granted_at = new Date(world.clock.now()).toISOString()
  const { access_token, refresh_token } = await world.tokens({
    scope: 'newsletter:read scripts:read',
    project_ids: [world.project.public_id, world.other.public_id],
  })
  const { body } = await call('GET', '/token/introspect', access_token)
  expect(body).toEqual({
    authorization: {
      id: expect.stringMatching(/^aut_/),
      createdOn: granted_at,
      grantType: 'authorization_code',
      scope: 'newsletter:read scripts:read',
      userId: world.users.owner,
      authorizedTo: { projectIds: expect.arrayContaining([world.project.public_id, world.other.public_id]) },
    },
    application: {
      id: world.client.id,
      description: 'Weather for websites.',
      homepage: 'https://weather.example',
      displayName: 'Weather Widgets',
    },
  })
  world.clock.advance(5000)
  const next = await world.refresh(refresh_token, { scope: 'scripts:read' })
  const after = await call('GET', '/token/introspect', next.body.access_token)
  expect(after.body.authorization).toEqual({ ...body.authorization, scope: 'scripts:read' })
})

test('GET /project/list: the granted ones, a domain where there is one.', async () => {
  await world.service.runtime.store.write((tx) =>
    tx.update(projects).set({ domain: 'harbour-news.example' }).where(eq(projects.id, world.project.id)),
  )
  const { access_token } = await world.tokens({ project_ids: [world.project.public_id, world.other.public_id] })
  expect(
    (await call('GET', '/project/list', access_token)).body.projects.sort((a: { slug: string }, b: { slug: string }) =>
      a.slug.localeCompare(b.slug),
    ),
  ).toEqual([
    { id: world.project.public_id, name: 'Harbour News', slug: 'harbour-news', domain: 'harbour-news.example' },
    { id: world.other.public_id, name: 'Mountain Post', slug: 'mountain-post' },
  ])
  const one = await world.tokens({ project_ids: [world.other.public_id] })
  expect((await call('GET', '/project/list', one.access_token)).body).toEqual({
    projects: [{ id: world.other.public_id, name: 'Mountain Post', slug: 'mountain-post' }],
  })
})

test('POST /project/details answers the record itself.', async () => {
  const { access_token } = await world.tokens()
  expect(await call('POST', '/project/details', access_token, { project_id: world.project.public_id })).toMatchObject({
    status: 200,
    body: { id: world.project.public_id, name: 'Harbour News', slug: 'harbour-news' },
  })
})

test('The routes about a token need no scope.', async () => {
  const { access_token } = await world.tokens({ scope: 'directory:items:read' })
  for (const [method, path] of ROUTES)
    expect(
      (await call(method, path, access_token, method === 'POST' ? { project_id: world.project.public_id } : undefined))
        .status,
    ).toBe(200)
})

test.each([...ROUTES])('%s %s answers 401 without a valid token.', async (method, path) => {
  const { access_token } = await world.tokens()
  const missing = await call(method, path, null, method === 'POST' ? {} : undefined)
  expect(missing).toMatchObject({ status: 401, body: { error: 'unauthorized', message: expect.any(String) } })
  expect(missing.headers.get('www-authenticate')).toStartWith('Bearer')
  expect(missing.headers.get('www-authenticate')).not.toContain('error=')
  for (const token of ['svc_at_unknown', 'nonsense', access_token.slice(0, -1), world.keys.owner]) {
    const answer = await call(method, path, token, method === 'POST' ? {} : undefined)
    expect(answer).toMatchObject({ status: 401, body: { error: 'invalid_token', message: expect.any(String) } })
    expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"')
  }
  expect(await call(method, path, null, undefined, { Authorization: world.keys.owner })).toMatchObject({
    status: 401,
    body: { error: 'invalid_token' },
  })
  expect(await call(method, path, null, undefined, { Authorization: access_token })).toMatchObject({
    status: 401,
    body: { error: 'invalid_token' },
  })
})

test.each([...ROUTES])('%s %s answers 405 to other methods.', async (method, path) => {
  const { access_token } = await world.tokens()
  const answer = await call(method === 'GET' ? 'POST' : 'GET', path, access_token)
  expect(answer.status).toBe(405)
  expect(answer.headers.get('allow')).toContain(method)
})

test('POST /project/details answers 400, 403 and 415 to wrong bodies, projects and media types.', async () => {
  const { access_token } = await world.tokens()
  const details = (body: unknown, headers = {}) => call('POST', '/project/details', access_token, body, headers)
  for (const body of [
    {},
    { project_id: '' },
    { project_id: 1 },
    { project_id: null },
    { project_id: [world.project.public_id] },
    { project_id: world.project.public_id, extra: 1 },
    [],
    '"text"',
    '{',
  ]) {
    expect(await details(body)).toMatchObject({
      status: 400,
      body: { error: 'invalid_request', message: expect.any(String) },
    })
  }
  for (const project_id of [world.other.public_id, 'prj_unknown', 'harbour-news'])
    expect(await details({ project_id })).toMatchObject({ status: 403, body: { error: 'project_not_authorized' } })
  expect((await details('project_id=1', { 'Content-Type': 'application/x-www-form-urlencoded' })).status).toBe(415)
})

test("A removed member's token works without the project, and with it again after their return.", async () => {
  const { access_token } = await world.tokens({
    who: 'editor',
    scope: SCOPES.join(' ').replace('newsletter:admin ', ''),
  })
  await setRole(world, 'editor', null)
  expect(await call('POST', '/project/details', access_token, { project_id: world.project.public_id })).toMatchObject({
    status: 403,
    body: { error: 'project_not_authorized' },
  })
  expect((await call('GET', '/project/list', access_token)).body).toEqual({ projects: [] })
  expect((await call('GET', '/token/introspect', access_token)).body.authorization.authorizedTo.projectIds).toEqual([])
  expect((await world.call('lists/list', {}, { as: access_token })).status).toBe(403)
  expect(await world.works(access_token)).toBe(200)
  await world.service.runtime.store.write((tx) =>
    tx
      .insert(members)
      .values({ project_id: world.project.id, user_id: world.users.editor, role: 'editor', added_at: 0 }),
  )
  expect((await call('POST', '/project/details', access_token, { project_id: world.project.public_id })).status).toBe(
    200,
  )
})

test('A changed role counts from the next call of the same token on.', async () => {
  const { access_token } = await world.tokens({ who: 'administrator' })
  const create = async () =>
    (await world.call('lists/create', { name: `List ${crypto.randomUUID()}` }, { as: access_token })).status
  expect(await create()).toBe(200)
  await setRole(world, 'administrator', 'member')
  expect(await create()).toBe(403)
  expect((await world.call('lists/list', {}, { as: access_token })).status).toBe(200)
  await setRole(world, 'administrator', 'administrator')
  expect(await create()).toBe(200)
})

test('The request log of an app has its token requests and refusals.', async () => {
  const { store } = world.service.runtime
  const client = await world.newClient()
  const { access_token } = await world.tokens({ client })
  await call('GET', '/token/authorized_by', access_token)
  await call('POST', '/project/details', access_token, { project_id: world.other.public_id })
  await world.refresh('svc_rt_unknown', {}, client)
  await flushRequests(store)
  const entries = await listRequests(store.db, client.id, { limit: 10 }, world.clock.now())
  expect(entries.map(({ method, route, status }) => `${method} ${route} ${status}`).sort()).toEqual([
    'GET /token/authorized_by 200',
    'POST /general/oauth/token 200',
    'POST /general/oauth/token 400',
    'POST /project/details 403',
  ])
})
